// SPDX-License-Identifier: BSD-3-Clause
#include "exec/pieces.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "base/units.h"
#include "ops/common.h"

namespace openqnn::exec {
namespace {

// Below this many output elements an op is not worth waking other threads for.
constexpr uint64_t kElementsPerPiece = 4096;

// Cuts a box into at most `pieces` parts along the outermost axis that the op lets tiles divide: no work is
// then done twice, and each part is one stretch of memory.
std::vector<ir::Box> split(const ir::Box& whole, const std::vector<ops::SplitAxis>& axes, uint64_t pieces) {
  const ops::SplitAxis* chosen = nullptr;
  for (const ops::SplitAxis& axis : axes)
    if (whole.extent(axis.axis) > axis.granularity && (!chosen || axis.axis < chosen->axis)) chosen = &axis;
  if (!chosen) return {whole};
  const uint64_t units = ceil_div(whole.extent(chosen->axis), chosen->granularity);
  return ops::cut(whole, chosen->axis, chosen->granularity, std::clamp<uint64_t>(pieces, 1, units));
}

}  // namespace

std::vector<ir::Box> pieces_of(const ops::OpDef& def, const ops::Kernel& kernel, const ops::OpCall& call) {
  // A few pieces per thread, so that a thread that is late holds nobody up for long.
  const size_t threads = ThreadPool::shared().threads();
  const uint64_t wanted = threads == 1 ? 1 : threads * 4;
  if (kernel.divide) return kernel.divide(call, wanted);
  const ir::Box whole = ir::Box::whole(call.out().shape);
  const uint64_t worthwhile = std::max<uint64_t>(1, whole.elements() / kElementsPerPiece);
  return split(whole, ops::split_axes(def, call), std::min<uint64_t>(worthwhile, wanted));
}

}  // namespace openqnn::exec
