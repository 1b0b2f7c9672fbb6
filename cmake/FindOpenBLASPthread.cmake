# Finds the pthread flavour of OpenBLAS by its full path and makes OpenBLAS::pthread.
# The plain names (libopenblas.so, libblas.so.3, find_package(BLAS)) follow Debian's alternatives, which may point at the
# serial flavour (wrong results when called from several threads) or at another library; this module never uses them.
# Set OpenBLASPthread_ROOT, or the cache entries OpenBLASPthread_LIBRARY and OpenBLASPthread_INCLUDE_DIR, to choose.
include(FindPackageHandleStandardArgs)

set(_openblas_suffixes openblas-pthread)
if(CMAKE_LIBRARY_ARCHITECTURE)
  list(APPEND _openblas_suffixes ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread)
endif()
find_path(OpenBLASPthread_INCLUDE_DIR cblas.h PATH_SUFFIXES ${_openblas_suffixes} NO_CMAKE_PACKAGE_REGISTRY)
# Only folders of the flavour's own name count: a plain libopenblas.so elsewhere may be any flavour.
find_library(OpenBLASPthread_LIBRARY NAMES openblasp openblas PATH_SUFFIXES ${_openblas_suffixes})
if(OpenBLASPthread_LIBRARY AND NOT OpenBLASPthread_LIBRARY MATCHES "openblas-pthread|openblasp"
   AND NOT DEFINED OpenBLASPthread_ROOT AND NOT DEFINED ENV{OpenBLASPthread_ROOT})
  unset(OpenBLASPthread_LIBRARY CACHE)
endif()
unset(_openblas_suffixes)

find_package_handle_standard_args(OpenBLASPthread
  REQUIRED_VARS OpenBLASPthread_LIBRARY OpenBLASPthread_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian: apt-get install libopenblas-pthread-dev")
mark_as_advanced(OpenBLASPthread_LIBRARY OpenBLASPthread_INCLUDE_DIR)

if(OpenBLASPthread_FOUND AND NOT TARGET OpenBLAS::pthread)
  add_library(OpenBLAS::pthread UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::pthread PROPERTIES
    IMPORTED_LOCATION "${OpenBLASPthread_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLASPthread_INCLUDE_DIR}")
endif()
