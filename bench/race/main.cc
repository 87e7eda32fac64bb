// SPDX-License-Identifier: BSD-3-Clause
// Two contestants in one process, in turns. bench/python/bench_exec.py calls it and makes figures of what it
// prints: one JSON object with the nanoseconds of each round, and how far the outputs agree.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

#include "base/text.h"
#include "json/json.h"
#include "protocol.h"
#include "race/contestant.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else  // then valgrind counts nothing, and bench/hot_functions says so
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

namespace openqnn::bench {

std::vector<float> pixels(size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

namespace {

constexpr const char* kUsage =
    "usage: model_race [--threads N] [--rounds N] [--backend LIBRARY] [--onnxruntime LIBRARY]\n"
    "                  [--save-optimized FILE] OURS PEER\n"
    "       model_race … [--announce FIFO] ONE   for valgrind: --rounds times; for perf: no more than 10 s "
    "of them\n"
    "  contestants: execute:DLC finalize:DLC load:DLC map:DLC simulate:DLC ort:ONNX ort-create:ONNX "
    "onednn:LIST\n";

constexpr std::chrono::seconds kWatched{10};  // enough samples for any profiler

using Make = Result<ContestantPtr> (*)(const std::string&, const RaceOptions&);
const std::map<std::string, Make, std::less<>> kContestants = {
    {"execute", our_execute},   {"finalize", our_finalize},      {"load", our_load},
    {"map", mapping},           {"simulate", our_simulation},    {"ort", ort_run},
    {"ort-create", ort_create}, {"onednn", onednn_convolutions},
};

struct CommandLine {
  RaceOptions options;
  uint32_t rounds = kLeastRounds;
  std::vector<std::string> contestants;
  std::string announce;  // a pipe that perf's --control reads
};

uint32_t count_from(const char* text) {
  const unsigned long value = std::strtoul(text, nullptr, 10);
  return value < 1 || value > 10000 ? 0 : static_cast<uint32_t>(value);
}

bool parse(int argc, char** argv, CommandLine& line) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--")) {
      line.contestants.emplace_back(word);
      continue;
    }
    if (++i == argc) return false;
    if (word == "--threads")
      line.options.threads = count_from(argv[i]);
    else if (word == "--rounds")
      line.rounds = count_from(argv[i]);
    else if (word == "--backend")
      line.options.backend = argv[i];
    else if (word == "--onnxruntime")
      line.options.onnxruntime = argv[i];
    else if (word == "--save-optimized")
      line.options.optimized = argv[i];
    else if (word == "--announce")
      line.announce = argv[i];
    else
      return false;
  }
  return (line.contestants.size() == 1 || line.contestants.size() == 2) && line.options.threads > 0 &&
         line.rounds > 0;
}

Result<ContestantPtr> make(const std::string& text, const RaceOptions& options) {
  const size_t colon = text.find(':');
  const auto found = kContestants.find(text.substr(0, colon));
  if (colon == std::string::npos || found == kContestants.end())
    return invalid("race-contestant", concat("there is no contestant '", text, "'"));
  return found->second(text.substr(colon + 1), options);
}

// The correlation of two outputs: the cosine of the angle between them, each without its mean, so that a
// common bias does not make everything agree.
double correlation(const std::vector<float>& a, const std::vector<float>& b) {
  const auto mean = [](const std::vector<float>& values) {
    double sum = 0;
    for (const float value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  if (a.size() != b.size() || a.empty()) return 0;
  const double mean_a = mean(a);
  const double mean_b = mean(b);
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double x = a[i] - mean_a;
    const double y = b[i] - mean_b;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  const double product = std::sqrt(aa * bb);
  return product > 0 && std::isfinite(product) ? ab / product : 0;
}

void require(const Status& status) {
  if (status) return;
  std::fprintf(stderr, "%s\n", status.error().to_string().c_str());
  std::exit(1);
}

Side side_of(Contestant& contestant) {
  return {.prepare =
              [&contestant] {
                // Threads of the other side go on waiting actively for a while.
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                require(contestant.prepare());
              },
          .work = [&contestant] { require(contestant.work()); }};
}

void write_numbers(json::Writer& writer, std::string_view key, const std::vector<double>& values) {
  writer.key(key).begin_array(json::Writer::Style::kInline);
  for (const double value : values) writer.number(value);
  writer.end_array();
}

// Switches perf's sampling on, when everything is made and warm.
void announce(const std::string& pipe) {
  std::FILE* const file = std::fopen(pipe.c_str(), "w");
  if (file == nullptr) return;
  std::fputs("enable\n", file);
  std::fclose(file);
}

// The first inference prepares what later ones use: who watches begins behind it.
int be_watched(Contestant& contestant, const CommandLine& line) {
  require(contestant.prepare());
  require(contestant.work());
  const bool by_perf = !line.announce.empty();
  if (by_perf) announce(line.announce);
  const auto end = std::chrono::steady_clock::now() + kWatched;
  CALLGRIND_START_INSTRUMENTATION;
  for (uint32_t i = 0; i < line.rounds && !(by_perf && std::chrono::steady_clock::now() >= end); ++i) {
    require(contestant.prepare());
    require(contestant.work());
  }
  CALLGRIND_STOP_INSTRUMENTATION;
  return 0;
}

int race(const CommandLine& line) {
  std::vector<ContestantPtr> contestants;
  for (const std::string& text : line.contestants) {
    auto made = make(text, line.options);
    if (!made) {
      std::fprintf(stderr, "%s\n", made.error().to_string().c_str());
      return made.error().code == kNotInThisBuild ? 3 : 1;
    }
    contestants.push_back(std::move(made).value());
  }
  if (contestants.size() == 1) return be_watched(*contestants[0], line);
  const Rounds rounds = alternate(side_of(*contestants[0]), side_of(*contestants[1]), line.rounds);
  json::Writer writer;
  writer.begin_object();
  write_numbers(writer, "ours", rounds.ours);
  write_numbers(writer, "peer", rounds.theirs);
  const std::vector<float> output = contestants[0]->output();
  const std::vector<float> peer_output = contestants[1]->output();
  if (!output.empty() && !peer_output.empty())
    writer.key("correlation").number(correlation(output, peer_output));
  writer.end_object();
  std::printf("%s\n", writer.take().c_str());
  return 0;
}

}  // namespace
}  // namespace openqnn::bench

int main(int argc, char** argv) {
  openqnn::bench::CommandLine line;
  if (!openqnn::bench::parse(argc, argv, line)) {
    std::fputs(openqnn::bench::kUsage, stderr);
    return 2;
  }
  return openqnn::bench::race(line);
}
