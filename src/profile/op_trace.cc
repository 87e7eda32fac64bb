// SPDX-License-Identifier: BSD-3-Clause
#include "profile/op_trace.h"

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "profile/schematic.h"
#include "program/bytes_io.h"
#include "program/verify.h"

namespace openqnn::profile {

const SealedKind kOpTraceKind = {"OQNNTRC\n", 2, 0, "op trace", "op-trace"};

namespace {

using program::ByteReader;
using program::ByteWriter;

// Beyond any execution; sums of two stay in range.
constexpr uint64_t kMostCycles = uint64_t{1} << 62;

DiagnosticBuilder damaged_trace(std::string what) {
  return corrupt("op-trace-damaged", std::move(what)).fix_by("copy the log again, or run again");
}

// ---- Events: most are close to the one before, so numbers take as few bytes as they need.

void put_number(std::vector<std::byte>& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::byte>(value | 0x80));
  to.push_back(static_cast<std::byte>(value));
}

class NumberReader {
 public:
  explicit NumberReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  uint64_t next() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ >= bytes_.size()) break;
      const auto byte = static_cast<uint8_t>(bytes_[at_++]);
      value |= uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }
  bool failed() const { return failed_; }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

// Small for small distances in both directions.
uint64_t distance(uint32_t from, uint32_t to) {
  const int64_t difference = int64_t{to} - int64_t{from};
  return static_cast<uint64_t>(difference) << 1 ^ static_cast<uint64_t>(difference >> 63);
}
uint32_t moved(uint32_t from, uint64_t distance) {
  const int64_t difference = static_cast<int64_t>(distance >> 1) ^ -static_cast<int64_t>(distance & 1);
  return static_cast<uint32_t>(from + static_cast<uint64_t>(difference));
}

std::vector<std::byte> pack(const std::vector<sim::Event>& events) {
  std::vector<std::byte> packed;
  packed.reserve(events.size() * 8);
  sim::Event last;
  for (const sim::Event& event : events) {
    put_number(packed, distance(last.task, event.task));
    put_number(packed, static_cast<uint64_t>(event.unit) << 4 | static_cast<uint64_t>(event.bound));
    put_number(packed, event.instance);
    put_number(packed, event.instances);
    put_number(packed, (event.start - last.start).value);  // they are by start
    put_number(packed, event.duration.value);
    last = event;
  }
  return packed;
}

Result<std::vector<sim::Event>> unpack(std::span<const std::byte> packed, uint64_t count) {
  constexpr uint64_t kFewestBytes = 6;
  if (count > packed.size() / kFewestBytes)
    return damaged_trace(concat("the op trace counts ", count, " events in ", packed.size(), " bytes"));
  std::vector<sim::Event> events;
  events.reserve(count);
  NumberReader numbers(packed);
  sim::Event event;
  for (uint64_t i = 0; i < count; ++i) {
    event.task = moved(event.task, numbers.next());
    const uint64_t unit_and_bound = numbers.next();
    event.unit = static_cast<soc::Unit>(unit_and_bound >> 4 & 0xF);
    event.bound = static_cast<sim::Bound>(unit_and_bound & 0xF);
    const uint64_t instance = numbers.next();
    const uint64_t instances = numbers.next();
    const uint64_t later = numbers.next();
    event.duration = {numbers.next()};
    const bool is_sound = unit_and_bound >> 4 < soc::kUnitCount &&
                          (unit_and_bound & 0xF) < sim::kBoundCount && instance <= UINT16_MAX &&
                          instances >= 1 && instances <= UINT16_MAX && later < kMostCycles &&
                          event.start.value + later < kMostCycles && event.duration.value < kMostCycles;
    if (numbers.failed() || !is_sound)
      return damaged_trace(concat("event ", i, " of the op trace has no sense"));
    event.instance = static_cast<uint32_t>(instance);
    event.instances = static_cast<uint32_t>(instances);
    event.start += Cycles{later};
    events.push_back(event);
  }
  if (!numbers.at_end()) return damaged_trace("bytes are left behind the last event of the op trace");
  return events;
}

std::vector<std::byte> pack(const std::vector<sim::Yield>& yields) {
  std::vector<std::byte> packed;
  for (const sim::Yield& yield : yields)
    for (const uint64_t number :
         {yield.start.value, yield.save.value, yield.wait.value, yield.restore.value, yield.bytes.value})
      put_number(packed, number);
  return packed;
}

Result<std::vector<sim::Yield>> unpack_yields(std::span<const std::byte> packed, Cycles total) {
  std::vector<sim::Yield> yields;
  NumberReader numbers(packed);
  Cycles until;
  while (!numbers.at_end()) {
    sim::Yield yield{.start = {numbers.next()},
                     .save = {numbers.next()},
                     .wait = {numbers.next()},
                     .restore = {numbers.next()},
                     .bytes = {numbers.next()}};
    const uint64_t longest =
        std::max({yield.start.value, yield.save.value, yield.wait.value, yield.restore.value});
    if (numbers.failed() || longest > total.value || yield.start < until || yield.end() > total)
      return damaged_trace(concat("yield ", yields.size(), " of the op trace has no sense"));
    until = yield.end();
    yields.push_back(yield);
  }
  return yields;
}

}  // namespace

std::vector<std::byte> write_op_trace(const OpTrace& trace) {
  const sim::Timeline& timeline = trace.timeline;
  ByteWriter writer;
  writer(trace.program, trace.fingerprint, timeline.total.value,
         std::bit_cast<uint64_t>(timeline.power.clock_hz), timeline.accelerator.value, timeline.rpc.value,
         timeline.client.value, timeline.model, std::bit_cast<uint64_t>(timeline.error_band),
         timeline.acquire.value, pack(timeline.yields), uint64_t{timeline.events.size()},
         pack(timeline.events));
  return seal(kOpTraceKind, writer.bytes());
}

ProfileEvent op_trace_event(uint32_t index, const program::Program& program, const sim::Timeline& timeline) {
  return object_event("Optrace", write_op_trace({index, fingerprint_of(program), timeline}),
                      file_name_of(program.graph, "_optrace.bin"));
}

Result<OpTrace> read_op_trace(std::span<const std::byte> bytes) {
  OPENQNN_ASSIGN(const std::span<const std::byte> contents, unseal(kOpTraceKind, bytes));
  ByteReader reader(contents, "op trace", kSealedHeadBytes);
  OpTrace trace;
  sim::Timeline& timeline = trace.timeline;
  uint64_t clock = 0;
  uint64_t band = 0;
  uint64_t count = 0;
  std::vector<std::byte> packed;
  std::vector<std::byte> yields;
  reader(trace.program, trace.fingerprint, timeline.total.value, clock, timeline.accelerator.value,
         timeline.rpc.value, timeline.client.value, timeline.model, band, timeline.acquire.value, yields,
         count, packed);
  if (std::string problem = reader.finish_in_words(); !problem.empty())
    return damaged_trace(std::move(problem));
  OPENQNN_ASSIGN(timeline.events, unpack(packed, count));
  timeline.power.clock_hz = std::bit_cast<double>(clock);
  timeline.error_band = std::bit_cast<double>(band);
  const double hz = timeline.power.clock_hz;
  if (!(hz >= 0 && hz <= 1e12)) return damaged_trace("the clock of the op trace has no sense");
  for (const sim::Event& event : timeline.events)
    if (event.end() > timeline.total) return damaged_trace("an event of the op trace ends behind its end");
  if (std::max(timeline.total, timeline.acquire).value >= kMostCycles)
    return damaged_trace("the length of the op trace has no sense");
  OPENQNN_ASSIGN(timeline.yields, unpack_yields(yields, timeline.total));
  return trace;
}

Status check_belongs(const OpTrace& trace, const program::Program& program) {
  if (trace.fingerprint != fingerprint_of(program))
    return invalid("op-trace-schematic", concat("the log's trace is of another preparation of graph '",
                                                program.graph, "' than the schematic"))
        .fix_by("pass the schematic that was written when the executed binary was prepared");
  // Reports have a row for each unit. The schedule's threads are no limit: a client may raise them until the
  // graph first runs.
  const uint32_t most = program::kMaxHvxThreads * program.schedule.cores;
  for (const sim::Event& event : trace.timeline.events) {
    if (event.task >= program.schedule.tasks.size())
      return damaged_trace(
          concat("the trace names task ", event.task, " of ", program.schedule.tasks.size()));
    if (event.instances > 1 && event.unit != soc::Unit::kHvx)
      return damaged_trace(concat("the trace spreads task ", event.task, " over ", event.instances, " of ",
                                  soc::unit_name(event.unit), "; only vector work is spread"));
    if (event.instance + event.instances > most)
      return damaged_trace(concat("the trace has task ", event.task, " on ", soc::unit_name(event.unit), " ",
                                  event.instance, " and ", event.instances - 1, " more; there are at most ",
                                  most));
  }
  return {};
}

}  // namespace openqnn::profile
