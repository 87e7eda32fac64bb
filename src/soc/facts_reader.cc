// SPDX-License-Identifier: BSD-3-Clause
#include "soc/facts_reader.h"

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/facts.h"
#include "base/text.h"
#include "base/until_exit.h"
#include "json/json.h"
#include "soc/fields.h"

namespace openqnn::soc {
namespace {

using json::Value;

Result<SocInfo> read_soc(const Value& row, const FactsFile& file) {
  Fields fields(row, file);
  SocInfo soc;
  fields.text("chipset", soc.chipset);
  fields.text("marketing_name", soc.marketing_name);
  fields.count("qnn_soc_model", soc.soc_model);
  fields.counts("kernel_soc_ids", soc.kernel_ids);
  fields.arch("dsp_arch", soc.arch);
  fields.count("vtcm_mb", soc.vtcm_mb);
  fields.count("hvx_threads", soc.hvx_threads);
  fields.count("hmx_units", soc.hmx_units);
  fields.count("npu_count", soc.npu_count);
  fields.boolean("fp16_on_htp", soc.half_on_htp);
  fields.text("lpai_version", soc.lpai_version);
  fields.texts("conflicts", soc.conflicts);
  fields.sources("sources", soc.sources);
  OPENQNN_TRY(std::move(fields).status());
  if (soc.chipset.empty()) return bad_fact(file, row.span(), "a part needs a 'chipset'");
  return soc;
}

// What differs from part to part.
void read_rates(Fields& fields, Timing& timing) {
  fields.rate("clock_hz", timing.clock_hz);
  fields.rate("hmx_macs_per_cycle_8", timing.hmx_macs_per_cycle_8);
  fields.rate("hmx_macs_per_cycle_16", timing.hmx_macs_per_cycle_16);
  fields.rate("dma_bytes_per_second", timing.dma_bytes_per_second);
  fields.rate("rpc_us", timing.rpc_us);
  fields.rate("client_us", timing.client_us);
  fields.rate("error_band", timing.error_band);
}

// What parts of an architecture share.
void read_prices(Fields& fields, Timing& timing) {
  fields.rate("word_passes", timing.word_passes);
  fields.rate("between_strides", timing.between_strides);
  fields.rate("ragged_8", timing.ragged_8);
  fields.rate("ragged_16", timing.ragged_16);
  for (size_t i = 0; i < kVectorKinds; ++i)
    fields.rate(concat(vector_kind_name(static_cast<VectorKind>(i)), "_cycles"), timing.vector_cycles[i]);
  fields.rate("byte_vectors", timing.byte_vectors);
  fields.rate("half_vectors", timing.half_vectors);
  fields.rate("instruction_cycles", timing.instruction_cycles);
  fields.rate("op_cycles", timing.op_cycles);
  fields.rate("matrix_cycles", timing.matrix_cycles);
  fields.cycles("task_cycles", timing.task_cycles);
  fields.cycles("dma_setup_cycles", timing.dma_setup_cycles);
}

struct Cache {
  std::mutex mutex;
  std::optional<std::string> folder;
  std::shared_ptr<const SocTable> table;
};

}  // namespace

Result<SocTable> read_soc_table(std::string_view text, std::string_view source) {
  const FactsFile file = {text, source};
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  const Value* rows = root.find("socs");
  if (rows == nullptr || rows->as_array().empty()) {
    return bad_fact(file, root.span(), "'socs' must be a list of parts");
  }
  SocTable table;
  table.socs.reserve(rows->as_array().size());
  for (const Value& row : rows->as_array()) {
    OPENQNN_ASSIGN(SocInfo soc, read_soc(row, file));
    table.socs.push_back(std::move(soc));
  }
  if (const Value* keys = root.find("source_keys")) {
    for (const json::Member& member : keys->as_object()) {
      table.sources.push_back({member.key.str(), std::string(member.value.as_string())});
    }
  }
  return table;
}

Result<Timing> read_timing(std::string_view text, std::string_view source, uint32_t arch) {
  const FactsFile file = {text, source};
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  const Value* written = root.find("arch");
  if (written == nullptr || written->as_int64() != arch) {
    const json::Span at = (written != nullptr ? *written : root).span();
    return bad_fact(file, at, concat("'arch' must be ", arch, ", as the file name says"));
  }
  Fields fields(root, file);
  Timing timing;
  fields.text("source", timing.source);
  read_prices(fields, timing);
  read_rates(fields, timing);
  OPENQNN_TRY(std::move(fields).status());
  return timing;
}

Result<bool> read_part_timing(std::string_view text, std::string_view source, uint32_t soc_model,
                              Timing& timing) {
  const FactsFile file = {text, source};
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  const Value* parts = root.find("parts");
  if (parts == nullptr) return bad_fact(file, root.span(), "there is no list of 'parts'");
  for (const Value& part : parts->as_array()) {
    const Value* model = part.find("soc_model");
    if (model == nullptr || model->as_int64() != soc_model) continue;
    Fields fields(part, file);
    fields.text("source", timing.source);
    read_rates(fields, timing);
    OPENQNN_TRY(std::move(fields).status());
    return true;
  }
  return false;
}

Result<std::shared_ptr<const SocTable>> cached_soc_table() {
  Cache* const cache = UntilExit<Cache>::get();
  if (!cache) return invalid("soc-table-exit", "the process ends, and the table of parts is gone");
  auto folder = facts_override();
  std::lock_guard lock(cache->mutex);
  if (cache->table == nullptr || cache->folder != folder) {
    OPENQNN_ASSIGN(const std::string text, facts("socs.json"));
    OPENQNN_ASSIGN(auto table, read_soc_table(text, facts_source("socs.json")));
    cache->table = std::make_shared<const SocTable>(std::move(table));
    cache->folder = std::move(folder);
  }
  return cache->table;
}

Result<std::shared_ptr<const std::vector<SocInfo>>> shared_socs() {
  OPENQNN_ASSIGN(const auto table, cached_soc_table());
  return std::shared_ptr<const std::vector<SocInfo>>(table, &table->socs);
}

}  // namespace openqnn::soc
