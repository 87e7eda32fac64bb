// SPDX-License-Identifier: BSD-3-Clause
// Every function of both tables with every handle and pointer that it takes, wrong in every way: null, made
// up, freed, of another kind. Which code is right stands in the rows (misuse_core.cc, misuse_system.cc).
#include "misuse.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <set>

namespace conformance {
namespace {

namespace fs = std::filesystem;

// A folder for the profile logs of a test.
class Folder {
 public:
  Folder() : path_((fs::temp_directory_path() / "openqnn-misuse-XXXXXX").string()) {
    if (!mkdtemp(path_.data())) throw std::runtime_error("no folder " + path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Both libraries with one object of each kind.
struct Misuse : ::testing::Test {
  BackendLibrary backend;
  SystemLibrary system;
  Folder folder;
  CoreObjects core{backend.api()};
  SystemObjects of_system{system.api(), core.binary, folder.path()};

  // Runs the test on both.
  template <class Body>
  void on_both(Body&& body) {
    body(core);
    body(of_system);
  }

  void TearDown() override {
    EXPECT_EQ(core.graph.run(core.sample.inputs).size(), 1U) << "nothing was harmed";
  }
};

std::vector<Slot<Api>> slots_not_offered(const CoreObjects&) { return core_slots_not_offered(); }
std::vector<Slot<SystemApi>> slots_not_offered(const SystemObjects&) { return system_slots_not_offered(); }

// How many slots of a table have a public name; behind them lie reserved ones (unsupported_test.cc).
constexpr size_t named_slots(const CoreObjects&) { return sizeof(Api) / sizeof(void*); }
constexpr size_t named_slots(const SystemObjects&) {
  return offsetof(SystemApi, systemDlcGetComposableGraphInfoHandles) / sizeof(void*);
}

// feature: B1 (C API)
TEST_F(Misuse, EveryFunctionHasARow) {
  on_both([](auto& all) {
    std::set<size_t> covered;
    for (const auto& row : rows_of(all)) EXPECT_TRUE(covered.insert(row.slot.index).second) << row.slot.name;
    for (const auto& slot : slots_not_offered(all))
      EXPECT_TRUE(covered.insert(slot.index).second) << slot.name;
    for (size_t index = 0; index < named_slots(all); ++index)
      EXPECT_EQ(covered.count(index), 1U) << "slot " << index << " of the table has no row";
    EXPECT_EQ(covered.size(), named_slots(all));
  });
}

// feature: B1 (C API)
TEST_F(Misuse, NothingButZeros) {
  on_both([](auto& all) {
    for (const auto& row : rows_of(all)) {
      const Qnn_ErrorHandle_t answer = row.slot.with_zeros(all.api);
      EXPECT_NE(answer, QNN_SUCCESS) << row.slot.name;
      EXPECT_EQ(answer, QNN_GET_ERROR_CODE(answer)) << row.slot.name;
    }
    for (const auto& slot : slots_not_offered(all))
      EXPECT_EQ(slot.with_zeros(all.api), Qnn_ErrorHandle_t{QNN_COMMON_ERROR_NOT_SUPPORTED})
          << slot.name << " is offered: give it a row";
  });
}

// feature: B1 (C API)
TEST_F(Misuse, NullHandlesAndPointers) {
  on_both([](auto& all) {
    for (const auto& row : rows_of(all))
      for (size_t i = 0; i < row.arguments.size(); ++i) {
        const Argument& argument = row.arguments[i];
        if (!argument.when_null) continue;
        EXPECT_EQ(call_with(all, row, i, nullptr), *argument.when_null)
            << row.slot.name << " with a null " << argument.name;
        EXPECT_TRUE(all.answers.untouched()) << row.slot.name << " wrote an answer";
      }
  });
}

// feature: B1 (C API)
TEST_F(Misuse, MadeUpHandles) {
  int on_the_stack = 0;
  on_both([&](auto& all) {
    for (const auto& [kind, live] : all.live()) {
      for (const uint64_t number :
           {uint64_t{1}, uint64_t{0xDEADBEEF}, uint64_t{0x7FFFFFFFFFFFFFFF}, ~uint64_t{0}})
        expect_refused(all, kind, reinterpret_cast<void*>(number), "number " + std::to_string(number));
      expect_refused(all, kind, &on_the_stack, "an address");
    }
  });
}

// feature: B1 (C API)
TEST_F(Misuse, HandlesOfAnotherKind) {
  on_both([](auto& all) {
    const Handles live = all.live();
    for (const auto& [kind, own] : live)
      for (const auto& [other, foreign] : live)
        if (kind != other) expect_refused(all, kind, foreign, "a " + name_of(other));
  });
}

// The two libraries are two: a log of the one is none of the other.
// feature: B1 (C API)
TEST_F(Misuse, HandlesOfTheOtherLibrary) {
  for (const auto& [kind, own] : core.live())
    for (const auto& [other, foreign] : of_system.live())
      expect_refused(core, kind, foreign, "the other library's " + name_of(other));
  for (const auto& [kind, own] : of_system.live())
    for (const auto& [other, foreign] : core.live())
      expect_refused(of_system, kind, foreign, "the other library's " + name_of(other));
}

// feature: B1 (C API)
TEST_F(Misuse, EveryFlippedBit) {
  on_both([](auto& all) {
    for (const auto& [kind, live] : all.live())
      for (int bit = 0; bit < 64; ++bit) {
        const auto number = reinterpret_cast<uintptr_t>(live) ^ (uintptr_t{1} << bit);
        // An event's neighbours in the same profile have neighbouring numbers.
        if (kind == HandleKind::kProfileEvent && bit < 8) continue;
        expect_refused(all, kind, reinterpret_cast<void*>(number), "bit " + std::to_string(bit) + " flipped");
      }
  });
}

// feature: B1 (C API)
TEST_F(Misuse, FreedHandles) {
  Handles freed;
  {
    const CoreObjects gone(backend.api());
    freed = gone.live();
  }
  for (const auto& [kind, handle] : freed) expect_refused(core, kind, handle, "a freed one");
  const CoreObjects in_their_places(backend.api());
  // Addresses come back; a handle does not.
  freed.erase(HandleKind::kPlatformInfo);
  freed.erase(HandleKind::kVerboseMessage);
  for (const auto& [kind, handle] : freed)
    expect_refused(core, kind, handle, "a freed one whose place is taken");
}

// feature: B1 (C API)
TEST_F(Misuse, FreedHandlesOfTheSystemLibrary) {
  Handles freed;
  {
    const SystemObjects gone(system.api(), core.binary, folder.path());
    freed = gone.live();
  }
  for (const auto& [kind, handle] : freed) expect_refused(of_system, kind, handle, "a freed one");
  const SystemObjects in_their_places(system.api(), core.binary, folder.path());
  for (const auto& [kind, handle] : freed)
    expect_refused(of_system, kind, handle, "a freed one whose place is taken");
}

}  // namespace
}  // namespace conformance
