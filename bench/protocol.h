// SPDX-License-Identifier: BSD-3-Clause
// How we measure: ours and the peer alternate on the same input for at least 20 rounds, and the figure is the
// ratio of their medians with a 95 % interval. Absolute times of a shared machine mean little.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace openqnn::bench {

// One side of a comparison: does its work `repeats` times.
using Work = std::function<void(uint64_t repeats)>;

// One side where each work needs something done before it that is not timed.
struct Side {
  std::function<void()> prepare;
  std::function<void()> work;
};

// Nanoseconds of one work, a round each.
struct Rounds {
  std::vector<double> ours;
  std::vector<double> theirs;
};

inline constexpr uint32_t kLeastRounds = 20;

// The two in turns, `rounds` times: fewer where one work takes seconds, but 3 at least. In each turn a work
// that is not timed warms the caches up; short works are done several times.
Rounds alternate(const Side& ours, const Side& theirs, uint32_t rounds);

struct Figure {
  std::string name;
  double value = 0;  // ours, in `unit`
  std::string unit;
  std::string peer;
  double peer_value = 0;
  double ratio = 0;  // above 1: we are better
  double ratio_low = 0;
  double ratio_high = 0;
  std::string note;
};

class Area {
 public:
  // Reads --json FILE and --rounds N; anything else ends the program with a usage message.
  Area(std::string name, int argc, char** argv);

  // Times both sides in nanoseconds per repeat and keeps the figure. `repeats` is chosen so that a round
  // takes long enough to be timed.
  void compare(const std::string& name, const std::string& peer, const Work& ours, const Work& theirs,
               const std::string& note = "");

  // How the cost of one unit of work changes from the smaller to the larger size: the peer is the smaller
  // size, so a ratio of 1 is linear growth.
  void growth(const std::string& name, uint64_t small_units, const Work& small, uint64_t large_units,
              const Work& large, const std::string& note = "");

  // How many of its units a work does in a second, beside the least that is wanted: at 1 the bar is met.
  void at_least(const std::string& name, const std::string& unit, double wanted, uint64_t units,
                const Work& work, const std::string& note = "");

  // Prints the table, writes the file; the program's exit code.
  int finish() const;

 private:
  void measure(Figure figure, const Work& ours, double our_units, const Work& theirs, double their_units);

  std::string name_;
  std::string json_path_;
  uint32_t rounds_ = kLeastRounds;
  std::vector<Figure> figures_;
};

}  // namespace openqnn::bench
