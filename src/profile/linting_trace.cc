// SPDX-License-Identifier: BSD-3-Clause
#include "base/text.h"
#include "json/json.h"
#include "profile/linting.h"
#include "profile/viewer_reports.h"

namespace openqnn::profile {
namespace {

using json::Writer;

enum Track : uint64_t { kMain = 1, kBackground = 2 };

class LintingTrace {
 public:
  explicit LintingTrace(Writer& out) : out_(out) {}

  void name(std::string_view what, Track track, std::string_view text) {
    begin(what, "M", track);
    out_.key("args").begin_object(Writer::Style::kInline).key("name").string(text).end_object();
    out_.end_object();
  }

  // An op behind what it waits for.
  void op(const EventNode& op) {
    const EventNode* const wait = find_event(op.children, event_type::kNodeWait);
    if (wait != nullptr && wait->value > 0) {
      slice(concat("wait: ", op.identifier), kMain, "wait", wait->value, nullptr);
      beside(op, event_type::kNodeWaitOverlap);
      at_ += wait->value;
    }
    slice(op.identifier, kMain, "op", op.value, find_event(op.children, event_type::kNodeResources));
    beside(op, event_type::kNodeOverlap);
    at_ += op.value;
  }

 private:
  void beside(const EventNode& op, uint32_t type) {
    const EventNode* const overlap = find_event(op.children, type);
    if (overlap == nullptr || overlap->value == 0) return;
    begin(concat("beside ", op.identifier), "X", kBackground);
    times("overlap", overlap->value);
    out_.key("args").begin_object(Writer::Style::kInline).key("cycles").unsigned_integer(overlap->value);
    out_.key("ops").begin_array(Writer::Style::kInline);
    for (const EventNode& background : overlap->children) out_.string(background.identifier);
    out_.end_array().end_object().end_object();
  }

  void slice(std::string_view name, Track track, std::string_view category, uint64_t cycles,
             const EventNode* resources) {
    begin(name, "X", track);
    times(category, cycles);
    out_.key("args").begin_object(Writer::Style::kInline).key("cycles").unsigned_integer(cycles);
    if (resources != nullptr) {
      out_.key("resources").begin_array(Writer::Style::kInline);
      for (const auto& [bit, resource] : kResources)
        if ((resources->value & bit) != 0) out_.string(resource);
      out_.end_array();
    }
    out_.end_object().end_object();
  }

  void times(std::string_view category, uint64_t cycles) {
    out_.key("cat").string(category).key("ts").unsigned_integer(at_).key("dur").unsigned_integer(cycles);
  }

  void begin(std::string_view name, std::string_view phase, Track track) {
    out_.begin_object(Writer::Style::kInline).key("name").string(name).key("ph").string(phase);
    out_.key("pid").unsigned_integer(1).key("tid").unsigned_integer(track);
  }

  Writer& out_;
  uint64_t at_ = 0;  // in cycles
};

}  // namespace

std::string linting_chrometrace(const std::string& graph, const std::vector<EventNode>& events) {
  const EventNode* total = find_event(events, event_type::kExecuteCriticalCycles);
  const bool is_linted = total != nullptr;
  if (total == nullptr) total = find_event(events, event_type::kExecuteAcceleratorCycles);
  if (total == nullptr || total->children.empty()) return "";
  Writer out;
  out.begin_object().key("otherData").begin_object();
  out.key("generator").string("openqnn").key("clock").string("simulated");
  out.key("graph").string(graph).key("unit").string("one microsecond of this trace is one cycle");
  out.key("total_cycles").unsigned_integer(total->value).end_object();
  out.key("traceEvents").begin_array();
  LintingTrace trace(out);
  trace.name("process_name", kMain, concat(graph, ", simulated, average of all runs"));
  trace.name("thread_name", kMain, is_linted ? "main thread" : "ops, one after the other");
  if (is_linted) trace.name("thread_name", kBackground, "background");
  for (const EventNode& op : total->children) trace.op(op);
  out.end_array().end_object();
  return out.take();
}

}  // namespace openqnn::profile
