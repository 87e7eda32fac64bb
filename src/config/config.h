// SPDX-License-Identifier: BSD-3-Clause
// A configuration: the JSON tree as it was read or built, each known key marked with its option. The tree is
// the store, so nothing is lost or added on a round trip; the tables say what it means.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/option.h"
#include "json/json.h"

namespace openqnn::config {

// Where a record stands: "devices[0].cores[1]". Cheap to copy.
class Path {
 public:
  static constexpr int32_t kAlone = -1;  // an object that does not stand in a list
  Path child(const OptionDef& option, int32_t index = kAlone) const;
  std::string to_string() const;
  std::string to_string(std::string_view key) const;  // with one more step

 private:
  struct Step {
    const OptionDef* option;
    int32_t index;
  };
  std::array<Step, 3> steps_ = {};
  uint8_t count_ = 0;
};

// An optional value and where it was written.
template <class T>
struct Option {
  std::optional<T> value;
  const json::Member* member = nullptr;  // null when the option is not set

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const& { return *value; }
  T operator*() && { return *std::move(value); }  // by value: `for (… : *record.texts("…"))` must not dangle
  T or_else(T fallback) const { return value.value_or(fallback); }
};

struct Config;

// One object of a configuration, read through its table. A view: the configuration must outlive it.
class Record {
 public:
  Record(const SectionDef& section, const json::Value& object, Path path, Kind kind, bool flat = false)
      : section_(&section), object_(&object), path_(path), kind_(kind), flat_(flat) {}

  const SectionDef& section() const { return *section_; }
  const json::Value& object() const { return *object_; }
  const Path& path() const { return path_; }
  Kind kind() const { return kind_; }

  // Options by the name of their table entry, in whatever spelling the file has them; null and values of
  // another type count as not set, except that numbers are also read from strings ("60") and bools.
  const json::Member* find(std::string_view option) const;
  bool has(std::string_view option) const { return find(option) != nullptr; }
  Option<int64_t> integer(std::string_view option) const;
  Option<double> number(std::string_view option) const;
  Option<bool> boolean(std::string_view option) const;  // 0 and 1 too
  Option<std::string_view> text(std::string_view option) const;
  Option<std::vector<std::string_view>> texts(std::string_view option) const;
  bool on(std::string_view option) const;  // true, or a number ≥ 1

  // The records under a container option, whether written as an object or as a list.
  std::vector<Record> records(std::string_view option) const;

 private:
  const SectionDef* section_;
  const json::Value* object_;
  Path path_;
  Kind kind_;
  bool flat_;  // the keys of several sections stand in this object, without tags
};

struct Config {
  Kind kind = Kind::kHtp;
  json::Value tree = json::Value::of(json::Object{});
  bool flat = false;  // the old form of HTP files: options at the top, no sections

  Record root() const;
  // All records of a section wherever it occurs ("cores" of every device). In a flat file the root stands for
  // each of graphs, devices, cores and context.
  std::vector<Record> records(const SectionDef& section) const;
};

// Marks every known key of `tree` (json::Member::tag). The keys at the top of a flat file stay unmarked.
void bind(Config& config);
void bind(const SectionDef& section, json::Value& object);

// What a key at the top of a flat HTP file means; nullptr when it means nothing.
struct FlatOption {
  const SectionDef* section = nullptr;
  const OptionDef* option = nullptr;
};
FlatOption flat_option(std::string_view key);

}  // namespace openqnn::config
