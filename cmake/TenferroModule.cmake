# The helpers with which every folder states what it builds.
#
# tenferro_module(<name>
#   HEADERS           public headers: installed, each compiled alone by the header check
#   INTERNAL_HEADERS  headers under internal/ that public templates include: installed, not for users
#   GENERATED_HEADERS public headers made in the build tree, relative to <build>/generated
#   SOURCES           TESTS (the files of the test program tenferro_<name>_test)
#   DEPS              tenferro:: modules or imported targets that the public headers need
#   PRIVATE_DEPS      those that only the sources need, but that a consumer must link
#   BUILD_DEPS        header-only libraries that only the sources need; consumers never see them
#   TEST_DEPS)        what only the tests need
# makes library tenferro_<name> (alias and exported name tenferro::<name>), its install component and its layer record.
#
# tenferro_test(<target> [LABEL unit] [PREFIX text.] [WHOLE] SOURCES … [DEPS …])
#   one GoogleTest program; each of its tests is a ctest test, unless WHOLE asks for one ctest test in all.
# tenferro_program(<target> NAME <file name> SOURCES … [DEPS …] [INSTALL])   an executable in <build>/bin
# tenferro_bench(<target> SOURCES … [DEPS …])     a Google Benchmark program, if TENFERRO_BUILD_BENCHES
# tenferro_example(<source> [DEPS …])             a program that ctest runs, if TENFERRO_BUILD_EXAMPLES
# tenferro_fuzz(<target> SOURCES … [DEPS …])      a libFuzzer target with a short ctest run, if TENFERRO_FUZZ
include_guard(GLOBAL)
include(GNUInstallDirs)

option(TENFERRO_DISCOVER_TESTS "Make each GoogleTest case a ctest test (off: one ctest test a program)" ON)

# Which find_package call brings an imported target; consumers repeat it through tenferroConfig.cmake.
set(TENFERRO_PACKAGE_OF_Threads::Threads Threads)
set(TENFERRO_PACKAGE_OF_ZLIB::ZLIB ZLIB)
set(TENFERRO_PACKAGE_OF_OpenBLAS::pthread OpenBLASPthread)
set(TENFERRO_PACKAGE_OF_Sleef::sleef Sleef)
set(TENFERRO_PACKAGE_OF_hwy::hwy hwy)
set(TENFERRO_PACKAGE_OF_fmt::fmt fmt)
set(TENFERRO_PACKAGE_OF_tl::expected tl-expected)

function(tenferro_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" ""
    "HEADERS;INTERNAL_HEADERS;GENERATED_HEADERS;SOURCES;TESTS;DEPS;PRIVATE_DEPS;BUILD_DEPS;TEST_DEPS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tenferro_module(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(target tenferro_${name})
  if(arg_SOURCES)
    add_library(${target} ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tenferro_warnings> ${arg_PRIVATE_DEPS})
    foreach(dependency IN LISTS arg_BUILD_DEPS)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${dependency}>)
    endforeach()
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION}
                                               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(tenferro::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(${target} ${scope} ${arg_DEPS})
  target_compile_features(${target} ${scope} cxx_std_20)

  list(TRANSFORM arg_GENERATED_HEADERS PREPEND "${PROJECT_BINARY_DIR}/generated/")
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
  # Tables (.def) are installed like headers but mean nothing when compiled alone.
  set(headers ${arg_HEADERS})
  list(FILTER headers EXCLUDE REGEX "\\.def$")
  set(tables ${arg_HEADERS})
  list(FILTER tables INCLUDE REGEX "\\.def$")
  target_sources(${target} ${scope}
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers}
    FILE_SET tables TYPE HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${tables}
    FILE_SET internal_headers TYPE HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${arg_INTERNAL_HEADERS}
    FILE_SET generated_headers TYPE HEADERS BASE_DIRS "${PROJECT_BINARY_DIR}/generated"
             FILES ${arg_GENERATED_HEADERS})

  set_target_properties(${target} PROPERTIES
    INTERFACE_HEADER_SETS_TO_VERIFY "HEADERS;internal_headers;generated_headers")

  _tenferro_record_layer(${name})
  if(TENFERRO_INSTALL)
    install(TARGETS ${target} EXPORT tenferro-${name}
            ARCHIVE COMPONENT ${name}
            LIBRARY COMPONENT ${name}
            FILE_SET HEADERS COMPONENT ${name}
            FILE_SET tables COMPONENT ${name}
            FILE_SET internal_headers COMPONENT ${name}
            FILE_SET generated_headers COMPONENT ${name})
    install(EXPORT tenferro-${name} NAMESPACE tenferro:: FILE tenferro-${name}-targets.cmake
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tenferro" COMPONENT ${name})
  endif()
  if(arg_TESTS)
    tenferro_test(${target}_test PREFIX ${name}. SOURCES ${arg_TESTS} DEPS tenferro::${name} ${arg_TEST_DEPS})
  endif()
endfunction()

# Keeps, for layers.txt and for the package file, what the module said of itself.
function(_tenferro_record_layer name)
  set(modules "")
  set(packages "")
  foreach(dependency IN LISTS arg_DEPS arg_PRIVATE_DEPS)
    if(dependency MATCHES "^tenferro::(.+)$")
      list(APPEND modules "${CMAKE_MATCH_1}")
    elseif(DEFINED TENFERRO_PACKAGE_OF_${dependency})
      list(APPEND packages "${TENFERRO_PACKAGE_OF_${dependency}}")
    elseif(dependency MATCHES "::")
      message(FATAL_ERROR "tenferro_module(${name}): add ${dependency} to the package map in TenferroModule.cmake")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TENFERRO_MODULES ${name})
  set_property(GLOBAL APPEND PROPERTY TENFERRO_PACKAGES ${packages})
  set_property(GLOBAL APPEND_STRING PROPERTY TENFERRO_PACKAGE_LINES
    "set(_tenferro_${name}_modules ${modules})\nset(_tenferro_${name}_packages ${packages})\n")
  set(lines "module ${name}\n")
  foreach(list IN ITEMS HEADERS INTERNAL_HEADERS GENERATED_HEADERS DEPS PRIVATE_DEPS BUILD_DEPS TEST_DEPS)
    string(REPLACE ";" " " words "${arg_${list}}")
    string(REPLACE "${PROJECT_BINARY_DIR}/generated/tenferro/${name}/" "" words "${words}")
    string(TOLOWER ${list} key)
    string(APPEND lines "${key} ${words}\n")
  endforeach()
  set_property(GLOBAL APPEND_STRING PROPERTY TENFERRO_LAYERS "${lines}")
endfunction()

# Little optimisation for code that only drives the libraries; those are built in full.
if(TENFERRO_SANITIZE)
  set(TENFERRO_QUICK_OPTIONS -O0)
else()
  set(TENFERRO_QUICK_OPTIONS $<$<CONFIG:Release>:-O1>)
endif()

# Common headers of tests are read once for all of them.
function(_tenferro_precompile target)
  if(NOT TARGET tenferro_precompiled)
    set(source "${PROJECT_BINARY_DIR}/precompiled.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "int main() {}\n" @ONLY)
    add_executable(tenferro_precompiled EXCLUDE_FROM_ALL "${source}")
    target_link_libraries(tenferro_precompiled PRIVATE tenferro_warnings GTest::gtest)
    target_compile_options(tenferro_precompiled PRIVATE ${TENFERRO_QUICK_OPTIONS})
    target_precompile_headers(tenferro_precompiled PRIVATE <gtest/gtest.h> <complex> <functional> <valarray>)
  endif()
  target_precompile_headers(${target} REUSE_FROM tenferro_precompiled)
endfunction()

function(tenferro_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "LABEL;PREFIX;TIMEOUT" "SOURCES;DEPS")
  if(NOT TENFERRO_BUILD_TESTS)
    return()
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(TENFERRO_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 4")
  endif()
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_DEPS} tenferro_warnings GTest::gtest_main)
  target_compile_options(${target} PRIVATE ${TENFERRO_QUICK_OPTIONS})
  _tenferro_precompile(${target})
  # Tests of one program share most headers: reading four sources at a time halves what the compiler does. The names in
  # their anonymous namespaces must differ; what two of them need belongs in tests/support.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  if(TENFERRO_DISCOVER_TESTS AND NOT arg_WHOLE)
    gtest_discover_tests(${target} TEST_PREFIX ${arg_PREFIX} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT})
  else()
    _tenferro_whole_test(${target} ${arg_LABEL} ${arg_TIMEOUT})
  endif()
endfunction()

# One ctest test for all cases of a program; with a sanitizer, two with half of the cases each.
function(_tenferro_whole_test target label timeout)
  if(NOT TENFERRO_SANITIZE)
    add_test(NAME ${target} COMMAND ${target})
    set_tests_properties(${target} PROPERTIES LABELS ${label} TIMEOUT ${timeout})
    return()
  endif()
  foreach(half IN ITEMS 0 1)
    add_test(NAME ${target}.${half} COMMAND ${target})
    set_tests_properties(${target}.${half} PROPERTIES LABELS ${label} TIMEOUT ${timeout}
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=${half}")
  endforeach()
endfunction()

function(tenferro_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INSTALL" "NAME" "SOURCES;DEPS")
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_DEPS} tenferro_warnings)
  if(arg_NAME)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_NAME})
  endif()
  if(arg_INSTALL AND TENFERRO_INSTALL)
    install(TARGETS ${target} RUNTIME COMPONENT cli)
  endif()
endfunction()

function(tenferro_bench target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS")
  if(NOT TENFERRO_BUILD_BENCHES)
    return()
  endif()
  find_package(benchmark REQUIRED)
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_DEPS} tenferro_warnings benchmark::benchmark)
endfunction()

function(tenferro_example source)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPS")
  if(NOT TENFERRO_BUILD_EXAMPLES)
    return()
  endif()
  cmake_path(GET source STEM stem)
  add_executable(example_${stem} ${source})
  target_link_libraries(example_${stem} PRIVATE ${arg_DEPS} tenferro_warnings)
  if(TENFERRO_BUILD_TESTS)
    add_test(NAME example.${stem} COMMAND example_${stem})
    set_tests_properties(example.${stem} PROPERTIES LABELS example TIMEOUT 120)
  endif()
endfunction()

function(tenferro_fuzz target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS")
  if(NOT TENFERRO_FUZZ)
    return()
  endif()
  if(NOT TARGET tenferro_fuzzers)
    add_custom_target(tenferro_fuzzers)
  endif()
  add_dependencies(tenferro_fuzzers ${target})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_DEPS} tenferro_warnings)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/corpus/${target}")
  set(found "${CMAKE_CURRENT_BINARY_DIR}/${target}_found")
  file(MAKE_DIRECTORY "${found}")
  set(folders "${found}")
  if(EXISTS "${corpus}")
    list(APPEND folders "${corpus}")
  endif()
  string(REGEX REPLACE "^fuzz_" "" subject ${target})
  add_test(NAME fuzz.${subject}
           COMMAND ${target} -max_total_time=${TENFERRO_FUZZ_SECONDS} -timeout=10 -rss_limit_mb=2048
                   -print_final_stats=1 ${folders})
  set_tests_properties(fuzz.${subject} PROPERTIES LABELS fuzz TIMEOUT 600)
endfunction()

# Called once, after the last module: writes layers.txt for the lint and installs the package file.
function(tenferro_finish_package)
  get_property(layers GLOBAL PROPERTY TENFERRO_LAYERS)
  file(WRITE "${PROJECT_BINARY_DIR}/layers.txt" "${layers}")
  if(NOT TENFERRO_INSTALL)
    return()
  endif()
  include(CMakePackageConfigHelpers)
  get_property(TENFERRO_MODULES GLOBAL PROPERTY TENFERRO_MODULES)
  get_property(TENFERRO_PACKAGE_LINES GLOBAL PROPERTY TENFERRO_PACKAGE_LINES)
  set(folder "${CMAKE_INSTALL_LIBDIR}/cmake/tenferro")
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tenferroConfig.cmake.in" tenferroConfig.cmake
                                INSTALL_DESTINATION "${folder}" NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(tenferroConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  _tenferro_pkg_config()
  install(FILES "${PROJECT_BINARY_DIR}/tenferroConfig.cmake" "${PROJECT_BINARY_DIR}/tenferroConfigVersion.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/FindOpenBLASPthread.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindSleef.cmake"
          DESTINATION "${folder}" COMPONENT base)
endfunction()

# tenferro.pc, for builds without CMake: every module, found from wherever the prefix was moved to.
function(_tenferro_pkg_config)
  get_property(modules GLOBAL PROPERTY TENFERRO_MODULES)
  get_property(packages GLOBAL PROPERTY TENFERRO_PACKAGES)
  list(REVERSE modules)
  list(TRANSFORM modules PREPEND "-ltenferro_")
  list(JOIN modules " " libraries)
  list(REMOVE_DUPLICATES packages)
  set(others "")
  foreach(package IN LISTS packages)
    if(package STREQUAL OpenBLASPthread)
      cmake_path(GET OpenBLASPthread_LIBRARY PARENT_PATH folder)
      string(APPEND others " -L${folder} -Wl,-rpath,${folder} -lopenblas")
    elseif(package STREQUAL Threads)
      string(APPEND others " -pthread")
    elseif(package STREQUAL ZLIB)
      string(APPEND others " -lz")
    elseif(package MATCHES "^(Sleef|fmt|hwy)$")
      string(TOLOWER ${package} library)
      string(APPEND others " -l${library}")
    endif()
  endforeach()
  # Static libraries name what they need; shared ones bring it along.
  if(BUILD_SHARED_LIBS)
    set(private "${others}")
  else()
    set(private "")
    string(APPEND libraries "${others}")
  endif()
  file(WRITE "${PROJECT_BINARY_DIR}/tenferro.pc"
    "prefix=\${pcfiledir}/../..\n"
    "libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}\n"
    "includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}\n"
    "Name: tenferro\nDescription: ${PROJECT_DESCRIPTION}\nVersion: ${PROJECT_VERSION}\n"
    "Cflags: -I\${includedir}\nLibs: -L\${libdir} ${libraries}\nLibs.private:${private}\n")
  install(FILES "${PROJECT_BINARY_DIR}/tenferro.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT base)
endfunction()
