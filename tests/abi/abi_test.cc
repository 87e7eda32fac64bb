// SPDX-License-Identifier: BSD-3-Clause
//
// The C headers against data/abi/qnn_abi.json. Nearly everything is asserted at compile time, in files that
// generate_abi_assertions.py writes; this program only reports that they were there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

#include "HTP/QnnHtpCommon.h"
#include "QnnInterface.h"
#include "QnnSdkBuildId.h"
#include "System/QnnSystemInterface.h"

namespace openqnn::abi {

extern const int k_core_assertions;
extern const int k_htp_assertions;
extern const int k_lpai_assertions;

namespace {

// feature: B1 (C API)
TEST(Abi, AssertionsWereCompiled) {
  RecordProperty("core_assertions", k_core_assertions);
  RecordProperty("htp_assertions", k_htp_assertions);
  RecordProperty("lpai_assertions", k_lpai_assertions);
  std::printf("compile-time assertions: core and System %d, HTP %d, LPAI %d\n", k_core_assertions,
              k_htp_assertions, k_lpai_assertions);
  EXPECT_GE(k_core_assertions, 5000);
  EXPECT_GE(k_htp_assertions, 1000);
  EXPECT_GE(k_lpai_assertions, 300);
}

Qnn_ErrorHandle_t FreeNothing(Qnn_BackendHandle_t) { return QNN_BACKEND_ERROR_INVALID_HANDLE; }

TEST(Abi, OlderTableViewSeesTheSameSlots) {
  QnnInterface_t provider = QNN_INTERFACE_INIT;
  provider.QNN_INTERFACE_VER_NAME.backendFree = FreeNothing;
  EXPECT_EQ(provider.v2_37.backendFree, FreeNothing);
  EXPECT_EQ(provider.v2_39.backendFree, FreeNothing);
}

TEST(Abi, InitialisersClearWholeTables) {
  const QnnInterface_t provider = QNN_INTERFACE_INIT;
  const QnnSystemInterface_t system_provider = QNN_SYSTEM_INTERFACE_INIT;
  EXPECT_EQ(provider.v2_39.backendRegisterOpPackageFromBinary, nullptr);
  EXPECT_EQ(system_provider.v1_14.systemDlcFreeRecordRange, nullptr);
  EXPECT_EQ(provider.apiVersion.coreApiVersion.minor, static_cast<uint32_t>(QNN_API_VERSION_MINOR));
}

// feature: B1 (C API)
TEST(Abi, VersionsAreTheOnesWeImplement) {
  const Qnn_ApiVersion_t version = QNN_HTP_API_VERSION_INIT;
  EXPECT_EQ(version.coreApiVersion.major, 2u);
  EXPECT_EQ(version.coreApiVersion.minor, 39u);
  EXPECT_EQ(version.backendApiVersion.major, 5u);
  EXPECT_EQ(version.backendApiVersion.minor, 39u);
  EXPECT_EQ(QNN_SYSTEM_API_VERSION_MAJOR, 1);
  EXPECT_EQ(QNN_SYSTEM_API_VERSION_MINOR, 14);
}

TEST(Abi, BuildIdHasFourParts) {
  // Clients split it at the dots.
  EXPECT_THAT(QNN_SDK_BUILD_ID, testing::MatchesRegex("v[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9a-z_]+"));
}

}  // namespace
}  // namespace openqnn::abi
