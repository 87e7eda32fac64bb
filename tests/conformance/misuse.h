// SPDX-License-Identifier: BSD-3-Clause
// One table of everything that can be wrong with the arguments of every function: handles and pointers, each
// with the code that a bad one gets. misuse_core.cc and misuse_system.cc hold the rows, misuse_test.cc runs
// them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client.h"
#include "samples.h"
#include "shared_memory.h"

namespace conformance {

// What a handle can stand for; also ids and pointers that a library hands out and knows again.
enum class HandleKind {
  kLog,
  kBackend,
  kDevice,
  kContext,
  kGraph,
  kProfile,
  kProfileEvent,
  kMemory,
  kSignal,
  kPlatformInfo,
  kVerboseMessage,
  kSystemLog,
  kSystemContext,
  kSerializationTarget,
  kSystemDlc,
};
using Handles = std::map<HandleKind, void*>;
std::string name_of(HandleKind kind);

// A slot of a function table: its place, and a call with nothing but zeros and nulls.
template <class Table>
struct Slot {
  const char* name;
  size_t index;
  Qnn_ErrorHandle_t (*with_zeros)(const Table&);
};

template <class... Parameters>
Qnn_ErrorHandle_t call_with_zeros(Qnn_ErrorHandle_t (*function)(Parameters...)) {
  return function(Parameters{}...);
}

#define CONFORMANCE_SLOT(Table, field)                                  \
  Slot<Table> {                                                         \
#field, offsetof(Table, field) / sizeof(void*),                     \
        [](const Table& table) { return call_with_zeros(table.field); } \
  }

// One argument that can be wrong.
struct Argument {
  std::string name;
  std::optional<HandleKind> kind;              // none: a pointer, which is only ever null
  std::optional<Qnn_ErrorHandle_t> when_null;  // none: may be null
  Qnn_ErrorHandle_t when_bad = QNN_SUCCESS;    // of a handle
  void* good = nullptr;
};

// A handle that must be there.
inline Argument required(HandleKind kind, Qnn_ErrorHandle_t code, const Handles& live) {
  return {name_of(kind), kind, code, code, live.at(kind)};
}
// One that may be null.
inline Argument optional(HandleKind kind, Qnn_ErrorHandle_t code, const Handles& live) {
  return {name_of(kind), kind, std::nullopt, code, live.at(kind)};
}
// One that is null in good calls.
inline Argument absent(HandleKind kind, Qnn_ErrorHandle_t code) {
  return {name_of(kind), kind, std::nullopt, code, nullptr};
}
inline Argument pointer(const char* name, Qnn_ErrorHandle_t code, const void* good) {
  return {name, std::nullopt, code, QNN_SUCCESS, const_cast<void*>(good)};
}

// Arguments of a call; each turns into whatever pointer the function takes.
class Arguments {
 public:
  struct Any {
    void* value;
    template <class T>
    operator T*() const {  // NOLINT: stands for a pointer in every call
      return static_cast<T*>(value);
    }
  };
  explicit Arguments(std::vector<void*> values) : values_(std::move(values)) {}
  Any operator[](size_t index) const { return {values_.at(index)}; }

 private:
  std::vector<void*> values_;
};

// A function: its slot, the arguments that can be wrong, and a call with these and other arguments that are
// good.
template <class Objects>
struct Row {
  Slot<typename Objects::Table> slot;
  std::vector<Argument> arguments;
  Qnn_ErrorHandle_t (*call)(Objects&, const Arguments&);
};

// Where calls put their answers. A refused call leaves it alone.
struct Answers {
  static constexpr std::byte kUntouched{0xA5};
  alignas(std::max_align_t) std::array<std::byte, 256> bytes;

  Answers() { bytes.fill(kUntouched); }
  bool untouched() const {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == kUntouched; });
  }
};

// One live object of each kind that the backend library has, and what calls need beside them.
class CoreObjects {
 public:
  using Table = Api;
  explicit CoreObjects(const Api& table);
  CoreObjects(const CoreObjects&) = delete;
  CoreObjects& operator=(const CoreObjects&) = delete;

  Handles live() const;

  const Api& api;
  Owned log, backend, device, context, profile, signal;
  Sample sample;
  Graph graph;
  IoTensors io;
  MemoryFile file;
  Descriptor descriptor;
  Owned memory, platform_info, message;
  Bytes binary;
  QnnProfile_EventId_t event = 0;
  Answers answers;
};

// The same of the System library.
class SystemObjects {
 public:
  using Table = SystemApi;
  // With a context binary to look into, and a folder for a profile log.
  SystemObjects(const SystemApi& table, Bytes context_binary, std::string log_folder);
  SystemObjects(const SystemObjects&) = delete;
  SystemObjects& operator=(const SystemObjects&) = delete;

  Handles live() const;

  const SystemApi& api;
  Bytes binary;
  Bytes dlc_file;
  std::string folder;
  Owned log, context, target, dlc;
  Answers answers;
};

// The rows of every function that is offered; what is good in them belongs to the objects.
std::vector<Row<CoreObjects>> rows_of(CoreObjects& all);
std::vector<Row<SystemObjects>> rows_of(SystemObjects& all);
// The functions that are not. One that becomes offered gets a row instead.
std::vector<Slot<Api>> core_slots_not_offered();
std::vector<Slot<SystemApi>> system_slots_not_offered();

// Calls a row with one argument replaced.
template <class Objects>
Qnn_ErrorHandle_t call_with(Objects& all, const Row<Objects>& row, size_t replaced, void* value) {
  std::vector<void*> values;
  for (const Argument& argument : row.arguments) values.push_back(argument.good);
  values[replaced] = value;
  return row.call(all, Arguments(std::move(values)));
}

// Expects that every function which takes a handle of this kind refuses `bad` with the code of its row.
template <class Objects>
void expect_refused(Objects& all, HandleKind kind, void* bad, const std::string& what) {
  for (const Row<Objects>& row : rows_of(all))
    for (size_t i = 0; i < row.arguments.size(); ++i) {
      const Argument& argument = row.arguments[i];
      if (argument.kind != kind) continue;
      EXPECT_EQ(call_with(all, row, i, bad), argument.when_bad)
          << row.slot.name << " with " << what << " for the " << argument.name;
      EXPECT_TRUE(all.answers.untouched()) << row.slot.name << " wrote an answer";
    }
}

}  // namespace conformance
