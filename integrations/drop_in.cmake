# xorloom_drop_in(NAME LIBRARY VERSION SOURCES file... [LINK target...] [HEADER file])
#
# Adds xorloom_NAME, a shared library that stands in for another one: it has that one's name and version, and
# exports what exports.map names. It stands in build/drop-in, and is installed in a folder of its own, never
# beside the system's: the README.md of each says why. With a header, programs are built with it, too:
# pkg-config knows it as xorloom-NAME.
include(GNUInstallDirs)
function(xorloom_drop_in name library version)
  cmake_parse_arguments(PARSE_ARGV 3 drop_in "" "HEADER" "SOURCES;LINK")
  string(REGEX REPLACE "[.].*" "" major ${version})
  set(target xorloom_${name})
  add_library(${target} SHARED ${drop_in_SOURCES})
  target_link_libraries(${target} PRIVATE xorloom_runtime ${drop_in_LINK} xorloom_build_flags)
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,-z,defs
                      -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/exports.map)
  set_target_properties(
    ${target}
    PROPERTIES OUTPUT_NAME ${library}
               VERSION ${version}
               SOVERSION ${major}
               CXX_VISIBILITY_PRESET hidden
               LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/exports.map
               LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/drop-in)
  if(XORLOOM_INSTALL)
    install(
      TARGETS ${target}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/xorloom/drop-in
              COMPONENT ${name}
              NAMELINK_SKIP)
    if(drop_in_HEADER)
      install(
        TARGETS ${target}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/xorloom/drop-in
                COMPONENT ${name}
                NAMELINK_ONLY)
      install(
        FILES ${drop_in_HEADER}
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xorloom/${name}
        COMPONENT ${name})
      file(RELATIVE_PATH prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
      string(REGEX REPLACE "/$" "" prefix "${prefix}")
      configure_file(${PROJECT_SOURCE_DIR}/cmake/drop-in.pc.in xorloom-${name}.pc @ONLY)
      install(
        FILES ${CMAKE_CURRENT_BINARY_DIR}/xorloom-${name}.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT ${name})
    endif()
  endif()
endfunction()
