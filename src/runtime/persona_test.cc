// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/persona.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "QnnDevice.h"
#include "runtime/backend.h"

namespace openqnn::runtime {
namespace {

Persona persona(std::string_view text) {
  auto parsed = parse_persona(text, "OPENQNN_TARGET");
  if (!parsed) ADD_FAILURE() << text << ": " << parsed.error().to_string();
  return parsed ? *std::move(parsed) : Persona{};
}

TEST(Persona, NothingSaidIsAHostWithoutAPart) {
  for (const char* text : {"", "host"}) {
    EXPECT_TRUE(persona(text).offline());
    EXPECT_FALSE(persona(text).target);
  }
}

TEST(Persona, AHostMayModelANamedPart) {
  EXPECT_TRUE(persona("host:SM8650").offline());
  EXPECT_EQ(persona("host:SM8650").target->soc, "SM8650");
}

TEST(Persona, EveryOtherPlatformPlaysADevice) {
  const std::pair<const char*, Platform> forms[] = {{"android:SM8650", Platform::kAndroid},
                                                    {"linux:SM8650", Platform::kLinux},
                                                    {"qnx:SM8650", Platform::kQnx},
                                                    {"windows:SM8650", Platform::kWindows}};
  for (const auto& [text, platform] : forms) {
    EXPECT_EQ(persona(text).platform, platform);
    EXPECT_FALSE(persona(text).offline()) << text;
    EXPECT_EQ(persona(text).target->arch, 75U);
  }
}

TEST(Persona, AMistakeIsNamedWithTheFormThatIsRight) {
  const std::pair<const char*, const char*> mistakes[] = {{"symbian:SM8650", "persona-platform"},
                                                          {":SM8650", "persona-platform"},
                                                          {"Android:SM8650", "persona-platform"},
                                                          {"android", "persona-soc"}};
  for (const auto& [text, code] : mistakes) {
    const auto parsed = parse_persona(text, "OPENQNN_TARGET");
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, code) << text;
    EXPECT_EQ(parsed.error().where.object, "OPENQNN_TARGET");
    EXPECT_NE(parsed.error().fix.find("android:SM8650"), std::string::npos);
  }
}

TEST(Persona, AnUnknownPartIsRefused) {
  for (const char* text : {"android:SM9999", "host:", "android:"})
    EXPECT_FALSE(parse_persona(text, "OPENQNN_TARGET")) << text;
}

TEST(Persona, ComesFromTheEnvironment) {
  setenv("OPENQNN_TARGET", "qnx:SM8550", 1);
  const auto played = persona_from_environment();
  unsetenv("OPENQNN_TARGET");
  ASSERT_TRUE(played);
  EXPECT_EQ(played->platform, Platform::kQnx);
  EXPECT_EQ(played->target->soc, "SM8550");
  EXPECT_TRUE(persona_from_environment()->offline());
}

// ---- Which part a device is ----

constexpr uint32_t kSm8650Model = 57;

class Lines : public LogSink {
 public:
  Lines() : LogSink(LogLevel::kInfo) {}
  void write(LogLevel, std::string_view line) override { text += std::string(line) + "\n"; }
  std::string text;
};

std::string chosen(const DeviceRequest& request, const Persona& by, std::string* log = nullptr) {
  const auto lines = std::make_shared<Lines>();
  const auto target = choose_target(request, by, Logger(lines));
  if (log) *log = lines->text;
  return target ? target->soc : "error " + target.error().diagnostic.code;
}

TEST(ChooseTarget, WithoutAWishItIsTheDocumentedDefaultAndTheLogSaysSo) {
  std::string log;
  EXPECT_EQ(chosen({}, {}, &log), "SM8350");
  EXPECT_NE(log.find("SM8350"), std::string::npos) << log;
}

TEST(ChooseTarget, WithoutAWishThePersonasPartComesBeforeTheDefault) {
  EXPECT_EQ(chosen({}, persona("host:SM8750")), "SM8750");
  EXPECT_EQ(chosen({}, persona("android:SM8550")), "SM8550");
}

TEST(ChooseTarget, AHostPreparesForAnyPart) {
  EXPECT_EQ(chosen({.soc_model = kSm8650Model}, {}), "SM8650");
  EXPECT_EQ(chosen({.soc_model = kSm8650Model}, persona("host:SM8750")), "SM8650");
}

TEST(ChooseTarget, AnArchitectureAloneNamesAPart) {
  const auto target = choose_target({.arch = 73}, {}, Logger());
  ASSERT_TRUE(target);
  EXPECT_EQ(target->arch, 73U);
}

TEST(ChooseTarget, TheSocWinsOverAnArchitectureThatDoesNotFit) {
  std::string log;
  EXPECT_EQ(chosen({.soc_model = kSm8650Model, .arch = 68}, {}, &log), "SM8650");
  EXPECT_NE(log.find("v68 does not fit SM8650"), std::string::npos) << log;
  EXPECT_EQ(chosen({.soc_model = kSm8650Model, .arch = 75}, {}, &log), "SM8650");
  EXPECT_EQ(log, "");
}

TEST(ChooseTarget, ADeviceIsItselfAndNoOther) {
  EXPECT_EQ(chosen({.soc_model = kSm8650Model}, persona("android:SM8650")), "SM8650");
  const auto refused = choose_target({.soc_model = kSm8650Model}, persona("android:SM8550"), Logger());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, static_cast<Qnn_ErrorHandle_t>(QNN_DEVICE_ERROR_INVALID_CONFIG));
  EXPECT_EQ(refused.error().diagnostic.code, "device-soc");
}

TEST(ChooseTarget, AnUnknownSocOrArchitectureIsAnInvalidConfiguration) {
  for (const DeviceRequest& request : {DeviceRequest{.soc_model = 424242}, DeviceRequest{.arch = 12}}) {
    const auto refused = choose_target(request, {}, Logger());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, static_cast<Qnn_ErrorHandle_t>(QNN_DEVICE_ERROR_INVALID_CONFIG));
  }
}

TEST(DeviceClock, AdvancesByWhatItIsTold) {
  DeviceClock clock;
  EXPECT_EQ(clock.now().value, 0U);
  EXPECT_EQ(clock.idle({100}).value, 0U) << "answers when the duration began";
  EXPECT_EQ(clock.idle({50}).value, 100U);
  EXPECT_EQ(clock.now().value, 150U);
}

}  // namespace
}  // namespace openqnn::runtime
