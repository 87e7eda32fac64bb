// SPDX-License-Identifier: BSD-3-Clause
// Configuration files: read, check and write, beside a plain nlohmann::json parse and dump of the same bytes.
// bench/python/bench_config.py measures the same through Python, beside pydantic.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "config/check.h"
#include "config/read.h"
#include "json/json.h"
#include "protocol.h"

namespace openqnn::bench {
namespace {

// A file with `graphs` entries, as a generator for many shapes of one model writes them.
std::string file_with(uint64_t graphs) {
  std::string text = R"({
  "graphs": [
)";
  for (uint64_t i = 0; i < graphs; ++i) {
    text += concat(R"(    {"graph_names": ["prompt_ar128_cl)", i,
                   R"("], "O": 3, "vtcm_mb": 8, "hvx_threads": 4, "dlbc": 0, )",
                   R"("fold_relu_activation_into_conv_off": false})", i + 1 < graphs ? ",\n" : "\n");
  }
  return text + R"(  ],
  "devices": [
    {"device_id": 0, "soc_model": 57, "dsp_arch": "v75", "pd_session": "unsigned",
     "cores": [{"core_id": 0, "perf_profile": "burst", "rpc_control_latency": 100}]}
  ],
  "context": {"file_read_memory_budget_in_mb": 25},
  "memory": {"mem_type": "shared_buffer"}
}
)";
}

uint64_t ours(const std::string& text) {
  const config::Document document = config::read("bench.json", text);
  const auto findings = config::check_documents({&document}, {});
  return findings.size() + json::write(document.config->tree).size();
}

uint64_t plain(const std::string& text) { return nlohmann::json::parse(text).dump(2).size(); }

// Runs a program and waits for it: what a user who types the command pays.
void run(const char* program, const std::vector<const char*>& arguments) {
  std::vector<char*> argv = {const_cast<char*>(program)};  // NOLINT: posix_spawn does not write to them
  for (const char* argument : arguments) argv.push_back(const_cast<char*>(argument));  // NOLINT
  argv.push_back(nullptr);
  pid_t child = 0;
  int status = -1;
  if (posix_spawn(&child, program, nullptr, nullptr, argv.data(), environ) == 0) waitpid(child, &status, 0);
  if (status != 0) {
    std::fprintf(stderr, "%s does not run\n", program);
    std::exit(1);
  }
}

Work started(const char* program, std::vector<const char*> arguments) {
  return [program, arguments = std::move(arguments)](uint64_t repeats) {
    for (uint64_t i = 0; i < repeats; ++i) run(program, arguments);
  };
}

volatile uint64_t sink = 0;  // keeps the work alive

Work repeated(uint64_t (*work)(const std::string&), const std::string& text) {
  return [work, &text](uint64_t repeats) {
    for (uint64_t i = 0; i < repeats; ++i) sink = sink + work(text);
  };
}

}  // namespace
}  // namespace openqnn::bench

int main(int argc, char** argv) {
  using namespace openqnn::bench;
  Area area("config", argc, argv);
  for (const uint64_t graphs : {1u, 1000u, 100000u}) {
    const std::string text = file_with(graphs);
    area.compare(openqnn::concat("read + check + write, ", graphs, " graphs"), "nlohmann parse + dump",
                 repeated(ours, text), repeated(plain, text), openqnn::concat(text.size() / 1000, " kB"));
  }
  const std::string small = file_with(1000);
  const std::string large = file_with(100000);
  area.growth("read + check + write, 1 000 to 100 000 graphs", 1000, repeated(ours, small), 100000,
              repeated(ours, large));
  const std::string typical = std::filesystem::temp_directory_path() / "openqnn-bench-typical.json";
  std::ofstream(typical) << file_with(1);
  area.compare("openqnn check of a typical file, from process start", "true",
               started(OPENQNN_TOOL, {"check", "--quiet", typical.c_str()}), started("/bin/true", {}),
               "the bar is 15 ms; a process that does nothing is the floor");
  std::filesystem::remove(typical);
  return area.finish();
}
