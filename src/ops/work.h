// SPDX-License-Identifier: BSD-3-Clause
// What a tile needs of a unit: work, never time. docs/timing.md says how each count becomes cycles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "soc/target.h"

namespace openqnn::ops {

// Which numbers a unit works on: 8-bit and 16-bit integers, or half.
using soc::Arithmetic;
// What is done to a vector of 128 bytes, where latencies of devices tell how long that takes.
using soc::VectorKind;

struct Work {
  soc::Unit unit = soc::Unit::kHvx;
  Arithmetic arithmetic = Arithmetic::kBytes;  // of the activations
  uint64_t macs = 0;          // multiply-accumulates with weights of one byte or a half, on whole tiles
  uint64_t skipped_macs = 0;  // of the positions between strides, which the unit meets as well
  bool ragged = false;        // the rows of the product do not fill chunks of the matrix unit
  uint32_t matrices = 0;      // of a product of two activations
  // By kind, in whole chunks. An op of no kind that devices tell of counts instructions instead.
  std::array<uint64_t, soc::kVectorKinds> vectors = {};
  uint64_t vector_ops = 0;  // 128-byte vector instructions; our estimate
  uint64_t vtcm_bytes = 0;  // read and written in VTCM

  uint64_t& of(VectorKind kind) { return vectors[static_cast<size_t>(kind)]; }
  uint64_t of(VectorKind kind) const { return vectors[static_cast<size_t>(kind)]; }
};

}  // namespace openqnn::ops
