// SPDX-License-Identifier: BSD-3-Clause
#include "soc/facts_reader.h"

#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/facts.h"
#include "base/text.h"
#include "json/json.h"

namespace openqnn::soc {
namespace {

using json::Value;

Diagnostic bad_field(std::string_view source, json::Position position, std::string message) {
  return invalid("facts-field", std::move(message))
      .at(Where{std::string(source), position.line, position.column})
      .fix_by("correct the file in the folder named by OPENQNN_DATA_DIR, or unset the variable");
}

// Reads the fields of one object; the first thing that is wrong stays.
class Fields {
 public:
  Fields(const Value& object, std::string_view source) : object_(object), source_(source) {}

  void text(std::string_view key, std::optional<std::string>& out) {
    if (const Value* value = given(key)) {
      if (value->kind() != Value::Kind::kString) return fail(key, *value, "a string");
      out = value->as_string();
    }
  }

  void boolean(std::string_view key, std::optional<bool>& out) {
    if (const Value* value = given(key)) {
      if (value->kind() != Value::Kind::kBool) return fail(key, *value, "true or false");
      out = value->as_bool();
    }
  }

  template <class Integer>
  void count(std::string_view key, std::optional<Integer>& out) {
    if (const Value* value = given(key)) {
      const auto number = value->as_int64();
      if (!number || *number < 0 || *number > std::numeric_limits<uint16_t>::max()) {
        return fail(key, *value, "an integer from 0 to 65535");
      }
      out = static_cast<Integer>(*number);
    }
  }

  // "v75" -> 75
  void arch(std::string_view key, std::optional<uint32_t>& out) {
    if (const Value* value = given(key)) {
      const std::string_view text = value->as_string();
      if (text.size() < 2 || text.size() > 4 || text[0] != 'v' ||
          text.find_first_not_of("0123456789", 1) != std::string_view::npos) {
        return fail(key, *value, "an architecture such as \"v75\"");
      }
      out = static_cast<uint32_t>(std::stoul(std::string(text.substr(1))));
    }
  }

  // {"value": number, "grade": …, "source": …}; the value must be positive.
  void rate(std::string_view key, double& out) {
    const Value* entry = given(key);
    if (entry == nullptr)
      return fail(key, object_, "present: {\"value\": number, \"grade\": text, \"source\": text}");
    const Value* value = entry->find("value");
    const auto number = value != nullptr ? value->as_double() : std::nullopt;
    if (!number || *number <= 0) return fail(key, *entry, "an object with a \"value\" above 0");
    for (const char* origin : {"grade", "source"}) {
      const Value* words = entry->find(origin);
      if (words == nullptr || words->as_string().empty()) {
        return fail(key, *entry, "an object that tells its \"grade\" and \"source\"");
      }
    }
    out = *number;
  }

  void cycles(std::string_view key, uint32_t& out) {
    double value = 0;
    rate(key, value);
    if (value > 1e9) return fail(key, object_, "below 1e9 cycles");
    out = static_cast<uint32_t>(std::llround(value));
  }

  Status status() && { return failure_ ? Status(*std::move(failure_)) : Status(); }

 private:
  const Value* given(std::string_view key) const {
    const Value* value = object_.find(key);
    return value != nullptr && !value->is_null() ? value : nullptr;
  }

  void fail(std::string_view key, const Value& at, std::string_view expected) {
    if (!failure_) failure_ = bad_field(source_, at.position(), concat("'", key, "' must be ", expected));
  }

  const Value& object_;
  std::string_view source_;
  std::optional<Diagnostic> failure_;
};

Result<SocInfo> read_soc(const Value& row, std::string_view source) {
  Fields fields(row, source);
  SocInfo soc;
  std::optional<std::string> chipset, marketing_name;
  fields.text("chipset", chipset);
  fields.text("marketing_name", marketing_name);
  fields.count("qnn_soc_model", soc.soc_model);
  fields.arch("dsp_arch", soc.arch);
  fields.count("vtcm_mb", soc.vtcm_mb);
  fields.count("hvx_threads", soc.hvx_threads);
  fields.count("hmx_units", soc.hmx_units);
  fields.count("npu_count", soc.npu_count);
  fields.boolean("fp16_on_htp", soc.half_on_htp);
  fields.text("lpai_version", soc.lpai_version);
  OPENQNN_TRY(std::move(fields).status());
  if (!chipset || chipset->empty()) return bad_field(source, row.position(), "a part needs a 'chipset'");
  soc.chipset = *std::move(chipset);
  soc.marketing_name = std::move(marketing_name).value_or("");
  return soc;
}

struct Cache {
  std::mutex mutex;
  std::optional<std::string> folder;
  std::shared_ptr<const std::vector<SocInfo>> socs;
};

}  // namespace

Result<std::vector<SocInfo>> read_socs(std::string_view text, std::string_view source) {
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  const Value* rows = root.find("socs");
  if (rows == nullptr || rows->as_array().empty()) {
    return bad_field(source, root.position(), "'socs' must be a list of parts");
  }
  std::vector<SocInfo> socs;
  socs.reserve(rows->as_array().size());
  for (const Value& row : rows->as_array()) {
    OPENQNN_ASSIGN(SocInfo soc, read_soc(row, source));
    socs.push_back(std::move(soc));
  }
  return socs;
}

Result<Timing> read_timing(std::string_view text, std::string_view source, uint32_t arch) {
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  const Value* written = root.find("arch");
  if (written == nullptr || written->as_int64() != arch) {
    const json::Position position = written != nullptr ? written->position() : root.position();
    return bad_field(source, position, concat("'arch' must be ", arch, ", as the file name says"));
  }
  Fields fields(root, source);
  Timing timing;
  std::optional<std::string> summary;
  fields.text("source", summary);
  fields.rate("hmx_macs_per_cycle_8", timing.hmx_macs_per_cycle_8);
  fields.rate("hmx_macs_per_cycle_16", timing.hmx_macs_per_cycle_16);
  fields.rate("hvx_bytes_per_cycle", timing.hvx_bytes_per_cycle);
  fields.rate("vtcm_bytes_per_cycle", timing.vtcm_bytes_per_cycle);
  fields.rate("dma_bytes_per_second", timing.dma_bytes_per_second);
  fields.cycles("dma_setup_cycles", timing.dma_setup_cycles);
  fields.cycles("op_overhead_cycles", timing.op_overhead_cycles);
  fields.rate("clock_hz", timing.clock_hz);
  fields.rate("rpc_us", timing.rpc_us);
  fields.rate("client_us", timing.client_us);
  fields.rate("error_band", timing.error_band);
  OPENQNN_TRY(std::move(fields).status());
  timing.source = std::move(summary).value_or("");
  return timing;
}

Result<std::shared_ptr<const std::vector<SocInfo>>> cached_socs() {
  static Cache cache;
  auto folder = facts_override();
  std::lock_guard lock(cache.mutex);
  if (cache.socs == nullptr || cache.folder != folder) {
    OPENQNN_ASSIGN(const std::string text, facts("socs.json"));
    OPENQNN_ASSIGN(auto socs, read_socs(text, folder ? *folder + "/socs.json" : "data/socs.json"));
    cache.socs = std::make_shared<const std::vector<SocInfo>>(std::move(socs));
    cache.folder = std::move(folder);
  }
  return cache.socs;
}

}  // namespace openqnn::soc
