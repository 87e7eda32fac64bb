// SPDX-License-Identifier: BSD-3-Clause
// qnn-model-lib-generator: NAME.cpp and NAME.bin become libNAME.so.
#include "base/text.h"
#include "tools/console.h"
#include "tools/convert/program.h"
#include "tools/model_lib/build.h"

namespace openqnn::tools::model_lib {
namespace {

namespace fs = std::filesystem;
using convert::one;

std::vector<OptionSpec> options() {
  return {
      one("--cpp", "FILE", "the source that a converter wrote", "-c"),
      one("--bin", "FILE", "the values of constants, which the converter wrote beside it", "-b"),
      one("--lib_targets", "TARGETS", "x86_64-linux-clang (default), which is what can be built here", "-t"),
      one("--lib_name", "NAME", "of the library (default: that of the .bin, else qnn_model)", "-l"),
      one("--output_dir", "DIR", "where x86_64-linux-clang/libNAME.so is put (default: this folder)", "-o"),
  };
}

Status check_targets(const std::string& targets) {
  for (const std::string_view target : split(targets, " ")) {
    if (target == kTarget || target.empty()) continue;
    return unsupported("option-value", concat("there is no compiler and no backend for '", target, "' here"))
        .at("-t, --lib_targets")
        .fix_by(
            concat("leave it out or give ", kTarget,
                   "; for a device, compile the source with that target's toolchain and the SDK's headers"));
  }
  return {};
}

// The name goes into a file name: one without folders.
Status check_name(const std::string& name) {
  if (!name.empty() && name.find('/') == std::string::npos) return {};
  return wrong_option("-l, --lib_name", concat("'", name, "' is no name for a library"))
      .fix_by("give a name without folders; it becomes lib<name>.so");
}

Result<int> run(const Args& args) {
  if (!args.has("--cpp")) return invalid("option-missing", "no source is given").fix_by("-c FILE.cpp");
  OPENQNN_TRY(check_targets(args.get("--lib_targets", kTarget)));
  BuildRequest request;
  request.source = args.get("--cpp");
  request.bin = args.get("--bin");
  request.output = args.get("--output_dir", ".");
  request.name = args.get("--lib_name", args.has("--bin") ? request.bin.stem().string() : "qnn_model");
  OPENQNN_TRY(check_name(request.name));
  OPENQNN_ASSIGN(const BuiltLibrary built, build_library(request));
  print(concat(built.verb, " ", shown(built.path.lexically_normal().string()), "\n"));
  return kOk;
}

}  // namespace
}  // namespace openqnn::tools::model_lib

namespace openqnn::tools::convert {

Program this_program() {
  return {
      .spec = {.name = "qnn-model-lib-generator",
               .summary = "Build a model library",
               .details = R"(
Compiles the source that qnn-onnx-converter wrote, with the compiler that CXX names, or
clang++ or g++, and links the .bin into the library. Without -b a library is built that
cannot compose a model with constants.)",
               .options = model_lib::options(),
               .examples = {"qnn-model-lib-generator -c model.cpp -b model.bin -o libs",
                            "qnn-net-run --backend libQnnHtp.so --model libs/x86_64-linux-clang/libmodel.so "
                            "--input_list inputs.txt"},
               .usage = "qnn-model-lib-generator --cpp FILE [--bin FILE] [--lib_name NAME] [--output_dir "
                        "DIR] [OPTION]..."},
      .refused = {},
      .run = model_lib::run};
}

}  // namespace openqnn::tools::convert
