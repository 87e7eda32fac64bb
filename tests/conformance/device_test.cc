// SPDX-License-Identifier: BSD-3-Clause
// Which device: the environment's persona, device options in both layouts, platform info.
#include <gmock/gmock.h>

#include <cstring>

#include "client.h"
#include "oracle.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;

struct Part {
  uint32_t arch;
  uint32_t soc_model;
  size_t vtcm_mb;

  bool operator==(const Part&) const = default;
};
void PrintTo(const Part& part, std::ostream* out) {
  *out << "v" << part.arch << ", SoC model " << part.soc_model << ", " << part.vtcm_mb << " MB";
}

constexpr Part kPart8350{68, 30, 4};
constexpr Part kPart8550{73, 43, 8};
constexpr Part kPart8650{75, 57, 8};

Part part_of(const QnnDevice_PlatformInfo_t* info) {
  EXPECT_EQ(info->version, QNN_DEVICE_PLATFORM_INFO_VERSION_1);
  EXPECT_EQ(info->v1.numHwDevices, 1U);
  const QnnDevice_HardwareDeviceInfoV1_t& hardware = info->v1.hwDevices[0].v1;
  EXPECT_GE(hardware.numCores, 1U);
  EXPECT_NE(hardware.cores, nullptr);
  EXPECT_EQ(hardware.deviceInfoExtension->devType, QNN_HTP_DEVICE_TYPE_ON_CHIP);
  const QnnHtpDevice_OnChipDeviceInfoExtension_t& chip = hardware.deviceInfoExtension->onChipDevice;
  EXPECT_TRUE(chip.signedPdSupport);
  EXPECT_TRUE(chip.dlbcSupport);
  return {static_cast<uint32_t>(chip.arch), chip.socModel, chip.vtcmSize};
}

Part platform(const Api& api) {
  const QnnDevice_PlatformInfo_t* info = nullptr;
  check(api, api.deviceGetPlatformInfo(nullptr, &info), "deviceGetPlatformInfo");
  const Part part = part_of(info);
  check(api, api.deviceFreePlatformInfo(nullptr, info), "deviceFreePlatformInfo");
  return part;
}

Part part_behind(const Api& api, Qnn_DeviceHandle_t device) {
  const QnnDevice_PlatformInfo_t* info = nullptr;
  check(api, api.deviceGetInfo(device, &info), "deviceGetInfo");
  const Part part = part_of(info);
  api.deviceFreePlatformInfo(nullptr, info);  // clients differ in whether they do this
  return part;
}

// Device options as raw words, so that both layouts can be written.
class DeviceOptions {
 public:
  // As in our header: the value begins at byte 8, since one member is a pointer.
  DeviceOptions& add(QnnHtpDevice_ConfigOption_t option, uint32_t first, uint32_t second = 0) {
    return add_words({{static_cast<uint32_t>(option), 0, first, second, 0, 0}});
  }
  // As in headers before SDK 2.48: the value begins at byte 4. Its 12 bytes lie in a larger block here.
  DeviceOptions& add_old(QnnHtpDevice_ConfigOption_t option, uint32_t first, uint32_t second = 0) {
    return add_words({{static_cast<uint32_t>(option), first, second, 0, 0, 0}});
  }

  const QnnDevice_Config_t** list() {
    configs_.assign(custom_.size(), QnnDevice_Config_t QNN_DEVICE_CONFIG_INIT);
    list_.clear();
    for (size_t i = 0; i < custom_.size(); ++i) {
      configs_[i].option = QNN_DEVICE_CONFIG_OPTION_CUSTOM;
      configs_[i].customConfig = &custom_[i];
      list_.push_back(&configs_[i]);
    }
    list_.push_back(nullptr);
    return list_.data();
  }

 private:
  struct alignas(8) Words {
    uint32_t words[6];
  };
  DeviceOptions& add_words(const Words& words) {
    custom_.push_back(words);
    return *this;
  }

  std::vector<Words> custom_;
  std::vector<QnnDevice_Config_t> configs_;
  std::vector<const QnnDevice_Config_t*> list_;
};

Part part_for(DeviceOptions options) {
  const BackendLibrary library;
  const Owned device = create_device(library.api(), nullptr, options.list());
  return part_behind(library.api(), device);
}

// feature: B5 (C API)
TEST(Device, DefaultIsSm8350) {
  const ScopedEnvironment host("OPENQNN_TARGET", "");
  const Session session;
  EXPECT_EQ(platform(session.api), kPart8350);
  EXPECT_EQ(part_behind(session.api, session.device), kPart8350);
}

// feature: B5 (C API)
TEST(Device, ThePersonaAnswersForItsPart) {
  const ScopedEnvironment target("OPENQNN_TARGET", "android:SM8650");
  const Session session;
  EXPECT_EQ(platform(session.api), kPart8650);
  EXPECT_EQ(part_behind(session.api, session.device), kPart8650);
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  EXPECT_EQ(Graph::built(session.api, context, sample.model).run(sample.inputs).size(), 1U);
}

// feature: B5 (C API)
TEST(Device, AHostMayNameAPartToo) {
  const ScopedEnvironment target("OPENQNN_TARGET", "host:SM8550");
  const Session session;
  EXPECT_EQ(platform(session.api), kPart8550);
}

// feature: B5 (C API)
TEST(Device, ABadTargetIsRefusedWithASentence) {
  const BackendLibrary library;
  const Api& api = library.api();
  const std::pair<const char*, const char*> bad_targets[] = {
      {"toaster:SM8650", "toaster"}, {"android:SM0000", "SM0000"}, {"android", "android"}};
  for (const auto& [value, word] : bad_targets) {
    const ScopedEnvironment target("OPENQNN_TARGET", value);
    Qnn_BackendHandle_t backend = nullptr;
    const Qnn_ErrorHandle_t answer = api.backendCreate(nullptr, nullptr, &backend);
    EXPECT_NE(answer, QNN_SUCCESS) << value;
    EXPECT_THAT(verbose_message(api, answer), HasSubstr(word)) << value;
    const QnnDevice_PlatformInfo_t* info = nullptr;
    EXPECT_NE(api.deviceGetPlatformInfo(nullptr, &info), QNN_SUCCESS) << value;
  }
  const Owned backend = create_backend(api);  // and afterwards all is well
}

// feature: B5 (C API)
TEST(Device, SocOptionInBothLayouts) {
  EXPECT_EQ(part_for(DeviceOptions().add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 57)), kPart8650);
  EXPECT_EQ(part_for(DeviceOptions().add_old(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 57)), kPart8650);
  EXPECT_EQ(part_for(DeviceOptions().add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 43)), kPart8550);
  EXPECT_EQ(part_for(DeviceOptions().add_old(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 43)), kPart8550);
}

// feature: B5 (C API)
TEST(Device, SocOptionThroughTheStruct) {
  QnnHtpDevice_CustomConfig_t custom;
  std::memset(&custom, 0, sizeof custom);
  custom.option = QNN_HTP_DEVICE_CONFIG_OPTION_SOC;
  custom.socModel = QNN_SOC_MODEL_SM8650;
  QnnDevice_Config_t config = QNN_DEVICE_CONFIG_INIT;
  config.option = QNN_DEVICE_CONFIG_OPTION_CUSTOM;
  config.customConfig = &custom;
  const QnnDevice_Config_t* list[] = {&config, nullptr};
  const BackendLibrary library;
  const Owned device = create_device(library.api(), nullptr, list);
  EXPECT_EQ(part_behind(library.api(), device), kPart8650);
}

// feature: B5 (C API)
TEST(Device, ArchOptionInBothLayouts) {
  EXPECT_EQ(part_for(DeviceOptions().add(QNN_HTP_DEVICE_CONFIG_OPTION_ARCH, 0, 75)).arch, 75U);
  EXPECT_EQ(part_for(DeviceOptions().add_old(QNN_HTP_DEVICE_CONFIG_OPTION_ARCH, 0, 75)).arch, 75U);
}

// feature: B5 (C API)
TEST(Device, SocWinsOverArch) {
  EXPECT_EQ(part_for(DeviceOptions()
                         .add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 57)
                         .add(QNN_HTP_DEVICE_CONFIG_OPTION_ARCH, 0, 73)),
            kPart8650);
  EXPECT_EQ(part_for(DeviceOptions()
                         .add(QNN_HTP_DEVICE_CONFIG_OPTION_ARCH, 0, 73)
                         .add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 57)),
            kPart8650);
}

// feature: B5 (C API)
TEST(Device, UnknownPartsAndOptionsAreRefused) {
  const BackendLibrary library;
  const Api& api = library.api();
  Qnn_DeviceHandle_t device = nullptr;
  const auto answer_to = [&](DeviceOptions options) {
    return api.deviceCreate(nullptr, options.list(), &device);
  };
  EXPECT_TRUE(refused(api, answer_to(DeviceOptions().add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 4242)),
                      QNN_DEVICE_ERROR_INVALID_CONFIG, {"4242"}));
  EXPECT_TRUE(refused(api, answer_to(DeviceOptions().add(QNN_HTP_DEVICE_CONFIG_OPTION_ARCH, 0, 12)),
                      QNN_DEVICE_ERROR_INVALID_CONFIG, {"12"}));
  EXPECT_TRUE(refused(api, answer_to(DeviceOptions().add(static_cast<QnnHtpDevice_ConfigOption_t>(4242), 1)),
                      QNN_DEVICE_ERROR_INVALID_CONFIG, {"4242"}));
  EXPECT_TRUE(refused(api, api.deviceCreate(nullptr, nullptr, nullptr), QNN_DEVICE_ERROR_INVALID_ARGUMENT));
}

// feature: B5 (C API)
TEST(Device, PlatformInfoIsFreedOnce) {
  const BackendLibrary library;
  const Api& api = library.api();
  const QnnDevice_PlatformInfo_t* info = nullptr;
  check(api, api.deviceGetPlatformInfo(nullptr, &info), "deviceGetPlatformInfo");
  EXPECT_EQ(api.deviceFreePlatformInfo(nullptr, info), QNN_SUCCESS);
  const QnnDevice_PlatformInfo_t foreign = QNN_DEVICE_PLATFORM_INFO_INIT;
  for (const QnnDevice_PlatformInfo_t* bad :
       {info, &foreign, static_cast<const QnnDevice_PlatformInfo_t*>(nullptr)})
    EXPECT_TRUE(refused(api, api.deviceFreePlatformInfo(nullptr, bad), QNN_DEVICE_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(api, api.deviceGetPlatformInfo(nullptr, nullptr), QNN_DEVICE_ERROR_INVALID_ARGUMENT));
}

// Clients differ in whether they free it: what they do not free goes with the device.
// feature: B5 (C API)
TEST(Device, TheInfoOfADeviceGoesWithIt) {
  const BackendLibrary library;
  const Api& api = library.api();
  Owned device =
      create_device(api, nullptr, DeviceOptions().add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 57).list());
  const QnnDevice_PlatformInfo_t* info = nullptr;
  const QnnDevice_PlatformInfo_t* of_platform = nullptr;
  check(api, api.deviceGetInfo(device, &info), "deviceGetInfo");
  check(api, api.deviceGetPlatformInfo(nullptr, &of_platform), "deviceGetPlatformInfo");
  EXPECT_EQ(part_of(info), kPart8650) << "the device's part, whatever the platform's is";
  EXPECT_EQ(device.free(), QNN_SUCCESS);
  EXPECT_TRUE(refused(api, api.deviceFreePlatformInfo(nullptr, info), QNN_DEVICE_ERROR_INVALID_ARGUMENT));
  EXPECT_EQ(api.deviceFreePlatformInfo(nullptr, of_platform), QNN_SUCCESS) << "belongs to no device";
}

// Offline clients read the architecture of the part they prepare for from the platform.
// feature: B5 (C API)
TEST(Device, ThePlatformIsTheYoungestDevice) {
  const BackendLibrary library;
  const Api& api = library.api();
  const Part before = platform(api);
  Owned device =
      create_device(api, nullptr, DeviceOptions().add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 57).list());
  EXPECT_EQ(platform(api), kPart8650);
  const Owned backend = create_backend(api);
  const Owned context = create_context(api, backend);
  EXPECT_EQ(platform(api), kPart8650) << "the context's part was only assumed";
  EXPECT_EQ(device.free(), QNN_SUCCESS);
  EXPECT_EQ(platform(api), before);
}

// feature: B5 (C API)
TEST(Device, ThereIsOneDeviceAndItsIdIs0) {
  const BackendLibrary library;
  const Api& api = library.api();
  Qnn_DeviceHandle_t device = nullptr;
  for (const auto option : {QNN_HTP_DEVICE_CONFIG_OPTION_ARCH, QNN_HTP_DEVICE_CONFIG_OPTION_SIGNEDPD}) {
    DeviceOptions second = DeviceOptions().add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, 57).add(option, 1, 75);
    EXPECT_TRUE(refused(api, api.deviceCreate(nullptr, second.list(), &device),
                        QNN_DEVICE_ERROR_INVALID_CONFIG, {"device id 1"}));
  }
  const QnnDevice_PlatformInfo_t* info = nullptr;
  check(api, api.deviceGetPlatformInfo(nullptr, &info), "deviceGetPlatformInfo");
  EXPECT_EQ(info->v1.hwDevices[0].v1.deviceId, 0U);
  EXPECT_EQ(info->v1.hwDevices[0].v1.cores[0].v1.coreId, 0U);
  EXPECT_EQ(api.deviceFreePlatformInfo(nullptr, info), QNN_SUCCESS);
}

Buffers outputs_on(uint32_t soc_model, const Sample& sample) {
  DeviceOptions options;
  options.add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC, soc_model);
  const Session session(BackendLibrary(), options.list());
  const Owned context = session.context();
  return Graph::built(session.api, context, sample.model).run(sample.inputs);
}

// Another part has other tiles, not other numbers (v75 adds halves in another order: 8-bit here).
// feature: B5 (C API)
TEST(Device, QuantizedResultsDoNotDependOnThePart) {
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  EXPECT_EQ(outputs_on(kPart8350.soc_model, sample), outputs_on(kPart8650.soc_model, sample));
}

// How two parts compare with the exact result of the same model.
struct Accuracy {
  double error[2] = {0, 0};   // summed over all numbers
  size_t closer[2] = {0, 0};  // in how many numbers one part is closer than the other

  void compare(const Values& exact, const Values (&got)[2]) {
    for (size_t i = 0; i < exact.size(); ++i) {
      const double off[2] = {std::abs(got[0][i] - exact[i]), std::abs(got[1][i] - exact[i])};
      for (const size_t part : {0, 1}) {
        error[part] += off[part];
        closer[part] += off[part] < off[1 - part];
      }
    }
  }
};

// v73 and v75 differ in the last bits, and both are as close to the exact result as half precision allows:
// neither is more accurate.
// feature: B12 (C API)
TEST(Device, HalfSumsDependOnTheArchitecture) {
  Accuracy accuracy;
  for (const uint32_t seed : {2U, 3U}) {
    const Sample sample = conv_relu_pool(Kind::kFloat, 16, 64, 64, seed);
    const Buffers v73 = outputs_on(kPart8550.soc_model, sample);
    const Buffers v75 = outputs_on(kPart8650.soc_model, sample);
    EXPECT_NE(v73, v75);
    const auto expected = exact_outputs(sample.model, sample.inputs);
    EXPECT_TRUE(agrees(sample.model, v73, expected));
    EXPECT_TRUE(agrees(sample.model, v75, expected));
    for (const auto& [name, exact] : expected) {
      const Tensor& output = sample.model.tensor(name);
      accuracy.compare(exact, {decode(output, v73.at(name)), decode(output, v75.at(name))});
    }
  }
  EXPECT_NEAR(accuracy.error[0] / accuracy.error[1], 1, 0.01);
  for (const size_t closer : accuracy.closer) EXPECT_GT(closer, 0U);
}

}  // namespace
}  // namespace conformance
