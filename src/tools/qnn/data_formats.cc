// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/data_formats.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "tools/file_kind.h"

namespace openqnn::tools {
namespace {

constexpr std::string_view kPrefix = "QNN_TENSOR_DATA_FORMAT_";

// Of two names for a number the first is the one that readers of the utility's JSON know.
constexpr std::array<std::pair<Qnn_TensorDataFormat_t, std::string_view>, 39> kFormats = {{
    {QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER, "FLAT_BUFFER"},
    {QNN_TENSOR_DATA_FORMAT_SPARSE, "SPARSE"},
    {QNN_TENSOR_DATA_FORMAT_CODEBOOK, "CODEBOOK"},
    {QNN_TENSOR_DATA_FORMAT_MX, "MX"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888, "UBWC_RGBA8888"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_NV12, "UBWC_NV12"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y, "UBWC_NV12_Y"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV, "UBWC_NV12_UV"},
    {QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT, "HMX_WEIGHT_LAYOUT"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_NV124R, "UBWC_NV124R"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_Y, "UBWC_NV124R_Y"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_UV, "UBWC_NV124R_UV"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_P010, "UBWC_P010"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_P010_Y, "UBWC_P010_Y"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_P010_UV, "UBWC_P010_UV"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_P016, "UBWC_P016"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_P016_Y, "UBWC_P016_Y"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_P016_UV, "UBWC_P016_UV"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_TP10, "UBWC_TP10"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_TP10_Y, "UBWC_TP10_Y"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_TP10_UV, "UBWC_TP10_UV"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_1X1, "UBWC_TBAYER10_1X1"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_2X2, "UBWC_TBAYER10_2X2"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_3X3, "UBWC_TBAYER10_3X3"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_4X4, "UBWC_TBAYER10_4X4"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_10BPS_1X1, "UBWC_BAYER16_10BPS_1X1"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_10BPS_2X2, "UBWC_BAYER16_10BPS_2X2"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_10BPS_4X4, "UBWC_BAYER16_10BPS_4X4"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_12BPS_1X1, "UBWC_BAYER16_12BPS_1X1"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_12BPS_2X2, "UBWC_BAYER16_12BPS_2X2"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_12BPS_4X4, "UBWC_BAYER16_12BPS_4X4"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_14BPS_1X1, "UBWC_BAYER16_14BPS_1X1"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_14BPS_2X2, "UBWC_BAYER16_14BPS_2X2"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_14BPS_4X4, "UBWC_BAYER16_14BPS_4X4"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_16BPS_1X1, "UBWC_BAYER16_16BPS_1X1"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_16BPS_2X2, "UBWC_BAYER16_16BPS_2X2"},
    {QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_16BPS_4X4, "UBWC_BAYER16_16BPS_4X4"},
    {QNN_TENSOR_DATA_FORMAT_BATCH_ALIGNED_256, "BATCH_ALIGNED_256"},
    {QNN_TENSOR_DATA_FORMAT_DENSE, "DENSE"},
}};

Status check(const config::Document& document, const config::Part& part, const TellFinding& tell) {
  config::Circumstances circumstances;
  circumstances.tool = config::Tool::kContextBinaryGenerator;
  circumstances.stage = config::Stage::kOffline;
  if (part.soc != nullptr) circumstances.soc = *part.soc;
  return tell_findings(document.name, document.text, config::check_documents({&document}, circumstances),
                       tell);
}

Status add_wish(FormatWishes& wishes, std::pair<std::string, std::string> name, const FormatWish& wish) {
  const auto [place, is_new] = wishes.try_emplace(std::move(name), wish);
  if (is_new || place->second.format == wish.format) return {};
  return invalid("format-twice", concat("tensor '", place->first.second, "' of graph '", place->first.first,
                                        "' has another format in line ", place->second.where.line))
      .at(wish.where)
      .fix_by("give each tensor one format");
}

}  // namespace

std::string data_format_name(Qnn_TensorDataFormat_t format) {
  for (const auto& [number, name] : kFormats)
    if (number == format) return concat(kPrefix, name);
  return std::to_string(format);
}

std::optional<Qnn_TensorDataFormat_t> data_format_named(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  for (const auto& [number, known] : kFormats)
    if (name.substr(kPrefix.size()) == known) return number;
  return std::nullopt;
}

Result<FormatWishes> read_data_formats(const std::string& path, const config::Part& part,
                                       const TellFinding& tell) {
  OPENQNN_TRY(expect_kind(path, {FileKind::kJson}));
  const config::Document document = config::read_file(path, config::Kind::kDataFormat);
  OPENQNN_TRY(check(document, part, tell));
  if (!document.config || document.config->kind != config::Kind::kDataFormat)
    return invalid("config-file", "this is no data-format file").at(path);
  FormatWishes wishes;
  const json::LineIndex lines(document.text);
  for (const config::Record& graph : document.config->root().records("graphs"))
    for (const config::Record& tensor : graph.records("tensors")) {
      const std::string_view format = tensor.text("dataFormat").or_else("");
      const auto number = data_format_named(format);
      if (!number) return internal("format-name", concat("no number is known for ", format)).at(path);
      const Where where = {path, lines.position(tensor.object().span().begin).line, 0};
      const std::string name(tensor.text("tensor_name").or_else(""));
      for (const std::string_view graph_name : graph.texts("graph_name").or_else({}))
        OPENQNN_TRY(add_wish(wishes, {std::string(graph_name), name}, {*number, where}));
    }
  return wishes;
}

}  // namespace openqnn::tools
