// SPDX-License-Identifier: BSD-3-Clause
#include "protocol.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "base/files.h"
#include "json/json.h"

namespace openqnn::bench {
namespace {

constexpr double kRoundNanos = 5e6;  // a round of 5 ms drowns the timer's own cost
constexpr uint32_t kResamples = 2000;
constexpr double kLongWorkNanos = 2e9;    // from here on, fewer rounds
constexpr double kLongRaceNanos = 60e9;   // as many as fit in here
constexpr uint32_t kLeastLongRounds = 3;  // the least that has a median with something on both sides

double nanos_of(const Work& work, uint64_t repeats) {
  const auto start = std::chrono::steady_clock::now();
  work(repeats);
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

uint64_t repeats_for(const Work& work) {
  uint64_t repeats = 1;
  while (repeats < uint64_t{1} << 30) {
    const double nanos = nanos_of(work, repeats);
    if (nanos >= kRoundNanos) break;
    const double factor = std::clamp(kRoundNanos / std::max(nanos, 1.0), 2.0, 100.0);
    repeats = static_cast<uint64_t>(static_cast<double>(repeats) * factor);
  }
  return repeats;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Percentile bootstrap over rounds; the seed is fixed, so equal measurements give equal intervals.
std::pair<double, double> ratio_interval(const std::vector<double>& ours, const std::vector<double>& theirs) {
  std::mt19937 random(1);
  std::uniform_int_distribution<size_t> pick(0, ours.size() - 1);
  std::vector<double> ratios;
  std::vector<double> our_sample(ours.size());
  std::vector<double> their_sample(ours.size());
  for (uint32_t i = 0; i < kResamples; ++i) {
    for (size_t j = 0; j < ours.size(); ++j) {
      const size_t round = pick(random);
      our_sample[j] = ours[round];
      their_sample[j] = theirs[round];
    }
    ratios.push_back(median(their_sample) / median(our_sample));
  }
  std::sort(ratios.begin(), ratios.end());
  return {ratios[kResamples * 25 / 1000], ratios[kResamples * 975 / 1000]};
}

double nanos_of_one(const Side& side) {
  side.prepare();
  return nanos_of([&](uint64_t) { side.work(); }, 1);
}

// Before the timed works comes one that is not: caches hold what the other side has just used. For works of
// seconds that makes no difference.
double mean_of(const Side& side, uint64_t works, double expected) {
  if (expected < kLongWorkNanos) nanos_of_one(side);
  double sum = 0;
  for (uint64_t i = 0; i < works; ++i) sum += nanos_of_one(side);
  return sum / static_cast<double>(works);
}

// The first time is dearer than the others, but not by seconds.
double expected_nanos(const Side& side) {
  const double first = nanos_of_one(side);
  return first > kLongWorkNanos ? first : nanos_of_one(side);
}

uint64_t works_for(double nanos) {
  return nanos >= kRoundNanos ? 1 : static_cast<uint64_t>(std::ceil(kRoundNanos / std::max(nanos, 1e3)));
}

uint32_t rounds_for(double our_nanos, double their_nanos, uint32_t wanted) {
  if (std::max(our_nanos, their_nanos) <= kLongWorkNanos) return wanted;
  const auto fitting = static_cast<uint32_t>(kLongRaceNanos / (our_nanos + their_nanos));
  return std::clamp(fitting, kLeastLongRounds, std::max(wanted, kLeastLongRounds));
}

[[noreturn]] void usage(const char* program) {
  std::fprintf(stderr, "usage: %s [--json FILE] [--rounds N]   (N is at least 20)\n", program);
  std::exit(2);
}

}  // namespace

Rounds alternate(const Side& ours, const Side& theirs, uint32_t rounds) {
  const double our_nanos = expected_nanos(ours);
  const double their_nanos = expected_nanos(theirs);
  const uint64_t our_works = works_for(our_nanos);
  const uint64_t their_works = works_for(their_nanos);
  Rounds measured;
  for (uint32_t left = rounds_for(our_nanos, their_nanos, rounds); left > 0; --left) {
    measured.ours.push_back(mean_of(ours, our_works, our_nanos));
    measured.theirs.push_back(mean_of(theirs, their_works, their_nanos));
  }
  return measured;
}

Area::Area(std::string name, int argc, char** argv) : name_(std::move(name)) {
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 >= argc) usage(argv[0]);
    if (std::strcmp(argv[i], "--json") == 0)
      json_path_ = argv[i + 1];
    else if (std::strcmp(argv[i], "--rounds") == 0)
      rounds_ = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
    else
      usage(argv[0]);
  }
  if (rounds_ < kLeastRounds) usage(argv[0]);
}

void Area::compare(const std::string& name, const std::string& peer, const Work& ours, const Work& theirs,
                   const std::string& note) {
  measure({.name = name, .unit = "ns", .peer = peer, .note = note}, ours, 1, theirs, 1);
}

void Area::growth(const std::string& name, uint64_t small_units, const Work& small, uint64_t large_units,
                  const Work& large, const std::string& note) {
  measure({.name = name,
           .unit = "ns per unit",
           .peer = "same code, " + std::to_string(small_units) + " units",
           .note = note.empty() ? "1 is linear growth" : note},
          large, static_cast<double>(large_units), small, static_cast<double>(small_units));
}

void Area::at_least(const std::string& name, const std::string& unit, double wanted, uint64_t units,
                    const Work& work, const std::string& note) {
  constexpr double kNanosPerSecond = 1e9;
  const uint64_t repeats = repeats_for(work);
  std::vector<double> nanos;  // of a unit
  for (uint32_t round = 0; round < rounds_; ++round)
    nanos.push_back(nanos_of(work, repeats) / (static_cast<double>(repeats) * static_cast<double>(units)));
  const std::vector<double> allowed(nanos.size(), kNanosPerSecond / wanted);
  Figure figure{.name = name,
                .value = kNanosPerSecond / median(nanos),
                .unit = unit + " per s",
                .peer = "wanted",
                .peer_value = wanted,
                .ratio = allowed[0] / median(nanos),
                .note = note};
  std::tie(figure.ratio_low, figure.ratio_high) = ratio_interval(nanos, allowed);
  figures_.push_back(std::move(figure));
}

void Area::measure(Figure figure, const Work& ours, double our_units, const Work& theirs,
                   double their_units) {
  const uint64_t our_repeats = repeats_for(ours);
  const uint64_t their_repeats = repeats_for(theirs);
  std::vector<double> our_nanos;
  std::vector<double> their_nanos;
  for (uint32_t round = 0; round < rounds_; ++round) {
    our_nanos.push_back(nanos_of(ours, our_repeats) / (static_cast<double>(our_repeats) * our_units));
    their_nanos.push_back(nanos_of(theirs, their_repeats) /
                          (static_cast<double>(their_repeats) * their_units));
  }
  figure.value = median(our_nanos);
  figure.peer_value = median(their_nanos);
  figure.ratio = figure.peer_value / figure.value;
  std::tie(figure.ratio_low, figure.ratio_high) = ratio_interval(our_nanos, their_nanos);
  figures_.push_back(std::move(figure));
}

int Area::finish() const {
  std::printf("%s (%u rounds; ratio above 1: ours is better; 95 %% interval)\n", name_.c_str(), rounds_);
  for (const Figure& figure : figures_)
    std::printf("  %-34s %12.4g %-12s peer %-38s %12.4g   ratio %6.3f [%.3f, %.3f]  %s\n",
                figure.name.c_str(), figure.value, figure.unit.c_str(), figure.peer.c_str(),
                figure.peer_value, figure.ratio, figure.ratio_low, figure.ratio_high, figure.note.c_str());
  if (json_path_.empty()) return 0;
  json::Writer writer;
  writer.begin_array();
  for (const Figure& figure : figures_) {
    writer.begin_object(json::Writer::Style::kInline);
    writer.key("name").string(figure.name).key("value").number(figure.value).key("unit").string(figure.unit);
    writer.key("peer").string(figure.peer).key("peer_value").number(figure.peer_value);
    writer.key("ratio").number(figure.ratio).key("ratio_low").number(figure.ratio_low);
    writer.key("ratio_high").number(figure.ratio_high).key("note").string(figure.note);
    writer.end_object();
  }
  writer.end_array();
  if (const Status status = write_file(json_path_, writer.take()); !status) {
    std::fprintf(stderr, "%s\n", status.error().to_string().c_str());
    return 1;
  }
  return 0;
}

}  // namespace openqnn::bench
