// SPDX-License-Identifier: BSD-3-Clause
#include "tools/lsp/cursor.h"

#include <string>
#include <utility>

namespace openqnn::tools::lsp {
namespace {

using Kind = Token::Kind;
using Expects = Walker::Expects;

bool touches(const Token& token, uint32_t offset) {
  if (token.span.begin >= offset || token.span.end < offset) return false;
  if (token.kind == Kind::kComment) return !token.closed || token.span.end > offset;
  return token.kind == Kind::kString || token.kind == Kind::kWord;
}

std::vector<std::string_view> path_to(std::string_view text, const std::vector<Walker::Frame>& frames) {
  std::vector<std::string_view> path;
  for (const Walker::Frame& frame : frames) {
    if (frame.key.kind != Kind::kEnd) path.push_back(token_text(text, frame.key));
  }
  return path;
}

// Lists in lists have no place in any configuration.
bool has_nested_lists(const std::vector<Walker::Frame>& frames) {
  for (size_t i = 1; i < frames.size(); ++i) {
    if (!frames[i - 1].is_object && !frames[i].is_object) return true;
  }
  return false;
}

// More keys than it takes to tell the kind of a file; the rest of a large one need not be looked at.
constexpr size_t kEnoughKeys = 1000;

// The rest of the object: its other keys, and whether a colon comes next.
void look_ahead(std::string_view text, Walker walker, uint32_t at, Cursor& cursor) {
  const size_t depth = walker.frames().size();
  for (const Token& key : walker.frames().back().keys) cursor.other_keys.push_back(token_text(text, key));
  if (cursor.token.kind != Kind::kEnd) walker.take(cursor.token);
  for (bool first = true;; first = false) {
    const Token token = next_token(text, at);
    if (first) cursor.colon_follows = token.kind == Kind::kColon && cursor.token.kind != Kind::kEnd;
    walker.take(token);
    if (token.kind == Kind::kEnd || walker.frames().size() < depth) return;
    if (walker.took_key() && walker.frames().size() == depth)
      cursor.other_keys.push_back(token_text(text, token));
    at = token.span.end;
  }
}

void place_in_object(std::string_view text, const Walker& walker, uint32_t offset, Cursor& cursor) {
  const Walker::Frame& frame = walker.frames().back();
  if (frame.expects == Expects::kValue) {
    cursor.at = Cursor::At::kValue;
    cursor.key = token_text(text, frame.current);
    return;
  }
  if (frame.expects == Expects::kColon && cursor.token.kind == Kind::kEnd) return;
  cursor.at = Cursor::At::kKey;
  if (cursor.token.kind != Kind::kEnd) cursor.key = token_text(text, cursor.token);
  if (frame.expects == Expects::kComma) cursor.missing_comma = frame.value_end;
  look_ahead(text, walker, cursor.token.kind == Kind::kEnd ? offset : cursor.token.span.end, cursor);
}

}  // namespace

Cursor cursor_at(std::string_view text, uint32_t offset) {
  Walker walker;
  Cursor cursor;
  for (Token token = next_token(text, 0); token.kind != Kind::kEnd && token.span.begin < offset;
       token = next_token(text, token.span.end)) {
    if (touches(token, offset)) {
      cursor.token = token;
      break;
    }
    walker.take(token);
  }
  const auto& frames = walker.frames();
  if (frames.empty() || walker.too_deep() || has_nested_lists(frames) || cursor.token.kind == Kind::kComment)
    return cursor;
  cursor.path = path_to(text, frames);
  if (frames.back().is_object) {
    place_in_object(text, walker, offset, cursor);
  } else if (!cursor.path.empty()) {
    cursor.at = Cursor::At::kValue;
    cursor.in_list = true;
    if (frames.back().expects == Expects::kComma) cursor.missing_comma = frames.back().value_end;
    cursor.key = cursor.path.back();  // the list's own key belongs to the object around it
    cursor.path.pop_back();
  }
  return cursor;
}

std::optional<config::Kind> kind_of_draft(std::string_view text) {
  json::Object top;
  json::Object graph;  // what stands in the entries of `graphs` tells two kinds apart
  Walker walker;
  for (Token token = next_token(text, 0); token.kind != Kind::kEnd;
       token = next_token(text, token.span.end)) {
    walker.take(token);
    if (top.size() + graph.size() == kEnoughKeys) break;
    if (!walker.took_key()) continue;
    const auto& frames = walker.frames();
    json::Member member;
    member.key = token_text(text, token);
    if (frames.size() == 1) {
      top.push_back(std::move(member));
    } else if (frames.size() <= 3 && token_text(text, frames[1].key) == "graphs") {
      graph.push_back(std::move(member));
    }
  }
  for (json::Member& member : top) {
    if (member.key == "graphs") member.value = json::Value::of(std::exchange(graph, {}));
  }
  return config::detect_kind(json::Value::of(std::move(top)));
}

const config::SectionDef* section_at(config::Kind kind, const std::vector<std::string_view>& path) {
  const config::SectionDef* section = config::kind_def(kind).root;
  for (const std::string_view key : path) {
    const config::OptionDef* option = config::find_option(*section, key);
    if (option == nullptr || option->section == nullptr) return nullptr;
    section = option->section;
  }
  return section;
}

}  // namespace openqnn::tools::lsp
