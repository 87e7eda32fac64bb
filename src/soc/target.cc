// SPDX-License-Identifier: BSD-3-Clause
#include "soc/target.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/facts.h"
#include "base/text.h"
#include "soc/facts_reader.h"
#include "soc/memory_model.h"
#include "soc/nearest.h"

namespace openqnn::soc {
namespace {

// QNN 2.25, HTP backend option tables: what counts when the client says nothing.
constexpr uint32_t kDefaultVtcmMb = 4;
constexpr uint32_t kDefaultHvxContexts = 4;
constexpr std::string_view kDefaultChipset = "SM8350";
// Every part whose device log is public shows one matrix unit.
constexpr uint32_t kDefaultHmxUnits = 1;
// QNN 2.25, HTP backend: "associativity changed" between SM8550 (v73) and SM8650 (v75). That it became even
// and odd sums is our model.
constexpr uint32_t kFirstEvenOddArch = 75;
// How much less we trust rates that were written down for another architecture.
constexpr double kBorrowedBandFactor = 1.5;

// How much less we trust rates of other parts of an architecture.
constexpr double kSiblingBandFactor = 2;

// The rates of a part in place of its architecture's, where latencies of it are known.
Status take_part_rates(uint32_t soc_model, Timing& timing, std::vector<std::string>& assumptions) {
  constexpr std::string_view kName = "timing/parts.json";
  OPENQNN_ASSIGN(const std::string text, facts(kName));
  OPENQNN_ASSIGN(const bool known, read_part_timing(text, facts_source(kName), soc_model, timing));
  if (known) return {};
  timing.error_band *= kSiblingBandFactor;
  assumptions.push_back(
      concat("no latency of this part is known; rates are those of its architecture's parts, with an error "
             "band of ±",
             std::lround(timing.error_band * 100), " %"));
  return {};
}

// The timing of an architecture, or of the nearest one below it that has any.
Result<Timing> timing_of(uint32_t arch, std::vector<std::string>& assumptions) {
  for (uint32_t from = arch; from >= kFirstHtpArch; --from) {
    const std::string name = concat("timing/v", from, ".json");
    const auto text = facts(name);
    if (!text && text.error().code == "facts-missing") continue;
    if (!text) return text.error();
    const std::string source = facts_source(name);
    OPENQNN_ASSIGN(Timing timing, read_timing(*text, source, from));
    if (facts_override()) timing.source += concat("; facts read from ", source);  // reports repeat it
    if (from != arch) {
      timing.error_band *= kBorrowedBandFactor;
      assumptions.push_back(concat("no timing of v", arch, " is known; the rates of v", from,
                                   " are used, with an error band of ±", std::lround(timing.error_band * 100),
                                   " %"));
    }
    return timing;
  }
  return unsupported("soc-timing", concat("there is no timing data for v", arch, " or an older architecture"))
      .at(facts_source("timing"))
      .fix_by("start from a complete copy of the data/ folder, or unset OPENQNN_DATA_DIR");
}

// The facts of one part, completed from its siblings (parts with the same SoC model) and the defaults.
class Completion {
 public:
  Completion(const std::vector<SocInfo>& socs, const SocInfo& soc) : soc_(soc) {
    for (const SocInfo& other : socs) {
      if (&other != &soc && soc.soc_model && other.soc_model == soc.soc_model) siblings_.push_back(&other);
    }
  }

  // Nothing when neither the part nor a sibling has it.
  template <class T>
  std::optional<T> find(std::optional<T> SocInfo::*field, std::string_view what, std::string_view unit) {
    if (soc_.*field) return soc_.*field;
    for (const SocInfo* sibling : siblings_) {
      if (!(sibling->*field)) continue;
      assumptions.push_back(concat(what, " of ", soc_.chipset, " is not public; ", *(sibling->*field), unit,
                                   " taken from ", sibling->chipset, ", which has the same SoC model ",
                                   *soc_.soc_model));
      return sibling->*field;
    }
    return std::nullopt;
  }

  template <class T>
  T find_or(std::optional<T> SocInfo::*field, std::string_view what, std::string_view unit, T fallback,
            std::string_view why) {
    if (auto value = find(field, what, unit)) return *value;
    assumptions.push_back(
        concat(what, " of ", soc_.chipset, " is not public; ", fallback, unit, " assumed (", why, ")"));
    return fallback;
  }

  std::vector<std::string> assumptions;

 private:
  const SocInfo& soc_;
  std::vector<const SocInfo*> siblings_;
};

constexpr std::string_view kDocumented = "the documented default";
constexpr std::string_view kAllMeasured = "every part measured so far has one";

Result<Target> complete(const std::vector<SocInfo>& socs, const SocInfo& soc) {
  Completion completion(socs, soc);
  const auto arch = completion.find(&SocInfo::arch, "Hexagon architecture", "");
  if (!arch) {
    return unsupported("soc-arch-unknown",
                       concat("no public source states a Hexagon architecture for ", describe(soc)))
        .fix_by("name a part of the same family, or give the architecture alone, e.g. v75");
  }
  if (*arch < kFirstHtpArch) {
    return unsupported("soc-no-htp", concat(describe(soc), " has Hexagon v", *arch, ", which has no HTP"))
        .note(
            concat("the HTP backend starts with v", kFirstHtpArch, "; QNN's DSP backend serves older parts"))
        .fix_by("name a part with v68 or later, e.g. SM8350");
  }
  Target target;
  target.soc = soc.chipset;
  target.soc_model = soc.soc_model.value_or(0);
  target.arch = *arch;
  target.vtcm =
      Bytes{completion.find_or(&SocInfo::vtcm_mb, "VTCM size", " MB", kDefaultVtcmMb, kDocumented) * kMiB};
  target.hvx_contexts =
      completion.find_or(&SocInfo::hvx_threads, "HVX thread count", "", kDefaultHvxContexts, kDocumented);
  target.hmx_units = completion.find_or(&SocInfo::hmx_units, "HMX count", "", kDefaultHmxUnits, kAllMeasured);
  target.cores = soc.npu_count.value_or(1);
  target.assumptions = std::move(completion.assumptions);
  target.runs_half = soc.half_on_htp;
  target.half_accumulation =
      *arch >= kFirstEvenOddArch ? HalfAccumulation::kEvenOdd : HalfAccumulation::kSequential;
  OPENQNN_ASSIGN(target.timing, timing_of(*arch, target.assumptions));
  OPENQNN_TRY(take_part_rates(target.soc_model, target.timing, target.assumptions));
  OPENQNN_TRY(take_memory_model(target));
  return target;
}

// Among parts that share a SoC model, the one we know most about; the first of equals.
const SocInfo* best_known(const std::vector<const SocInfo*>& variants) {
  const auto known = [](const SocInfo* soc) {
    return 8 * soc->arch.has_value() + 4 * soc->vtcm_mb.has_value() + 2 * soc->hvx_threads.has_value() +
           soc->hmx_units.has_value();
  };
  return *std::ranges::max_element(variants, {}, known);
}

}  // namespace

std::string_view unit_name(Unit unit) {
  static constexpr std::array<std::string_view, kUnitCount> kNames = {"HMX", "HVX", "DMA", "scalar"};
  return kNames.at(static_cast<size_t>(unit));
}

std::string_view vector_kind_name(VectorKind kind) {
  static constexpr std::array<std::string_view, kVectorKinds> kNames = {
      "elementwise", "activation", "depthwise_tap", "quotient", "softmax",
      "norm",        "layout",     "concat",        "pack",     "batch_norm"};
  return kNames.at(static_cast<size_t>(kind));
}

Result<std::vector<SocInfo>> all_socs() {
  OPENQNN_ASSIGN(const auto socs, shared_socs());
  return *socs;
}

Result<std::vector<Source>> soc_sources() {
  OPENQNN_ASSIGN(const auto table, cached_soc_table());
  return table->sources;
}

Result<Target> target_by_chipset(std::string_view chipset) {
  OPENQNN_ASSIGN(const auto socs, shared_socs());
  const std::string wanted = upper(chipset);
  for (const SocInfo& soc : *socs) {
    if (upper(soc.chipset) == wanted) return complete(*socs, soc);
  }
  return invalid("soc-unknown", concat("there is no part '", chipset, "'"))
      .fix_by(concat("did you mean ", join(nearest_chipsets(*socs, chipset, kSuggestions)), "?"));
}

Result<Target> target_by_model(uint32_t soc_model) {
  OPENQNN_ASSIGN(const auto socs, shared_socs());
  std::vector<const SocInfo*> variants;
  for (const SocInfo& soc : *socs) {
    if (soc.soc_model == soc_model) variants.push_back(&soc);
  }
  if (variants.empty()) {
    return invalid("soc-unknown", concat("there is no part with SoC model ", soc_model))
        .fix_by(
            concat("the nearest numbers in use are ", join(nearest_models(*socs, soc_model, kSuggestions))));
  }
  const SocInfo* chosen = best_known(variants);
  OPENQNN_ASSIGN(Target target, complete(*socs, *chosen));
  target.runs_half = agreed(variants, &SocInfo::half_on_htp);
  if (variants.size() > 1) {
    std::vector<std::string> names;
    for (const SocInfo* soc : variants) names.push_back(soc->chipset);
    target.assumptions.push_back(
        concat("SoC model ", soc_model, " is shared by ", join(names), "; ", chosen->chipset, " is taken"));
  }
  return target;
}

Result<Target> target_by_arch(uint32_t arch) {
  OPENQNN_ASSIGN(const auto socs, shared_socs());
  const std::set<uint32_t> archs = archs_of(*socs, kFirstHtpArch);
  if (!archs.contains(arch)) {
    return invalid("arch-unknown", concat("there is no part with HTP architecture v", arch))
        .fix_by(concat("choose one of ", join(archs)));
  }
  Target target;
  target.arch = arch;
  target.vtcm = Bytes{kDefaultVtcmMb * kMiB};
  target.hvx_contexts = kDefaultHvxContexts;
  target.hmx_units = kDefaultHmxUnits;
  target.assumptions = {concat("only the architecture is given; ", kDefaultVtcmMb, " MB VTCM and ",
                               kDefaultHvxContexts, " HVX threads assumed (", kDocumented, "), and ",
                               kDefaultHmxUnits, " HMX (", kAllMeasured, ")")};
  target.half_accumulation =
      arch >= kFirstEvenOddArch ? HalfAccumulation::kEvenOdd : HalfAccumulation::kSequential;
  OPENQNN_ASSIGN(target.timing, timing_of(arch, target.assumptions));
  OPENQNN_TRY(take_part_rates(/*soc_model=*/0, target.timing, target.assumptions));  // that no part has
  OPENQNN_TRY(take_memory_model(target));
  return target;
}

Result<Target> default_target() {
  OPENQNN_ASSIGN(Target target, target_by_chipset(kDefaultChipset));
  target.assumed = true;
  target.assumptions.insert(target.assumptions.begin(),
                            concat("no SoC was given; ", kDefaultChipset, " assumed (", kDocumented, ")"));
  return target;
}

}  // namespace openqnn::soc
