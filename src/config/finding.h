// SPDX-License-Identifier: BSD-3-Clause
// What a check says about a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "config/option.h"
#include "json/json.h"

namespace openqnn::config {

// A change that mends a finding, in terms of the text's spans; fix.h turns it into edits.
struct Change {
  enum class Kind : uint8_t {
    kReplace,       // the bytes of `span` become `text`
    kRemoveItem,    // a member (key to value) or an element goes, with its comma
    kInsertMember,  // `text` = JSON value under `key`, at the end of the object that spans `span`
  };
  Kind kind;
  json::Span span;
  std::string text = {};
  std::string key = {};
};

struct Fix {
  std::string title;  // "rename to memory_limit_hint"
  std::vector<Change> changes;
};

struct Finding {
  std::string_view code;  // of a rule: "dlbc-weight-sharing"; static storage
  Severity severity = Severity::kWarning;
  std::string message = {};  // what, and why; one line
  std::string advice = {};   // what to do instead; may be empty
  Kind kind = Kind::kHtp;    // the file it is about, when several are checked together
  std::string path = {};     // "graphs[1].dlbc"; empty for the file as a whole
  json::Span span = {};      // empty when the value was not read from a text
  std::vector<std::string> notes = {};
  std::optional<Fix> fix = {};  // only where it is safe
};

}  // namespace openqnn::config
