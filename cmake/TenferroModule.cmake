# tenferro_module(<name> HEADERS … SOURCES … [TESTS …] [DEPS …] [PRIVATE_DEPS …])
# makes library tenferro_<name> (alias tenferro::<name>), its test program tenferro_<name>_test and its layer record.
# HEADERS are the public, installed ones. DEPS are tenferro:: modules or imported targets.
include_guard(GLOBAL)

set_property(GLOBAL PROPERTY TENFERRO_LAYERS "")

function(tenferro_module name)
  cmake_parse_arguments(arg "" "" "HEADERS;SOURCES;TESTS;DEPS;PRIVATE_DEPS" ${ARGN})
  set(target tenferro_${name})
  if(arg_SOURCES)
    add_library(${target} ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tenferro_warnings> ${arg_PRIVATE_DEPS})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(tenferro::${name} ALIAS ${target})
  target_link_libraries(${target} ${scope} ${arg_DEPS})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${arg_HEADERS})
  set_property(GLOBAL APPEND_STRING PROPERTY TENFERRO_LAYERS
               "${name}: ${arg_DEPS} ${arg_PRIVATE_DEPS}\n")

  if(TENFERRO_BUILD_TESTS AND arg_TESTS)
    add_executable(${target}_test ${arg_TESTS})
    target_link_libraries(${target}_test PRIVATE tenferro::${name} tenferro_warnings GTest::gtest_main)
    gtest_discover_tests(${target}_test TEST_PREFIX ${name}. PROPERTIES LABELS unit DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
