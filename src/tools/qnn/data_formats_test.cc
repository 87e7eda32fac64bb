// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/data_formats.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace openqnn::tools {
namespace {

const config::OptionDef& option_of(const config::SectionDef& section, std::string_view name) {
  return *std::ranges::find(section.options, name, &config::OptionDef::name);
}

// The words of the file and the numbers of the C API are in two tables, which must know the same formats.
// feature: A8 (inside)
TEST(DataFormats, EveryWordOfTheFileHasANumber) {
  const config::SectionDef& file = *config::kind_def(config::Kind::kDataFormat).root;
  const config::SectionDef& graph = *option_of(file, "graphs").section;
  const config::SectionDef& tensor = *option_of(graph, "tensors").section;
  const auto choices = option_of(tensor, "dataFormat").choices;
  ASSERT_EQ(choices.size(), 39u);
  for (const config::Choice& choice : choices)
    EXPECT_TRUE(data_format_named(choice.value).has_value()) << choice.value;
}

TEST(DataFormats, NamesAndNumbersGoBothWays) {
  for (Qnn_TensorDataFormat_t format = 0; format <= QNN_TENSOR_DATA_FORMAT_BATCH_ALIGNED_256; ++format)
    EXPECT_EQ(data_format_named(data_format_name(format)), format);
  EXPECT_EQ(data_format_named("QNN_TENSOR_DATA_FORMAT_DENSE"), Qnn_TensorDataFormat_t{0});
  EXPECT_EQ(data_format_name(0), "QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER") << "the word of the utility's JSON";
  EXPECT_EQ(data_format_name(38), "38");
  EXPECT_EQ(data_format_named("SPARSE"), std::nullopt);
  EXPECT_EQ(data_format_named("QNN_TENSOR_DATA_FORMAT_"), std::nullopt);
}

}  // namespace
}  // namespace openqnn::tools
