# A tree laid out as the vendor's SDK, so that scripts that name $QNN_SDK_ROOT/bin/envsetup.sh and
# $QNN_SDK_ROOT/lib/x86_64-linux-clang/libQnnHtp.so find ours there (docs/sdk_tree.md). It may be moved. Apart from the ordinary
# installation, because a system's bin/ must not get such folders:
#
#   cmake --install build/release --component sdk --prefix DIR
#
# or the target `sdk_tree`, which makes build/<preset>/sdk.
set(sdk_folder x86_64-linux-clang)
set(sdk COMPONENT sdk EXCLUDE_FROM_ALL)

install(PROGRAMS "${CMAKE_CURRENT_LIST_DIR}/envsetup.sh" DESTINATION bin ${sdk})
foreach(program IN LISTS openqnn_programs)
  install(TARGETS ${program} RUNTIME DESTINATION "bin/${sdk_folder}" ${sdk})
endforeach()
foreach(library IN LISTS openqnn_opened_libraries)
  install(TARGETS ${library} LIBRARY DESTINATION "lib/${sdk_folder}" ${sdk})
endforeach()
if(TARGET openqnn)
  install(TARGETS openqnn LIBRARY DESTINATION "lib/${sdk_folder}" ${sdk})
endif()
foreach(folder IN ITEMS openqnn QNN)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/${folder}" DESTINATION include ${sdk} FILES_MATCHING PATTERN "*.h")
endforeach()
if(TARGET qairt_native)
  set_property(TARGET qairt_native APPEND PROPERTY INSTALL_RPATH "$ORIGIN/../../${sdk_folder}")
  install(TARGETS qairt_native LIBRARY DESTINATION lib/python/qairt ${sdk})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/qairt" "${PROJECT_SOURCE_DIR}/python/qti" DESTINATION lib/python ${sdk}
          FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION . ${sdk} FILES_MATCHING PATTERN "*.md")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION . ${sdk})

add_custom_target(sdk_tree
  COMMAND "${CMAKE_COMMAND}" --install "${PROJECT_BINARY_DIR}" --component sdk --prefix "${PROJECT_BINARY_DIR}/sdk"
  COMMENT "Laying out sdk/" VERBATIM)
add_dependencies(sdk_tree ${openqnn_programs} ${openqnn_opened_libraries})
