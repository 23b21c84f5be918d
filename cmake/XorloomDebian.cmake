# Debian packages: xorloom (the program), libxorloom0 (the shared library), libxorloom-dev (headers, the
# archive, and files for CMake and pkg-config), xorloom-isal, xorloom-jerasure, xorloom-gibraltar, and where they
# are built, python3-xorloom, xorloom-ceph, those of MPI and xorloom-web. scripts/make-packages makes them.

option(XORLOOM_ARCHIVE "Install an archive beside the shared library" OFF)
if(XORLOOM_ARCHIVE AND BUILD_SHARED_LIBS)
  add_library(xorloom_archive STATIC)
  foreach(room IN ITEMS fmt codes equations gen runtime)
    target_sources(xorloom_archive PRIVATE $<TARGET_OBJECTS:xorloom_${room}>)
  endforeach()
  set_target_properties(xorloom_archive PROPERTIES OUTPUT_NAME xorloom LINKER_LANGUAGE CXX)
  install(TARGETS xorloom_archive ARCHIVE COMPONENT development)
  target_link_options(xorloom PRIVATE -Wl,-z,defs) # no library may be left out of the shared one
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
set(CPACK_COMPONENTS_ALL program runtime development isal jerasure gibraltar)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(CMAKE_CROSSCOMPILING)
  # scripts/make-packages adds what packages depend on.
  string(REPLACE aarch64 arm64 CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
else()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# A library on the loader's path triggers ldconfig. CPack's own scripts for that are left out, as a postinst and a
# postrm are named here; that these are no files, it says as a warning.
set(triggers ${PROJECT_SOURCE_DIR}/cmake/debian/triggers ${PROJECT_SOURCE_DIR}/cmake/debian/none/postinst
             ${PROJECT_SOURCE_DIR}/cmake/debian/none/postrm)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiler and engine for erasure codes")
set(long "Xorloom expands a code into XOR equations, proves them, reports what they cost,\nand runs them as machine code.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME xorloom)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS xorloom-web)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${long}\nThis package has the program.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libxorloom${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${triggers})
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${long}\nThis package has the shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libxorloom-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libxorloom${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}), libtbb-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS xorloom)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${long}\nThis package has the headers and the archive.")

set(CPACK_DEBIAN_ISAL_PACKAGE_NAME xorloom-isal)
set(CPACK_DEBIAN_ISAL_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_ISAL_DESCRIPTION
    "${long}\nThis package has a libisal.so.2 with ISA-L's functions for erasure codes,\nin a folder of its own.")

set(CPACK_DEBIAN_JERASURE_PACKAGE_NAME xorloom-jerasure)
set(CPACK_DEBIAN_JERASURE_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_JERASURE_DESCRIPTION
    "${long}\nThis package has a libJerasure.so.2 in a folder of its own.")

set(CPACK_DEBIAN_GIBRALTAR_PACKAGE_NAME xorloom-gibraltar)
set(CPACK_DEBIAN_GIBRALTAR_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_GIBRALTAR_DESCRIPTION
    "${long}\nThis package has Gibraltar's interface: a library and its header.")

set(parts program:xorloom runtime:libxorloom${PROJECT_VERSION_MAJOR} development:libxorloom-dev
          isal:xorloom-isal jerasure:xorloom-jerasure gibraltar:xorloom-gibraltar)

# The module for the distribution's Python, and the plugin for its Ceph. Only packages install them: another
# prefix is not where Python or Ceph look.
if(TARGET xorloom_python)
  list(APPEND parts python:python3-xorloom)
  list(APPEND CPACK_COMPONENTS_ALL python)
  install(
    TARGETS xorloom_python
    LIBRARY DESTINATION lib/python3/dist-packages/xorloom
            COMPONENT python
            EXCLUDE_FROM_ALL)
  install(
    DIRECTORY integrations/python/xorloom
    DESTINATION lib/python3/dist-packages
    COMPONENT python
    EXCLUDE_FROM_ALL
    PATTERN __pycache__ EXCLUDE)
  math(EXPR next "${XORLOOM_PYTHON_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-xorloom)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${XORLOOM_PYTHON_MINOR}~), python3 (<< 3.${next})")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-numpy)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "${long}\nThis package has the Python module.")
endif()
if(TARGET xorloom_ceph)
  list(APPEND parts ceph:xorloom-ceph)
  list(APPEND CPACK_COMPONENTS_ALL ceph)
  install(
    TARGETS xorloom_ceph
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/ceph/erasure-code
            COMPONENT ceph
            EXCLUDE_FROM_ALL)
  # The same as Ceph's own plugins, in a folder of its own, for "erasure code dir".
  set(others ${PROJECT_BINARY_DIR}/ceph/instead)
  file(MAKE_DIRECTORY ${others})
  foreach(name IN ITEMS xorloom isa jerasure shec lrc clay)
    file(CREATE_LINK ../../ceph/erasure-code/libec_xorloom.so ${others}/libec_${name}.so SYMBOLIC)
  endforeach()
  install(
    DIRECTORY ${others}/
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/xorloom/ceph
    COMPONENT ceph
    EXCLUDE_FROM_ALL)
  string(REGEX MATCH "[0-9]+$" patch "${XORLOOM_CEPH_VERSION}")
  string(REGEX REPLACE "[0-9]+$" "" release "${XORLOOM_CEPH_VERSION}")
  math(EXPR next "${patch} + 1")
  set(CPACK_DEBIAN_CEPH_PACKAGE_NAME xorloom-ceph)
  set(CPACK_DEBIAN_CEPH_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_CEPH_PACKAGE_DEPENDS
      "ceph-base (>= ${XORLOOM_CEPH_VERSION}), ceph-base (<< ${release}${next}~)")
  set(CPACK_COMPONENT_CEPH_DESCRIPTION "${long}\nThis package has the plugin for Ceph ${XORLOOM_CEPH_VERSION}.")
endif()

if(TARGET xorloom_mpi)
  set(mpi libxorloom-mpi${PROJECT_VERSION_MAJOR})
  list(APPEND parts mpi:xorloom-mpi mpi_runtime:${mpi} mpi_development:libxorloom-mpi-dev)
  list(APPEND CPACK_COMPONENTS_ALL mpi mpi_runtime mpi_development)
  # They are linked to the shared libraries of this build, which no package has yet.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/integrations/mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME xorloom-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION utils)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "${mpi} (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_MPI_DESCRIPTION "${long}\nThis package has the program for erasure coding over MPI.")
  set(CPACK_DEBIAN_MPI_RUNTIME_PACKAGE_NAME ${mpi})
  set(CPACK_DEBIAN_MPI_RUNTIME_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_MPI_RUNTIME_PACKAGE_CONTROL_EXTRA ${triggers})
  set(CPACK_DEBIAN_MPI_RUNTIME_PACKAGE_DEPENDS "libxorloom${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENT_MPI_RUNTIME_DESCRIPTION "${long}\nThis package has the library for erasure coding over MPI.")
  set(CPACK_DEBIAN_MPI_DEVELOPMENT_PACKAGE_NAME libxorloom-mpi-dev)
  set(CPACK_DEBIAN_MPI_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_MPI_DEVELOPMENT_PACKAGE_DEPENDS
      "${mpi} (= ${PROJECT_VERSION}), libxorloom-dev (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_MPI_DEVELOPMENT_PACKAGE_SUGGESTS libopenmpi-dev)
  set(CPACK_COMPONENT_MPI_DEVELOPMENT_DESCRIPTION
      "${long}\nThis package has the header of the library for erasure coding over MPI.")
endif()

# The explorer. `xorloom serve` finds the page where this installs it.
set(XORLOOM_PAGE
    ""
    CACHE FILEPATH "The page that scripts/make-page made, to be installed; empty: none")
if(XORLOOM_PAGE)
  list(APPEND parts web:xorloom-web)
  list(APPEND CPACK_COMPONENTS_ALL web)
  install(
    FILES ${XORLOOM_PAGE}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/xorloom
    COMPONENT web
    RENAME explorer.html)
  set(CPACK_DEBIAN_WEB_PACKAGE_NAME xorloom-web)
  set(CPACK_DEBIAN_WEB_PACKAGE_SECTION web)
  set(CPACK_DEBIAN_WEB_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_WEB_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_WEB_PACKAGE_ENHANCES xorloom)
  set(CPACK_COMPONENT_WEB_DESCRIPTION
      "${long}\nThis package has the explorer, a page for browsers with the compiler in it.")
endif()

# What Debian wants of every package: its licence and its changes.
find_program(XORLOOM_GZIP gzip)
if(XORLOOM_GZIP)
  foreach(part IN LISTS parts)
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
