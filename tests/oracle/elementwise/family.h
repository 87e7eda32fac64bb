// SPDX-License-Identifier: BSD-3-Clause
// What the oracles of this family share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "oracle/oracle.h"

namespace openqnn::oracle {

// Shapes for ops of one input, up to the rank that the tables list.
std::vector<std::string> unary_shapes(size_t max_rank);
// The same for two inputs that broadcast.
std::vector<std::string> binary_shapes(size_t max_rank);

// A function of the elements of all inputs, with the problem's parameters.
using ElementFunction = std::function<double(const Problem&, const std::vector<double>&)>;

// An op that applies it; results are cut to what a plain output type can hold.
Oracle elementwise(std::string op, std::vector<std::string> problems, ElementFunction function);

// Fills an input with uniform numbers, whatever its type.
using Fill = std::function<bool(const Problem&, size_t, Tensor&, Random&)>;
Fill between(double low, double high);
// With a few numbers again and again, so that equal ones and zeros meet; unsigned types keep their own.
Fill among(std::vector<double> numbers);

// A parameter as the op sees it: rounded to float.
double setting(const Problem& problem, const std::string& name, double fallback);

}  // namespace openqnn::oracle
