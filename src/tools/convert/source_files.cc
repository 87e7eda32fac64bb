// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/source_files.h"

#include "base/files.h"
#include "base/text.h"
#include "tools/console.h"
#include "tools/convert/half.h"
#include "tools/convert/model_source.h"
#include "tools/convert/product.h"
#include "tools/convert/program.h"

namespace openqnn::tools::convert {
namespace {

namespace fs = std::filesystem;

fs::path with(const fs::path& base, const char* ending) {
  fs::path path = base;
  path += ending;
  return path;
}

// Files that this run made, taken away again unless all went well.
class Made {
 public:
  explicit Made(const fs::path& path)
      : path_(path), verb_(written_verb(path)), was_there_(fs::exists(path, ignored_)) {}
  ~Made() {
    if (!kept_ && !was_there_) fs::remove(path_, ignored_);
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  const fs::path& path() const { return path_; }
  std::string_view verb() const { return verb_; }
  void keep() { kept_ = true; }

 private:
  std::error_code ignored_;
  fs::path path_;
  std::string_view verb_;
  bool was_there_;
  bool kept_ = false;
};

}  // namespace

std::vector<fs::path> source_files(const fs::path& base) {
  return {with(base, ".cpp"), with(base, ".bin"), with(base, "_net.json")};
}

Status write_sources(const SourceSettings& settings, const ConversionSettings& conversion, FloatModel model) {
  if (!model.graph.encodings.empty()) {
    warn(concat("a source has no place for encodings of tensors that stay float, and ",
                model.graph.encodings.size(),
                " are left out; --float_fallback quantizes by them, --export_format dlc keeps them"));
    model.graph.encodings.clear();
  }
  if (conversion.half) {
    OPENQNN_ASSIGN(model.graph.graph, in_half(model.graph.graph, conversion.keep_io_types));
  }
  const ir::Graph& graph = model.graph.graph;
  const SourceNames names = source_names(graph, settings.numbered_tensors);
  const SourceTexts texts = {settings.prefix, concat(program_name(), " of ", maker()), command_line(),
                             conversion.copyright};
  OPENQNN_ASSIGN(const std::string description,
                 net_json(settings.base.filename().string(), graph, names, texts));
  const std::vector<fs::path> files = source_files(settings.base);
  Made source(files[0]);
  Made bin(files[1]);
  Made json(files[2]);
  OPENQNN_TRY(write_model_bin(bin.path(), graph, names));
  OPENQNN_TRY(write_file(json.path(), description));
  OPENQNN_TRY(write_file(source.path(), model_source(model.graph, names, texts)));
  for (Made* const made : {&bin, &source, &json}) made->keep();
  tell_written(source.verb(), source.path(), model.graph);
  for (const Made* const made : {&bin, &json})
    print(concat(made->verb(), " ", shown(made->path().string()), "\n"));
  tell_io(graph, model.layouts);
  return {};
}

}  // namespace openqnn::tools::convert
