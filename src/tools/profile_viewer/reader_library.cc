// SPDX-License-Identifier: BSD-3-Clause
#include "tools/profile_viewer/reader_library.h"

#include <dlfcn.h>

#include <algorithm>

#include "base/text.h"
#include "tools/args.h"
#include "tools/backend_library.h"

namespace openqnn::tools {
namespace {

constexpr const char* kRemedy =
    "name libQnnHtpProfilingReader.so, libQnnChrometraceProfilingReader.so or "
    "libQnnHtpOptraceProfilingReader.so "
    "alone to use the one beside this program, or leave --reader out; the vendor's libraries will not do";

const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

// What a library says while it reads.
struct Heard {
  const ReaderRequest& request;
  std::string error;

  static int32_t print(void* listener, const char* text, uint64_t length) {
    return static_cast<Heard*>(listener)->request.print({text, length}) ? 0 : 1;
  }
  static void tell(void* listener, QnnLog_Level_t level, const char* line) {
    Heard& heard = *static_cast<Heard*>(listener);
    if (level == QNN_LOG_LEVEL_ERROR)
      heard.error = line;
    else
      heard.request.tell(level, line);
  }
};

}  // namespace

ReaderLibrary::~ReaderLibrary() {
  if (library_ != nullptr) dlclose(library_);
}

Result<std::unique_ptr<ReaderLibrary>> ReaderLibrary::open(const std::string& given) {
  std::unique_ptr<ReaderLibrary> reader(new ReaderLibrary);
  reader->path_ = given;
  if (given.find('/') == given.npos)
    if (const auto found = find_library(given)) reader->path_ = found->string();
  reader->library_ = dlopen(reader->path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (reader->library_ == nullptr)
    return system_failure("reader-library", "no such reader library opens")
        .at(reader->path_)
        .note(loader_reason())
        .fix_by(kRemedy);
  const auto entry = reinterpret_cast<OpenQnnProfileReader_GetInterfaceFn_t>(
      dlsym(reader->library_, OPENQNN_PROFILE_READER_ENTRY));
  if (entry == nullptr)
    return invalid("reader-symbol", concat("the library has no ", OPENQNN_PROFILE_READER_ENTRY,
                                           ", so it is no reader library of openqnn"))
        .at(reader->path_)
        .fix_by(kRemedy);
  reader->interface_ = entry(OPENQNN_PROFILE_READER_VERSION);
  if (reader->interface_ != nullptr && reader->interface_->version == OPENQNN_PROFILE_READER_VERSION)
    return reader;
  return unsupported("reader-version",
                     concat("the library does not know version ", OPENQNN_PROFILE_READER_VERSION,
                            " of the interface, which this program speaks"))
      .at(reader->path_)
      .fix_by("use the library of this program's release");
}

bool ReaderLibrary::takes(std::string_view option) const { return is_among(option, interface_->options); }

Status ReaderLibrary::read(const ReaderRequest& request) const {
  Heard heard{request, ""};
  std::vector<const char*> logs;
  for (const std::string& log : request.logs) logs.push_back(log.c_str());
  logs.push_back(nullptr);
  const OpenQnnProfileReader_Request_t asked = {logs.data(),
                                                or_null(request.output),
                                                or_null(request.schematic),
                                                or_null(request.dlc),
                                                or_null(request.config),
                                                or_null(request.zoom_start),
                                                or_null(request.zoom_end),
                                                request.gzip ? 1U : 0U,
                                                Heard::print,
                                                Heard::tell,
                                                &heard};
  const int32_t code = interface_->read(&asked);
  if (code == 0) return {};
  return invalid(code == 2 ? "option-reader" : "reader-failed",
                 heard.error.empty() ? concat(path_, " failed and gives no reason") : heard.error);
}

}  // namespace openqnn::tools
