// SPDX-License-Identifier: BSD-3-Clause
// What went wrong, in words a user can act on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openqnn {

enum class Severity : uint8_t { kNote, kWarning, kError };
std::string_view severity_name(Severity severity);  // "error"

// The kind of failure, so that a caller can choose what to do without reading the sentence.
enum class Failure : uint8_t {
  kInvalid,      // the caller's input breaks a rule
  kUnsupported,  // legal, but not offered by this target or this version
  kExhausted,    // a resource (memory, VTCM, slots) does not suffice
  kCorrupt,      // bytes that claim to be ours are damaged or hostile
  kSystem,       // the operating system refused
  kInternal,     // our own invariant does not hold
};

// Where it happened: a place in a text or binary file, or an object of the client.
struct Where {
  std::string object;   // a file path, or "graph 'g', node 'conv0'"
  uint32_t line = 0;    // 1-based; 0 when the place has no line
  uint32_t column = 0;  // 1-based, in characters

  bool empty() const { return object.empty() && line == 0; }
  std::string to_string() const;
};

struct Diagnostic {
  std::string code;  // stable and searchable, e.g. "op-type-row"
  Failure failure = Failure::kInvalid;
  Severity severity = Severity::kError;
  std::string message;  // what, and why
  Where where;
  std::vector<std::string> notes;
  std::string fix;  // what to do instead; empty when we know no remedy

  // One line: "where: error: message [code] (fix)". Notes follow on lines of their own.
  std::string to_string() const;
  // "where: message; fix", for a log that has levels of its own.
  std::string sentence() const;
};

// Builders, so that a failing check stays one expression:
//   return invalid("conv-groups", "…").at("node 'c'").fix_by("…");
class DiagnosticBuilder {
 public:
  DiagnosticBuilder(Failure failure, std::string code, std::string message);

  DiagnosticBuilder&& at(std::string object) &&;
  DiagnosticBuilder&& at(Where where) &&;
  DiagnosticBuilder&& note(std::string text) &&;
  DiagnosticBuilder&& fix_by(std::string text) &&;

  operator Diagnostic() && { return std::move(diagnostic_); }  // NOLINT: implicit on purpose

 private:
  Diagnostic diagnostic_;
};

DiagnosticBuilder invalid(std::string code, std::string message);
DiagnosticBuilder unsupported(std::string code, std::string message);
DiagnosticBuilder exhausted(std::string code, std::string message);
DiagnosticBuilder corrupt(std::string code, std::string message);
DiagnosticBuilder system_failure(std::string code, std::string message);
DiagnosticBuilder internal(std::string code, std::string message);

}  // namespace openqnn
