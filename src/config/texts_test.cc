// SPDX-License-Identifier: BSD-3-Clause
// The small texts beside the JSON files: input lists and op-package strings.
#include <gmock/gmock.h>

#include "config/input_list.h"
#include "config/op_packages.h"

namespace openqnn::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// feature: A8 (inside)
TEST(InputList, ReadsEveryDocumentedForm) {
  const auto list = parse_input_list(
      "#conv1 conv2\r\n%out:0\n\nids:=a/0.raw mask:=a/1.raw\nids:=b/0.raw mask:=b/1.raw", "l");
  ASSERT_TRUE(list.ok()) << list.error().to_string();
  EXPECT_THAT(list->output_layers, ElementsAre("conv1", "conv2"));
  EXPECT_THAT(list->output_tensors, ElementsAre("out:0"));
  ASSERT_EQ(list->inferences.size(), 2u);
  EXPECT_EQ(list->inferences[1].line, 5u);
  EXPECT_EQ(list->inferences[1].files[1].name, "mask");
  EXPECT_EQ(list->inferences[1].files[1].path, "b/1.raw");
  const auto marked = parse_input_list("\xEF\xBB\xBF%out\n a.raw \t \r\n", "l");
  ASSERT_TRUE(marked.ok()) << marked.error().to_string();
  EXPECT_THAT(marked->output_tensors, ElementsAre("out"));
  EXPECT_EQ(marked->inferences[0].files[0].path, "a.raw");
  const auto bare = parse_input_list("a.raw\nb.raw\n", "l");
  ASSERT_TRUE(bare.ok());
  EXPECT_EQ(bare->inferences[0].files[0].name, "");
}

// feature: A8 (inside)
TEST(InputList, SaysWhatIsWrongAndWhere) {
  for (const char* text : {"", "\n \r\n", "#only", "x:=a y", "x:= a", ":=a", "a.raw\n#late", "%t\n#l\na",
                           "a b\nc", "x:=a x:=b"}) {
    const auto list = parse_input_list(text, "list.txt");
    ASSERT_FALSE(list.ok()) << text;
    EXPECT_THAT(list.error().where.object, HasSubstr("list.txt"));
    EXPECT_FALSE(list.error().fix.empty());
  }
}

// feature: A8 (inside)
TEST(InputList, IsText) {
  using std::string_view_literals::operator""sv;
  const auto wide = parse_input_list(
      "\xFF\xFE"
      "a\0.\0"sv,
      "l");
  ASSERT_FALSE(wide.ok());
  EXPECT_THAT(wide.error().message, HasSubstr("UTF-16"));
  const auto values = parse_input_list("\0\0\x80\x3F"sv, "x.raw");
  ASSERT_FALSE(values.ok());
  EXPECT_THAT(values.error().message, HasSubstr("no text"));
}

// feature: A8 (inside)
TEST(OpPackages, ReadsPathsProvidersAndTargets) {
  const auto packages = parse_op_packages("libA.so:Provider,C:\\b\\libB.dll:Other:HTP");
  ASSERT_TRUE(packages.ok()) << packages.error().to_string();
  ASSERT_EQ(packages->size(), 2u);
  EXPECT_EQ((*packages)[0].path, "libA.so");
  EXPECT_EQ((*packages)[1].path, "C:\\b\\libB.dll");
  EXPECT_EQ((*packages)[1].target, "HTP");
  EXPECT_EQ(to_string((*packages)[1]), "C:\\b\\libB.dll:Other:HTP");
  for (const char* bad : {"", "libA.so", "libA.so:", ":P", "a:b:GPU", "a:b:HTP:x", "a:b,"})
    EXPECT_FALSE(parse_op_packages(bad).ok()) << bad;
}

}  // namespace
}  // namespace openqnn::config
