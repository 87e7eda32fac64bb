// SPDX-License-Identifier: BSD-3-Clause
// data/errors.json: what each error code means, what usually lies behind it, and what to do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace openqnn::runtime {

struct ErrorCause {
  std::string cause;
  std::string remedy;
  std::string source;  // "documents", "user reports" or "our reading"
};

// A name of an error code. Several components may name one code; one of the names is the primary one.
struct ErrorEntry {
  uint32_t code = 0;
  std::string name;  // "QNN_CONTEXT_ERROR_CREATE_FROM_BINARY"
  bool primary = false;
  std::string meaning;
  std::string remedy;
  std::vector<ErrorCause> causes;  // of primary entries
};

// A code of the link to the DSP, as logs of devices show it.
struct TransportCode {
  uint32_t code = 0;
  std::string name;  // "AEE_EUNABLETOLOAD"
  std::string meaning;
  std::string remedy;
  std::string source;
  std::vector<uint32_t> leads_to;  // QNN's codes that follow in the log
  std::vector<ErrorCause> causes;
};

// A range of codes: from `first` to the next component.
struct ErrorComponent {
  uint32_t first = 0;
  std::string name;  // "Context"
};

struct ErrorCatalogue {
  std::vector<ErrorComponent> components;  // by rising code, like all lists here
  std::vector<ErrorEntry> entries;
  std::vector<TransportCode> transport;

  const ErrorEntry* primary(uint32_t code) const;                // nullptr when there is no such code
  const TransportCode* find_transport(uint32_t code) const;      // likewise
  const ErrorComponent* component_of(uint32_t code) const;       // nullptr below the first range
  uint32_t last_code_of(const ErrorComponent& component) const;  // of its range, whether in use or not
};

// The catalogue of this build, or of the folder OPENQNN_DATA_DIR.
Result<ErrorCatalogue> error_catalogue();

// `source` names the text in diagnostics.
Result<ErrorCatalogue> read_error_catalogue(std::string_view text, std::string_view source);

}  // namespace openqnn::runtime
