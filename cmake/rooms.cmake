# Rooms: the folders under src/, in dependency order (src/README.md tells the way through them).

# openqnn_room(NAME [DEPENDS room...] [LABELS label...])
#
# A static library openqnn_NAME from every source in the current folder. Files named *_test.cc
# become one test program NAME_test with the labels; files named *_fuzz.cc become one fuzzer each.
function(openqnn_room name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LABELS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "*.cc")
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cc$")

  add_library(openqnn_${name} STATIC ${sources})
  openqnn_precompile(openqnn_${name} openqnn_library_headers)
  target_include_directories(openqnn_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(openqnn_${name} PUBLIC openqnn_compile_options openqnn_headers)
  foreach(room IN LISTS arg_DEPENDS)
    target_link_libraries(openqnn_${name} PUBLIC openqnn_${room})
  endforeach()

  if(OPENQNN_TESTS AND tests)
    openqnn_test(${name}_test SOURCES ${tests} LINK openqnn_${name} LABELS ${arg_LABELS})
  endif()
  if(OPENQNN_FUZZ)
    foreach(fuzzer IN LISTS fuzzers)
      cmake_path(GET fuzzer STEM stem)
      openqnn_fuzzer(${stem} SOURCES ${fuzzer} LINK openqnn_${name})
    endforeach()
  endif()
endfunction()

# openqnn_test(NAME SOURCES file... [LINK target...] [ENV VAR=value...] [LABELS label...] [SHARDS n]): a GoogleTest program run by
# CTest, of a long one n parts beside each other. The label `tsan` adds it to what runs under ThreadSanitizer.
function(openqnn_test name)
  cmake_parse_arguments(arg "" "SHARDS" "SOURCES;LINK;ENV;LABELS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests"
                        BUILD_WITH_INSTALL_RPATH OFF)  # it is never installed
  target_link_libraries(${name} PRIVATE ${arg_LINK} openqnn_compile_options GTest::gmock_main Threads::Threads)
  target_compile_options(${name} PRIVATE ${openqnn_test_options})
  openqnn_precompile(${name} openqnn_test_headers)
  if("tsan" IN_LIST arg_LABELS)
    set_property(GLOBAL APPEND PROPERTY OPENQNN_TSAN_TESTS ${name})
  endif()
  if(NOT arg_SHARDS)
    openqnn_add_test(${name} ${name} "${arg_ENV}" "${arg_LABELS}")
    return()
  endif()
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(shard RANGE ${last})
    openqnn_add_test(${name}.${shard} ${name}
      "${arg_ENV};GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${shard}" "${arg_LABELS}")
  endforeach()
endfunction()

function(openqnn_add_test name program environment labels)
  add_test(NAME ${name} COMMAND ${program} WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}" LABELS "${labels}")
endfunction()

# openqnn_fuzzer(NAME SOURCES file... [LINK target...]): a libFuzzer program in build/*/fuzz. The target `fuzzers` builds all.
function(openqnn_fuzzer name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz"
                        BUILD_WITH_INSTALL_RPATH OFF)  # it is never installed
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE ${arg_LINK} openqnn_compile_options)
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers)
  endif()
  add_dependencies(fuzzers ${name})
endfunction()
