# How every target of the project is compiled and linked.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)  # the build tree is laid out like the installed one

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/rooms")  # static, for ourselves alone

find_program(OPENQNN_CCACHE ccache)
if(OPENQNN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers have times and macros in them that do not matter here. Paths below this tree are taken as relative, so
  # that a second clone finds what the first has compiled.
  set(CMAKE_C_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}"
    CCACHE_NOHASHDIR=1 "${OPENQNN_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_C_COMPILER_LAUNCHER}")
endif()

find_package(Threads REQUIRED)

add_library(openqnn_compile_options INTERFACE)
target_compile_options(openqnn_compile_options INTERFACE
  -Wall -Wextra -Werror -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> -Wno-missing-field-initializers
  # Results are specified to the last bit: a compiler may not contract or reorder floating point.
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Unique symbols pin a library in memory: dlclose would then do nothing.
  target_compile_options(openqnn_compile_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>
    -Wno-restrict -Wno-stringop-overflow)  # GCC 12 sees overlaps in every `"text" + string` at -O3 (its bug 105651)
endif()

if(CMAKE_UNITY_BUILD)
  # A name of the file before is not one that is hidden. scripts/lint and the preset dev look at every file alone.
  target_compile_options(openqnn_compile_options INTERFACE -Wno-shadow
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)  # GCC takes all but the first of them for headers
endif()

if(OPENQNN_SANITIZE)
  target_compile_options(openqnn_compile_options INTERFACE
    -fsanitize=${OPENQNN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1
    # GCC 12 takes every std::variant for uninitialized once the sanitizers have been through it.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(openqnn_compile_options INTERFACE -fsanitize=${OPENQNN_SANITIZE})
else()
  target_compile_options(openqnn_compile_options INTERFACE
    -fstack-protector-strong -fstack-clash-protection
    $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release,RelWithDebInfo>:-D_FORTIFY_SOURCE=2>)
  target_link_options(openqnn_compile_options INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()

# What is tested is optimised as the preset says; the tests themselves are compiled twice as fast without.
set(openqnn_test_options -O0 -U_FORTIFY_SOURCE)

# Lets ccache see what a precompiled header is made of.
if(OPENQNN_CCACHE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(openqnn_compile_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  else()
    target_compile_options(openqnn_compile_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()
