# Finds other libraries that Xorloom is compared with: tests compare bytes, `xorloom bench --against`
# compares times. The build needs none of them. For ISAL and JERASURE this file sets XORLOOM_HAS_<NAME>,
# XORLOOM_<NAME>_INCLUDES and XORLOOM_<NAME>_LIBRARIES.

option(XORLOOM_PEERS "Compare with libisal and libJerasure where they are installed"
       ${PROJECT_IS_TOP_LEVEL})

find_path(XORLOOM_ISAL_INCLUDE isa-l/erasure_code.h)
find_library(XORLOOM_ISAL_LIBRARY isal)
find_path(XORLOOM_JERASURE_INCLUDE jerasure.h)
find_path(XORLOOM_JERASURE_PARTS cauchy.h PATH_SUFFIXES jerasure)
find_library(XORLOOM_JERASURE_LIBRARY Jerasure)
find_library(XORLOOM_GF_COMPLETE_LIBRARY gf_complete)
mark_as_advanced(XORLOOM_ISAL_INCLUDE XORLOOM_ISAL_LIBRARY XORLOOM_JERASURE_INCLUDE
                 XORLOOM_JERASURE_PARTS XORLOOM_JERASURE_LIBRARY XORLOOM_GF_COMPLETE_LIBRARY)

set(XORLOOM_ISAL_INCLUDES ${XORLOOM_ISAL_INCLUDE})
set(XORLOOM_ISAL_LIBRARIES ${XORLOOM_ISAL_LIBRARY})
set(XORLOOM_JERASURE_INCLUDES ${XORLOOM_JERASURE_INCLUDE} ${XORLOOM_JERASURE_PARTS})
set(XORLOOM_JERASURE_LIBRARIES ${XORLOOM_JERASURE_LIBRARY} ${XORLOOM_GF_COMPLETE_LIBRARY})
foreach(peer ISAL JERASURE)
  set(XORLOOM_HAS_${peer} ${XORLOOM_PEERS})
  if("${XORLOOM_${peer}_INCLUDES};${XORLOOM_${peer}_LIBRARIES}" MATCHES "NOTFOUND")
    set(XORLOOM_HAS_${peer} OFF)
  endif()
endforeach()
