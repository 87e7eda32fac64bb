// SPDX-License-Identifier: BSD-3-Clause
// What a program writes takes the place of nothing that it reads, and of nothing else that it writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/args.h"

namespace openqnn::tools {

struct Products {
  std::vector<std::filesystem::path> files;
  std::vector<std::string_view> options;  // those of the command line that name what is written
};

inline constexpr std::string_view kStandardOutput =
    "-";  // in place of a file's name, where an option takes it

// For a name that gets an ending, which "-" would take as any other.
Status refuse_standard_output(const std::filesystem::path& file);
// What would not be found out before long work is done: that a product cannot be written.
Status check_output_file(const std::filesystem::path& file);
Status check_output_folder(const std::filesystem::path& folder);  // one that is not there will be made

// Asked before the work. What is read is whatever else the command line names, and what input lists among it
// name.
Status check_products(const Args& args, const Products& products);

// What these options name: files, but for "-", the standard output.
Products products_of(const Args& args, const std::vector<std::string_view>& options);

// The files that input lists name. A list that cannot be read names none: who reads it says why. Neither does
// a pipe.
std::vector<std::string> files_of_lists(std::span<const std::string> lists);

// Refuses inputs that are among the results of this run: `names` in `folder`/Result_0 and so on, before
// `end`.
Status refuse_results_as_inputs(const std::filesystem::path& folder, std::span<const std::string> names,
                                size_t end, std::span<const std::string> inputs);

// What the folders of results are called: Result_<i>; and the i of all that lie in a folder, in order.
inline constexpr std::string_view kResult = "Result_";
std::vector<uint64_t> results_in(const std::filesystem::path& folder);

}  // namespace openqnn::tools
