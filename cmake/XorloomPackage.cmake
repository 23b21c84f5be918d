# The library that others use. It combines the rooms up to the runtime, and is static or
# (BUILD_SHARED_LIBS) shared. Its only headers are those of include/xorloom/. A project that contains the
# sources links xorloom::xorloom. Others find the installed library by find_package(xorloom) and by
# pkg-config.

include(GNUInstallDirs)

set(xorloom_assembler "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  set(xorloom_assembler asmjit::asmjit)
endif()
add_library(xorloom)
add_library(xorloom::xorloom ALIAS xorloom)
foreach(room IN ITEMS fmt codes equations gen runtime)
  target_sources(xorloom PRIVATE $<TARGET_OBJECTS:xorloom_${room}>)
endforeach()
target_sources(
  xorloom
  PUBLIC FILE_SET
         HEADERS
         BASE_DIRS
         ${PROJECT_SOURCE_DIR}/include
         FILES
         ${PROJECT_SOURCE_DIR}/include/xorloom/chunks.hpp
         ${PROJECT_SOURCE_DIR}/include/xorloom/error_location.hpp
         ${PROJECT_SOURCE_DIR}/include/xorloom/fingerprint.h
         ${PROJECT_SOURCE_DIR}/include/xorloom/fragment.h
         ${PROJECT_SOURCE_DIR}/include/xorloom/fragment.hpp
         ${PROJECT_SOURCE_DIR}/include/xorloom/options.hpp
         ${PROJECT_SOURCE_DIR}/include/xorloom/progressive.hpp
         ${PROJECT_SOURCE_DIR}/include/xorloom/repair_route.hpp
         ${PROJECT_SOURCE_DIR}/include/xorloom/split_repair.hpp
         ${PROJECT_SOURCE_DIR}/include/xorloom/version.h
         ${PROJECT_SOURCE_DIR}/include/xorloom/xorloom.h
         ${PROJECT_SOURCE_DIR}/include/xorloom/xorloom.hpp)
target_compile_features(xorloom PUBLIC cxx_std_20)
target_link_libraries(xorloom PRIVATE TBB::tbb ZLIB::ZLIB ${XORLOOM_ATOMIC} ${xorloom_assembler}
                                      $<BUILD_INTERFACE:xorloom_build_flags>)
# A shared library exports what cmake/xorloom.map names, and nothing of other libraries.
target_link_options(xorloom PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/xorloom.map)
set_target_properties(xorloom PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/xorloom.map)
set_target_properties(xorloom PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                                         SOVERSION ${PROJECT_VERSION_MAJOR})

# xorloom_generate, for a project that contains the sources.
include(cmake/XorloomGenerate.cmake)

if(NOT XORLOOM_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)

# Each install rule names the Debian package that it belongs to: program, runtime or development.
install(
  TARGETS xorloom
  EXPORT xorloomTargets
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development
  FILE_SET HEADERS COMPONENT development)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/xorloom)
install(
  EXPORT xorloomTargets
  NAMESPACE xorloom::
  DESTINATION ${package_dir}
  COMPONENT development)
get_target_property(library_type xorloom TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(XORLOOM_IS_STATIC ON)
else()
  set(XORLOOM_IS_STATIC OFF)
endif()
install(
  DIRECTORY docs/schemas/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/xorloom/schemas
  COMPONENT program)
configure_package_config_file(
  cmake/xorloomConfig.cmake.in xorloomConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(xorloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/xorloomConfig.cmake cmake/XorloomGenerate.cmake
        ${PROJECT_BINARY_DIR}/xorloomConfigVersion.cmake
  DESTINATION ${package_dir}
  COMPONENT development)

# xorloom.pc: the public fields hold what a static library needs, since pkg-config without --static can mean
# no shared one. A shared library has it linked in. The prefix is relative to the file, so an installation
# can be moved.
set(pc_requires "")
set(pc_libs "")
set(pc_private "")
set(system_libs "-lstdc++ -lm")
if(XORLOOM_ATOMIC)
  string(PREPEND system_libs "-l${XORLOOM_ATOMIC} ")
endif()
if(xorloom_assembler)
  string(PREPEND system_libs "-lasmjit ")
endif()
if(XORLOOM_IS_STATIC)
  set(pc_requires "tbb zlib")
  set(pc_libs " ${system_libs}")
elseif(XORLOOM_ARCHIVE)
  set(pc_private "Requires.private: tbb zlib\nLibs.private: ${system_libs}\n")
endif()
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
configure_file(cmake/xorloom.pc.in xorloom.pc @ONLY)
install(
  FILES ${PROJECT_BINARY_DIR}/xorloom.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)
