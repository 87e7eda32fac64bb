// SPDX-License-Identifier: BSD-3-Clause
// From the many ways in which an ONNX tensor holds its values to one.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/constant.h"
#include "frontend/onnx/model.h"

namespace openqnn::frontend::onnx {
namespace {

using ir::DataType;

struct TypeInfo {
  ElementType type;
  const char* name;
  uint32_t bits;
  uint32_t typed_field;  // of TensorProto, for values that are not raw
  DataType backend;
};
constexpr uint32_t kFloatData = 4;
constexpr uint32_t kInt32Data = 5;
constexpr uint32_t kInt64Data = 7;
constexpr uint32_t kDoubleData = 10;
constexpr uint32_t kUint64Data = 11;
constexpr TypeInfo kTypes[] = {
    {ElementType::kFloat, "float", 32, kFloatData, DataType::kFloat32},
    {ElementType::kUint8, "uint8", 8, kInt32Data, DataType::kUint8},
    {ElementType::kInt8, "int8", 8, kInt32Data, DataType::kInt8},
    {ElementType::kUint16, "uint16", 16, kInt32Data, DataType::kUint16},
    {ElementType::kInt16, "int16", 16, kInt32Data, DataType::kInt16},
    {ElementType::kInt32, "int32", 32, kInt32Data, DataType::kInt32},
    {ElementType::kInt64, "int64", 64, kInt64Data, DataType::kInt32},
    {ElementType::kString, "string", 0, 0, DataType::kUndefined},
    {ElementType::kBool, "bool", 8, kInt32Data, DataType::kBool8},
    {ElementType::kFloat16, "float16", 16, kInt32Data, DataType::kFloat32},
    {ElementType::kDouble, "double", 64, kDoubleData, DataType::kFloat32},
    {ElementType::kUint32, "uint32", 32, kUint64Data, DataType::kUint32},
    {ElementType::kUint64, "uint64", 64, kUint64Data, DataType::kUint32},
    {ElementType::kBfloat16, "bfloat16", 16, kInt32Data, DataType::kFloat32},
    {ElementType::kUint4, "uint4", 4, kInt32Data, DataType::kUint8},
    {ElementType::kInt4, "int4", 4, kInt32Data, DataType::kInt8},
};

const TypeInfo* find_type(ElementType type) {
  const auto* const found = std::ranges::find(kTypes, type, &TypeInfo::type);
  return found != std::end(kTypes) ? found : nullptr;
}

DiagnosticBuilder wrong(const Tensor& tensor, std::string_view message) {
  return invalid("onnx-tensor", concat("tensor '", tensor.name, "': ", message))
      .fix_by("the file is damaged or no ONNX model; export it again");
}

DiagnosticBuilder wrong_count(const Tensor& tensor, uint64_t has, uint64_t needs, const char* unit) {
  return wrong(tensor, concat("it has ", has, " ", unit, " where its dimensions need ", needs));
}

// Appends the low bytes of each number of a typed field.
class Packer {
 public:
  explicit Packer(uint64_t element_bytes) : element_bytes_(element_bytes) {}

  // False when the field's bytes are no numbers.
  bool add(const Field& field) {
    if (field.type != WireType::kBytes) {
      put(field.value);
      return true;
    }
    // Floats and doubles are packed as they lie in memory; all others as varints.
    if (field.number == kFloatData || field.number == kDoubleData) {
      out_.insert(out_.end(), field.bytes.begin(), field.bytes.end());
      return field.bytes.size() % element_bytes_ == 0;
    }
    for (Bytes rest = field.bytes; !rest.empty();) {
      const auto value = take_varint(rest);
      if (!value) return false;
      put(*value);
    }
    return true;
  }

  std::vector<std::byte> take() { return std::move(out_); }

 private:
  void put(uint64_t value) {
    for (uint64_t i = 0; i < element_bytes_; ++i) out_.push_back(static_cast<std::byte>(value >> (8 * i)));
  }

  uint64_t element_bytes_;
  std::vector<std::byte> out_;
};

Result<TensorValues> typed_values(const Tensor& tensor, const TypeInfo& info, uint64_t bytes,
                                  const ExternalFiles& files) {
  const bool in_memory_form = info.typed_field == kFloatData || info.typed_field == kDoubleData;
  if (tensor.typed.size() == 1 && in_memory_form && tensor.typed[0].number == info.typed_field &&
      tensor.typed[0].bytes.size() == bytes)
    return files.own(tensor.typed[0].bytes);
  // A 4-bit tensor has a byte, two elements, in each number.
  Packer packer(std::max<uint64_t>(info.bits / 8, 1));
  for (const Field& field : tensor.typed) {
    if (field.number != info.typed_field)
      return wrong(tensor, concat("its values are not where those of ", info.name, " belong"));
    if (!packer.add(field)) return wrong(tensor, "its values end in the middle of a number");
  }
  auto owned = std::make_shared<const std::vector<std::byte>>(packer.take());
  if (owned->size() != bytes) return wrong_count(tensor, owned->size(), bytes, "bytes");
  return TensorValues(*owned, owned);
}

bool leaves_the_folder(const std::filesystem::path& path) {
  return path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
}

}  // namespace

std::string name_of(ElementType type) {
  const TypeInfo* info = find_type(type);
  return info != nullptr ? info->name : concat("type ", static_cast<int32_t>(type));
}

uint32_t bits_of(ElementType type) {
  const TypeInfo* info = find_type(type);
  return info != nullptr ? info->bits : 0;
}

ir::DataType backend_type(ElementType type) {
  const TypeInfo* info = find_type(type);
  return info != nullptr ? info->backend : DataType::kUndefined;
}

// No element has more than 64 bits, so that bits are counted without overflow.
uint64_t stored_bytes(ElementType type, uint64_t count) { return (count * bits_of(type) + 7) / 8; }

Result<uint64_t> element_count(const Tensor& tensor) {
  constexpr uint64_t kMost = uint64_t{1} << 56;
  uint64_t count = 1;
  for (const int64_t dim : tensor.dims) {
    if (dim < 0) return wrong(tensor, concat("a dimension is ", dim));
    if (dim != 0 && count > kMost / static_cast<uint64_t>(dim))
      return wrong(tensor, "its dimensions are beyond any memory");
    count *= static_cast<uint64_t>(dim);
  }
  return count;
}

Result<TensorValues> values_of(const Tensor& tensor, ExternalFiles& files) {
  const TypeInfo* info = find_type(tensor.type);
  if (info == nullptr || info->bits == 0)
    return unsupported("onnx-type", concat("tensor '", tensor.name, "' holds ", name_of(tensor.type),
                                           ", which no op of the backend takes"));
  OPENQNN_ASSIGN(const uint64_t count, element_count(tensor));
  const uint64_t bytes = stored_bytes(tensor.type, count);
  if (files.leaves_out(tensor, bytes)) {
    const auto zeros = ZeroPages::of(bytes);
    if (!zeros) return wrong(tensor, "its dimensions are beyond any memory");
    return TensorValues::unstated(zeros);
  }
  if (tensor.external) return files.read(*tensor.external, bytes);
  if (tensor.raw) {
    if (tensor.raw->size() != bytes) return wrong_count(tensor, tensor.raw->size(), bytes, "bytes");
    return files.own(*tensor.raw);
  }
  return typed_values(tensor, *info, bytes, files);
}

// Small tensors say what nodes do (shapes, axes, scales), unless they lie in a file that need not be there.
bool ExternalFiles::leaves_out(const Tensor& tensor, uint64_t bytes) const {
  constexpr uint64_t kLeastWeights = 16 << 10;
  return leaves_weights_out_ && (tensor.external || (bytes >= kLeastWeights && is_real(tensor.type)));
}

Result<TensorValues> ExternalFiles::read(const ExternalData& data, uint64_t bytes) {
  const std::filesystem::path path(data.location);
  if (data.location.empty() || leaves_the_folder(path)) {
    return invalid("onnx-external", concat("external data at '", data.location,
                                           "': the place must be a file beside the model, or below"))
        .fix_by("save the model again with its data beside it");
  }
  if (!folder_) {
    return invalid("onnx-external", concat("the model keeps tensors in '", data.location,
                                           "', and a model in memory has no files beside it"))
        .fix_by("give the model's path, or save it with its data inside");
  }
  auto file = std::find_if(files_.begin(), files_.end(),
                           [&](const File& known) { return known.location == data.location; });
  if (file == files_.end()) {
    auto mapped = MappedFile::open(*folder_ / path);
    if (!mapped) {
      Diagnostic why = std::move(mapped).error();
      why.fix = "the model keeps tensors in this file: it must stand beside the model, so copy both together";
      return why;
    }
    file = files_.insert(files_.end(), {std::string(data.location), std::move(mapped).value()});
  }
  const Bytes all = file->mapped->bytes();
  if (data.length && *data.length != bytes) {
    return invalid("onnx-external", concat("external data in '", data.location, "' has ", *data.length,
                                           " bytes where the tensor needs ", bytes));
  }
  if (data.offset > all.size() || bytes > all.size() - data.offset) {
    return invalid("onnx-external",
                   concat("'", data.location, "' has ", all.size(), " bytes; a tensor needs ", bytes,
                          " from byte ", data.offset, " on"))
        .fix_by("the data file is cut off; copy it again");
  }
  return TensorValues(all.subspan(data.offset, bytes), file->mapped);
}

}  // namespace openqnn::frontend::onnx
