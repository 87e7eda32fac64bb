// SPDX-License-Identifier: BSD-3-Clause
// The one function of a reader library, and the way from C to its reader.
#include <exception>

#include "tools/console.h"
#include "tools/profile_viewer/request.h"

namespace openqnn::tools {
namespace {

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

ReaderRequest request_of(const OpenQnnProfileReader_Request_t& from) {
  ReaderRequest request;
  for (const char* const* log = from.logs; *log != nullptr; ++log) request.logs.emplace_back(*log);
  request.output = text_of(from.output);
  request.schematic = text_of(from.schematic);
  request.dlc = text_of(from.dlc);
  request.config = text_of(from.config);
  request.zoom_start = text_of(from.zoomStart);
  request.zoom_end = text_of(from.zoomEnd);
  request.gzip = from.gzip != 0;
  request.print = [&from](std::string_view text) -> Status {
    if (from.print(from.listener, text.data(), text.size()) == 0) return {};
    return system_failure("reader-print", "the text cannot be printed");
  };
  request.tell = [&from](QnnLog_Level_t level, const std::string& line) {
    from.tell(from.listener, level, line.c_str());
  };
  return request;
}

// Nothing is thrown to C.
int32_t read(const OpenQnnProfileReader_Request_t* from) noexcept try {
  const ReaderRequest request = request_of(*from);
  const Status status = this_reader().read(request);
  if (status) return 0;
  request.tell(QNN_LOG_LEVEL_ERROR, status.error().sentence());
  return std::string_view(status.error().code).starts_with("option-") ? 2 : 1;
} catch (const std::exception& thrown) {
  from->tell(from->listener, QNN_LOG_LEVEL_ERROR, thrown.what());
  return 1;
} catch (...) {
  from->tell(from->listener, QNN_LOG_LEVEL_ERROR, "the reader failed for no reason that it gives");
  return 1;
}

}  // namespace
}  // namespace openqnn::tools

const OpenQnnProfileReader_Interface_t* OpenQnnProfileReader_getInterface(uint32_t version) {
  using namespace openqnn::tools;  // NOLINT: the C function has no namespace
  static const OpenQnnProfileReader_Interface_t interface = {
      OPENQNN_PROFILE_READER_VERSION, this_reader().description.data(), this_reader().options, read};
  return version == OPENQNN_PROFILE_READER_VERSION ? &interface : nullptr;
}
