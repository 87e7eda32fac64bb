// SPDX-License-Identifier: BSD-3-Clause
// The steps of a random sequence, one file for each area. A step makes one call or a few, right or wrong, and
// may do nothing.
#pragma once

#include "api/fuzz/session.h"

namespace openqnn::api::fuzz {

// objects.cc
void create_log(Session& session);
void set_log_level(Session& session);
void create_backend(Session& session);
void create_device(Session& session);
void create_context(Session& session);
void create_profile(Session& session);
void read_profile(Session& session);
void create_signal(Session& session);
void use_signal(Session& session);
void free_something(Session& session);
void ask_around(Session& session);

// compose.cc
void create_graph(Session& session);
void compose_sample(Session& session);
void compose_stream(Session& session);
void retrieve_graph(Session& session);
void add_node(Session& session);
void register_package(Session& session);
void add_package_node(Session& session);
void update_tensors(Session& session);

// running.cc
void finalize(Session& session);
void execute(Session& session);
void execute_async(Session& session);

// memory.cc
void register_memory(Session& session);
void deregister_memory(Session& session);

// options.cc
void set_graph_options(Session& session);
void set_context_options(Session& session);
void set_device_options(Session& session);

// binaries.cc
void load_binary(Session& session);
void load_list(Session& session);
void move_section(Session& session);
void describe_binary(Session& session);

// A few of the steps above, chosen by the session's dice. (sequence_fuzz.cc)
void act(Session& session);
// Two threads that do so at once, on the same handles. (sequence_fuzz.cc)
void act_in_parallel(Session& session);

}  // namespace openqnn::api::fuzz
