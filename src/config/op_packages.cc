// SPDX-License-Identifier: BSD-3-Clause
#include "config/op_packages.h"

#include <cctype>
#include <utility>

#include "base/text.h"

namespace openqnn::config {
namespace {

// The colon of "C:\lib.dll" belongs to the path.
bool is_drive_colon(std::string_view text, size_t colon) {
  return colon == 1 && std::isalpha(static_cast<unsigned char>(text[0])) != 0 && text.size() > 2 &&
         (text[2] == '\\' || text[2] == '/');
}

std::vector<std::string> split_at_colons(std::string_view text) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ':' && !is_drive_colon(text, i)) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

Result<OpPackage> parse_one(std::string_view text) {
  const auto bad = [&](std::string message) {
    return invalid("op-package", std::move(message))
        .at(concat("op package '", text, "'"))
        .fix_by("write path:provider or path:provider:target, with commas between packages");
  };
  std::vector<std::string> parts = split_at_colons(text);
  if (parts.size() < 2) return bad("the provider is missing");
  if (parts.size() > 3) return bad("there are too many colons");
  if (parts[0].empty() || parts[1].empty()) return bad("the path or the provider is empty");
  if (parts.size() == 2) return OpPackage{std::move(parts[0]), std::move(parts[1]), ""};
  if (parts[2] != "CPU" && parts[2] != "HTP")
    return bad(concat("'", parts[2], "' is no target; it is CPU or HTP"));
  return OpPackage{std::move(parts[0]), std::move(parts[1]), std::move(parts[2])};
}

}  // namespace

Result<std::vector<OpPackage>> parse_op_packages(std::string_view text) {
  std::vector<OpPackage> packages;
  for (const std::string_view part : split(text, ",")) {
    OPENQNN_ASSIGN(OpPackage package, parse_one(part));
    packages.push_back(std::move(package));
  }
  return packages;
}

std::string to_string(const OpPackage& package) {
  return concat(package.path, ":", package.provider, package.target.empty() ? "" : ":", package.target);
}

}  // namespace openqnn::config
