# Headers of others, parsed once for all sources instead of once for each.
#
# Sources still include what they use: scripts/lint compiles every one without this.
option(OPENQNN_PRECOMPILE "Parse the headers of the standard library and of GoogleTest once" ON)

set(openqnn_standard_headers <algorithm> <array> <charconv> <cmath> <cstdint> <cstring> <functional> <limits> <map>
    <memory> <mutex> <optional> <set> <span> <string> <string_view> <utility> <variant> <vector>)

# openqnn_precompiled(NAME POSITION option HEADERS header... [OPTIONS option...]): what openqnn_precompile(TARGET NAME) shares.
# A compiler takes such headers only where its options are the same.
function(openqnn_precompiled name)
  cmake_parse_arguments(arg "" "POSITION" "HEADERS;OPTIONS" ${ARGN})
  set(source "${PROJECT_BINARY_DIR}/precompiled/${name}.cc")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// So that there is something to compile.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${source}")
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_link_libraries(${name} PRIVATE openqnn_compile_options)
  target_compile_options(${name} PRIVATE ${arg_POSITION} ${arg_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

# openqnn_precompile(TARGET NAME): its sources get the headers NAME. Where the folder sets openqnn_unoptimised and sanitizers are built
# in, they are not optimised: optimising what those add is most of a compiler's work.
function(openqnn_precompile target name)
  if(OPENQNN_SANITIZE AND openqnn_unoptimised)
    target_compile_options(${target} PRIVATE -O0)
    if(TARGET ${name}_unoptimised)
      string(APPEND name _unoptimised)
    endif()
  endif()
  if(OPENQNN_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

if(OPENQNN_PRECOMPILE)
  openqnn_precompiled(openqnn_library_headers POSITION -fPIC HEADERS ${openqnn_standard_headers})
  openqnn_precompiled(openqnn_program_headers POSITION -fPIE HEADERS ${openqnn_standard_headers})
  if(OPENQNN_SANITIZE)
    openqnn_precompiled(openqnn_library_headers_unoptimised POSITION -fPIC OPTIONS -O0 HEADERS ${openqnn_standard_headers})
    openqnn_precompiled(openqnn_program_headers_unoptimised POSITION -fPIE OPTIONS -O0 HEADERS ${openqnn_standard_headers})
  endif()
  if(OPENQNN_TESTS)
    find_package(GTest REQUIRED)
    set(test_headers ${openqnn_standard_headers} <gmock/gmock.h> <gtest/gtest.h>)
    openqnn_precompiled(openqnn_test_headers POSITION -fPIE OPTIONS ${openqnn_test_options} HEADERS ${test_headers})
    target_link_libraries(openqnn_test_headers PRIVATE GTest::gmock Threads::Threads)
  endif()
endif()
