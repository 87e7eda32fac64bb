// SPDX-License-Identifier: BSD-3-Clause
#include "profile/qhas/services.h"

namespace openqnn::profile::qhas {

std::vector<Service> service_categories() {
  const std::string in_dependencies = "tasks name the tasks they wait for; no op of its own says so";
  return {
      {std::string(kDramToTcm), "Brings data from DRAM into VTCM.", "", {}},
      {std::string(kTcmToDram), "Brings data from VTCM to DRAM.", "", {}},
      {"Sync Op", "Orders HVX ops that depend on each other.", in_dependencies, {}},
      {"DmaCheckpointSet",
       "Tells that a producer has written what a consumer waits for.",
       in_dependencies,
       {}},
      {"DmaCheckpointWait", "Waits for a DmaCheckpointSet.", in_dependencies, {}},
      {"BlockZapOp",
       "Fills blocks of a tensor that its data does not fill.",
       "the work of padding is counted in the op",
       {}},
      {"SystemService", "Fetches data into the L2 cache ahead of its use.", "the model has no L2 cache", {}},
  };
}

}  // namespace openqnn::profile::qhas
