// SPDX-License-Identifier: BSD-3-Clause
// Reads the fields of one object of a facts file. Only this room includes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "soc/target.h"

namespace openqnn::soc {

struct FactsFile {
  std::string_view text;
  std::string_view name;  // for diagnostics
};

// A fact that cannot be used: where it stands, and what to do.
Diagnostic bad_fact(const FactsFile& file, json::Span at, std::string message);

// A missing or null field leaves `out` alone, if not said otherwise. The first thing that is wrong stays.
class Fields {
 public:
  Fields(const json::Value& object, const FactsFile& file) : object_(object), file_(file) {}

  void text(std::string_view key, std::optional<std::string>& out);
  void text(std::string_view key, std::string& out);
  void boolean(std::string_view key, std::optional<bool>& out);
  void count(std::string_view key, std::optional<uint32_t>& out);  // at most 65535
  void counts(std::string_view key, std::vector<uint32_t>& out);
  void texts(std::string_view key, std::vector<std::string>& out);
  void arch(std::string_view key, std::optional<uint32_t>& out);  // "v75" -> 75
  void archs(std::string_view key, std::vector<uint32_t>& out);
  // {"field": ["key of a source", …], …}
  void sources(std::string_view key, std::vector<FieldSources>& out);

  // {"value": number above 0, "grade": text, "source": text}; must be there.
  void rate(std::string_view key, double& out);
  void cycles(std::string_view key, uint32_t& out);

  Status status() && { return failure_ ? Status(*std::move(failure_)) : Status(); }

 private:
  const json::Value* given(std::string_view key) const;
  const json::Array& items(std::string_view key);  // a value that is no list fails
  void fail(std::string_view key, const json::Value& at, std::string_view expected);

  const json::Value& object_;
  const FactsFile& file_;
  std::optional<Diagnostic> failure_;
};

}  // namespace openqnn::soc
