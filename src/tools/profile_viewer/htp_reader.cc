// SPDX-License-Identifier: BSD-3-Clause
// libQnnHtpProfilingReader.so: every run as text, and their average.
#include "tools/profile_viewer/request.h"

namespace openqnn::tools {
namespace {

Status print_runs(const ReaderRequest& request, const profile::Print& print) {
  LabelledText text(print, profile::HtpText::Runs::kEach);
  OPENQNN_TRY(visit_logs(request, text));
  return text.finish();
}

Status read(const ReaderRequest& request) {
  if (request.output.empty()) return print_runs(request, request.print);
  return write_output(request, request.output,
                      [&](const profile::Print& print) { return print_runs(request, print); });
}

}  // namespace

Reader this_reader() { return {"every run as text, and their average", "--output --gzip", read}; }

}  // namespace openqnn::tools
