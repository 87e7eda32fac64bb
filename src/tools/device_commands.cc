// SPDX-License-Identifier: BSD-3-Clause
#include "tools/device_commands.h"

#include <vector>

#include "base/text.h"
#include "json/json.h"
#include "soc/part_name.h"
#include "tools/console.h"
#include "tools/model_job.h"

namespace openqnn::tools {
namespace {

constexpr std::string_view kExampleList = "input_list.txt";
constexpr std::string_view kNative = "--use_native_input_files";

// NAME=VALUE as the two words that the converter takes.
std::string two_words(const std::string& option, const std::string& pair) {
  const auto [name, value] = name_and_value(pair);
  return concat(" ", option, " ", shell_word(name), " ", shell_word(value));
}

std::string shape_flags(const Args& args) {
  std::string flags;
  for (const std::string& given : args.all("--input_dim"))
    flags += two_words("--source_model_input_shape", given);
  for (const std::string& given : args.all("--define_symbol"))
    flags += two_words("--onnx_define_symbol", given);
  if (args.has("--batch")) flags += concat(" --onnx_override_batch ", args.get("--batch"));
  return flags;
}

class Commands {
 public:
  explicit Commands(const DeviceJob& job)
      : job_(job),
        list_(shell_word(job.args.get("--input_list", job.made_list.empty() || !job.made_inputs.empty()
                                                          ? std::string(kExampleList)
                                                          : job.made_list))) {}

  std::string all() {
    // No flag of the vendor's converter does that.
    for (const std::string& fixed : job_.args.all("--fix_input"))
      add(concat("# the converter fixes no inputs: first make '", name_and_value(fixed).first,
                 "' a constant in the model"));
    if (!job_.args.has("--input_list") && job_.made_list.empty())
      add(concat("# ", kExampleList, ": one inference a line, as of --input_list"));
    if (!job_.args.has("--input_list") && !job_.made_inputs.empty()) bring_inputs_here();
    const std::string config = shell_word(config_file());
    add(concat("qnn-context-binary-generator --dlc_path ", shell_word(model()),
               " --backend libQnnHtp.so --binary_file ", shell_word(job_.stem), " --config_file ", config));
    add(concat("qnn-net-run --retrieve_context ", shell_word("output/" + job_.stem + ".bin"),
               " --backend libQnnHtp.so --input_list ", list_, native_inputs(), " --config_file ", config));
    return std::move(text_);
  }

 private:
  // Where a list's paths begin beside it, the programs find them if they run beside it.
  void bring_inputs_here() {
    add(concat("cp -r ", shell_word(job_.made_inputs), " ", shell_word(job_.made_list), " ."));
  }

  void add(const std::string& line) { text_ += concat("  ", shown(line), "\n"); }

  void write(const std::string& path, const std::string& json) {
    add(concat("printf '%s\\n' ", shell_word(json), " > ", shell_word(path)));
  }

  std::string devices() const {
    const std::string model =
        job_.target.soc_model != 0 ? concat("\"soc_model\": ", job_.target.soc_model, ", ") : "";
    return concat("\"devices\": [{", model, "\"dsp_arch\": \"v", job_.target.arch, "\"}]");
  }

  // The outer file, which names the backend's own, which names the part.
  std::string config_file() {
    std::string own = job_.args.get("--config");
    if (!own.empty() && !job_.config_names_part)
      add(concat("# in the backend's own file, ",
                 job_.config_is_outer ? "which backend_extensions.config_file_path names, " : "", "set ",
                 devices(), ": this run was for ", part_name(job_.target)));
    if (job_.config_is_outer) return own;
    if (own.empty()) {
      own = job_.stem + "_htp.json";
      write(own, concat("{", devices(), "}"));
    }
    std::string outer = job_.stem + "_config.json";
    write(outer,
          concat("{\"backend_extensions\": {\"shared_library_path\": \"libQnnHtpNetRunExtensions.so\", ",
                 "\"config_file_path\": ", json::quoted(own), "}}"));
    return outer;
  }

  // The .dlc to compile, made or as it is there.
  std::string model() {
    if (!job_.candidate.file.empty()) return job_.candidate.file.string();
    std::string float_model = job_.stem + ".dlc";
    const std::string overrides = job_.args.get("--quantization_overrides");
    add(concat("qairt-converter --input_network ", shell_word(job_.args.positional(0)),
               shape_flags(job_.args),
               overrides.empty() ? "" : concat(" --quantization_overrides ", shell_word(overrides)),
               " --output_path ", shell_word(float_model)));
    if (job_.candidate.precision.floating) return float_model;
    std::string made = job_.stem + "_quantized.dlc";
    add(concat("qairt-quantizer --input_dlc ", shell_word(float_model), " --input_list ", list_,
               job_.integer_inputs.empty() ? "" : concat(" ", kNative), " --output_dlc ", shell_word(made),
               quantizer_flags()));
    return made;
  }

  // To the runner, inputs of reals are float32: by itself it would read them in the types of integers that
  // stand for them.
  std::string native_inputs() const {
    if (job_.integer_inputs.empty()) return "";
    if (!job_.has_other_inputs) return concat(" ", kNative);
    return concat(" --native_input_tensor_names ", shell_word(concat(job_.graph, ":", joined_names())));
  }

  std::string joined_names() const {
    std::string names;
    for (const std::string& name : job_.integer_inputs) names += concat(names.empty() ? "" : ",", name);
    return names;
  }

  std::string quantizer_flags() const {
    std::string flags;
    if (job_.candidate.quantizer) {
      for (const auto& [option, value] : given_quantizer_options(job_.args))
        flags += concat(" ", option, value.empty() ? "" : concat(" ", shell_word(value)));
      return flags;
    }
    const quant::Options& options = job_.candidate.precision.options;
    return concat(" --act_bitwidth ", options.activation_bits, " --weights_bitwidth ", options.weight_bits,
                  " --bias_bitwidth 32 --use_per_channel_quantization --use_per_row_quantization"
                  " --param_quantizer_schema symmetric");
  }

  const DeviceJob& job_;
  const std::string list_;
  std::string text_;
};

}  // namespace

std::string device_commands(const DeviceJob& job) { return Commands(job).all(); }

}  // namespace openqnn::tools
