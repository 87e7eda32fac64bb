// SPDX-License-Identifier: BSD-3-Clause
// "What is error 0x138d?": finds entries of the catalogue by number, name, words or a line of a log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/error_catalogue.h"

namespace openqnn::runtime {

// What fits a query; pointers into the catalogue.
struct ErrorMatches {
  std::vector<const ErrorEntry*> entries;  // the primary one of a code first
  std::vector<const TransportCode*> transport;
  std::string note;  // how the query was read, where that is not plain

  bool empty() const { return entries.empty() && transport.empty(); }
};

// Takes a number (decimal, hexadecimal with or without 0x, negative, or a whole 64-bit error handle), a name
// or a piece of one, a line of a log with codes in it, or words of a meaning or cause. The diagnostic of an
// unknown number tells its component and the nearest codes.
Result<ErrorMatches> find_errors(const ErrorCatalogue& catalogue, std::string_view query);

}  // namespace openqnn::runtime
