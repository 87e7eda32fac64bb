// SPDX-License-Identifier: BSD-3-Clause
// Context binaries: round trips, who owns the bytes, and bytes that are not what they should be.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "client.h"
#include "oracle.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;

// A model with its binary and what it computes.
struct Saved {
  Model model;  // with tensor ids
  Bytes binary;
  Buffers inputs;
  Buffers outputs;
};

Saved save(const Session& session, const Sample& sample) {
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, sample.model);
  return {graph.model, binary_of(session.api, context), sample.inputs, graph.run(sample.inputs)};
}

Qnn_ErrorHandle_t try_load(const Session& session, const Bytes& binary, Owned& context) {
  Qnn_ContextHandle_t handle = nullptr;
  const Qnn_ErrorHandle_t answer = session.api.contextCreateFromBinary(
      session.backend, session.device, nullptr, binary.data(), binary.size(), &handle, nullptr);
  if (answer == QNN_SUCCESS)
    context = Owned(handle, [free = session.api.contextFree](void* loaded) { return free(loaded, nullptr); });
  return answer;
}

Qnn_ErrorHandle_t validate(const Session& session, const Bytes& binary) {
  return session.api.contextValidateBinary(session.backend, session.device, nullptr, binary.data(),
                                           binary.size());
}

// A copy that begins at a page, like a mapped file: what a backend can use in place.
class AtPage {
 public:
  explicit AtPage(std::span<const std::byte> bytes) : size_(bytes.size()) {
    void* memory = nullptr;
    if (posix_memalign(&memory, 4096, size_) != 0) throw std::bad_alloc();
    data_.reset(static_cast<std::byte*>(memory));
    *this = bytes;
  }
  AtPage& operator=(std::span<const std::byte> bytes) {
    std::copy(bytes.begin(), bytes.end(), data_.get());
    return *this;
  }
  std::byte& operator[](size_t at) { return data_.get()[at]; }
  std::span<const std::byte> span() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> data_;
  size_t size_;
};

class BinaryTest : public ::testing::TestWithParam<Kind> {
 protected:
  Session session_;
};

// feature: C1 (C API)
TEST_P(BinaryTest, RoundTripIsBitEqual) {
  for (const Sample& sample : all_samples(GetParam())) {
    const Saved saved = save(session_, sample);
    const Owned loaded = session_.load(saved.binary);
    const Graph graph = Graph::retrieved(session_.api, loaded, saved.model);
    EXPECT_EQ(graph.run(saved.inputs), saved.outputs) << sample.model.name;
  }
}

// feature: C1 (C API)
TEST_P(BinaryTest, ASecondGenerationIsTheSameFile) {
  const Saved saved = save(session_, conv_relu_pool(GetParam()));
  const Owned loaded = session_.load(saved.binary);
  EXPECT_EQ(binary_of(session_.api, loaded), saved.binary);
}

// feature: C1 (C API)
TEST_P(BinaryTest, SameGraphSameBytes) {
  for (const Sample& sample : all_samples(GetParam()))
    EXPECT_EQ(save(session_, sample).binary, save(session_, sample).binary) << sample.model.name;
}

// feature: C1 (C API)
TEST_P(BinaryTest, TwoGraphsShareOneFile) {
  const Owned context = session_.context();
  std::vector<Model> models;
  for (const Sample& sample : all_samples(GetParam()))
    models.push_back(Graph::built(session_.api, context, sample.model).model);
  const Bytes binary = binary_of(session_.api, context);

  const Owned loaded = session_.load(binary);
  const std::vector<Sample> samples = all_samples(GetParam());
  for (size_t i = samples.size(); i-- > 0;) {
    const Graph graph = Graph::retrieved(session_.api, loaded, models[i]);
    EXPECT_TRUE(agrees(graph.model, graph.run(samples[i].inputs),
                       expected_outputs(samples[i].model, samples[i].inputs)));
  }
}

// feature: C1 (C API)
TEST_P(BinaryTest, TheClientMayFreeTheBufferAfterLoading) {
  Saved saved = save(session_, conv_relu_pool(GetParam()));
  const Owned loaded = session_.load(saved.binary);
  std::fill(saved.binary.begin(), saved.binary.end(), std::byte{0xDD});
  Bytes().swap(saved.binary);
  const Graph graph = Graph::retrieved(session_.api, loaded, saved.model);
  EXPECT_EQ(graph.run(saved.inputs), saved.outputs);
  EXPECT_EQ(graph.run(saved.inputs), saved.outputs);
}

// Two models that differ in their weights alone have binaries that differ in the weights, wherever the format
// keeps them, and in checksums. Changing the one into the other after loading shows who reads the client's
// buffer: the persistent context, and only that.
// feature: C1 (C API)
TEST_P(BinaryTest, APersistentBinaryIsUsedInPlace) {
  const Saved first = save(session_, conv_relu_pool(GetParam(), 8, 3, 8, 2));
  const Saved second = save(session_, conv_relu_pool(GetParam(), 8, 3, 8, 77));
  ASSERT_NE(first.outputs, second.outputs);
  ASSERT_EQ(first.binary.size(), second.binary.size());

  for (const bool persistent : {true, false}) {
    AtPage buffer(first.binary);
    PersistentBinary options;
    const Owned loaded = session_.load(buffer.span(), persistent ? options.list() : nullptr);
    const Graph graph = Graph::retrieved(session_.api, loaded, first.model);
    buffer = second.binary;
    EXPECT_EQ(graph.run(first.inputs), persistent ? second.outputs : first.outputs) << persistent;
  }
}

// feature: C1 (C API)
TEST_P(BinaryTest, APersistentBinaryMayBeginAnywhere) {
  const Saved saved = save(session_, conv_relu_pool(GetParam()));
  for (const size_t shift : {1U, 2U, 4U, 8U, 16U, 63U}) {
    Bytes shifted(shift);
    shifted.insert(shifted.end(), saved.binary.begin(), saved.binary.end());
    PersistentBinary options;
    const Owned loaded = session_.load(std::span(shifted).subspan(shift), options.list());
    EXPECT_EQ(Graph::retrieved(session_.api, loaded, saved.model).run(saved.inputs), saved.outputs) << shift;
  }
}

// feature: C1 (C API)
TEST_P(BinaryTest, DamageIsFoundBeforeAPersistentBinaryRuns) {
  const Saved first = save(session_, conv_relu_pool(GetParam(), 8, 3, 8, 2));
  const Saved second = save(session_, conv_relu_pool(GetParam(), 8, 3, 8, 77));
  std::vector<size_t> weights;  // and checksums: the bytes in which the files differ
  for (size_t at = 0; at < first.binary.size(); ++at)
    if (first.binary[at] != second.binary[at]) weights.push_back(at);
  ASSERT_GT(weights.size(), 100U);

  for (size_t i = 0; i < weights.size(); i += weights.size() / 50) {
    AtPage damaged(first.binary);
    damaged[weights[i]] ^= std::byte{0x10};
    PersistentBinary options;
    Qnn_ContextHandle_t handle = nullptr;
    const Qnn_ErrorHandle_t answer =
        session_.api.contextCreateFromBinary(session_.backend, session_.device, options.list(),
                                             damaged.span().data(), damaged.span().size(), &handle, nullptr);
    if (answer != QNN_SUCCESS) {
      EXPECT_TRUE(refused(session_.api, answer, QNN_CONTEXT_ERROR_CREATE_FROM_BINARY)) << weights[i];
      continue;
    }
    const Owned loaded(handle, [free = session_.api.contextFree](void* h) { return free(h, nullptr); });
    const Graph graph = Graph::retrieved(session_.api, loaded, first.model);
    IoTensors io(graph.model, first.inputs);
    // Nor may the damage be saved under fresh checksums.
    Qnn_ContextBinarySize_t size = 0;
    EXPECT_TRUE(refused(session_.api, session_.api.contextGetBinarySize(loaded, &size),
                        QNN_CONTEXT_ERROR_GET_BINARY_FAILED));
    for (int repeat = 0; repeat < 2; ++repeat) {
      const Qnn_ErrorHandle_t executed = graph.execute(io);
      EXPECT_NE(executed, QNN_SUCCESS) << "byte " << weights[i];
      EXPECT_NE(verbose_message(session_.api, executed), "");
    }
  }
}

// feature: C1 (C API)
TEST_P(BinaryTest, ATruncatedFileIsRefused) {
  const Saved saved = save(session_, conv_relu_pool(GetParam()));
  std::vector<size_t> lengths = {1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128};
  for (size_t length = 200; length < saved.binary.size(); length += saved.binary.size() / 61 + 1)
    lengths.push_back(length);
  lengths.push_back(saved.binary.size() - 1);
  for (const size_t length : lengths) {
    const Bytes cut(saved.binary.begin(), saved.binary.begin() + static_cast<ptrdiff_t>(length));
    Owned context;
    const Qnn_ErrorHandle_t answer = try_load(session_, cut, context);
    EXPECT_TRUE(refused(session_.api, answer, QNN_CONTEXT_ERROR_CREATE_FROM_BINARY)) << length;
    EXPECT_NE(verbose_message(session_.api, answer), "") << length;
    EXPECT_EQ(validate(session_, cut), answer) << length;
  }
}

// A changed bit is either found, or lies where nothing is kept (padding): then the file works as before.
// feature: C1 (C API)
TEST_P(BinaryTest, AFlippedBitNeverChangesResults) {
  const Saved saved = save(session_, conv_relu_pool(GetParam(), 4, 2, 4));
  size_t found = 0;
  size_t tried = 0;
  const size_t step = saved.binary.size() / 401 + 1;
  for (size_t at = 0; at < saved.binary.size(); at += at < 256 ? 3 : step, ++tried) {
    Bytes damaged = saved.binary;
    damaged[at] ^= static_cast<std::byte>(1 << (at % 8));
    Owned context;
    const Qnn_ErrorHandle_t answer = try_load(session_, damaged, context);
    EXPECT_EQ(validate(session_, damaged), answer) << "byte " << at;
    if (answer == QNN_SUCCESS) {
      const Graph graph = Graph::retrieved(session_.api, context, saved.model);
      EXPECT_EQ(graph.run(saved.inputs), saved.outputs) << "byte " << at;
    } else {
      ++found;
      EXPECT_THAT(answer,
                  AnyOf(Eq(QNN_CONTEXT_ERROR_CREATE_FROM_BINARY), Eq(QNN_CONTEXT_ERROR_BINARY_VERSION),
                        Eq(QNN_CONTEXT_ERROR_BINARY_CONFIGURATION)))
          << "byte " << at;
    }
  }
  EXPECT_GT(found, tried / 8) << "of " << tried;
}

// feature: C1 (C API)
TEST_P(BinaryTest, TrailingBytesDoNotMakeItCrash) {
  Saved saved = save(session_, add(GetParam()));
  saved.binary.resize(saved.binary.size() + 4096, std::byte{0xEE});
  Owned context;
  const Qnn_ErrorHandle_t answer = try_load(session_, saved.binary, context);
  EXPECT_EQ(validate(session_, saved.binary), answer);
  if (answer == QNN_SUCCESS)
    EXPECT_EQ(Graph::retrieved(session_.api, context, saved.model).run(saved.inputs), saved.outputs);
  else
    EXPECT_TRUE(refused(session_.api, answer, QNN_CONTEXT_ERROR_CREATE_FROM_BINARY));
}

// feature: C1 (C API)
TEST_P(BinaryTest, ASmallBufferIsRefusedAndNotOverrun) {
  const Owned context = session_.context();
  const Graph graph = Graph::built(session_.api, context, add(GetParam()).model);
  Qnn_ContextBinarySize_t size = 0;
  check(session_.api, session_.api.contextGetBinarySize(context, &size), "contextGetBinarySize");
  const Bytes whole = binary_of(session_.api, context);
  for (const size_t room : {size_t{1}, size_t{100}, whole.size() - 1}) {
    Bytes buffer(size + 4096, std::byte{0x5A});
    Qnn_ContextBinarySize_t written = 0;
    const Qnn_ErrorHandle_t answer = session_.api.contextGetBinary(context, buffer.data(), room, &written);
    EXPECT_THAT(answer,
                AnyOf(Eq(QNN_CONTEXT_ERROR_INVALID_ARGUMENT), Eq(QNN_CONTEXT_ERROR_GET_BINARY_FAILED)));
    EXPECT_NE(verbose_message(session_.api, answer), "");
    EXPECT_TRUE(std::all_of(buffer.begin() + static_cast<ptrdiff_t>(room), buffer.end(),
                            [](std::byte b) { return b == std::byte{0x5A}; }));
  }
  Qnn_ContextBinarySize_t written = 0;
  EXPECT_TRUE(refused(session_.api, session_.api.contextGetBinary(context, nullptr, size, &written),
                      QNN_CONTEXT_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(session_.api, session_.api.contextGetBinarySize(context, nullptr),
                      QNN_CONTEXT_ERROR_INVALID_ARGUMENT));
  EXPECT_EQ(binary_of(session_.api, context), whole) << "a refusal leaves the context as it was";
}

INSTANTIATE_TEST_SUITE_P(Kinds, BinaryTest, ::testing::Values(Kind::kFloat, Kind::kQuantized), kind_name);

// Places in the file as docs/context_binary.md states them.
constexpr size_t kMajorVersion = 8;
constexpr size_t kMinorVersion = 12;
constexpr size_t kSectionCount = 24;
constexpr size_t kSectionTable = 64;
constexpr size_t kSectionRow = 40;
constexpr size_t kRowOffset = 16;  // in a row, the section's place
constexpr uint32_t kDataSection = 4;

template <class Number>
Number number_at(const Bytes& binary, size_t at) {
  Number number = 0;
  std::memcpy(&number, binary.data() + at, sizeof number);
  return number;
}

// feature: C1 (C API)
TEST(Binary, AnotherMajorVersionIsRefusedByName) {
  const Session session;
  const Bytes binary = save(session, add(Kind::kFloat)).binary;
  const auto ours = number_at<uint32_t>(binary, kMajorVersion);
  for (const auto& [major, remedy] :
       {std::pair(ours - 1, "prepare"), std::pair(ours + 1, "update openqnn")}) {
    Bytes other = binary;
    std::memcpy(other.data() + kMajorVersion, &major, sizeof major);
    const std::string format =
        std::to_string(major) + "." + std::to_string(number_at<uint32_t>(binary, kMinorVersion));
    Owned context;
    EXPECT_TRUE(refused(session.api, try_load(session, other, context), QNN_CONTEXT_ERROR_BINARY_VERSION,
                        {format.c_str(), remedy}));
    EXPECT_TRUE(refused(session.api, validate(session, other), QNN_CONTEXT_ERROR_BINARY_VERSION));
  }
}

// feature: C1 (C API)
TEST(Binary, DataBeginsAtAPageOfTheFile) {
  const Session session;
  for (const Sample& sample : all_samples(Kind::kQuantized)) {
    const Bytes binary = save(session, sample).binary;
    size_t found = 0;
    for (uint32_t i = 0; i < number_at<uint32_t>(binary, kSectionCount); ++i) {
      const size_t row = kSectionTable + i * kSectionRow;
      if (number_at<uint32_t>(binary, row) != kDataSection) continue;
      ++found;
      EXPECT_EQ(number_at<uint64_t>(binary, row + kRowOffset) % 4096, 0U) << sample.model.name;
    }
    EXPECT_EQ(found, 1U) << sample.model.name;
  }
}

// feature: C1 (C API)
TEST(Binary, GarbageIsRefused) {
  const Session session;
  for (const size_t length : {1U, 16U, 100U, 4096U, 70000U}) {
    for (const std::byte fill : {std::byte{0}, std::byte{0xFF}, std::byte{'A'}}) {
      const Bytes garbage(length, fill);
      Owned context;
      const Qnn_ErrorHandle_t answer = try_load(session, garbage, context);
      EXPECT_TRUE(refused(session.api, answer, QNN_CONTEXT_ERROR_CREATE_FROM_BINARY)) << length;
      EXPECT_NE(verbose_message(session.api, answer), "");
      EXPECT_EQ(validate(session, garbage), answer);
    }
  }
}

// feature: C1 (C API)
TEST(Binary, NullAndEmptyBuffersAreArguments) {
  const Session session;
  const Api& api = session.api;
  Qnn_ContextHandle_t context = nullptr;
  const char byte = 0;
  EXPECT_TRUE(refused(
      api,
      api.contextCreateFromBinary(session.backend, session.device, nullptr, nullptr, 100, &context, nullptr),
      QNN_CONTEXT_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(
      api, api.contextCreateFromBinary(session.backend, session.device, nullptr, &byte, 1, nullptr, nullptr),
      QNN_CONTEXT_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(api, api.contextValidateBinary(session.backend, session.device, nullptr, nullptr, 100),
                      QNN_CONTEXT_ERROR_INVALID_ARGUMENT));
  // An empty buffer: an argument, or a binary that is too short; the two calls agree.
  const Qnn_ErrorHandle_t empty =
      api.contextCreateFromBinary(session.backend, session.device, nullptr, &byte, 0, &context, nullptr);
  EXPECT_THAT(empty, AnyOf(Eq(QNN_CONTEXT_ERROR_INVALID_ARGUMENT), Eq(QNN_CONTEXT_ERROR_CREATE_FROM_BINARY)));
  EXPECT_EQ(api.contextValidateBinary(session.backend, session.device, nullptr, &byte, 0), empty);
}

// feature: C1 (C API)
TEST(Binary, AGoodBinaryIsValid) {
  const Session session;
  EXPECT_EQ(validate(session, save(session, add(Kind::kFloat)).binary), QNN_SUCCESS);
}

}  // namespace
}  // namespace conformance
