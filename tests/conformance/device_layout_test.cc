// SPDX-License-Identifier: BSD-3-Clause
// Device options as clients of different SDKs lay them out, and options with nonsense in them.
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "client.h"

namespace conformance {
namespace {

constexpr uint32_t kSoc = QNN_HTP_DEVICE_CONFIG_OPTION_SOC;
constexpr uint32_t kArch = QNN_HTP_DEVICE_CONFIG_OPTION_ARCH;
constexpr uint32_t kSigned = QNN_HTP_DEVICE_CONFIG_OPTION_SIGNEDPD;
constexpr uint32_t kSocModel = 57;

// An option that ends where the memory does: reading one byte further is a fault.
class Option {
 public:
  explicit Option(std::initializer_list<uint32_t> words) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    pages_ = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(static_cast<std::byte*>(pages_) + page, page, PROT_NONE);
    place_ = static_cast<std::byte*>(pages_) + page - words.size() * sizeof(uint32_t);
    std::memcpy(place_, words.begin(), words.size() * sizeof(uint32_t));
  }
  ~Option() { munmap(pages_, 2 * static_cast<size_t>(sysconf(_SC_PAGESIZE))); }
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;

  void* get() const { return place_; }

 private:
  void* pages_;
  std::byte* place_;
};

struct List {
  List(std::initializer_list<const Option*> options) {
    for (const Option* option : options) {
      QnnDevice_Config_t config = QNN_DEVICE_CONFIG_INIT;
      config.option = QNN_DEVICE_CONFIG_OPTION_CUSTOM;
      config.customConfig = option->get();
      configs.push_back(config);
    }
    for (const QnnDevice_Config_t& config : configs) pointers.push_back(&config);
    pointers.push_back(nullptr);
  }
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  std::vector<QnnDevice_Config_t> configs;
  std::vector<const QnnDevice_Config_t*> pointers;
};

struct Answer {
  Qnn_ErrorHandle_t code;
  uint32_t arch = 0;
  std::string sentence, log;
};

Answer create_with(std::initializer_list<const Option*> options) {
  const BackendLibrary library;
  const Api& api = library.api();
  const Owned log = create_log(api);
  take_log();
  List list(options);
  Qnn_DeviceHandle_t device = nullptr;
  Answer answer{api.deviceCreate(log, list.pointers.data(), &device)};
  if (answer.code != QNN_SUCCESS) answer.sentence = verbose_message(api, answer.code);
  if (device) {
    const QnnDevice_PlatformInfo_t* info = nullptr;
    check(api, api.deviceGetInfo(device, &info), "deviceGetInfo");
    answer.arch = static_cast<uint32_t>(info->v1.hwDevices[0].v1.deviceInfoExtension->onChipDevice.arch);
    api.deviceFreePlatformInfo(nullptr, info);
    api.deviceFree(device);
  }
  answer.log = take_log();
  return answer;
}

// Old structs are 12 bytes, new ones 16. What lies in padding and unused members is anybody's.
// feature: B5 (C API)
TEST(DeviceLayout, OldStructsAreNotReadBeyondTheirEnd) {
  const Option soc{kSoc, kSocModel, 0xDDDDDDDD}, arch{kArch, 0, 75}, on{kSigned, 0, 1};
  EXPECT_EQ(create_with({&soc}).arch, 75U);
  EXPECT_EQ(create_with({&arch}).arch, 75U);
  EXPECT_EQ(create_with({&on}).code, QNN_SUCCESS);
  EXPECT_EQ(create_with({&soc, &arch, &on}).arch, 75U);
}

// feature: B5 (C API)
TEST(DeviceLayout, NewStructs) {
  const Option soc{kSoc, 0xDDDDDDDD, kSocModel, 0}, arch{kArch, 0xDDDDDDDD, 0, 75};
  EXPECT_EQ(create_with({&soc}).arch, 75U);
  EXPECT_EQ(create_with({&arch}).arch, 75U);
  const Option of_default_device{kArch, 0xDDDDDDDD, QNN_DEVICE_DEFAULT_DEVICE_ID, 73};
  EXPECT_EQ(create_with({&of_default_device}).arch, 73U);
}

constexpr const char* kSignedLine = "signed process domain";

// SIGNEDPD looks alike in both layouts: another option of the list tells.
// feature: B5 (C API)
TEST(DeviceLayout, AmbiguousOptionsFollowTheList) {
  const Option new_soc{kSoc, 0, kSocModel, 0}, new_off{kSigned, 1, 1, 0}, new_on{kSigned, 0, 0, 1};
  EXPECT_THAT(create_with({&new_off, &new_soc}).log, ::testing::Not(::testing::HasSubstr(kSignedLine)));
  EXPECT_THAT(create_with({&new_on, &new_soc}).log, ::testing::HasSubstr(kSignedLine));
  const Option old_soc{kSoc, kSocModel, 0}, old_on{kSigned, 0, 1}, old_off{kSigned, 0, 0};
  EXPECT_THAT(create_with({&old_on, &old_soc}).log, ::testing::HasSubstr(kSignedLine));
  EXPECT_THAT(create_with({&old_off, &old_soc}).log, ::testing::Not(::testing::HasSubstr(kSignedLine)));
}

// feature: B5 (C API)
TEST(DeviceLayout, TheEnvironmentGoesBeforeWhatTheBytesSeemToShow) {
  // Of the new layout, with a number of a part in its padding, as an uninitialised struct may have.
  constexpr uint32_t kSm8550 = 43;  // v73
  const Option soc_with_garbage{kSoc, kSm8550, kSocModel, 0};
  EXPECT_EQ(create_with({&soc_with_garbage}).arch, 73U);
  const ScopedEnvironment sdk("OPENQNN_CLIENT_SDK", "2.48");
  EXPECT_EQ(create_with({&soc_with_garbage}).arch, 75U);
}

// feature: B5 (C API)
TEST(DeviceLayout, ThenTheOldOneWithAWarning) {
  const Option off_if_new_on_if_old{kSigned, 0, 1, 0};
  {
    const ScopedEnvironment sdk("OPENQNN_CLIENT_SDK", "v2.48.40.260702");
    EXPECT_THAT(create_with({&off_if_new_on_if_old}).log, ::testing::Not(::testing::HasSubstr(kSignedLine)));
  }
  {
    const ScopedEnvironment sdk("OPENQNN_CLIENT_SDK", "2.43");
    const Answer answer = create_with({&off_if_new_on_if_old});
    EXPECT_THAT(answer.log, ::testing::HasSubstr(kSignedLine));
    EXPECT_THAT(answer.log, ::testing::Not(::testing::HasSubstr("OPENQNN_CLIENT_SDK")));
  }
  for (const char* unset : {"", "newest", "2"}) {
    const ScopedEnvironment sdk("OPENQNN_CLIENT_SDK", unset);
    const Answer answer = create_with({&off_if_new_on_if_old});
    EXPECT_THAT(answer.log, ::testing::HasSubstr(kSignedLine)) << unset;
    EXPECT_THAT(answer.log, ::testing::HasSubstr("OPENQNN_CLIENT_SDK")) << unset;
  }
}

// What has no effect is said where a client first meets it.
// feature: B5 (C API)
TEST(DeviceLayout, AnEnvironmentThatNamesNoSdkIsSaid) {
  const auto log_of_a_session = [](const char* sdk_text) {
    const ScopedEnvironment sdk("OPENQNN_CLIENT_SDK", sdk_text);
    take_log();
    { const Session session; }
    return take_log();
  };
  for (const char* wrong : {"newest", "2", "2.", "2.43x"})
    EXPECT_THAT(log_of_a_session(wrong), ::testing::HasSubstr(std::string("'") + wrong + "' is no version"));
  for (const char* right : {"", "2.43", "v2.48.40.260702"})
    EXPECT_THAT(log_of_a_session(right), ::testing::Not(::testing::HasSubstr("is no version")));
}

// Twelve bytes of anything under any option: an answer, never a fault.
// feature: B6 (C API)
TEST(DeviceLayout, GarbageGetsAnAnswer) {
  const BackendLibrary library;
  const Api& api = library.api();
  uint32_t state = 1;
  const auto next = [&state] { return state = state * 1664525U + 1013904223U; };
  for (int i = 0; i < 500; ++i) {
    const uint32_t option = i % 3 == 0 ? next() : static_cast<uint32_t>(i) % 8;
    // The device id of a new ARCH option may be 0; such a struct has 16 bytes.
    const Option garbage{option, next() | 1, next() | 2};
    List list({&garbage});
    Qnn_DeviceHandle_t device = nullptr;
    const Qnn_ErrorHandle_t answer = api.deviceCreate(nullptr, list.pointers.data(), &device);
    EXPECT_THAT(answer, ::testing::AnyOf(QNN_SUCCESS, QNN_DEVICE_ERROR_INVALID_CONFIG,
                                         QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE));
    if (device) {
      EXPECT_EQ(api.deviceFree(device), QNN_SUCCESS);
    }
  }
}

// feature: B5 (C API)
TEST(DeviceLayout, NoSocOfflineIsSaidInTheLog) {
  const ScopedEnvironment host("OPENQNN_TARGET", "");
  const Answer answer = create_with({});
  EXPECT_EQ(answer.arch, 68U);
  EXPECT_THAT(answer.log, ::testing::HasSubstr("SM8350"));
}

// ---- The other way to name a part ----

struct Described {
  Described(uint32_t model, QnnHtpDevice_Arch_t arch) {
    extension.devType = QNN_HTP_DEVICE_TYPE_ON_CHIP;
    extension.onChipDevice.socModel = model;
    extension.onChipDevice.arch = arch;
    device.v1.deviceInfoExtension = &extension;
    info.v1 = {1, &device};
    config.option = QNN_DEVICE_CONFIG_OPTION_PLATFORM_INFO;
    config.hardwareInfo = &info;
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;

  QnnHtpDevice_DeviceInfoExtension_t extension{};
  QnnDevice_HardwareDeviceInfo_t device = QNN_DEVICE_HARDWARE_DEVICE_INFO_INIT;
  QnnDevice_PlatformInfo_t info = QNN_DEVICE_PLATFORM_INFO_INIT;
  QnnDevice_Config_t config = QNN_DEVICE_CONFIG_INIT;
  const QnnDevice_Config_t* list[2] = {&config, nullptr};
};

uint32_t arch_of(const Api& api, Qnn_DeviceHandle_t device) {
  const QnnDevice_PlatformInfo_t* info = nullptr;
  check(api, api.deviceGetInfo(device, &info), "deviceGetInfo");
  const auto arch = static_cast<uint32_t>(info->v1.hwDevices[0].v1.deviceInfoExtension->onChipDevice.arch);
  check(api, api.deviceFreePlatformInfo(nullptr, info), "deviceFreePlatformInfo");
  return arch;
}

// feature: B5 (C API)
TEST(DeviceOptions, PlatformInfoNamesThePart) {
  const BackendLibrary library;
  const Api& api = library.api();
  Described by_model(kSocModel, QNN_HTP_DEVICE_ARCH_NONE), by_arch(0, QNN_HTP_DEVICE_ARCH_V73);
  EXPECT_EQ(arch_of(api, create_device(api, nullptr, by_model.list)), 75U);
  EXPECT_EQ(arch_of(api, create_device(api, nullptr, by_arch.list)), 73U);
  Qnn_DeviceHandle_t device = nullptr;
  Described pcie(kSocModel, QNN_HTP_DEVICE_ARCH_V75);
  pcie.extension.devType = QNN_HTP_DEVICE_TYPE_OFF_CHIP;
  EXPECT_TRUE(refused(api, api.deviceCreate(nullptr, pcie.list, &device),
                      QNN_DEVICE_ERROR_HARDWARE_UNAVAILABLE, {"PCIe"}));
  Described unknown(4242, QNN_HTP_DEVICE_ARCH_NONE);
  EXPECT_TRUE(refused(api, api.deviceCreate(nullptr, unknown.list, &device), QNN_DEVICE_ERROR_INVALID_CONFIG,
                      {"4242"}));
  Described two(kSocModel, QNN_HTP_DEVICE_ARCH_V75);
  two.info.v1.numHwDevices = 2;
  EXPECT_TRUE(refused(api, api.deviceCreate(nullptr, two.list, &device), QNN_DEVICE_ERROR_INVALID_CONFIG));
  two.config.hardwareInfo = nullptr;
  EXPECT_TRUE(refused(api, api.deviceCreate(nullptr, two.list, &device), QNN_DEVICE_ERROR_INVALID_CONFIG));
}

// feature: B5 (C API)
TEST(DeviceOptions, SetConfigMakesItAnotherPart) {
  const ScopedEnvironment host("OPENQNN_TARGET", "");
  const Session session;
  const Api& api = session.api;
  Described wanted(kSocModel, QNN_HTP_DEVICE_ARCH_NONE);
  EXPECT_EQ(arch_of(api, session.device), 68U);
  EXPECT_EQ(api.deviceSetConfig(session.device, wanted.list), QNN_SUCCESS);
  EXPECT_EQ(arch_of(api, session.device), 75U);
  EXPECT_EQ(api.deviceSetConfig(session.device, nullptr), QNN_SUCCESS) << "nothing to change";
  const Owned context = session.context();
  EXPECT_TRUE(
      refused(api, api.deviceSetConfig(session.device, wanted.list), QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT));
  Described unknown(4242, QNN_HTP_DEVICE_ARCH_NONE);
  EXPECT_TRUE(
      refused(api, api.deviceSetConfig(session.device, unknown.list), QNN_DEVICE_ERROR_INVALID_CONFIG));
  EXPECT_EQ(arch_of(api, session.device), 75U);
  EXPECT_TRUE(refused(api, api.deviceSetConfig(nullptr, wanted.list), QNN_DEVICE_ERROR_INVALID_HANDLE));
}

}  // namespace
}  // namespace conformance
