// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/dsp_heap.h"

namespace openqnn::runtime {

DspHeap& DspHeap::instance() {
  static DspHeap heap;
  return heap;
}

}  // namespace openqnn::runtime
