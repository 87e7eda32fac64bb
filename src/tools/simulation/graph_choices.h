// SPDX-License-Identifier: BSD-3-Clause
// Options of a graph by the names that configuration files have, and what preparation makes of them. An
// option goes the way that it goes in the programs: checked against the option table, lowered to the C API,
// applied as the backend does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cxx/simulation.h"
#include "base/log.h"
#include "base/result.h"
#include "config/follow.h"
#include "config/option.h"
#include "json/json.h"
#include "prepare/prepare.h"
#include "soc/target.h"

namespace openqnn::tools {

// One option and its value.
struct Choice {
  std::string option;
  json::Value value;

  std::string value_text() const { return json::write(value, {.indent = -1}); }
};
using Choices = std::vector<Choice>;
std::string text_of(const Choices& choices);  // "vtcm_mb=4, O=3"

// One option and the values to compare: "vtcm_mb=2,4,8". The failure is one of the command line: an option
// that there is not, or one without any value that it takes. Others stay, for their results to be refused.
struct Sweep {
  std::string option;
  std::vector<json::Value> values;
};
Result<Sweep> sweep_from(std::string_view text);
Status check_sweep(const Sweep& sweep);
// All that are possible together, the last option changing fastest; one without choices where there is no
// sweep.
Result<std::vector<Choices>> combinations(const std::vector<Sweep>& sweeps);
inline constexpr size_t kMostCombinations = 64;

// A value on a command line: JSON where it is some, else a string.
json::Value value_from(std::string_view text);
// Whether the option exists and takes the value.
Status check_choice(const Choice& choice);

// What hears of options without an effect, and of whatever else preparation warns of. Lines are kept once.
class Notes : public LogSink {
 public:
  Notes() : LogSink(LogLevel::kWarning) {}
  void write(LogLevel level, std::string_view line) override;
  void add(std::string note);
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

// An HTP backend file, or the outer file that names one.
class GraphConfig {
 public:
  // `soc`: the part where the command line names one.
  static Result<GraphConfig> read(const std::string& path, const std::optional<soc::SocInfo>& soc);

  // Of files that were read, the given one first, without a look at what is wrong in them.
  static Result<GraphConfig> of(const std::vector<config::Document>& files);

  const config::Config& file() const { return *inner_.config; }
  const config::Part& part() const { return part_; }
  // What is said of the file, and its options that change nothing here; the latter alone.
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& unused() const { return unused_; }
  // What is said of graph_names where the model has this graph.
  std::vector<std::string> notes_on_graph(const std::string& graph) const;
  // What it sets for this graph.
  Choices choices(const std::string& graph) const;
  // Under which votes calls run: as the file's first core has them, and in their place what is given.
  Result<Conditions> conditions(Conditions given) const;

 private:
  config::Document inner_;
  config::Part part_;
  std::vector<std::string> notes_;
  std::vector<std::string> unused_;
};

// Refuses files that are another backend's, or another program's. An outer file need not name any backend's.
Status refuse_other_backends(const std::vector<config::Document>& files);

// How a graph is prepared: all VTCM and all HVX threads of the part and O 2 (ours), unless the file and then
// the choices say otherwise.
Result<prepare::Options> preparation_of(const std::string& graph, const GraphConfig* file,
                                        const Choices& choices, const soc::Target& part,
                                        const std::shared_ptr<Notes>& notes);

}  // namespace openqnn::tools
