# Finds other libraries that Xorloom is compared with: tests compare bytes, `xorloom-lab compare`
# compares times. The build needs none of them. For ISAL, JERASURE and LEOPARD this file sets
# XORLOOM_HAS_<NAME>, XORLOOM_<NAME>_INCLUDES and XORLOOM_<NAME>_LIBRARIES.

option(XORLOOM_PEERS "Compare with libisal, libJerasure and Leopard where they are installed"
       ${PROJECT_IS_TOP_LEVEL})
set(XORLOOM_LEOPARD "" CACHE PATH "Where Leopard was built or installed, for xorloom-lab compare --against leopard")

# The libisal that pkg-config names comes first, so that PKG_CONFIG_PATH can name a newer one than
# the distribution's.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(XORLOOM_ISAL_PACKAGE QUIET libisal)
endif()
find_path(XORLOOM_ISAL_INCLUDE isa-l.h HINTS ${XORLOOM_ISAL_PACKAGE_INCLUDEDIR})
find_library(XORLOOM_ISAL_LIBRARY isal HINTS ${XORLOOM_ISAL_PACKAGE_LIBDIR})
find_path(XORLOOM_JERASURE_INCLUDE jerasure.h)
find_path(XORLOOM_JERASURE_PARTS cauchy.h PATH_SUFFIXES jerasure)
find_library(XORLOOM_JERASURE_LIBRARY Jerasure)
find_library(XORLOOM_GF_COMPLETE_LIBRARY gf_complete)
# Its own build calls the file liblibleopard.a.
find_path(XORLOOM_LEOPARD_INCLUDE leopard.h HINTS ${XORLOOM_LEOPARD} PATH_SUFFIXES include)
find_library(
  XORLOOM_LEOPARD_LIBRARY
  NAMES leopard libleopard
  HINTS ${XORLOOM_LEOPARD}
  PATH_SUFFIXES lib build)
mark_as_advanced(
  XORLOOM_ISAL_INCLUDE XORLOOM_ISAL_LIBRARY XORLOOM_JERASURE_INCLUDE XORLOOM_JERASURE_PARTS
  XORLOOM_JERASURE_LIBRARY XORLOOM_GF_COMPLETE_LIBRARY XORLOOM_LEOPARD_INCLUDE
  XORLOOM_LEOPARD_LIBRARY)

set(XORLOOM_ISAL_INCLUDES ${XORLOOM_ISAL_INCLUDE})
set(XORLOOM_ISAL_LIBRARIES ${XORLOOM_ISAL_LIBRARY})
set(XORLOOM_JERASURE_INCLUDES ${XORLOOM_JERASURE_INCLUDE} ${XORLOOM_JERASURE_PARTS})
set(XORLOOM_JERASURE_LIBRARIES ${XORLOOM_JERASURE_LIBRARY} ${XORLOOM_GF_COMPLETE_LIBRARY})
set(XORLOOM_LEOPARD_INCLUDES ${XORLOOM_LEOPARD_INCLUDE})
set(XORLOOM_LEOPARD_LIBRARIES ${XORLOOM_LEOPARD_LIBRARY})
foreach(peer ISAL JERASURE LEOPARD)
  set(XORLOOM_HAS_${peer} ${XORLOOM_PEERS})
  if("${XORLOOM_${peer}_INCLUDES};${XORLOOM_${peer}_LIBRARIES}" MATCHES "NOTFOUND")
    set(XORLOOM_HAS_${peer} OFF)
  endif()
endforeach()

# An archive of Leopard may need OpenMP, which it does not say.
if(XORLOOM_HAS_LEOPARD)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${XORLOOM_LEOPARD_INCLUDES})
  set(CMAKE_REQUIRED_LIBRARIES ${XORLOOM_LEOPARD_LIBRARIES})
  set(XORLOOM_LEOPARD_CALL "#include <leopard.h>\nint main() { return leo_init(); }")
  check_cxx_source_compiles("${XORLOOM_LEOPARD_CALL}" XORLOOM_LEOPARD_LINKS)
  if(NOT XORLOOM_LEOPARD_LINKS)
    find_package(OpenMP QUIET COMPONENTS CXX)
    list(APPEND XORLOOM_LEOPARD_LIBRARIES ${OpenMP_CXX_LIBRARIES})
    set(CMAKE_REQUIRED_LIBRARIES ${XORLOOM_LEOPARD_LIBRARIES})
    check_cxx_source_compiles("${XORLOOM_LEOPARD_CALL}" XORLOOM_LEOPARD_LINKS_WITH_OPENMP)
  endif()
  if(NOT XORLOOM_LEOPARD_LINKS AND NOT XORLOOM_LEOPARD_LINKS_WITH_OPENMP)
    message(WARNING "${XORLOOM_LEOPARD_LIBRARY} does not link, and is left out")
    set(XORLOOM_HAS_LEOPARD OFF)
  endif()
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
