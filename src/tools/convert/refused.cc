// SPDX-License-Identifier: BSD-3-Clause
#include <initializer_list>

#include "tools/convert/program.h"

namespace openqnn::tools::convert {
namespace {

using List = std::vector<RefusedOption>;

constexpr std::string_view kNoPackages =
    "ops of packages are registered when a graph is composed (--op_packages of the other tools); a converter "
    "does not load them";
constexpr std::string_view kNoYaml =
    "this file of settings is not read; say the same with options, one for each tensor";
constexpr std::string_view kOnlyOnnx = "only ONNX models are read";
constexpr std::string_view kAnyPart =
    "a .dlc is for every part; the part is chosen when the context binary is made";
constexpr std::string_view kFollowsFloat = "float biases always have the width of --float_bitwidth";

// Of both converters.
const List kConverters = {
    {"--op_package_lib", "-opl", kNoPackages},
    {"--converter_op_package_lib", "-cpl", kNoPackages},
    {"--package_name", "-p", kNoPackages},
    {"--op_package_config", "-opc", kNoPackages},
    {"--float_bias_bitwidth", "--float_bias_bw", kFollowsFloat},
};

List together(std::initializer_list<List> lists) {
  List all;
  for (const List& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace

List refused_by_qnn_onnx_converter() {
  return together(
      {kConverters,
       {{"--keep_quant_nodes", "",
         "the encodings of such nodes are kept instead, and the nodes computed as integers"},
        {"--keep_disconnected_nodes", "", "what no output depends on cannot be seen by anyone"},
        {"--use_native_output_files", "", "outputs are written by qnn-net-run, which has this option"},
        {"--pack_4_bit_weights", "", "4-bit weights are always packed in the context binary"},
        {"--arch_checker", "", "`openqnn check` and --dry_run say what the backend does not take"}}});
}

List refused_by_qairt_converter() {
  return together(
      {kConverters,
       {{"--desired_input_color_encoding", "-e --input_color_encoding",
         "pictures are not converted; pass them as the model takes them"},
        {"--gguf_config", "", kOnlyOnnx},
        {"--tf_summary", "", kOnlyOnnx},
        {"--tf_override_batch", "", kOnlyOnnx},
        {"--tf_disable_optimization", "", kOnlyOnnx},
        {"--tf_show_unconsumed_nodes", "", kOnlyOnnx},
        {"--tf_saved_model_tag", "", kOnlyOnnx},
        {"--tf_saved_model_signature_key", "", kOnlyOnnx},
        {"--tf_validate_models", "", kOnlyOnnx},
        {"--tflite_signature_name", "", kOnlyOnnx},
        {"--dump_exported_onnx", "", "the model that is converted is the ONNX file that was given"},
        {"--lora_weight_list", "", "adapters are not converted"},
        {"--quant_updatable_mode", "", "adapters are not converted"},
        {"--onnx_validate_models", "", "`openqnn compare` measures the converted model layer by layer"},
        {"--onnx_perform_sequence_construct_optimizer", "", "sequences that can be computed need no help"},
        {"--remove_unused_inputs", "",
         "every input of the model stays one, so that clients pass what the model states; take it out of the "
         "ONNX file"},
        {"--target_soc_model", "", kAnyPart}}});
}

List refused_by_qairt_quantizer() {
  return {{"--float_bias_bitwidth", "--float_bias_bw", kFollowsFloat},
          {"--enable_per_row_quantized_bias", "", "32-bit biases always have the scale of their own row"},
          {"--use_native_output_files", "", "outputs are written by qnn-net-run, which has this option"},
          {"--keep_weights_quantized", "",
           "weights of ops that stay float stay float, which is what they are computed in"},
          {"--adjust_bias_encoding", "",
           "with --bias_bitwidth 32 biases count products and cannot overflow their range"},
          {"--use_aimet_quantizer", "",
           "AIMET is not part of this; give its encodings to --quantization_overrides"},
          {"--config", "-c", kNoYaml},
          {"--op_package_lib", "-opl", kNoPackages},
          {"--export_stripped_dlc", "", "weights are needed to make the context binary"},
          {"--target_soc_model", "", kAnyPart}};
}

}  // namespace openqnn::tools::convert
