// SPDX-License-Identifier: BSD-3-Clause
// What a model should compute, in double precision and in the plainest way. Written for these tests alone:
// it shares no code with the backend.
#pragma once

#include <gtest/gtest.h>

#include "model.h"

namespace conformance {

// The outputs of the model by name. Every tensor is rounded once to what the device stores: 8-bit codes, or
// half floats for float models.
std::map<std::string, Values> expected_outputs(const Model& model, const Buffers& inputs);

// The same, but what nodes compute is not rounded: how far a device's outputs are from it is their error.
std::map<std::string, Values> exact_outputs(const Model& model, const Buffers& inputs);

// Whether outputs agree: quantized ones within one step, float ones within 0.4 % (what clients accept).
::testing::AssertionResult agrees(const Model& model, const Buffers& outputs,
                                  const std::map<std::string, Values>& expected);

}  // namespace conformance
