// SPDX-License-Identifier: BSD-3-Clause
// What the oracles of sums of products share: which kinds of weights go with which types.
#pragma once

#include "oracle/oracle.h"

namespace openqnn::oracle {

// Every row with every kind of weights would be thousands of problems: what is special about weights does not
// depend on the type of the bias, and little on that of the activations.
inline bool skips_weights(const Problem& problem) {
  const Problem::Input& weight = problem.inputs[1];
  const bool special = weight.per_axis || weight.per_block || weight.four_bits;
  const bool narrow_bias = problem.has_input(2) && problem.inputs[2].type == "ufx8";
  if (special && (narrow_bias || problem.inputs[0].type == "sfx8")) return true;
  return weight.is_static && !special && narrow_bias;
}

}  // namespace openqnn::oracle
