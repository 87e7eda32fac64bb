// SPDX-License-Identifier: BSD-3-Clause
// Other clients of the modelled device: profiles show who waited and who yielded.
#include <gmock/gmock.h>

#include "HTP/QnnHtpProfile.h"
#include "client.h"
#include "openqnn/modelled_device.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr uint32_t kYields = QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_COUNT;
constexpr uint32_t kRelease = QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RELEASE_TIME;
constexpr uint32_t kWait = QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_WAIT_TIME;
constexpr uint32_t kRestore = QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RESTORE_TIME;
constexpr uint32_t kAcquire = QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_VTCM_ACQUIRE_TIME;
constexpr uint32_t kTotal = QNN_PROFILE_EVENTTYPE_EXECUTE;

constexpr uint64_t kMicrosecond = 1000;
constexpr uint64_t kHeldUs = 500;

class OtherClientsTest : public ::testing::Test {
 protected:
  std::vector<Event> profiled(uint32_t level = QNN_PROFILE_LEVEL_BASIC) const {
    const Owned profile = session_.profile(static_cast<QnnProfile_Level_t>(level));
    graph_.run(sample_.inputs, profile);
    return events_of(session_.api, profile);
  }
  Qnn_ErrorHandle_t declare(uint32_t priority, uint64_t after, uint64_t vtcm = 0) const {
    return reinterpret_cast<QnnOpenqnn_DeclareClientFn_t>(session_.library.object.symbol(
        "QnnOpenqnn_declareClient"))(priority, after, kHeldUs * kMicrosecond, vtcm);
  }
  void forget() const {
    const auto forget = reinterpret_cast<QnnOpenqnn_ForgetClientsFn_t>(
        session_.library.object.symbol("QnnOpenqnn_forgetClients"));
    check(session_.api, forget(), "QnnOpenqnn_forgetClients");
  }

  Session session_;
  Owned context_ = session_.context();
  Sample sample_ = conv_relu_pool(Kind::kQuantized);
  Graph graph_ = Graph::built(session_.api, context_, sample_.model);
};

// feature: B8 (C API)
TEST_F(OtherClientsTest, AHigherPriorityMakesAnExecuteYield) {
  const uint64_t alone = only(profiled(), kTotal).value;
  check(session_.api, declare(QNN_PRIORITY_HIGH, kMicrosecond), "QnnOpenqnn_declareClient");
  for (const uint32_t level : {uint32_t{QNN_PROFILE_LEVEL_BASIC}, uint32_t{QNN_PROFILE_LEVEL_DETAILED},
                               uint32_t{QNN_HTP_PROFILE_LEVEL_LINTING}}) {
    const std::vector<Event> events = profiled(level);
    EXPECT_EQ(only(events, kYields).value, 1U);
    EXPECT_EQ(only(events, kWait).value, kHeldUs);
    EXPECT_EQ(only(events, kAcquire).value, 0U);
    EXPECT_NEAR(
        static_cast<double>(only(events, kTotal).value),
        static_cast<double>(alone + only(events, kRelease).value + kHeldUs + only(events, kRestore).value),
        2.0);
  }
}

// feature: B8 (C API)
TEST_F(OtherClientsTest, AnEqualOneIsWaitedFor) {
  const uint64_t alone = only(profiled(), kTotal).value;
  check(session_.api, declare(QNN_PRIORITY_NORMAL, 0), "QnnOpenqnn_declareClient");
  const std::vector<Event> events = profiled();
  EXPECT_EQ(only(events, kYields).value, 0U);
  EXPECT_EQ(only(events, kAcquire).value, kHeldUs);
  EXPECT_NEAR(static_cast<double>(only(events, kTotal).value), static_cast<double>(alone + kHeldUs), 1.0);
}

// feature: B8 (C API)
TEST_F(OtherClientsTest, ALowerOneIsEvictedAndItsVtcmIsSavedFirst) {
  check(session_.api, declare(QNN_PRIORITY_LOW, 0), "QnnOpenqnn_declareClient");
  EXPECT_EQ(only(profiled(), kAcquire).value, 0U);
  forget();
  check(session_.api, declare(QNN_PRIORITY_LOW, 0, 2U << 20), "QnnOpenqnn_declareClient");
  const uint64_t waited = only(profiled(), kAcquire).value;
  EXPECT_GT(waited, 10U);
  EXPECT_LT(waited, kHeldUs);
}

TEST_F(OtherClientsTest, ForgottenOnesLeaveNoTrace) {
  const std::vector<Event> before = profiled();
  check(session_.api, declare(QNN_PRIORITY_HIGH, kMicrosecond), "QnnOpenqnn_declareClient");
  EXPECT_NE(profiled(), before);
  forget();
  EXPECT_EQ(profiled(), before);
}

TEST_F(OtherClientsTest, WhatIsNoClientIsRefused) {
  EXPECT_TRUE(refused(session_.api, declare(7, 0), QNN_DEVICE_ERROR_INVALID_ARGUMENT, {"priority 7"}));
  EXPECT_TRUE(refused(session_.api, declare(QNN_PRIORITY_LOW, 0, 1ULL << 40),
                      QNN_DEVICE_ERROR_INVALID_ARGUMENT, {"VTCM"}));
  EXPECT_EQ(only(profiled(), kYields).value, 0U);
}

}  // namespace
}  // namespace conformance
