// SPDX-License-Identifier: BSD-3-Clause
#include "exec/pieces.h"

#include "ops/share.h"

namespace openqnn::exec {

std::vector<ir::Box> pieces_of(const ops::OpDef& def, const ops::Kernel& kernel, const ops::OpCall& call,
                               size_t threads) {
  const ir::Box whole = ir::Box::whole(call.out().shape);
  if (threads < 2) return {whole};
  const size_t wanted = threads * ops::kPiecesPerThread;
  if (kernel.divide) return kernel.divide(call, wanted);
  return ops::share_out(whole, ops::split_axes(def, call), whole.elements(), wanted);
}

}  // namespace openqnn::exec
