// SPDX-License-Identifier: BSD-3-Clause
// What `openqnn compare` found, as data, as JSON and as a page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quant/compare.h"

namespace openqnn::tools {

struct CompareReport {
  struct Cell {
    std::string computed_as;  // "f16", "ufx8"
    double sqnr = 0.0;        // dB; infinite when nothing differs
    double largest = 0.0;     // difference
    uint64_t not_finite = 0;
    bool has_numbers = true;  // else no value is finite, neither in float: there is nothing to compare
    quant::Decisions decisions;
  };
  struct Row {
    std::string tensor;
    std::string node;
    std::string type;
    bool is_output = false;
    std::vector<std::string> sources;          // nodes of the model's file
    std::vector<std::optional<Cell>> results;  // beside `precisions`; none where the tensor is not computed
  };
  std::string model;
  size_t samples = 0;
  bool random = false;
  double threshold = 0.0;
  std::vector<std::string> precisions;
  std::vector<std::string> computed_as;  // beside them: with the model's own encodings, where it has some
  size_t own_encodings = 0;
  std::vector<Row> rows;  // in the order of the model

  // By the lowest ratio of any precision.
  std::vector<const Row*> worst_first() const;
  // In the order of the model; null when there is none.
  const Row* first_below(size_t precision) const;
  // Of the rows without numbers, the first in the order of the model, and how many there are.
  struct Numberless {
    const Row* first = nullptr;
    size_t count = 0;
  };
  Numberless numberless(size_t precision) const;
  // Whether there are outputs, and none of them has a number in any precision.
  bool no_output_has_numbers() const;
  // What a precision's column says as a whole.
  std::string summary(size_t precision) const;
  // For whom a ratio of errors means less than whether the answer stays the same: a sentence for each output.
  std::vector<std::string> decisions(size_t precision) const;
};

std::string ratio_text(const CompareReport::Cell& cell);  // "41.2", "exact"
std::string json_of(const CompareReport& report);
std::string page_of(const CompareReport& report);  // HTML, self-contained

}  // namespace openqnn::tools
