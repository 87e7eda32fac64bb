// SPDX-License-Identifier: BSD-3-Clause
// Op packages: libraries of a client's own ops, which run on this host between the built-in ones.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "QnnTypes.h"
#include "base/log.h"
#include "runtime/outcome.h"

namespace openqnn::runtime {

// A package while at least one backend uses it. A library is opened and started once in the process, however
// many backends register it; it is ended and closed with the last of them, their graphs included.
class OpPackage {
 public:
  // `provider` is the library's function that hands out the package's interface.
  static Outcome<std::shared_ptr<OpPackage>> open(const std::string& path, const std::string& provider,
                                                  const Logger& log);
  OpPackage(const OpPackage&) = delete;
  OpPackage& operator=(const OpPackage&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<std::string>& operations() const { return operations_; }
  bool offers(std::string_view type) const;

  // Whether the package can implement the op; it looks at the client's own structs.
  Status validate(const Qnn_OpConfig_t& config) const;

 private:
  friend class PackageOp;
  struct Interface;  // the two versions of the interface behind one face
  struct Loaded;     // the library and what is known of it, one per process

  OpPackage(Loaded& loaded, Logger log);
  ~OpPackage();

  static Loaded* running_;  // every package of the process

  Loaded& loaded_;
  const Logger log_;  // the package's own lines go there
  std::string name_;
  std::vector<std::string> operations_;
};

// The packages that one backend has registered; its contexts share them.
class OpPackages {
 public:
  explicit OpPackages(Logger log) : log_(std::move(log)) {}

  // `built_in` is the one name that no package may have.
  Outcome<> add(const std::string& path, const std::string& provider, std::string_view built_in);
  // Null when no package of this name is registered.
  std::shared_ptr<OpPackage> find(std::string_view name) const;
  // Of all packages, in the order of their names.
  std::vector<std::shared_ptr<OpPackage>> all() const;
  // What a message can offer instead of a name that is unknown: "'a', 'b'".
  std::string names() const;

 private:
  const Logger log_;
  mutable std::mutex mutex_;  // guards packages_
  std::map<std::string, std::shared_ptr<OpPackage>, std::less<>> packages_;
};

}  // namespace openqnn::runtime
