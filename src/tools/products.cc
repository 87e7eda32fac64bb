// SPDX-License-Identifier: BSD-3-Clause
#include "tools/products.h"

#include <unistd.h>

#include <algorithm>
#include <climits>

#include "base/files.h"
#include "base/text.h"
#include "config/input_list.h"
#include "tools/number_in.h"
#include "tools/program_options.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInputList = "--input_list";

fs::path place_of(const fs::path& file) {
  std::error_code error;
  const fs::path whole = fs::absolute(file, error);
  const fs::path place = fs::weakly_canonical(whole, error);
  return error ? whole.lexically_normal() : place;
}

// Some options take several with commas between.
void add_with_parts(const std::string& word, std::vector<std::string>& words) {
  words.push_back(word);
  if (word.find(',') == std::string::npos) return;
  for (const std::string_view part : split(word, ",")) words.emplace_back(part);
}

std::vector<std::string> files_read(const Args& args, const std::vector<std::string_view>& writing) {
  std::vector<std::string> words;
  for (const std::string& word : args.words_without(writing)) add_with_parts(word, words);
  std::vector<std::string> lists;
  for (const std::string& word : args.all(kInputList)) add_with_parts(word, lists);
  for (std::string& file : files_of_lists(lists)) words.push_back(std::move(file));
  return words;
}

Status refuse_long_name(const fs::path& file) {
  const size_t length = file.filename().string().size();
  if (length <= NAME_MAX) return {};
  return invalid("output-name", concat("the name of this file would have ", length, " bytes, and ", NAME_MAX,
                                       " are the most"))
      .at(file.string())
      .fix_by("give what it is named after a shorter name");
}

Status refuse_one_name_twice(const std::vector<fs::path>& files) {
  std::vector<fs::path> seen;
  for (const fs::path& file : files) {
    const fs::path place = place_of(file);
    if (std::ranges::find(seen, place) != seen.end())
      return invalid("output-twice", "two files would be written under this name")
          .at(file.string())
          .fix_by("give each a name of its own");
    seen.push_back(place);
  }
  return {};
}

// Whether a folder can be made below one that is there: rights do not tell it of file systems that hold no
// files of users. What was made for it is gone afterwards.
bool can_be_made(const fs::path& folder, const fs::path& there) {
  std::error_code error;
  if (fs::exists(folder, error) || folder.empty()) return true;
  fs::path first = folder;  // the highest that is missing
  while (first.has_parent_path() && first.parent_path() != there && !fs::exists(first.parent_path(), error))
    first = first.parent_path();
  fs::create_directory(first, error);
  if (error) return false;
  fs::remove(first, error);
  return true;
}

// Of a folder that is called so: Result_07 is not.
std::optional<uint64_t> result_number(std::string_view folder) {
  if (!folder.starts_with(kResult)) return std::nullopt;
  const auto number = number_in<uint64_t>(folder.substr(kResult.size()));
  return number && concat(kResult, *number) == folder ? number : std::nullopt;
}

}  // namespace

Status refuse_standard_output(const fs::path& file) {
  if (file != kStandardOutput) return {};
  return invalid("option-value", "this cannot go to the standard output")
      .at(file.string())
      .fix_by("name a file, ./- if it is to be called so");
}

Status check_output_file(const fs::path& file) {
  OPENQNN_TRY(refuse_standard_output(file));
  std::error_code ignored;  // what cannot be asked is found out later
  if (fs::is_directory(file, ignored))
    return invalid("output-file", "this is a folder; a file is to be written")
        .at(file.string())
        .fix_by("name a file in it");
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) return {};  // written in place
  std::error_code error;
  const fs::path linked = fs::canonical(file, error);  // what takes the file's place lies beside it
  const fs::path& target = error ? file : linked;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  if (!fs::exists(folder, ignored))
    return system_failure("output-folder", concat("there is no folder '", folder.string(), "'"))
        .at(file.string())
        .fix_by("make it first, or choose another name");
  return check_output_folder(folder);
}

Status check_output_folder(const fs::path& folder) {
  if (folder == kStandardOutput)
    return invalid("option-value", "a folder cannot be the standard output")
        .at(folder.string())
        .fix_by("name a folder, ./- if it is to be called so");
  std::error_code ignored;
  fs::path there = folder.empty() ? "." : folder;
  while (!fs::exists(there, ignored) && there.has_parent_path() && there != there.parent_path())
    there = there.parent_path();
  if (!fs::exists(there, ignored)) there = ".";  // above a relative folder
  if (!fs::is_directory(there, ignored))
    return invalid("output-folder", concat("'", there.string(), "' is a file, not a folder"))
        .at(folder.string())
        .fix_by("choose another folder");
  if (access(there.c_str(), W_OK | X_OK) == 0 && can_be_made(folder, there)) return {};
  return system_failure("output-folder", concat("nothing can be written into '", there.string(), "'"))
      .at(folder.string())
      .fix_by("choose another folder, or change its permissions");
}

Status check_products(const Args& args, const Products& products) {
  for (const fs::path& file : products.files) OPENQNN_TRY(refuse_long_name(file));
  OPENQNN_TRY(refuse_one_name_twice(products.files));
  const std::vector<std::string> read = files_read(args, products.options);
  for (const fs::path& file : products.files) OPENQNN_TRY(refuse_own_input(file, read));
  return {};
}

Products products_of(const Args& args, const std::vector<std::string_view>& options) {
  Products products;
  products.options = options;
  for (const std::string_view option : options)
    if (args.has(option) && args.get(option) != kStandardOutput)
      products.files.emplace_back(args.get(option));
  return products;
}

std::vector<std::string> files_of_lists(std::span<const std::string> lists) {
  std::vector<std::string> files;
  for (const std::string& path : lists) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;  // a pipe is read once, by who needs what it says
    const auto text = read_text_file(path);
    if (!text) continue;
    const auto list = config::parse_input_list(*text, path);
    if (!list) continue;
    for (const config::Inference& inference : list->inferences)
      for (const config::InputFile& file : inference.files) files.push_back(file.path);
  }
  return files;
}

std::vector<uint64_t> results_in(const fs::path& folder) {
  std::vector<uint64_t> numbers;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored))
    if (const auto number = result_number(at->path().filename().string())) numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

Status refuse_results_as_inputs(const fs::path& folder, std::span<const std::string> names, size_t end,
                                std::span<const std::string> inputs) {
  const fs::path own = place_of(folder);
  for (const std::string& input : inputs) {
    const fs::path place = place_of(input);
    const auto number = result_number(place.parent_path().filename().string());
    if (!number || *number >= end || place.parent_path().parent_path() != own) continue;
    if (std::ranges::find(names, place.filename().string()) == names.end()) continue;
    return invalid("output-is-input", "an input of this run would be replaced by a result of it")
        .at(input)
        .fix_by("choose another --output_dir");
  }
  return {};
}

}  // namespace openqnn::tools
