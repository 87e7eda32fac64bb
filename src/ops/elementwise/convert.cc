// SPDX-License-Identifier: BSD-3-Clause
// Changes of type: Convert, Quantize and Dequantize keep the real value, Cast keeps the stored number.
#include "base/text.h"
#include "ops/elementwise/map.h"

namespace openqnn::ops {
namespace {

// ---- By value ----

constexpr Function<1> kSameValue{"convert", [](double x) { return x; }, {6, 3}};

Status check_convert(const OpCall& call) {
  for (const std::string_view name : {"dynamic_input_data", "dynamic_output_data"})
    if (call.params->boolean(name, false))
      return unsupported("op-param-value", concat(name,
                                                  " is set, but a type that changes between executions "
                                                  "cannot be prepared"))
          .fix_by("leave it out and give the tensor its type");
  return check_broadcast(call);
}

// ---- By stored number ----

// A fixed-point tensor is the plain integers of its width.
ir::DataType plain_of(ir::DataType type) {
  using ir::DataType;
  switch (type) {
    case DataType::kUfixed8:
      return DataType::kUint8;
    case DataType::kSfixed8:
      return DataType::kInt8;
    case DataType::kUfixed16:
      return DataType::kUint16;
    case DataType::kSfixed16:
      return DataType::kInt16;
    default:
      return type;
  }
}

// Integers to integers keep the low bits, as ONNX says; exact for 64 bits too.
void cast_integers(ir::DataType from, const std::byte* in, ir::DataType to, std::byte* out, uint64_t at) {
  const int64_t value = load_integer(from, in, at);
  const bool is_bool = from == ir::DataType::kBool8 || to == ir::DataType::kBool8;
  save_integer(to, out, at, is_bool ? int64_t{value != 0} : value);
}

// Numbers to half are rounded, half to integers cut off towards zero and saturated (ONNX; ours where it
// leaves it open: beyond the type's range, and 0 for NaN).
void run_cast(const KernelArgs& args, const ir::Box& region) {
  const ir::TensorDesc in{.type = plain_of(args.call.in(0).type)};
  const ir::TensorDesc out{.type = plain_of(args.call.out().type)};
  const ir::Shape& shape = args.call.out().shape;
  const bool integers = !ir::is_float(in.type) && !ir::is_float(out.type);
  const ElementReader read(in, args.inputs[0]);
  const ElementWriter write(out, args.outputs[0]);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const uint64_t at = ir::offset_of(shape, index);
    if (integers)
      cast_integers(in.type, args.inputs[0], out.type, args.outputs[0], at);
    else
      write(at, in.type == ir::DataType::kBool8 ? static_cast<double>(read(at) != 0.0) : read(at));
  });
}

constexpr auto kValueOp = map_op<1, always<kSameValue>>;

}  // namespace

OpDef cast() {
  OpDef def = map_op_shell("Cast");
  // Later notes (sfx16), and what models with 64-bit indices, masks and half tensors ask for.
  def.our_rows = {"sfx16 -> ufx16|sfx16|i32|f16|f32",
                  "ufx16 -> i32|u32|f16|f32",
                  "i64 -> i64|bool8|f16|f32",
                  "bool8|u8 -> i64",
                  "f16 -> u8|ufx8|sfx8|bool8|ufx16|sfx16|u32|i64",
                  "f32 -> sfx16",
                  "u8|ufx8|sfx8|u32 -> f16",
                  "i32 -> sfx16"};
  def.ignores_encodings = true;
  def.work = [](const OpCall& call, const ir::Box& output) { return map_work(call, output, {4, 4}); };
  def.kernels = {{"reference", nullptr, run_cast}};
  return def;
}

OpDef convert() {
  OpDef def = kValueOp(
      "Convert", {"sfx16 -> ufx8|sfx8|ufx16|sfx16|f16|f32", "sfx8 -> f16|f32", "f16|f32 -> sfx8|sfx16"});
  def.check = check_convert;
  return def;
}

OpDef quantize() { return kValueOp("Quantize", {"f16 -> ufx8|sfx8|ufx16|sfx16"}); }

OpDef dequantize() { return kValueOp("Dequantize", {"sfx16 -> f16"}); }

}  // namespace openqnn::ops
