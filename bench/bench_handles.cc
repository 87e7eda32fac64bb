// SPDX-License-Identifier: BSD-3-Clause
// What looking up a handle costs on every execute.
#include <memory>
#include <shared_mutex>
#include <thread>
#include <unordered_map>

#include "protocol.h"
#include "runtime/handles.h"

namespace {

class Thing : public openqnn::runtime::Object {
 public:
  static constexpr openqnn::runtime::Kind kKind = openqnn::runtime::Kind::kGraph;
};

// The usual way: a map of shared pointers behind a reader-writer lock.
class LockedMap {
 public:
  void insert(void* key) { things_.emplace(key, std::make_shared<Thing>()); }
  std::shared_ptr<Thing> find(void* key) {
    const std::shared_lock lock(mutex_);
    const auto found = things_.find(key);
    return found == things_.end() ? nullptr : found->second;
  }

 private:
  std::shared_mutex mutex_;
  std::unordered_map<void*, std::shared_ptr<Thing>> things_;
};

template <class Body>
void on_two_threads(Body&& body) {
  std::thread other(body);
  body();
  other.join();
}

}  // namespace

int main(int argc, char** argv) {
  openqnn::bench::Area area("handles", argc, argv);
  openqnn::runtime::HandleTable table;
  LockedMap map;
  void* handle = nullptr;
  for (int i = 0; i < 100; ++i) {
    handle = table.insert(Thing::kKind, std::make_unique<Thing>());
    map.insert(handle);
  }
  volatile uint64_t found = 0;
  const auto ours = [&](uint64_t repeats) {
    uint64_t hits = 0;
    for (uint64_t i = 0; i < repeats; ++i) hits += static_cast<bool>(table.acquire<Thing>(handle));
    found = hits;
  };
  const auto theirs = [&](uint64_t repeats) {
    uint64_t hits = 0;
    for (uint64_t i = 0; i < repeats; ++i) hits += map.find(handle) != nullptr;
    found = hits;
  };
  area.compare("lookup, 1 thread", "shared_mutex + unordered_map", ours, theirs);
  area.compare(
      "lookup, 2 threads, one handle", "shared_mutex + unordered_map",
      [&](uint64_t repeats) { on_two_threads([&] { ours(repeats); }); },
      [&](uint64_t repeats) { on_two_threads([&] { theirs(repeats); }); });
  return area.finish();
}
