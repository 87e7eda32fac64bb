// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/facts.h"
#include "base/files.h"
#include "base/text.h"
#include "soc/facts_reader.h"
#include "soc/nearest.h"
#include "soc/target.h"

namespace openqnn::soc {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Target target(Result<Target> result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
  return result.ok() ? *std::move(result) : Target();
}

TEST(Soc, AllPartsAreThere) {
  const auto socs = all_socs();
  ASSERT_TRUE(socs.ok());
  EXPECT_EQ(socs->size(), 132u);
  std::set<std::string> names;
  for (const SocInfo& soc : *socs) EXPECT_TRUE(names.insert(upper(soc.chipset)).second) << soc.chipset;
}

TEST(Soc, Sm8650) {
  for (const Target& part : {target(target_by_chipset("sm8650")), target(target_by_model(57))}) {
    EXPECT_EQ(part.soc, "SM8650");
    EXPECT_EQ(part.arch, 75u);
    EXPECT_EQ(part.soc_model, 57u);
    EXPECT_EQ(part.vtcm, Bytes{8 * kMiB});
    EXPECT_EQ(part.hvx_contexts, 4u);
    EXPECT_EQ(part.hmx_units, 1u);
    EXPECT_EQ(part.half_accumulation, HalfAccumulation::kEvenOdd);
    EXPECT_THAT(part.assumptions, IsEmpty());                         // every one of its values has a source
    EXPECT_THAT(part.timing.source, HasSubstr("scripts/calibrate"));  // its own rates are known
  }
}

TEST(Soc, DefaultIsSm8350) {
  const Target part = target(default_target());
  EXPECT_EQ(part.soc, "SM8350");
  EXPECT_EQ(part.arch, 68u);
  EXPECT_EQ(part.soc_model, 30u);
  EXPECT_EQ(part.vtcm, Bytes{4 * kMiB});
  EXPECT_EQ(part.hvx_contexts, 4u);
  EXPECT_EQ(part.half_accumulation, HalfAccumulation::kSequential);
  EXPECT_THAT(part.assumptions,
              Contains("HVX thread count of SM8350 is not public; 4 assumed (the documented default)"));
  EXPECT_THAT(part.assumptions[0], HasSubstr("no SoC was given"));
}

// Parts of one SoC model may disagree: then nothing is said of the model.
TEST(Soc, HalfPrecisionIsAFactOfThePart) {
  EXPECT_EQ(target(target_by_chipset("SM8550")).runs_half, true);
  EXPECT_EQ(target(target_by_chipset("SM8735")).runs_half, false);
  EXPECT_EQ(target(target_by_model(85)).runs_half, false);
  EXPECT_EQ(target(target_by_chipset("SM7750")).runs_half, false);
  EXPECT_EQ(target(target_by_model(86)).runs_half, std::nullopt) << "SM7750 without, QCS7790 with it";
  EXPECT_EQ(target(target_by_arch(73)).runs_half, std::nullopt);
}

TEST(Soc, OnlyTheDefaultPartIsAssumed) {
  EXPECT_TRUE(target(default_target()).assumed);
  EXPECT_FALSE(target(target_by_chipset("SM8350")).assumed);
  EXPECT_FALSE(target(target_by_arch(68)).assumed);
}

TEST(Soc, MeasuredUnitCountsAreUsed) {
  EXPECT_EQ(target(target_by_chipset("SM8750")).hvx_contexts, 6u);
  EXPECT_EQ(target(target_by_chipset("SM8850")).hvx_contexts, 8u);
  EXPECT_EQ(target(target_by_chipset("SA8797")).vtcm, Bytes{16 * kMiB});
}

TEST(Soc, VariantsFillEachOthersGaps) {
  const Target variant = target(target_by_chipset("SM8850-AD"));
  EXPECT_EQ(variant.vtcm, Bytes{8 * kMiB});
  EXPECT_THAT(variant.assumptions,
              Contains("VTCM size of SM8850-AD is not public; 8 MB taken from SM8850, which has "
                       "the same SoC model 87"));
  EXPECT_EQ(target(target_by_chipset("SA7255")).arch, 75u);  // stated for SA7255P only

  const Target shared = target(target_by_model(69));
  EXPECT_EQ(shared.soc, "SM8750");  // not QCS8750, of which less is known
  EXPECT_THAT(shared.assumptions,
              Contains("SoC model 69 is shared by QCS8750, SM8750, SM8750-AC; SM8750 is taken"));
}

TEST(Soc, UnknownNamesListTheNearest) {
  const auto typo = target_by_chipset("SM8560");
  ASSERT_FALSE(typo.ok());
  EXPECT_EQ(typo.error().code, "soc-unknown");
  EXPECT_THAT(typo.error().message, HasSubstr("'SM8560'"));
  EXPECT_THAT(typo.error().fix, HasSubstr("SM8550"));
  EXPECT_THAT(target_by_chipset("8650").error().fix, HasSubstr("SM8650"));
  EXPECT_THAT(target_by_chipset("").error().fix, HasSubstr("did you mean"));
  EXPECT_FALSE(target_by_chipset(std::string(1000000, 'S')).ok());

  const auto model = target_by_model(1000);
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message, HasSubstr("1000"));
  EXPECT_THAT(model.error().fix, HasSubstr("97"));
  EXPECT_FALSE(target_by_model(UINT32_MAX).ok());
}

TEST(Soc, PartsWithoutHtpSaySo) {
  EXPECT_EQ(target_by_chipset("SM8250").error().code, "soc-no-htp");
  EXPECT_THAT(target_by_chipset("SM8250").error().message, HasSubstr("v66"));
  EXPECT_EQ(target_by_chipset("SDM660").error().code, "soc-arch-unknown");
}

// Every part answers: a usable target, or a sentence with a remedy.
TEST(Soc, EveryPartHasATargetOrAReason) {
  size_t targets = 0;
  const auto socs = all_socs();
  for (const SocInfo& soc : *socs) {
    const auto result = target_by_chipset(soc.chipset);
    if (soc.arch.value_or(0) >= kFirstHtpArch) {
      ASSERT_TRUE(result.ok()) << soc.chipset;
    }
    if (!result) {
      EXPECT_THAT(result.error().message, HasSubstr(soc.chipset));
      EXPECT_FALSE(result.error().fix.empty());
      continue;
    }
    ++targets;
    EXPECT_GE(result->vtcm, Bytes{2 * kMiB}) << soc.chipset;
    EXPECT_GE(result->hvx_contexts, 1u);
    EXPECT_EQ(result->hmx_units, 1u);
    EXPECT_GT(result->timing.clock_hz, 1e8);
    // No value is invented in silence.
    if (!soc.vtcm_mb) {
      EXPECT_THAT(result->assumptions, Contains(HasSubstr("VTCM size of " + soc.chipset)));
    }
    if (!soc.hvx_threads) {
      EXPECT_THAT(result->assumptions, Contains(HasSubstr("HVX thread count of " + soc.chipset)));
    }
    if (!soc.hmx_units) {
      EXPECT_THAT(result->assumptions, Contains(HasSubstr("HMX count of " + soc.chipset)));
    }
  }
  EXPECT_GE(targets, 59u);  // the parts whose source states v68 or later
}

TEST(Soc, ArchitectureAlone) {
  for (uint32_t arch : {68u, 69u, 73u, 75u, 79u, 81u}) {
    const Target part = target(target_by_arch(arch));
    EXPECT_EQ(part.arch, arch);
    EXPECT_EQ(part.vtcm, Bytes{4 * kMiB});
    EXPECT_EQ(part.half_accumulation,
              arch >= 75 ? HalfAccumulation::kEvenOdd : HalfAccumulation::kSequential);
    EXPECT_THAT(part.assumptions, Not(IsEmpty()));
    const Timing& timing = part.timing;
    for (double rate : {timing.hmx_macs_per_cycle_8, timing.hmx_macs_per_cycle_16, timing.instruction_cycles,
                        timing.op_cycles, timing.matrix_cycles, timing.dma_bytes_per_second, timing.clock_hz,
                        timing.rpc_us, timing.client_us, timing.error_band}) {
      EXPECT_GT(rate, 0);
    }
    EXPECT_GT(timing.dma_setup_cycles, 0u);
    for (const double cycles : timing.vector_cycles) EXPECT_GT(cycles, 0);
    EXPECT_GT(timing.hmx_macs_per_cycle_8, timing.hmx_macs_per_cycle_16);
    EXPECT_GE(timing.error_band, 0.15);
    EXPECT_FALSE(timing.source.empty());
    // As of a part that nobody measured.
    EXPECT_THAT(part.assumptions, Contains(HasSubstr("no latency of this part is known")));
    const auto of_arch = facts(concat("timing/v", arch, ".json"));
    ASSERT_TRUE(of_arch.ok());
    EXPECT_DOUBLE_EQ(timing.error_band, 2 * read_timing(*of_arch, "t", arch)->error_band);
  }
  for (uint32_t arch : {0u, 66u, 70u, 99u, UINT32_MAX}) {
    const auto none = target_by_arch(arch);
    ASSERT_FALSE(none.ok()) << arch;
    EXPECT_THAT(none.error().fix, HasSubstr("68, 69, 73, 75, 79, 81"));
  }
}

TEST(Soc, DataFolderReplacesTheFacts) {
  std::string folder = (fs::temp_directory_path() / "openqnn-soc-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string v79 = facts("timing/v79.json").value();
  const std::string memory = facts("memory_model.json").value();
  ::setenv("OPENQNN_DATA_DIR", folder.c_str(), 1);

  EXPECT_EQ(default_target().error().code, "facts-missing");
  const auto put = [&](std::string_view name, std::string_view text) {
    fs::create_directories((fs::path(folder) / name).parent_path());
    ASSERT_TRUE(write_file(fs::path(folder) / name, text).ok());
  };
  put("socs.json", R"({"socs": [{"chipset": "XY1", "dsp_arch": "v85", "vtcm_mb": 32, "qnn_soc_model": 7}]})");
  EXPECT_EQ(all_socs()->size(), 1u);
  EXPECT_EQ(target_by_chipset("XY1").error().code, "soc-timing");
  put("timing/v79.json", v79);
  put("memory_model.json", memory);
  put("timing/parts.json", R"({"parts": []})");
  const Target part = target(target_by_model(7));
  EXPECT_EQ(part.vtcm, Bytes{32 * kMiB});
  const double v79_band = read_timing(v79, "t", 79)->error_band;
  EXPECT_DOUBLE_EQ(part.timing.error_band,
                   v79_band * 1.5 * 2);  // wider for the architecture, and for the part
  EXPECT_THAT(part.timing.source, HasSubstr(concat("facts read from ", folder)));
  EXPECT_THAT(part.assumptions, Contains(HasSubstr("no timing of v85 is known; the rates of v79 are used")));
  EXPECT_THAT(part.assumptions, Contains(HasSubstr("no latency of this part is known")));
  put("timing/v85.json", v79);
  const auto wrong = target_by_chipset("XY1");
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().to_string(), HasSubstr("v85.json:2:10: error: 'arch' must be 85"));

  ::unsetenv("OPENQNN_DATA_DIR");
  fs::remove_all(folder);
  EXPECT_EQ(all_socs()->size(), 132u);
}

TEST(Soc, BadFactsPointAtThePlace) {
  const auto message = [](std::string_view row) { return read_soc_table(row, "s").error().to_string(); };
  EXPECT_THAT(message(R"({"socs": [{"chipset": "A", "vtcm_mb": "8"}]})"),
              HasSubstr("s:1:39: error: 'vtcm_mb' must be an integer"));
  EXPECT_THAT(message(R"({"socs": [{"chipset": "A", "vtcm_mb": -8}]})"),
              HasSubstr("'vtcm_mb' must be an integer"));
  EXPECT_THAT(message(R"({"socs": [{"chipset": "A", "dsp_arch": "75"}]})"), HasSubstr("\"v75\""));
  EXPECT_THAT(message(R"({"socs": [{"chipset": "A", "dsp_arch": "v99999999999"}]})"), HasSubstr("\"v75\""));
  EXPECT_THAT(message(R"({"socs": [{"chipset": 5}]})"), HasSubstr("'chipset' must be a string"));
  EXPECT_THAT(message(R"({"socs": [{}]})"), HasSubstr("needs a 'chipset'"));
  EXPECT_THAT(message(R"({"socs": []})"), HasSubstr("'socs' must be"));
  EXPECT_THAT(message(R"([])"), HasSubstr("'socs' must be"));

  std::string text = facts("timing/v79.json").value();
  const size_t rate = text.find("\"hmx_macs_per_cycle_8\"");
  text.replace(text.find("\"value\": ", rate), 9, "\"value\": -");
  EXPECT_THAT(read_timing(text, "t", 79).error().message, HasSubstr("'hmx_macs_per_cycle_8'"));
  EXPECT_THAT(read_timing("{\"arch\": 79}", "t", 79).error().message, HasSubstr("must be present"));
}

TEST(Soc, CanBeAskedFromManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 20; ++round) EXPECT_TRUE(target_by_model(57).ok());
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(Soc, UnitNames) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < kUnitCount; ++i) names.insert(unit_name(static_cast<Unit>(i)));
  EXPECT_EQ(names, (std::set<std::string_view>{"HMX", "HVX", "DMA", "scalar"}));
}

}  // namespace
}  // namespace openqnn::soc
