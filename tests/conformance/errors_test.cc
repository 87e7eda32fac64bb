// SPDX-License-Identifier: BSD-3-Clause
// Error texts: by code, and about the very failure.
#include <gmock/gmock.h>

#include <thread>

#include "HTP/QnnHtpPerfInfrastructure.h"
#include "QnnOpPackage.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Leaves a failure behind whose sentence names `name`, and answers its code.
Qnn_ErrorHandle_t fail_with(const Api& api, Qnn_ContextHandle_t context, const std::string& name) {
  Qnn_GraphHandle_t graph = nullptr;
  return api.graphRetrieve(context, name.c_str(), &graph);
}

// feature: B1 (C API)
TEST(Errors, KnownCodesHaveNameNumberAndMeaning) {
  const BackendLibrary library;
  const std::pair<Qnn_ErrorHandle_t, const char*> known[] = {
      {QNN_COMMON_ERROR_NOT_SUPPORTED, "QNN_COMMON_ERROR_NOT_SUPPORTED"},
      {QNN_COMMON_ERROR_MEM_ALLOC, "QNN_COMMON_ERROR_MEM_ALLOC"},
      {QNN_COMMON_ERROR_GENERAL, "QNN_COMMON_ERROR_GENERAL"},
      {QNN_PROPERTY_ERROR_UNKNOWN_KEY, "QNN_PROPERTY_ERROR_UNKNOWN_KEY"},
      {QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE, "QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE"},
      {QNN_BACKEND_ERROR_CANNOT_INITIALIZE, "QNN_BACKEND_ERROR_CANNOT_INITIALIZE"},
      {QNN_CONTEXT_ERROR_CREATE_FROM_BINARY, "QNN_CONTEXT_ERROR_CREATE_FROM_BINARY"},
      {QNN_GRAPH_ERROR_INVALID_TENSOR, "QNN_GRAPH_ERROR_INVALID_TENSOR"},
      {QNN_GRAPH_ERROR_INVALID_CONTEXT, "QNN_GRAPH_ERROR_INVALID_CONTEXT"},
      {QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM, "QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM"},
      {QNN_MEM_ERROR_MAPPING, "QNN_MEM_ERROR_MAPPING"},
      {QNN_SIGNAL_ERROR_TIMEOUT, "QNN_SIGNAL_ERROR_TIMEOUT"},
      {QNN_ERROR_INVALID_ERROR_HANDLE, "QNN_ERROR_INVALID_ERROR_HANDLE"},
      {QNN_LOG_ERROR_INVALID_HANDLE, "QNN_LOG_ERROR_INVALID_HANDLE"},
      {QNN_PROFILE_ERROR_INCOMPATIBLE_EVENT, "QNN_PROFILE_ERROR_INCOMPATIBLE_EVENT"},
      {QNN_HTP_PERF_INFRASTRUCTURE_ERROR_FAILED, "QNN_HTP_PERF_INFRASTRUCTURE_ERROR_FAILED"},
      {QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT, "QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT"},
      {QNN_GLOBAL_CONFIG_ERROR_INVALID_CONFIG, "QNN_GLOBAL_CONFIG_ERROR_INVALID_CONFIG"},
      {QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY, "QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY"},
  };
  for (const auto& [code, name] : known) {
    const char* text = nullptr;
    ASSERT_EQ(library.api().errorGetMessage(code, &text), QNN_SUCCESS) << name;
    const std::string start = std::string(name) + " (" + std::to_string(code) + "): ";
    EXPECT_THAT(text, ::testing::StartsWith(start));
    EXPECT_GT(std::string(text).size(), start.size() + 10) << text;
  }
}

// feature: B1 (C API)
TEST(Errors, UnknownCodesAreNoErrors) {
  const BackendLibrary library;
  const char* text = nullptr;
  for (const Qnn_ErrorHandle_t code : {1001U, 4001U, 6008U, 50000U, 65535U}) {
    EXPECT_EQ(library.api().errorGetMessage(code, &text), Qnn_ErrorHandle_t{QNN_ERROR_INVALID_ERROR_HANDLE})
        << code;
    EXPECT_EQ(library.api().errorGetVerboseMessage(code, &text),
              Qnn_ErrorHandle_t{QNN_ERROR_INVALID_ERROR_HANDLE})
        << code;
  }
  EXPECT_EQ(library.api().errorGetMessage(QNN_GRAPH_ERROR_INVALID_TENSOR, nullptr),
            Qnn_ErrorHandle_t{QNN_ERROR_INVALID_ARGUMENT});
  EXPECT_EQ(library.api().errorGetVerboseMessage(QNN_GRAPH_ERROR_INVALID_TENSOR, nullptr),
            Qnn_ErrorHandle_t{QNN_ERROR_INVALID_ARGUMENT});
}

// feature: B1 (C API)
TEST(Errors, TheSentenceIsAboutTheLastFailureWithThisCode) {
  const Session session;
  const Owned context = session.context();
  const Qnn_ErrorHandle_t code = fail_with(session.api, context, "first_name");
  EXPECT_THAT(verbose_message(session.api, code), HasSubstr("first_name"));
  fail_with(session.api, context, "second_name");
  EXPECT_THAT(verbose_message(session.api, code), HasSubstr("second_name"));
  // A failure with another code leaves it alone, and asking does not use it up.
  session.api.logFree(nullptr);
  EXPECT_THAT(verbose_message(session.api, code), HasSubstr("second_name"));
}

// feature: B1 (C API)
TEST(Errors, AMessageStaysAsItWasUntilFreed) {
  const Session session;
  const Owned context = session.context();
  const Qnn_ErrorHandle_t code = fail_with(session.api, context, "kept_name");
  const char* kept = nullptr;
  ASSERT_EQ(session.api.errorGetVerboseMessage(code, &kept), QNN_SUCCESS);
  fail_with(session.api, context, "later_name");
  EXPECT_THAT(kept, HasSubstr("kept_name"));
  std::thread([&] { EXPECT_EQ(session.api.errorFreeVerboseMessage(kept), QNN_SUCCESS); }).join();
}

// feature: B1 (C API)
TEST(Errors, EachThreadHasItsOwnSentences) {
  const Session session;
  const Owned context = session.context();
  const Qnn_ErrorHandle_t code = fail_with(session.api, context, "mine");
  std::string before;
  std::string after;
  std::thread([&] {
    before = verbose_message(session.api, code);
    fail_with(session.api, context, "yours");
    after = verbose_message(session.api, code);
  }).join();
  EXPECT_THAT(before, Not(HasSubstr("mine")));
  EXPECT_THAT(after, HasSubstr("yours"));
  EXPECT_THAT(verbose_message(session.api, code), HasSubstr("mine"));
}

// feature: B1 (C API)
TEST(Errors, AForeignPointerIsNotFreed) {
  const Session session;
  const Api& api = session.api;
  const Owned context = session.context();
  const Qnn_ErrorHandle_t code = fail_with(api, context, "somebody");
  constexpr Qnn_ErrorHandle_t kArgument = QNN_ERROR_INVALID_ARGUMENT;
  const char on_the_stack[] = "not yours";
  const std::string on_the_heap(100, 'x');
  const char* from_the_table = nullptr;
  check(api, api.errorGetMessage(code, &from_the_table), "errorGetMessage");
  for (const char* foreign :
       {static_cast<const char*>(nullptr), on_the_stack, on_the_heap.c_str(), "a literal", from_the_table})
    EXPECT_EQ(api.errorFreeVerboseMessage(foreign), kArgument);

  const char* message = nullptr;
  check(api, api.errorGetVerboseMessage(code, &message), "errorGetVerboseMessage");
  EXPECT_EQ(api.errorFreeVerboseMessage(message + 1), kArgument);
  EXPECT_EQ(api.errorFreeVerboseMessage(message), QNN_SUCCESS);
  EXPECT_EQ(api.errorFreeVerboseMessage(message), kArgument) << "freed before";
}

// Clients compare the returned value with the enumerator, so nothing may hide in its upper bits.
// feature: B1 (C API)
TEST(Errors, AnAnswerIsTheCodeAndNothingElse) {
  const Session session;
  const Api& api = session.api;
  const Owned context = session.context();
  void* out = nullptr;
  const char* text = nullptr;
  const Qnn_OpConfig_t empty = QNN_OPCONFIG_INIT;
  for (const Qnn_ErrorHandle_t answer :
       {fail_with(api, context, "x"), api.backendFree(nullptr), api.contextFree(nullptr, nullptr),
        api.deviceFree(nullptr), api.logFree(nullptr), api.profileFree(nullptr),
        api.graphFinalize(nullptr, nullptr, nullptr), api.tensorCreateGraphTensor(nullptr, nullptr),
        api.backendValidateOpConfig(session.backend, empty), api.errorGetMessage(1, &text),
        api.propertyHasCapability(77777), api.graphCreate(context, nullptr, nullptr, &out),
        api.signalFree(nullptr)}) {
    EXPECT_NE(answer, QNN_SUCCESS);
    EXPECT_EQ(answer, QNN_GET_ERROR_CODE(answer));
  }
}

}  // namespace
}  // namespace conformance
