// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.h"

namespace conformance {

std::string name_of(HandleKind kind) {
  switch (kind) {
    case HandleKind::kLog:
      return "log";
    case HandleKind::kBackend:
      return "backend";
    case HandleKind::kDevice:
      return "device";
    case HandleKind::kContext:
      return "context";
    case HandleKind::kGraph:
      return "graph";
    case HandleKind::kProfile:
      return "profile";
    case HandleKind::kProfileEvent:
      return "profile event";
    case HandleKind::kMemory:
      return "memory handle";
    case HandleKind::kSignal:
      return "signal";
    case HandleKind::kPlatformInfo:
      return "platform info";
    case HandleKind::kVerboseMessage:
      return "verbose message";
    case HandleKind::kSystemLog:
      return "System log";
    case HandleKind::kSystemContext:
      return "System context";
    case HandleKind::kSerializationTarget:
      return "serialization target";
    case HandleKind::kSystemDlc:
      return "DLC";
  }
  return "handle";
}

}  // namespace conformance
