// SPDX-License-Identifier: BSD-3-Clause
#include "config/input_list.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace openqnn::config {
namespace {

constexpr std::string_view kBlank = " \t\r\v\f";
// What editors put before a text to say how its characters are stored.
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kUtf16Marks[] = {"\xFF\xFE", "\xFE\xFF"};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = line.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return words;
    const size_t end = std::min(line.find_first_of(kBlank, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

class InputListReader {
 public:
  explicit InputListReader(std::string_view source) : source_(source) {}

  Result<InputList> read(std::string_view text) {
    OPENQNN_TRY(check_is_text(text));
    if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      OPENQNN_TRY(read_line(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (list_.inferences.empty())
      return invalid("input-list-empty", "the list names no input")
          .at(std::string(source_))
          .fix_by("write one line per inference: a path, or name:=path for each input");
    return std::move(list_);
  }

 private:
  Status check_is_text(std::string_view text) const {
    const auto begins = [&](std::string_view mark) { return text.starts_with(mark); };
    if (std::ranges::any_of(kUtf16Marks, begins))
      return invalid("input-list", "the list is stored as UTF-16")
          .at(std::string(source_))
          .fix_by("store it as UTF-8 or ASCII");
    if (text.find('\0') == std::string_view::npos) return {};
    return invalid("input-list", "this is no text; a list names files, one inference a line")
        .at(std::string(source_))
        .fix_by("give a text file that has the path of the input in it, not the input itself");
  }

  Status read_line(std::string_view line) {
    const auto words = words_of(line);
    if (words.empty()) return {};
    if (words[0].front() == '#' || words[0].front() == '%') return read_outputs(words);
    Inference inference{{}, line_};
    for (const std::string_view word : words) {
      OPENQNN_ASSIGN(InputFile file, read_file(word));
      inference.files.push_back(std::move(file));
    }
    OPENQNN_TRY(check(inference));
    list_.inferences.push_back(std::move(inference));
    return {};
  }

  // "#a b" or "%a b"; the sign may stand alone.
  Status read_outputs(const std::vector<std::string_view>& words) {
    const bool layers = words[0].front() == '#';
    if (!list_.inferences.empty() || (layers && !list_.output_tensors.empty()))
      return bad("lines that choose outputs must stand at the top, # before %",
                 "move the line up; # does not start a comment here");
    auto& outputs = layers ? list_.output_layers : list_.output_tensors;
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string_view name = i == 0 ? words[0].substr(1) : words[i];
      if (!name.empty()) outputs.emplace_back(name);
    }
    return {};
  }

  Result<InputFile> read_file(std::string_view word) const {
    const size_t sign = word.find(":=");
    if (sign == std::string_view::npos) return InputFile{"", std::string(word)};
    InputFile file{std::string(word.substr(0, sign)), std::string(word.substr(sign + 2))};
    if (file.name.empty() || file.path.empty())
      return bad(concat("'", word, "' is not name:=path"), "write no blanks around :=");
    return file;
  }

  Status check(const Inference& inference) const {
    const auto& files = inference.files;
    const auto named = std::ranges::count_if(files, [](const InputFile& f) { return !f.name.empty(); });
    if (named != 0 && static_cast<size_t>(named) != files.size())
      return bad("some inputs of this line have a name and some have not", "write name:=path for each");
    OPENQNN_TRY(check_names(files));
    if (list_.inferences.empty()) return {};
    const Inference& first = list_.inferences.front();
    if (files.size() != first.files.size())
      return bad(
          concat("this line has ", files.size(), " inputs, line ", first.line, " has ", first.files.size()),
          "give every inference all inputs of the graph; a blank ends a path");
    return {};
  }

  Status check_names(const std::vector<InputFile>& files) const {
    std::vector<std::string_view> names;
    for (const InputFile& file : files) names.push_back(file.name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end() || twice->empty()) return {};
    return bad(concat("the input '", *twice, "' is given twice"), "give each input once");
  }

  Diagnostic bad(std::string message, std::string fix) const {
    return invalid("input-list", std::move(message))
        .at(Where{std::string(source_), line_, 1})
        .fix_by(std::move(fix));
  }

  std::string_view source_;
  uint32_t line_ = 0;
  InputList list_;
};

}  // namespace

Result<InputList> parse_input_list(std::string_view text, std::string_view source) {
  return InputListReader(source).read(text);
}

}  // namespace openqnn::config
