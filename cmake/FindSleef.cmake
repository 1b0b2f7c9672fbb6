# Finds SLEEF (vector elementary functions) through pkg-config, which is all it ships, and makes Sleef::sleef.
include(FindPackageHandleStandardArgs)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_Sleef QUIET sleef)
endif()
find_path(Sleef_INCLUDE_DIR sleef.h HINTS ${PC_Sleef_INCLUDE_DIRS})
find_library(Sleef_LIBRARY sleef HINTS ${PC_Sleef_LIBRARY_DIRS})
find_package_handle_standard_args(Sleef
  REQUIRED_VARS Sleef_LIBRARY Sleef_INCLUDE_DIR
  VERSION_VAR PC_Sleef_VERSION
  REASON_FAILURE_MESSAGE "on Debian: apt-get install libsleef-dev")
mark_as_advanced(Sleef_LIBRARY Sleef_INCLUDE_DIR)

if(Sleef_FOUND AND NOT TARGET Sleef::sleef)
  add_library(Sleef::sleef UNKNOWN IMPORTED)
  set_target_properties(Sleef::sleef PROPERTIES
    IMPORTED_LOCATION "${Sleef_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Sleef_INCLUDE_DIR}")
endif()
