// SPDX-License-Identifier: BSD-3-Clause
// Shapes that the hardware stores or computes badly.
#include <algorithm>

#include "advise/rewrite.h"
#include "advise/rule.h"
#include "base/text.h"
#include "base/units.h"
#include "prepare/tcm_need.h"
#include "profile/text_table.h"

namespace openqnn::advise {
namespace {

constexpr uint32_t kDepth = 32;  // channels are stored in multiples of this
constexpr uint32_t kImageChannels = 4;
constexpr double kManyFew = 0.1;
constexpr double kGroupShare = 0.05;
constexpr double kPoolShare = 0.05;

bool is_dense_conv(const program::Op& op) {
  return (op.type == "Conv2d" || op.type == "TransposeConv2d") && op.params.u32("group", 1) == 1;
}

// ---- Few channels ----

uint32_t channels_of(const program::Tensor& tensor) { return tensor.desc.shape.from_end(0); }

// A quarter of what is stored and more is padding.
bool is_mostly_padded(uint32_t channels) {
  const uint64_t stored = round_up(channels, kDepth);
  return 4 * (stored - channels) >= stored;
}

bool has_few_channels(const Subject& subject, size_t op) {
  if (!is_dense_conv(subject.op(op))) return false;
  const program::Tensor& input = subject.input(op, 0);
  const bool image = input.role == ir::TensorRole::kInput && channels_of(input) <= kImageChannels;
  return (!image && is_mostly_padded(channels_of(input))) ||
         is_mostly_padded(channels_of(subject.output(op)));
}

void few_channels(const Subject& subject, Report& report) {
  const std::vector<size_t> found =
      subject.ops_where([&](size_t op) { return has_few_channels(subject, op); });
  if (found.empty() || subject.share(found) < kManyFew) return;
  const size_t first = *std::ranges::max_element(found, {}, [&](size_t op) { return subject.share(op); });
  Finding& finding = report.add(
      concat(counted(found.size(), "convolution has", "convolutions have"),
             " channels that a quarter and more of padding is stored with: ", percent(subject.share(found)),
             " of the simulated cycles; '", subject.op(first).name, "' goes from ",
             channels_of(subject.input(first, 0)), " to ", channels_of(subject.output(first))),
      found);
  report.try_nodes(finding, concat("the channels between them widened to a multiple of ", kDepth), found,
                   [](const ir::Graph& graph, const NodeList& nodes) {
                     return with_padded_channels(graph, nodes, kDepth);
                   });
}

// ---- Groups ----

void narrow_groups(const Subject& subject, Report& report) {
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    const program::Op& node = subject.op(op);
    const uint32_t groups = node.params.u32("group", 1);
    return node.type == "Conv2d" && groups > 1 && channels_of(subject.input(op, 0)) / groups < kDepth;
  });
  if (found.empty() || subject.share(found) < kGroupShare) return;
  const program::Op& first = subject.op(found[0]);
  const uint32_t groups = first.params.u32("group", 1);
  Finding& finding =
      report.add(concat(counted(found.size(), "grouped convolution", "grouped convolutions"), ": ",
                        percent(subject.share(found)), " of the simulated cycles; '", first.name, "' has ",
                        groups, " groups of ", channels_of(subject.input(found[0], 0)) / groups, " channels"),
                 found);
  report.try_nodes(finding, "groups joined to 32 channels, with zeros between (the same result)", found,
                   with_joined_groups);
}

// ---- Pooling ----

bool is_global_pool(const Subject& subject, size_t op) {
  return prepare::is_global_pool(subject.op(op).type, program::call_of(subject.program(), subject.op(op)));
}

void global_pool(const Subject& subject, Report& report) {
  const std::vector<size_t> found = subject.ops_where([&](size_t op) { return is_global_pool(subject, op); });
  if (found.empty() || subject.share(found) < kPoolShare) return;
  const ir::Shape& in = subject.input(found[0], 0).desc.shape;
  report.add(concat("pooling over whole images takes ", percent(subject.share(found)),
                    " of the simulated cycles: '", subject.op(found[0]).name, "' over ", in[1], " x ", in[2]),
             found);
}

// ---- TCM ----

uint64_t tcm_need(const Subject& subject, size_t op) {
  return prepare::tcm_need(subject.op(op).type, program::call_of(subject.program(), subject.op(op)));
}

void tcm_fit(const Subject& subject, Report& report) {
  const uint64_t half = subject.program().schedule.vtcm_bytes / 2;
  if (half == 0) return;
  const std::vector<size_t> found =
      subject.ops_where([&](size_t op) { return tcm_need(subject, op) > half; });
  if (found.empty()) return;
  const size_t first = *std::ranges::max_element(found, {}, [&](size_t op) { return tcm_need(subject, op); });
  const uint64_t need = tcm_need(subject, first);
  Finding& finding =
      report.add(concat(counted(found.size(), "op needs", "ops need"), " more than half of VTCM at a time: '",
                        subject.op(first).name, "' ", need / kKiB, " KiB of ", 2 * half / kKiB),
                 found);
  if (need <= 2 * half) finding.level = Level::kNote;
}

constexpr RuleDef kShapeRules[] = {
    {.id = "ADV-CHANNELS",
     .level = Level::kNote,
     .title = "Convolutions have channels that do not fill 32.",
     .why = "Channels are stored and multiplied in multiples of 32: with 4, 8 or 16, most of the matrix unit "
            "works on padding.",
     .when =
         "10 % of the simulated cycles and more in such convolutions, an image as input not counted (ours)",
     .instead = "use 32 channels for the same time, or trade pixels for channels: space-to-depth before "
                "(1024 x 1024 x 8 as 512 x 512 x 32), width-to-depth at the output, parallel convolutions "
                "merged into one",
     .bad = "Conv 8 -> 8 channels on 112 x 112",
     .good = "Conv 32 -> 32 channels on 56 x 56",
     .source = "network-design pages: channels",
     .effect = "32 channels where convolutions alone see them: more capacity at this price",
     .effect_is_price = true,
     .find = few_channels},
    {.id = "ADV-GROUPS",
     .level = Level::kNote,
     .title = "A grouped convolution has narrow groups.",
     .why = "Each group is a product of its own, and the matrix unit takes 32 channels at a time.",
     .when = "groups of fewer than 32 channels, 5 % of the simulated cycles and more (ours)",
     .instead = "as many channels a group as possible up to 32, and few groups, a power of two",
     .bad = "Conv of 64 channels in 16 groups of 4",
     .good = "Conv of 64 channels in 2 groups of 32",
     .source = "network-design pages: grouped convolution",
     .effect = "groups joined, with zeros between them",
     .find = narrow_groups},
    {.id = "ADV-POOL",
     .level = Level::kNote,
     .title = "Pooling over whole images takes long.",
     .why = "Every element of the image goes into few results, on vectors, in one piece.",
     .when = "5 % of the simulated cycles and more (ours)",
     .instead = "shrink the image first (strides, pooling in steps), or pool fewer channels",
     .bad = "GlobalAveragePool over 56 x 56 x 128",
     .good = "GlobalAveragePool over 7 x 7 x 128, behind strides",
     .source = "network-design pages: global pooling",
     .find = global_pool},
    {.id = "ADV-TCM",
     .level = Level::kWarning,
     .title = "An op needs more than half of VTCM at a time.",
     .why = "While one piece is computed the next one is loaded. What needs more than half runs slower, what "
            "needs more than all may not be prepared at all. The simulation cuts such ops across their width "
            "and does not show the loss.",
     .when =
         "by the documents' formulas, from the rounded width, depth and window; a note up to all of VTCM, a "
         "warning above",
     .instead = "narrow the tensor (cut it along its width), use 8 bits, or grant more VTCM",
     .bad = "Add of tensors [1, 1, 16384, 32]: 12 MB at a time",
     .good = "the same as [1, 4, 4096, 32]: 3 MB",
     .source = "network-design pages: TCM fit",
     .find = tcm_fit},
};

}  // namespace

std::span<const RuleDef> shape_rules() { return kShapeRules; }

}  // namespace openqnn::advise
