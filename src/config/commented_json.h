// SPDX-License-Identifier: BSD-3-Clause
// JSON with a comment above each key, for files that people go on to edit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/option.h"

namespace openqnn::config {

struct CommentedMember {
  std::string key;
  std::string comment;
  std::string value;                                   // JSON text; empty for a section
  std::vector<std::vector<CommentedMember>> sections;  // one, or the entries of a list
  bool is_list = false;
};

// The members of a section, with what its table says about each key as comment.
class CommentedSection {
 public:
  explicit CommentedSection(const SectionDef& section) : section_(section) {}

  CommentedSection& number(std::string_view key, int64_t value, std::string_view why = {});
  CommentedSection& boolean(std::string_view key, bool value, std::string_view why = {});
  CommentedSection& text(std::string_view key, std::string_view value, std::string_view why = {});
  CommentedSection& texts(std::string_view key, const std::vector<std::string>& values,
                          std::string_view why = {});
  // An inner section, as a list where one is documented; several are the entries of the list.
  CommentedSection& section(std::string_view key, const CommentedSection& inner);
  CommentedSection& sections(std::string_view key, const std::vector<CommentedSection>& entries);

  const SectionDef& section_of(std::string_view key) const;  // the table of an inner section
  const std::vector<CommentedMember>& members() const { return members_; }

 private:
  CommentedMember& add(std::string_view key, std::string_view why);

  const SectionDef& section_;
  std::vector<CommentedMember> members_;
};

// The file. `head` is the comment at its top; without comments the result is strict JSON.
std::string write_commented(const CommentedSection& file, std::string_view head, bool comments);

}  // namespace openqnn::config
