// SPDX-License-Identifier: BSD-3-Clause
// What a check says of a configuration file, in the words of a program that is about to use it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/check.h"
#include "config/read.h"

namespace openqnn::tools {

// Gets a line that does not stop the program: a warning, or a note.
using TellFinding = std::function<void(Severity severity, const std::string& line)>;

// "run.json:3:5: what; what to do". The lines are those of the file's text.
std::string finding_line(const std::string& file, const json::LineIndex& lines,
                         const config::Finding& finding);

// The first error is the answer, with the others as notes; all else is told.
Status tell_findings(const std::string& file, std::string_view text,
                     const std::vector<config::Finding>& findings, const TellFinding& tell);

// The same of a file with those that it names, all of which must be there; answers them, that file first.
Result<std::vector<config::Document>> check_before_use(config::Document document,
                                                       const config::Circumstances& known,
                                                       const TellFinding& tell);

// What the rules say of graph_names where the model has these graphs.
std::vector<config::Finding> findings_on_graphs(const config::Document& document,
                                                const std::vector<std::string>& graphs);

}  // namespace openqnn::tools
