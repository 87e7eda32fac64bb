// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/profile_log.h"

#include "api/cxx/impl.h"
#include "base/text.h"
#include "profile/log.h"

namespace openqnn {
namespace {

class AsLines : public profile::LogVisitor {
 public:
  explicit AsLines(const std::function<void(const std::string&)>& take) : take_(take) {}

  Status on_session(size_t session, const profile::LogHead& head) override {
    return hand_over(profile::session_json_line(head, session));
  }
  Status on_record(size_t session, profile::LogRecord record) override {
    return hand_over(profile::record_json_line(record, session));
  }
  Status on_left_out(size_t session, uint64_t count) override {
    return hand_over(concat(R"({"kind": "left_out", "session": )", session, R"(, "count": )", count, "}"));
  }

 private:
  Status hand_over(std::string line) {
    while (line.ends_with('\n')) line.pop_back();
    take_(line);
    return {};
  }
  const std::function<void(const std::string&)>& take_;
};

}  // namespace

Expected<ProfileLogExtent> read_profile_log(const std::filesystem::path& path,
                                            const std::function<void(const std::string&)>& take) {
  const auto file = MappedFile::open(path);
  if (!file) return to_error(file.error(), path.string());
  AsLines lines(take);
  const auto extent = profile::visit_profile_log(
      (*file)->bytes(), lines, [&](std::span<const std::byte> part) { (*file)->release(part); });
  if (!extent) return to_error(extent.error(), path.string());
  return ProfileLogExtent{extent->format_major, extent->format_minor, extent->cut_at};
}

}  // namespace openqnn
