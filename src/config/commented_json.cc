// SPDX-License-Identifier: BSD-3-Clause
#include "config/commented_json.h"

#include <algorithm>

#include "base/text.h"
#include "json/json.h"

namespace openqnn::config {
namespace {

using json::quoted;

constexpr size_t kWidest = 100;  // columns of a line with a comment

void append_comment(std::string& out, std::string_view text, size_t indent) {
  const std::string margin = concat(std::string(indent, ' '), "// ");
  while (!text.empty()) {
    const size_t room = kWidest - std::min(kWidest / 2, margin.size());
    size_t end = text.size();
    if (end > room) {
      const size_t blank = text.rfind(' ', room);
      end = blank == std::string_view::npos ? std::min(text.find(' '), text.size()) : blank;
    }
    out += concat(margin, text.substr(0, end), "\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void append_members(std::string& out, const std::vector<CommentedMember>& members, size_t indent,
                    bool comments);

void append_object(std::string& out, const std::vector<CommentedMember>& members, size_t indent,
                   bool comments) {
  out += "{\n";
  append_members(out, members, indent + 2, comments);
  out += concat(std::string(indent, ' '), "}");
}

void append_list(std::string& out, const CommentedMember& member, size_t indent, bool comments) {
  const std::string margin(indent, ' ');
  out += "[\n";
  for (size_t i = 0; i < member.sections.size(); ++i) {
    out += concat(margin, "  ");
    append_object(out, member.sections[i], indent + 2, comments && i == 0);  // the others are like the first
    out += i + 1 < member.sections.size() ? ",\n" : "\n";
  }
  out += concat(margin, "]");
}

void append_members(std::string& out, const std::vector<CommentedMember>& members, size_t indent,
                    bool comments) {
  for (size_t i = 0; i < members.size(); ++i) {
    const CommentedMember& member = members[i];
    if (comments) append_comment(out, member.comment, indent);
    out += std::string(indent, ' ');
    json::append_quoted(out, member.key);
    out += ": ";
    if (member.is_list) {
      append_list(out, member, indent, comments);
    } else if (!member.sections.empty()) {
      append_object(out, member.sections.front(), indent, comments);
    } else {
      out += member.value;
    }
    out += i + 1 < members.size() ? ",\n" : "\n";
  }
}

}  // namespace

CommentedMember& CommentedSection::add(std::string_view key, std::string_view why) {
  CommentedMember& member = members_.emplace_back();
  member.key = key;
  const OptionDef* option = find_option(section_, key);
  if (option != nullptr) member.comment = option->summary;
  if (!why.empty()) member.comment += concat(member.comment.empty() ? "" : " ", why);
  return member;
}

CommentedSection& CommentedSection::number(std::string_view key, int64_t value, std::string_view why) {
  add(key, why).value = concat(value);
  return *this;
}

CommentedSection& CommentedSection::boolean(std::string_view key, bool value, std::string_view why) {
  add(key, why).value = value ? "true" : "false";
  return *this;
}

CommentedSection& CommentedSection::text(std::string_view key, std::string_view value, std::string_view why) {
  add(key, why).value = quoted(value);
  return *this;
}

CommentedSection& CommentedSection::texts(std::string_view key, const std::vector<std::string>& values,
                                          std::string_view why) {
  std::string list = "[";
  for (const std::string& value : values) list += concat(list.size() > 1 ? ", " : "", quoted(value));
  add(key, why).value = list + "]";
  return *this;
}

CommentedSection& CommentedSection::section(std::string_view key, const CommentedSection& inner) {
  return sections(key, {inner});
}

CommentedSection& CommentedSection::sections(std::string_view key,
                                             const std::vector<CommentedSection>& entries) {
  CommentedMember& member = add(key, {});
  for (const CommentedSection& entry : entries) member.sections.push_back(entry.members());
  const OptionDef* option = find_option(section_, key);
  // Where both shapes are read, graphs are written as a list and context as an object, as the documents do.
  member.is_list = option != nullptr && (option->type == Type::kSections || key == "graphs");
  return *this;
}

const SectionDef& CommentedSection::section_of(std::string_view key) const {
  const OptionDef* option = find_option(section_, key);
  return option != nullptr && option->section != nullptr ? *option->section : section_;
}

std::string write_commented(const CommentedSection& file, std::string_view head, bool comments) {
  std::string out;
  if (comments) append_comment(out, head, 0);
  out += "{\n";
  append_members(out, file.members(), 2, comments);
  return out + "}\n";
}

}  // namespace openqnn::config
