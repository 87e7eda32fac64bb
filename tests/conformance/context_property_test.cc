// SPDX-License-Identifier: BSD-3-Clause
// QnnContext_getProperty: what a client asks before it registers buffers.
#include <gmock/gmock.h>

#include "HTP/QnnHtpContext.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

// One HTP property, and the answer to asking for it.
struct Asked {
  QnnHtpContext_CustomProperty_t custom = QNN_HTP_CONTEXT_CUSTOM_PROPERTY_INIT;
  QnnContext_Property_t property = QNN_CONTEXT_PROPERTY_INIT;

  explicit Asked(QnnHtpContext_GetPropertyOption_t option) {
    custom.option = option;
    property.option = QNN_CONTEXT_PROPERTY_OPTION_CUSTOM;
    property.customProperty = &custom;
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
};

// feature: B1 (C API)
TEST(ContextProperty, SaysWhatBuffersAContextNeeds) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model, GraphOptions().vtcm_mb(1).list());
  Asked alignment(QNN_HTP_CONTEXT_GET_PROP_BUFFER_START_ALIGNMENT);
  Asked spill(QNN_HTP_CONTEXT_GET_PROP_MAX_SPILLFILL_BUFFER_SIZE);
  Asked weights(QNN_HTP_CONTEXT_GET_PROP_WEIGHTS_BUFFER_SIZE);
  Asked backup(QNN_HTP_CONTEXT_GET_PROP_MAX_VTCMBACKUP_BUFFER_SIZE);
  QnnContext_Property_t* list[] = {&alignment.property, &spill.property, &weights.property, &backup.property,
                                   nullptr};
  check(session.api, session.api.contextGetProperty(context, list), "contextGetProperty");
  EXPECT_EQ(alignment.custom.bufferStartAlignment, 4096U);
  EXPECT_EQ(spill.custom.spillfillBufferSize, 0U) << "so small a graph stays in VTCM";
  EXPECT_GE(weights.custom.weightsBufferSize,
            sample.model.tensor("filter").bytes() + sample.model.tensor("bias").bytes());
  EXPECT_LT(weights.custom.weightsBufferSize, 64U * 1024) << "blocks of 32 by 32 take more, within reason";
  EXPECT_EQ(backup.custom.vtcmBackupBufferSize, 1024U * 1024);

  // A loaded context needs the same.
  const Owned loaded = session.load(binary_of(session.api, context));
  Asked again(QNN_HTP_CONTEXT_GET_PROP_WEIGHTS_BUFFER_SIZE);
  QnnContext_Property_t* other[] = {&again.property, nullptr};
  check(session.api, session.api.contextGetProperty(loaded, other), "contextGetProperty");
  EXPECT_EQ(again.custom.weightsBufferSize, weights.custom.weightsBufferSize);
}

// feature: B1 (C API)
TEST(ContextProperty, BadQuestionsAreRefusedAndNothingIsWritten) {
  const Session session;
  const Api& api = session.api;
  const Owned context = session.context();
  Asked good(QNN_HTP_CONTEXT_GET_PROP_BUFFER_START_ALIGNMENT);
  Asked unknown(static_cast<QnnHtpContext_GetPropertyOption_t>(4242));
  QnnContext_Property_t* list[] = {&good.property, &unknown.property, nullptr};
  EXPECT_TRUE(
      refused(api, api.contextGetProperty(context, list), QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, {"4242"}));
  EXPECT_EQ(good.custom.bufferStartAlignment, 0U);
  QnnContext_Property_t not_custom = QNN_CONTEXT_PROPERTY_INIT;
  QnnContext_Property_t* other[] = {&not_custom, nullptr};
  EXPECT_TRUE(refused(api, api.contextGetProperty(context, other), QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE));
  not_custom.option = QNN_CONTEXT_PROPERTY_OPTION_CUSTOM;
  EXPECT_TRUE(refused(api, api.contextGetProperty(context, other), QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                      {"customProperty"}));
  EXPECT_TRUE(refused(api, api.contextGetProperty(context, nullptr), QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                      {"properties"}));
  EXPECT_TRUE(refused(api, api.contextGetProperty(nullptr, list), QNN_CONTEXT_ERROR_INVALID_HANDLE));

  Graph open(api, context, add(Kind::kQuantized).model);
  open.compose();
  Asked weights(QNN_HTP_CONTEXT_GET_PROP_WEIGHTS_BUFFER_SIZE);
  QnnContext_Property_t* early[] = {&weights.property, nullptr};
  EXPECT_TRUE(refused(api, api.contextGetProperty(context, early), QNN_CONTEXT_ERROR_NOT_FINALIZED,
                      {open.model.name}));
}

}  // namespace
}  // namespace conformance
