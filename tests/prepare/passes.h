// SPDX-License-Identifier: BSD-3-Clause
// What the tests of single passes share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "prepare/draft.h"
#include "prepare/graph_builder.h"
#include "sim/sim.h"

namespace openqnn::prepare {

inline soc::Target part(std::string_view chipset = "SM8650") {
  auto target = soc::target_by_chipset(chipset);
  if (!target) ADD_FAILURE() << target.error().to_string();
  return *std::move(target);
}

// A part whose VTCM has any size: tests are not bound to the ones that exist.
inline soc::Target part_with_vtcm(uint64_t bytes) {
  soc::Target target = part();
  target.vtcm = {bytes};
  target.assumed = true;  // so that what such a part would refuse is prepared all the same
  return target;
}

// Keeps the lines of a log.
class Lines : public LogSink {
 public:
  explicit Lines(LogLevel level = LogLevel::kWarning) : LogSink(level) {}
  void write(LogLevel, std::string_view line) override { text += std::string(line) + "\n"; }
  std::string text;
};

// The one Program of a prepared graph; fails the test when there is none.
inline program::ProgramSet prepared(const ir::Graph& graph, const soc::Target& target = part(),
                                    const Options& options = {}) {
  auto set = prepare(graph, target, options, Logger());
  if (!set) {
    ADD_FAILURE() << set.error().to_string();
    return {{std::make_shared<program::Program>()}, {}, nullptr};
  }
  return *std::move(set);
}

inline program::Program program_of(const ir::Graph& graph, const soc::Target& target = part(),
                                   const Options& options = {}) {
  return *prepared(graph, target, options).programs[0];
}

// Simulated, from an empty part on.
inline Cycles time_on(const soc::Target& target, const program::Program& program) {
  return sim::simulate(program.schedule, target, sim::PowerState::of(target)).total;
}
inline Cycles time_of(const program::Program& program) { return time_on(part(), program); }

inline const program::Tensor& tensor_named(const program::Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.tensors, name, &program::Tensor::name);
  if (found == program.tensors.end()) {
    ADD_FAILURE() << "no tensor '" << name << "'";
    return program.tensors[0];
  }
  return *found;
}

inline bool has_tensor(const program::Program& program, std::string_view name) {
  return std::ranges::find(program.tensors, name, &program::Tensor::name) != program.tensors.end();
}

inline std::vector<std::string> op_types(const program::Program& program) {
  std::vector<std::string> types;
  for (const program::Op& op : program.ops) types.push_back(op.type);
  return types;
}

}  // namespace openqnn::prepare
