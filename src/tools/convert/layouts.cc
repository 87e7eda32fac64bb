// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/layouts.h"

#include <algorithm>

#include "base/text.h"
#include "tools/args.h"

namespace openqnn::tools::convert {
namespace {

constexpr std::string_view kNontrivial = "NONTRIVIAL";  // the letters say nothing

struct Pair {
  std::string_view first;
  std::string_view last;
};
constexpr Pair kChannelPairs[] = {{"NCDHW", "NDHWC"}, {"NCHW", "NHWC"}, {"NCF", "NFC"}};

}  // namespace

Status check_layout(std::string_view layout, std::string_view option) {
  if (is_among(layout, kLayouts)) return {};
  return wrong_option(option, concat("there is no layout '", layout, "'"))
      .fix_by(concat("one of ", kLayouts));
}

Result<frontend::onnx::Order> order_between(std::string_view from, std::string_view to,
                                            std::string_view option) {
  frontend::onnx::Order order;
  if (from == to && from != kNontrivial) return frontend::onnx::plain_order(from.size());
  for (const char letter : to) {
    const size_t at = from.find(letter);
    if (from == kNontrivial || to == kNontrivial || from.size() != to.size() ||
        at == std::string_view::npos) {
      return wrong_option(option, concat("a tensor that is ", from, " cannot be given as ", to))
          .fix_by("give a layout with the same letters");
    }
    order.push_back(static_cast<uint32_t>(at));
  }
  return order;
}

std::string_view channels_last(std::string_view layout) {
  for (const Pair& pair : kChannelPairs)
    if (pair.first == layout) return pair.last;
  return layout;
}

std::string_view usual_layout(size_t rank) { return rank == 4 ? "NCHW" : rank == 5 ? "NCDHW" : kNontrivial; }

}  // namespace openqnn::tools::convert
