# The Python package as a wheel that holds the libraries it opens, for virtual environments (docs/python.md):
#
#   cmake --build build/release --target wheel
#
# makes build/<preset>/dist/openqnn-VERSION-….whl. Another component, because an installation has the libraries elsewhere.
set(wheel COMPONENT wheel EXCLUDE_FROM_ALL)

set_property(TARGET qairt_native APPEND PROPERTY INSTALL_RPATH "$ORIGIN/lib")
install(TARGETS qairt_native LIBRARY DESTINATION qairt ${wheel})
install(TARGETS openqnn ${opened_libraries} LIBRARY DESTINATION qairt/lib ${wheel} NAMELINK_SKIP)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/qairt" "${PROJECT_SOURCE_DIR}/python/qti" DESTINATION . ${wheel}
        FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

set(wheel_tree "${PROJECT_BINARY_DIR}/wheel")
add_custom_target(wheel
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${wheel_tree}"
  COMMAND "${CMAKE_COMMAND}" --install "${PROJECT_BINARY_DIR}" --component wheel --strip --prefix "${wheel_tree}"
  COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/tools/write_wheel.py" "${wheel_tree}" "${PROJECT_VERSION}"
          "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_BINARY_DIR}/dist"
  COMMENT "Packing a wheel into dist/" VERBATIM)
add_dependencies(wheel qairt_native openqnn ${opened_libraries})
