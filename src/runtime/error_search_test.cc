// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/error_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace openqnn::runtime {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class ErrorSearch : public ::testing::Test {
 protected:
  void SetUp() override {
    auto read = error_catalogue();
    ASSERT_TRUE(read.ok()) << read.error().to_string();
    catalogue = *std::move(read);
  }

  // What a query finds: QNN's names, then the transport's.
  std::vector<std::string> names(std::string_view query) {
    const auto found = find_errors(catalogue, query);
    EXPECT_TRUE(found.ok()) << query << ": " << found.error().to_string();
    std::vector<std::string> list;
    if (!found.ok()) return list;
    for (const ErrorEntry* entry : found->entries) list.push_back(entry->name);
    for (const TransportCode* code : found->transport) list.push_back(code->name);
    return list;
  }

  std::string note(std::string_view query) {
    const auto found = find_errors(catalogue, query);
    return found.ok() ? found->note : "";
  }

  ErrorCatalogue catalogue;
};

TEST_F(ErrorSearch, NumbersInEveryForm) {
  const auto same = ElementsAre("QNN_CONTEXT_ERROR_CREATE_FROM_BINARY");
  for (const char* query : {"5005", "0x138d", "0X138D", "138d", "138D", "0x000000000000138d"})
    EXPECT_THAT(names(query), same) << query;
  EXPECT_EQ(note("5005"), "");
  EXPECT_EQ(note("138d"), "read as hexadecimal: 0x138d is 5005");
  EXPECT_EQ(note("1388"), "read as hexadecimal: 0x1388 is 5000");  // there is no error 1388
}

TEST_F(ErrorSearch, OnlyTheLow16BitsOfAHandleCount) {
  EXPECT_THAT(names("0x000300010000138d"), ElementsAre("QNN_CONTEXT_ERROR_CREATE_FROM_BINARY"));
  EXPECT_THAT(names("4294972301"), ElementsAre("QNN_CONTEXT_ERROR_CREATE_FROM_BINARY"));  // 0x10000138d
  EXPECT_THAT(note("4294972301"), HasSubstr("low 16 bits"));
}

TEST_F(ErrorSearch, ACodeWithSeveralNamesBeginsWithThePrimaryOne) {
  const auto found = names("1002");
  ASSERT_GT(found.size(), 1u);
  EXPECT_EQ(found.front(), "QNN_COMMON_ERROR_MEM_ALLOC");
  EXPECT_THAT(found, Contains("QNN_GRAPH_ERROR_MEM_ALLOC"));
}

TEST_F(ErrorSearch, CodesOfTheTransport) {
  for (const char* query : {"0x80000406", "80000406", "2147484678", "-2147482618", "AEE_EUNABLETOLOAD"})
    EXPECT_THAT(names(query), ElementsAre("AEE_EUNABLETOLOAD")) << query;
  EXPECT_EQ(note("0x80000406"), "");  // it is no handle
  EXPECT_THAT(find_errors(catalogue, "0x80000499").error().message, HasSubstr("link to the DSP"));
  // Its low 16 bits are a QNN code, which it still does not carry.
  EXPECT_FALSE(find_errors(catalogue, "0x800007d0").ok());
}

TEST_F(ErrorSearch, NamesWholeAndInPieces) {
  for (const char* query : {"QNN_CONTEXT_ERROR_CREATE_FROM_BINARY", "context_error_create_from_binary",
                            "create_from_binary", "Create from binary", "create-from-binary"})
    EXPECT_THAT(names(query), ElementsAre("QNN_CONTEXT_ERROR_CREATE_FROM_BINARY")) << query;
  EXPECT_THAT(names("invalid_config"), Contains("QNN_DEVICE_ERROR_INVALID_CONFIG"));
  EXPECT_THAT(names("invalid_config"), Each(HasSubstr("INVALID_CONFIG")));
}

TEST_F(ErrorSearch, LinesOfALog) {
  EXPECT_THAT(names("Could not create context from binary for context index = 0 : err 5005"),
              ElementsAre("QNN_CONTEXT_ERROR_CREATE_FROM_BINARY"));
  EXPECT_THAT(names("<E> DspTransport.openSession qnn_open failed, 0x80000406, prio 100"),
              ElementsAre("AEE_EUNABLETOLOAD"));
  EXPECT_THAT(names("Failed to load skel, error: 4000; Transport layer setup failed: 14001"),
              ElementsAre("QNN_BACKEND_ERROR_CANNOT_INITIALIZE", "QNN_DEVICE_ERROR_INVALID_CONFIG"));
}

TEST_F(ErrorSearch, WordsOfMeaningsAndCauses) {
  EXPECT_THAT(names("vtcm"), Contains("QNN_CONTEXT_ERROR_CREATE_FROM_BINARY"));
  EXPECT_THAT(names("semicolons"), Contains("QNN_DEVICE_ERROR_INVALID_CONFIG"));
}

TEST_F(ErrorSearch, UnknownNumbersTellTheirComponent) {
  const auto unknown = find_errors(catalogue, "5099");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message, "there is no error 5099; 5000 to 5999 belong to Context");
  EXPECT_THAT(unknown.error().fix, StartsWith("the nearest codes are 5014 (QNN_CONTEXT_ERROR_"));
  EXPECT_THAT(find_errors(catalogue, "4960").error().message, HasSubstr("4950 to 4999 belong to Saver"));
  EXPECT_THAT(find_errors(catalogue, "65000").error().message,
              HasSubstr("60000 to 65535 belong to Interface"));
  EXPECT_THAT(find_errors(catalogue, "500").error().message, Not(HasSubstr("belong")));
  EXPECT_THAT(find_errors(catalogue, "0").error().message, HasSubstr("QNN_SUCCESS"));
}

TEST_F(ErrorSearch, UnknownTextNamesTheNearest) {
  EXPECT_THAT(find_errors(catalogue, "creat_from_binry").error().fix,
              StartsWith("did you mean QNN_CONTEXT_ERROR_CREATE_FROM_BINARY,"));
  EXPECT_FALSE(find_errors(catalogue, "...").ok());
  EXPECT_FALSE(find_errors(catalogue, "99999999999999999999999").ok());
  EXPECT_FALSE(find_errors(catalogue, std::string(100000, 'x')).ok());
}

TEST_F(ErrorSearch, WhatUsersAskAboutHasCauses) {
  for (const uint32_t code : {1000u, 1002u, 1007u, 1008u, 1009u, 4000u, 5000u, 5003u, 5004u, 5005u, 5008u,
                              5011u, 6020u, 6021u, 6022u, 6023u, 13001u, 13004u, 14001u}) {
    const ErrorEntry* const entry = catalogue.primary(code);
    ASSERT_NE(entry, nullptr) << code;
    EXPECT_THAT(entry->causes, Not(IsEmpty())) << code;
    for (const ErrorCause& cause : entry->causes) {
      EXPECT_FALSE(cause.cause.empty() || cause.remedy.empty() || cause.source.empty()) << code;
    }
  }
  for (const TransportCode& code : catalogue.transport) {
    for (const uint32_t next : code.leads_to) EXPECT_NE(catalogue.primary(next), nullptr) << code.name;
  }
}

TEST(ErrorCatalogue, BadFactsAreRefused) {
  EXPECT_THAT(read_error_catalogue("{}", "e").error().message, HasSubstr("'errors' must be a list"));
  EXPECT_THAT(read_error_catalogue(R"({"errors": [{"name": "X"}]})", "e").error().message,
              HasSubstr("'X' needs"));
  EXPECT_FALSE(read_error_catalogue("[", "e").ok());
}

}  // namespace
}  // namespace openqnn::runtime
