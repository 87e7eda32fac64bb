# What `cmake --install` puts where, what others link against, and the Debian package.
#
#   bin/openqnn, lib/libopenqnn.so, include/openqnn/   the tool and the C++ API
#   share/bash-completion, share/zsh, share/fish       completion for shells
#   share/man/man1                                     a manual page for each program
#   bin/qnn-net-run …, bin/qairt-converter …           programs with the vendor's names
#   lib/openqnn/libQnnHtp.so …, include/QNN/           the C API; off the default loader path, because the vendor's libraries
#                                                      have the same names
#
# The same programs and libraries in a tree laid out as QNN_SDK_ROOT are the component `sdk` (cmake/sdk_tree.cmake).
include(CMakePackageConfigHelpers)

set(openqnn_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/openqnn")
set(openqnn_backend_dir "${CMAKE_INSTALL_LIBDIR}/openqnn")

# --- headers ---------------------------------------------------------------------------------------------
foreach(folder IN ITEMS openqnn QNN)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/include/${folder}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/${folder}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
            FILES_MATCHING PATTERN "*.h")
  endif()
endforeach()

target_include_directories(openqnn_headers INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/QNN> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(openqnn_headers PROPERTIES EXPORT_NAME qnn_headers)
install(TARGETS openqnn_headers EXPORT openqnnTargets)

# --- libraries and tools ---------------------------------------------------------------------------------
if(TARGET openqnn)
  # Whoever links openqnn gets its headers; our warnings and hardening flags stay ours (link openqnn_compile_options PRIVATE).
  set_target_properties(openqnn PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                        INSTALL_RPATH "$ORIGIN/openqnn;$ORIGIN")
  install(TARGETS openqnn EXPORT openqnnTargets
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()

# What clients open, and the programs with the vendor's names.
set(openqnn_opened_libraries QnnHtp QnnSystem QnnModelDlc QnnHtpNetRunExtensions QnnLpaiNetRunExtensions QnnHtpProfilingReader
    QnnChrometraceProfilingReader QnnHtpOptraceProfilingReader cdsprpc)
set(openqnn_programs openqnn_tool qnn-context-binary-generator qnn-net-run qnn-throughput-net-run qnn-context-binary-utility qnn-profile-viewer qnn-onnx-converter
    qnn-model-lib-generator qnn-platform-validator qairt-converter qairt-quantizer)
foreach(list IN ITEMS openqnn_opened_libraries openqnn_programs)
  foreach(target IN LISTS ${list})
    if(NOT TARGET ${target})
      list(REMOVE_ITEM ${list} ${target})
    endif()
  endforeach()
endforeach()

foreach(library IN LISTS openqnn_opened_libraries)
  install(TARGETS ${library} LIBRARY DESTINATION "${openqnn_backend_dir}")
endforeach()

# The second folder lets programs open the backends by name; the third is where both are in the SDK-shaped tree.
file(RELATIVE_PATH from_bin "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
foreach(program IN LISTS openqnn_programs)
  set_target_properties(${program} PROPERTIES
    INSTALL_RPATH "$ORIGIN/${from_bin};$ORIGIN/${from_bin}/openqnn;$ORIGIN/../../lib/x86_64-linux-clang")
  install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()

if(TARGET openqnn_tool)
  # Completions come from the tool itself, so they need one that runs here. Made when installing, not when building: a build with
  # sanitizers may be unable to run.
  if(NOT CMAKE_CROSSCOMPILING)
    set(completions "${PROJECT_BINARY_DIR}/completions")
    install(CODE "
      file(MAKE_DIRECTORY \"${completions}\")
      foreach(shell IN ITEMS bash zsh fish)
        execute_process(COMMAND \"$<TARGET_FILE:openqnn_tool>\" completions \${shell}
                        OUTPUT_FILE \"${completions}/\${shell}\" COMMAND_ERROR_IS_FATAL ANY)
      endforeach()")
    install(FILES "${completions}/bash" RENAME openqnn DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${completions}/zsh" RENAME _openqnn DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES "${completions}/fish" RENAME openqnn.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
    # The other programs write their own. Zsh calls a file's function by the file's name, which has no hyphens here.
    foreach(program IN LISTS openqnn_programs)
      if(program STREQUAL openqnn_tool)
        continue()
      endif()
      install(CODE "
        foreach(shell IN ITEMS bash zsh fish)
          execute_process(COMMAND \"$<TARGET_FILE:${program}>\" --completions \${shell}
                          OUTPUT_FILE \"${completions}/${program}.\${shell}\" COMMAND_ERROR_IS_FATAL ANY)
        endforeach()")
      string(REPLACE "-" "_" function "_${program}")
      install(FILES "${completions}/${program}.bash" RENAME ${program} DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
      install(FILES "${completions}/${program}.zsh" RENAME ${function} DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
      install(FILES "${completions}/${program}.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
    endforeach()
  endif()
endif()

# --- for those who link us -------------------------------------------------------------------------------
install(EXPORT openqnnTargets NAMESPACE openqnn:: DESTINATION "${openqnn_cmake_dir}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/openqnnConfig.cmake.in" "${PROJECT_BINARY_DIR}/openqnnConfig.cmake"
  INSTALL_DESTINATION "${openqnn_cmake_dir}"
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR openqnn_backend_dir)
# Before 1.0 a minor version may break its users.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/openqnnConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/openqnnConfig.cmake" "${PROJECT_BINARY_DIR}/openqnnConfigVersion.cmake"
        DESTINATION "${openqnn_cmake_dir}")

# The file finds its prefix from its own place, so that the tree may be moved and `cmake --install --prefix` works.
file(RELATIVE_PATH openqnn_pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" openqnn_pc_prefix "${openqnn_pc_prefix}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/openqnn.pc.in" "${PROJECT_BINARY_DIR}/openqnn.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/openqnn.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# --- texts -----------------------------------------------------------------------------------------------
install(FILES README.md LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
file(GLOB man_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1")
if(man_pages)
  install(FILES ${man_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
# Those of the other programs come from their --help, when installing, as completions do.
if(NOT CMAKE_CROSSCOMPILING)
  foreach(program IN LISTS openqnn_programs)
    if(program STREQUAL openqnn_tool)
      continue()
    endif()
    set(page "${PROJECT_BINARY_DIR}/man/${program}.1")
    install(CODE "
      execute_process(COMMAND \"${CMAKE_COMMAND}\" -D \"PROGRAM=$<TARGET_FILE:${program}>\" -D \"PAGE=${page}\"
                              -P \"${CMAKE_CURRENT_LIST_DIR}/man_page.cmake\" COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES "${page}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  endforeach()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/sdk_tree.cmake")

# --- Debian package: `cpack --config build/release/CPackConfig.cmake` ------------------------------------
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME openqnn)
set(CPACK_PACKAGE_VENDOR "openqnn contributors")
set(CPACK_PACKAGE_CONTACT "openqnn contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang | g++, binutils")  # for qnn-model-lib-generator
# The Python package works without numpy as long as it runs no model.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib")
include(CPack)
