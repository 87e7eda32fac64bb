// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/yaml.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace openqnn::tools::convert {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::string_view kSpecial = "&*!|>%@`{}?";  // begin what is not read here
constexpr uint32_t kDeepest = 32;

struct Line {
  size_t indent = 0;
  std::string_view text;  // without blanks around it and without a comment; never empty
  uint32_t number = 0;
};

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Up to a '#' that begins a word and stands in no quotes.
std::string_view without_comment(std::string_view text) {
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins_word = i == 0 || kBlank.find(text[i - 1]) != std::string_view::npos;
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if (begins_word && (text[i] == '"' || text[i] == '\'')) {
      quote = text[i];
    } else if (text[i] == '#' && begins_word) {
      return text.substr(0, i);
    }
  }
  return text;
}

bool is_item(std::string_view text) { return text == "-" || text.starts_with("- "); }

// Where "key: value" or "key:" is divided; none where the text is a word.
std::optional<size_t> colon_of(std::string_view text) {
  const bool quoted = text.front() == '"' || text.front() == '\'';
  const size_t from = quoted ? text.find(text.front(), 1) : 0;
  if (from == std::string_view::npos) return std::nullopt;
  for (size_t i = text.find(':', from); i != std::string_view::npos; i = text.find(':', i + 1))
    if (i + 1 == text.size() || text[i + 1] == ' ') return i;
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view source) : source_(source) {}

  Result<YamlNode> parse(std::string_view text) {
    OPENQNN_TRY(read_lines(text));
    if (lines_.empty()) return YamlNode();
    OPENQNN_ASSIGN(YamlNode node, block(lines_.front().indent));
    if (at_ < lines_.size())
      return bad(lines_[at_].number, "the line is indented less than what it belongs to");
    return node;
  }

 private:
  Status read_lines(std::string_view text) {
    uint32_t number = 0;
    for (const std::string_view whole : split(text, "\n")) {
      ++number;
      const std::string_view content = trimmed(without_comment(whole));
      if (content.empty() || (content == "---" && lines_.empty())) continue;
      const size_t indent = whole.find_first_not_of(' ');
      if (whole[indent] == '\t') return bad(number, "the line is indented by tabs");
      lines_.push_back({indent, content, number});
    }
    return {};
  }

  bool more(size_t indent) const { return at_ < lines_.size() && lines_[at_].indent == indent; }

  Result<YamlNode> block(size_t indent) {
    if (depth_ == kDeepest) return bad(lines_[at_].number, "the file is nested too deeply");
    ++depth_;
    Result<YamlNode> made = is_item(lines_[at_].text) ? list(indent) : map(indent);
    --depth_;
    if (made && at_ < lines_.size() && lines_[at_].indent > indent)
      return bad(lines_[at_].number, "the line is indented more than those above it");
    return made;
  }

  Result<YamlNode> list(size_t indent) {
    YamlNode node = begin(YamlNode::Kind::kList);
    while (more(indent) && is_item(lines_[at_].text)) {
      Line& line = lines_[at_];
      const std::string_view rest = trimmed(line.text.substr(1));
      if (rest.empty()) {
        OPENQNN_ASSIGN(node.items.emplace_back(), below(indent, /*list_may_align=*/false));
      } else if (is_item(rest) || colon_of(rest)) {
        // What stands behind the dash begins a block of its own, indented by it.
        line.indent += static_cast<size_t>(rest.data() - line.text.data());
        line.text = rest;
        OPENQNN_ASSIGN(node.items.emplace_back(), block(line.indent));
      } else {
        OPENQNN_ASSIGN(node.items.emplace_back(), value(rest, line.number));
        ++at_;
      }
    }
    return node;
  }

  Result<YamlNode> map(size_t indent) {
    YamlNode node = begin(YamlNode::Kind::kMap);
    while (more(indent) && !is_item(lines_[at_].text)) {
      const Line line = lines_[at_];
      const auto colon = colon_of(line.text);
      if (!colon) return bad(line.number, concat("'", line.text, "' is no \"key: value\""));
      OPENQNN_ASSIGN(const YamlNode key, value(trimmed(line.text.substr(0, *colon)), line.number));
      const bool twice = std::ranges::find(node.keys, key.word) != node.keys.end();
      if (key.kind != YamlNode::Kind::kWord || twice)
        return bad(line.number, concat("'", key.word, "' cannot be a key", twice ? " twice" : ""));
      const std::string_view rest = trimmed(line.text.substr(*colon + 1));
      YamlNode entry;
      if (rest.empty()) {
        OPENQNN_ASSIGN(entry, below(indent, /*list_may_align=*/true));
      } else {
        OPENQNN_ASSIGN(entry, value(rest, line.number));
        ++at_;
      }
      entry.line = line.number;  // of its key, not of the block that follows
      node.keys.push_back(key.word);
      node.items.push_back(std::move(entry));
    }
    return node;
  }

  YamlNode begin(YamlNode::Kind kind) const {
    YamlNode node;
    node.kind = kind;
    node.line = lines_[at_].number;
    return node;
  }

  // What belongs to a line that ends in ':' or is a dash alone: a deeper block, or nothing.
  Result<YamlNode> below(size_t indent, bool list_may_align) {
    YamlNode nothing;
    nothing.line = lines_[at_].number;
    ++at_;
    if (at_ == lines_.size()) return nothing;
    const Line& next = lines_[at_];
    const bool is_aligned_list = list_may_align && next.indent == indent && is_item(next.text);
    if (next.indent > indent || is_aligned_list) return block(next.indent);
    return nothing;
  }

  Result<YamlNode> value(std::string_view text, uint32_t number) const {
    YamlNode node;
    node.line = number;
    if (text.empty() || text == "~" || text == "null") return node;
    if (text.front() == '[') return bracketed(text, number);
    node.kind = YamlNode::Kind::kWord;
    if (text.front() == '"' || text.front() == '\'') {
      const std::string_view inner = text.size() < 2 ? std::string_view() : text.substr(1, text.size() - 2);
      if (text.size() < 2 || text.back() != text.front() || inner.find_first_of("\"'\\") != inner.npos)
        return bad(number, concat(text, " is no quoted word; quotes and \\ inside of one are not read"));
      node.word = inner;
      return node;
    }
    if (kSpecial.find(text.front()) != std::string_view::npos)
      return bad(number, concat("'", text, "' begins with a sign that is not read here"));
    node.word = text;
    return node;
  }

  Result<YamlNode> bracketed(std::string_view text, uint32_t number) const {
    YamlNode node;
    node.kind = YamlNode::Kind::kList;
    node.line = number;
    const std::string_view inner = text.substr(1, text.size() - 2);
    if (text.size() < 2 || text.back() != ']' || inner.find_first_of("[]{}") != inner.npos)
      return bad(number, concat("'", text, "' is no list of words in one line"));
    if (trimmed(inner).empty()) return node;
    for (const std::string_view part : split(inner, ",")) {
      OPENQNN_ASSIGN(node.items.emplace_back(), value(trimmed(part), number));
    }
    return node;
  }

  Diagnostic bad(uint32_t line, std::string why) const {
    return invalid("yaml", std::move(why))
        .at(Where{std::string(source_), line, 0})
        .fix_by("write one \"key: value\" or \"- item\" a line, indented by blanks");
  }

  std::string_view source_;
  std::vector<Line> lines_;
  size_t at_ = 0;
  uint32_t depth_ = 0;
};

}  // namespace

Result<YamlNode> parse_yaml(std::string_view text, std::string_view source) {
  return Parser(source).parse(text);
}

}  // namespace openqnn::tools::convert
