# Debian packages: xorloom (the program), libxorloom0 (the shared library), libxorloom-dev (headers, the
# archive, and files for CMake and pkg-config), and xorloom-isal. scripts/make-packages makes them.

option(XORLOOM_ARCHIVE "Install an archive beside the shared library" OFF)
if(XORLOOM_ARCHIVE AND BUILD_SHARED_LIBS)
  add_library(xorloom_archive STATIC)
  foreach(room IN ITEMS codes equations gen runtime)
    target_sources(xorloom_archive PRIVATE $<TARGET_OBJECTS:xorloom_${room}>)
  endforeach()
  set_target_properties(xorloom_archive PROPERTIES OUTPUT_NAME xorloom LINKER_LANGUAGE CXX)
  install(TARGETS xorloom_archive ARCHIVE COMPONENT development)
endif()
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR Xorloom)
set(CPACK_PACKAGE_CONTACT "Xorloom authors <authors@xorloom.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/compress_pages.cmake)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program runtime development isal)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiler and engine for erasure codes")
set(long "Xorloom expands a code into XOR equations, proves them, reports what they cost,\nand runs them as machine code.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME xorloom)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${long}\nThis package has the program.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libxorloom${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${long}\nThis package has the shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libxorloom-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libxorloom${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}), libtbb-dev, libfmt-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS xorloom)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${long}\nThis package has the headers and the archive.")

set(CPACK_DEBIAN_ISAL_PACKAGE_NAME xorloom-isal)
set(CPACK_DEBIAN_ISAL_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_ISAL_DESCRIPTION
    "${long}\nThis package has a libisal.so.2 with ISA-L's functions for erasure codes,\nin a folder of its own.")

# What Debian wants of every package: its licence and its changes.
find_program(XORLOOM_GZIP gzip)
if(XORLOOM_GZIP)
  foreach(part IN ITEMS program:xorloom runtime:libxorloom${PROJECT_VERSION_MAJOR}
                        development:libxorloom-dev isal:xorloom-isal)
    string(REPLACE ":" ";" part ${part})
    list(GET part 0 component)
    list(GET part 1 package)
    set(documents ${PROJECT_BINARY_DIR}/debian/${package})
    file(MAKE_DIRECTORY ${documents})
    configure_file(cmake/debian/copyright ${documents}/copyright COPYONLY)
    configure_file(cmake/debian/changelog.in ${documents}/changelog @ONLY)
    execute_process(COMMAND ${XORLOOM_GZIP} -9nf ${documents}/changelog)
    install(
      FILES ${documents}/copyright ${documents}/changelog.gz
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
      COMPONENT ${component}
      EXCLUDE_FROM_ALL)
  endforeach()
endif()

include(CPack)
