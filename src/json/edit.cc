// SPDX-License-Identifier: BSD-3-Clause
// Edits of a text. What stands around an item is found from the item outwards, so that an edit of a large
// file costs no walk through all of it.
#include "json/edit.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "json/scan.h"

namespace openqnn::json {
namespace {

constexpr size_t kIndent = 2;  // spaces a level where no neighbour shows how many

size_t line_begin(std::string_view text, size_t at) {
  const size_t before = at == 0 ? kNowhere : text.rfind('\n', at - 1);
  return before == kNowhere ? 0 : before + 1;
}

size_t skip_blanks(std::string_view text, size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

size_t back_over_blanks(std::string_view text, size_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  return at;
}

// Behind the line end that stands at `at`; kNowhere when none does.
size_t past_line_end(std::string_view text, size_t at) {
  if (text.substr(at, 2) == "\r\n") return at + 2;
  return text.substr(at, 1) == "\n" ? at + 1 : kNowhere;
}

// Behind the last token that ends at or before `limit`, when the text is read from `from` on; 0 when only
// space and comments stand there.
size_t last_token(std::string_view text, size_t from, size_t limit) {
  size_t last = 0;
  if (from == 0 && text.starts_with(kByteOrderMark)) from = kByteOrderMark.size();
  for (size_t at = skip_space_and_comments(text, from); at < limit;) {
    at = token_end(text, at);
    if (at > limit) break;
    last = at;
    at = skip_space_and_comments(text, at);
  }
  return last;
}

// Behind the token before `at`, which must be the beginning of another one; 0 when there is none.
//
// Backwards, only a line shows whether it ends in a comment, and only when it does not begin inside of one:
// then a "*/" would stand on it. Such a text is read from its beginning.
size_t token_before(std::string_view text, size_t at) {
  while (true) {
    size_t end = at;
    bool crossed = false;
    for (; end > 0 && is_space(text[end - 1]); --end) crossed |= text[end - 1] == '\n';
    if (end == 0) return 0;
    if (!crossed && text[end - 1] != '/') return end;
    const size_t begin = line_begin(text, end);
    if (!crossed || text.substr(begin, end - begin).find("*/") != kNowhere) return last_token(text, 0, at);
    if (const size_t found = last_token(text, begin, end); found != 0) return found;
    at = begin;
  }
}

bool only_space(std::string_view text) { return std::ranges::all_of(text, is_space); }

// An item and what is around it.
struct Surroundings {
  size_t before;  // behind the token before it: a comma or the opening bracket
  size_t begin;
  size_t end;
  size_t comma;  // the comma behind it, or kNowhere
  size_t after;  // the next token behind it and its comma

  bool follows_comma(std::string_view text) const { return before > 0 && text[before - 1] == ','; }
};

Surroundings look_around(std::string_view text, Span item) {
  Surroundings found{};
  found.end = std::min<size_t>(item.end, text.size());
  found.begin = std::min<size_t>(item.begin, found.end);
  found.before = std::min(token_before(text, found.begin), found.begin);
  found.after = skip_space_and_comments(text, found.end);
  found.comma = kNowhere;
  if (found.after < text.size() && text[found.after] == ',') {
    found.comma = found.after;
    found.after = skip_space_and_comments(text, found.comma + 1);
  }
  return found;
}

// The item and the comma behind it. Comments between them stay, as does what else stands on their lines.
Edit remove_with_comma_behind(std::string_view text, const Surroundings& item) {
  const std::string_view between = text.substr(item.end, item.comma - item.end);
  if (!only_space(between)) return {Span::of(item.begin, item.comma + 1), std::string(between)};
  const size_t line = back_over_blanks(text, item.begin);
  const size_t rest = skip_blanks(text, item.comma + 1);
  const size_t next_line = past_line_end(text, rest);
  const bool begins_line = line == 0 || text[line - 1] == '\n';
  if (begins_line && next_line != kNowhere) return {Span::of(line, next_line), ""};
  // What ended a line, or stood before the bracket, leaves no blanks behind.
  const bool last = rest < text.size() && (text[rest] == ']' || text[rest] == '}');
  if (!begins_line && (next_line != kNowhere || last)) return {Span::of(line, item.comma + 1), ""};
  return {Span::of(item.begin, rest), ""};
}

// The last item, and the comma before it.
Edit remove_with_comma_before(std::string_view text, const Surroundings& item) {
  const size_t comma = item.before - 1;
  std::string_view between = text.substr(item.before, item.begin - item.before);
  const size_t rest = skip_blanks(text, item.end);
  const bool ends_line = past_line_end(text, rest) != kNowhere;
  if (only_space(between) && !comment_begins(text, rest)) return {Span::of(comma, item.end), ""};
  // A comment stays on its line: the line end before the item may go only when there is another one behind.
  while (ends_line && is_space(between.back())) between.remove_suffix(1);
  return {Span::of(comma, rest), std::string(between)};
}

// The only item.
Edit remove_alone(std::string_view text, const Surroundings& item) {
  const bool no_comments = only_space(text.substr(item.before, item.begin - item.before)) &&
                           only_space(text.substr(item.end, item.after - item.end));
  if (no_comments && item.before > 0) return {Span::of(item.before, item.after), ""};
  const size_t line = back_over_blanks(text, item.begin);
  const size_t next_line = past_line_end(text, skip_blanks(text, item.end));
  if ((line == 0 || text[line - 1] == '\n') && next_line != kNowhere) return {Span::of(line, next_line), ""};
  return {Span::of(item.begin, item.end), ""};
}

// What stands in the braces of an object.
struct Members {
  size_t last_key = kNowhere;  // where the last member begins; kNowhere when there is none
  size_t before_last = 0;      // behind the token before it
  size_t end = 0;              // behind the last token: the brace, the last value or a trailing comma
  bool trailing_comma = false;
};

// `open` and `close`: where the braces stand.
Members look_inside(std::string_view text, size_t open, size_t close) {
  Members found;
  found.end = std::min(open + 1, close);
  size_t depth = 0;
  bool key_is_next = true;
  for (size_t at = skip_space_and_comments(text, found.end); at < close;) {
    const size_t end = std::min(token_end(text, at), close);
    const char c = text[at];
    if (depth == 0 && key_is_next) {
      found.last_key = at;
      found.before_last = found.end;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    key_is_next = depth == 0 && c == ',';
    found.end = end;
    at = skip_space_and_comments(text, end);
  }
  found.trailing_comma = key_is_next && found.last_key != kNowhere;
  return found;
}

// The space before the first thing on the line of `at`.
std::string_view indentation(std::string_view text, size_t at) {
  const size_t begin = line_begin(text, at);
  return text.substr(begin, skip_blanks(text, begin) - begin);
}

std::string deeper(std::string_view indent) {
  return std::string(indent) + (indent.starts_with('\t') ? "\t" : std::string(kIndent, ' '));
}

// The value on lines of its own, indented like the member.
std::string indented(std::string_view value, std::string_view line_end, std::string_view indent) {
  std::string out;
  for (const char c : value) {
    if (c == '\r') continue;
    if (c != '\n') {
      out += c;
      continue;
    }
    out += line_end;
    out += indent;
  }
  return out;
}

// From `at` over blanks and comments up to the end of the line, or to the brace.
size_t end_of_line_comments(std::string_view text, size_t at, size_t close) {
  size_t end = at;
  for (size_t next = skip_blanks(text, at); next < close; next = skip_blanks(text, end)) {
    const size_t comment = comment_end(text, next);
    if (comment == kNowhere) break;
    end = comment;
  }
  return std::min(end, close);
}

// Into an object that holds no member, but perhaps comments.
Edit insert_first(std::string_view text, size_t open, size_t close, std::string_view key,
                  std::string_view value) {
  const std::string_view inside = text.substr(open + 1, close - open - 1);
  if (inside.find('\n') == kNowhere) {
    const std::string member = std::string(key) + ": " + std::string(value);
    if (only_space(inside)) return {Span::of(open + 1, close), member};
    const size_t end = back_over_blanks(text, close);
    return {Span::of(end, end), " " + member};
  }
  size_t end = open + 1;  // behind the last comment
  std::string indent = deeper(indentation(text, open));
  for (size_t next = open + 1; next < close;) {
    const size_t comment = comment_end(text, next);
    if (comment == kNowhere) {
      ++next;
      continue;
    }
    if (line_begin(text, next) > open) indent = indentation(text, next);
    end = next = std::min(comment, close);
  }
  const std::string_view line_end = inside.find("\r\n") != kNowhere ? "\r\n" : "\n";
  std::string added = std::string(line_end) + indent + std::string(key) + ": ";
  added += indented(value, line_end, indent);
  // The brace needs a line of its own when none ends behind the comments.
  if (text.substr(end, close - end).find('\n') == kNowhere) {
    added += line_end;
    added += indentation(text, open);
    return {Span::of(end, close), added};
  }
  return {Span::of(end, end), added};
}

}  // namespace

std::string apply_edits(std::string_view text, const std::vector<Edit>& edits, bool* left_out) {
  std::map<uint32_t, uint32_t> taken;  // begin -> end of the bytes that are replaced
  std::set<uint32_t> points;           // where something is inserted
  std::vector<const Edit*> accepted;
  const auto is_free = [&](const Span& span) {
    if (span.begin > span.end || span.end > text.size()) return false;
    auto next = taken.lower_bound(span.begin);
    if (next != taken.begin() && std::prev(next)->second > span.begin) return false;
    if (span.empty()) return true;
    if (next != taken.end() && next->first < span.end) return false;
    const auto point = points.upper_bound(span.begin);
    return point == points.end() || *point >= span.end;
  };
  for (const Edit& edit : edits) {
    if (!is_free(edit.span)) {
      if (left_out != nullptr) *left_out = true;
      continue;
    }
    if (edit.span.empty()) {
      points.insert(edit.span.begin);
    } else {
      taken.emplace(edit.span.begin, edit.span.end);
    }
    accepted.push_back(&edit);
  }
  std::ranges::stable_sort(accepted, [](const Edit* a, const Edit* b) {
    return std::pair(a->span.begin, a->span.end) < std::pair(b->span.begin, b->span.end);
  });
  std::string out;
  size_t at = 0;
  for (const Edit* edit : accepted) {
    out += text.substr(at, edit->span.begin - at);
    out += edit->text;
    at = edit->span.end;
  }
  out += text.substr(at);
  return out;
}

Edit remove_item(std::string_view text, Span item) {
  const Surroundings found = look_around(text, item);
  if (found.comma != kNowhere) {
    Surroundings alone = found;
    alone.end = found.comma + 1;
    alone.comma = kNowhere;
    const bool only = !found.follows_comma(text) && found.after < text.size() &&
                      (text[found.after] == ']' || text[found.after] == '}') &&
                      only_space(text.substr(found.end, found.comma - found.end));
    return only ? remove_alone(text, alone) : remove_with_comma_behind(text, found);
  }
  return found.follows_comma(text) ? remove_with_comma_before(text, found) : remove_alone(text, found);
}

Edit insert_member(std::string_view text, Span object, std::string_view key, std::string_view value) {
  const size_t end = std::min<size_t>(object.end, text.size());
  const size_t open = std::min<size_t>(object.begin, end);
  if (end - open < 2) return {Span::of(end, end), ""};  // no object
  const size_t close = end - 1;
  std::string quoted;
  append_quoted(quoted, key);
  const Members members = look_inside(text, open, close);
  if (members.last_key == kNowhere) return insert_first(text, open, close, quoted, value);

  const std::string comma = members.trailing_comma ? "" : ",";
  const std::string_view gap = text.substr(members.before_last, members.last_key - members.before_last);
  if (gap.find('\n') == kNowhere) {
    return {Span::of(members.end, members.end), comma + " " + quoted + ": " + std::string(value)};
  }
  const std::string_view line_end = gap.find("\r\n") != kNowhere ? "\r\n" : "\n";
  const std::string_view indent = indentation(text, members.last_key);
  const size_t place = end_of_line_comments(text, members.end, close);
  std::string added = comma + std::string(text.substr(members.end, place - members.end));
  added += std::string(line_end) + std::string(indent) + quoted + ": ";
  added += indented(value, line_end, indent);
  return {Span::of(members.end, place), added};
}

}  // namespace openqnn::json
