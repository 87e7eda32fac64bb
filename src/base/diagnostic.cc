// SPDX-License-Identifier: BSD-3-Clause
#include "base/diagnostic.h"

#include <array>
#include <utility>

namespace openqnn {

std::string_view severity_name(Severity severity) {
  static constexpr std::array<std::string_view, 3> kNames = {"note", "warning", "error"};
  return kNames.at(static_cast<size_t>(severity));
}

std::string Where::to_string() const {
  std::string text = object;
  if (line == 0) return text;
  if (!text.empty()) text += ':';
  text += std::to_string(line);
  if (column != 0) text += ':' + std::to_string(column);
  return text;
}

std::string Diagnostic::to_string() const {
  std::string text;
  if (!where.empty()) text += where.to_string() + ": ";
  text += severity_name(severity);
  text += ": " + message;
  if (!code.empty()) text += " [" + code + "]";
  if (!fix.empty()) text += " (" + fix + ")";
  for (const std::string& note : notes) text += "\n  note: " + note;
  return text;
}

std::string Diagnostic::sentence() const {
  std::string text = message;
  if (!where.empty()) text = where.to_string() + ": " + text;
  if (!fix.empty()) text += "; " + fix;
  return text;
}

DiagnosticBuilder::DiagnosticBuilder(Failure failure, std::string code, std::string message) {
  diagnostic_.failure = failure;
  diagnostic_.code = std::move(code);
  diagnostic_.message = std::move(message);
}

DiagnosticBuilder&& DiagnosticBuilder::at(std::string object) && {
  diagnostic_.where = Where{std::move(object)};
  return std::move(*this);
}

DiagnosticBuilder&& DiagnosticBuilder::at(Where where) && {
  diagnostic_.where = std::move(where);
  return std::move(*this);
}

DiagnosticBuilder&& DiagnosticBuilder::note(std::string text) && {
  diagnostic_.notes.push_back(std::move(text));
  return std::move(*this);
}

DiagnosticBuilder&& DiagnosticBuilder::fix_by(std::string text) && {
  diagnostic_.fix = std::move(text);
  return std::move(*this);
}

DiagnosticBuilder invalid(std::string code, std::string message) {
  return {Failure::kInvalid, std::move(code), std::move(message)};
}

DiagnosticBuilder unsupported(std::string code, std::string message) {
  return {Failure::kUnsupported, std::move(code), std::move(message)};
}

DiagnosticBuilder exhausted(std::string code, std::string message) {
  return {Failure::kExhausted, std::move(code), std::move(message)};
}

DiagnosticBuilder corrupt(std::string code, std::string message) {
  return {Failure::kCorrupt, std::move(code), std::move(message)};
}

DiagnosticBuilder system_failure(std::string code, std::string message) {
  return {Failure::kSystem, std::move(code), std::move(message)};
}

DiagnosticBuilder internal(std::string code, std::string message) {
  return {Failure::kInternal, std::move(code), std::move(message)};
}

}  // namespace openqnn
