// SPDX-License-Identifier: BSD-3-Clause
// Which numbers the model computes in.
#include "advise/rule.h"
#include "base/text.h"

namespace openqnn::advise {
namespace {

constexpr double kMostOfIt = 0.5;

void try_precisions(const Subject& subject, Report& report, Finding& finding,
                    std::initializer_list<std::string_view> names) {
  if (!subject.given().in_precision) return;
  for (const std::string_view name : names)
    report.try_graph(finding, concat("--precision ", name), subject.given().in_precision(name));
}

void precision_order(const Subject& subject, Report& report) {
  const std::vector<size_t> half =
      subject.ops_where([&](size_t op) { return ir::is_float(subject.output(op).desc.type); });
  const std::vector<size_t> word =
      subject.ops_where([&](size_t op) { return is_word(subject.output(op).desc.type); });
  if (subject.share(half) >= kMostOfIt) {
    Finding& finding = report.add(concat(counted(half.size(), "op computes", "ops compute"),
                                         " in half precision, which takes the most energy and time: ",
                                         percent(subject.share(half)), " of the simulated cycles"),
                                  half);
    try_precisions(subject, report, finding, {"w8a8", "w8a16"});
  } else if (subject.share(word) >= kMostOfIt) {
    Finding& finding =
        report.add(concat(counted(word.size(), "op has", "ops have"),
                          " 16-bit activations: ", percent(subject.share(word)), " of the simulated cycles"),
                   word);
    try_precisions(subject, report, finding, {"w8a8"});
  }
}

constexpr RuleDef kPrecisionRules[] = {
    {.id = "ADV-PRECISION",
     .level = Level::kNote,
     .title = "Most of the model computes in half precision or on 16-bit activations.",
     .why = "Energy and time grow in the order A8, A16, FP16, and so does accuracy. A model that was never "
            "tried in 8 bits may pay for accuracy that it does not need.",
     .when = "half of the simulated cycles and more (ours)",
     .instead =
         "try 8-bit activations first, 16-bit ones where that is not accurate enough, and half precision "
         "last; `openqnn compare` measures the accuracy of each",
     .bad = "openqnn advise model.onnx --precision float",
     .good = "openqnn advise model.onnx",
     .source = "HTP backend page, recommendations for network design: A8, then A16, then FP16",
     .effect = "the model in the smaller precisions, with assumed ranges",
     .find = precision_order},
};

}  // namespace

std::span<const RuleDef> precision_rules() { return kPrecisionRules; }

}  // namespace openqnn::advise
