// SPDX-License-Identifier: BSD-3-Clause
#include "api/op_config.h"

#include <string_view>

#include "api/answer.h"
#include "api/convert.h"
#include "base/text.h"
#include "ops/op.h"
#include "ops/operand_names.h"
#include "ops/part_limits.h"

namespace openqnn::api {
namespace {

// More than any op takes; a count beyond it is a mistake, not a list.
constexpr uint32_t kLongestList = 1 << 16;

Status check_list(const char* what, uint32_t count, const void* list) {
  if (count > kLongestList)
    return invalid("op-config-count", concat(count, " ", what, " are more than any op takes"));
  if (count > 0 && !list)
    return invalid("op-config-null", concat("the list of ", what, " is null but not empty"));
  return {};
}

bool is_native(const Qnn_Tensor_t& tensor) {
  const uint32_t type = number_of(common_fields(tensor).type);
  return type == QNN_TENSOR_TYPE_NATIVE || type == QNN_TENSOR_TYPE_UPDATEABLE_NATIVE;
}

Result<ir::TensorDesc> operand_desc(const Qnn_Tensor_t& tensor, const char* list, uint32_t index) {
  auto desc = to_desc(tensor);
  if (desc && desc->is_sparse() && !is_native(tensor)) desc = ir::sparse_must_be_native();
  if (desc) return desc;
  Diagnostic diagnostic = std::move(desc).error();
  diagnostic.where.object = concat(list, " ", index, " ('", name_of(tensor), "')");
  return diagnostic;
}

}  // namespace

Result<const Qnn_OpConfigV1_t*> check_op_config(const Qnn_OpConfig_t& config) {
  if (number_of(config.version) != QNN_OPCONFIG_VERSION_1)
    return unsupported("op-config-version",
                       concat("op config version ", number_of(config.version), " is not supported; 1 is"));
  const Qnn_OpConfigV1_t& op = config.v1;
  if (!op.name || !op.typeName) return invalid("op-config-name", "the op config has no name or no type name");
  OPENQNN_TRY(check_list("params", op.numOfParams, op.params));
  OPENQNN_TRY(check_list("inputs", op.numOfInputs, op.inputTensors));
  OPENQNN_TRY(check_list("outputs", op.numOfOutputs, op.outputTensors));
  return &op;
}

Outcome<std::shared_ptr<runtime::OpPackage>> package_of(const Qnn_OpConfigV1_t& op,
                                                        const runtime::OpPackages& packages,
                                                        Qnn_ErrorHandle_t code) {
  if (!op.packageName || std::string_view(op.packageName) == kBuiltInPackage)
    return std::shared_ptr<runtime::OpPackage>();
  const std::string where = concat("node '", op.name, "'");
  auto package = packages.find(op.packageName);
  if (!package) {
    const std::string others = packages.names();
    return ApiError(
        code, unsupported("op-package",
                          concat("op package '", op.packageName, "' is not registered; '", kBuiltInPackage,
                                 "'", others.empty() ? " is" : ", ", others, others.empty() ? "" : " are"))
                  .at(where)
                  .fix_by("register it with QnnBackend_registerOpPackage before the context is made"));
  }
  if (!package->offers(op.typeName))
    return ApiError(code, unsupported("op-package-type", concat("op package '", package->name(),
                                                                "' has no op '", op.typeName, "'"))
                              .at(where)
                              .fix_by("name one of its ops, or the package that has this one"));
  return package;
}

namespace {

// As the client calls them.
ops::OperandNames operand_names(const Qnn_OpConfigV1_t& op) {
  const auto of = [](const Qnn_Tensor_t* tensors, uint32_t count) {
    std::vector<std::string_view> names;
    for (uint32_t i = 0; i < count; ++i) {
      const char* const name = is_absent(tensors[i]) ? nullptr : tensors[i].v1.name;
      names.emplace_back(name == nullptr ? "" : name);
    }
    return names;
  };
  return {of(op.inputTensors, op.numOfInputs), of(op.outputTensors, op.numOfOutputs)};
}

}  // namespace

Status validate_built_in(const Qnn_OpConfigV1_t& config, const soc::Target* part) {
  const Qnn_OpConfigV1_t* const op = &config;
  OPENQNN_ASSIGN(const ir::Params params, to_params({op->params, op->numOfParams}));
  std::vector<ir::TensorDesc> descs(size_t{op->numOfInputs} + op->numOfOutputs);
  ops::OpCall call{.node = op->name, .params = &params};
  const auto add = [](std::span<const Qnn_Tensor_t> tensors, const char* list, ir::TensorDesc* described,
                      std::vector<const ir::TensorDesc*>& operands) -> Status {
    for (uint32_t i = 0; i < tensors.size(); ++i) {
      if (!is_absent(tensors[i])) {
        OPENQNN_ASSIGN(described[i], operand_desc(tensors[i], list, i));
      }
      operands.push_back(is_absent(tensors[i]) ? nullptr : &described[i]);
    }
    return {};
  };
  OPENQNN_TRY(add({op->inputTensors, op->numOfInputs}, "input", descs.data(), call.inputs));
  OPENQNN_TRY(
      add({op->outputTensors, op->numOfOutputs}, "output", descs.data() + op->numOfInputs, call.outputs));
  OPENQNN_TRY(ops::with_names(ops::validate(op->typeName, call), operand_names(*op)));
  return part ? ops::check_part(op->typeName, call, *part) : Status();
}

}  // namespace openqnn::api
