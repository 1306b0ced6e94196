# Language level, warnings, sanitizers and compiler cache of every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Told what the compiler can do, moc 6.4 enters <concepts>, which it cannot parse.
set(CMAKE_AUTOMOC_COMPILER_PREDEFINES OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(ALTI_CCACHE ccache)
if(ALTI_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Files with precompiled headers are cached only if ccache may trust the time stamps in them. Two checkouts share
  # what is equal in them: paths below the source folder count as relative.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${ALTI_CCACHE})
  # A time stamp in clang's precompiled headers would make each build's another one.
  add_compile_options("$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

if(ALTI_WARNINGS)
  # Clang also wants braces for each level of what is one list, and takes a change of sign for a -Wconversion.
  add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast
                      "$<$<CXX_COMPILER_ID:Clang>:-Wno-missing-braces;-Wno-sign-conversion>")
else()
  # Not only quiet: some of g++'s warnings are analyses of their own.
  add_compile_options(-w)
endif()
# Files that are joined for one compiler run see each other's constants, and g++ takes them for headers; the builds without
# unity check both.
if(CMAKE_UNITY_BUILD)
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
else()
  add_compile_options(-Wshadow)
endif()
if(ALTI_WERROR)
  # g++ 12 takes inlined std::string code at -O3 for overlapping, oversized or uninitialised copies (GCC bug 105651 and kin).
  add_compile_options(-Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-error=restrict>
                      $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overflow> $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overread>
                      $<$<CXX_COMPILER_ID:GNU>:-Wno-error=maybe-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds>)
endif()
add_compile_definitions(QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH)

# With debug information ld needs 11 s for the window, lld 1.4 s.
find_program(ALTI_LLD ld.lld)
if(ALTI_LLD AND CMAKE_BUILD_TYPE STREQUAL Debug)
  add_link_options(-fuse-ld=lld)
endif()

if(ALTI_SANITIZE)
  add_compile_options(-fsanitize=${ALTI_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${ALTI_SANITIZE})
  # Catches what the sanitizers cannot, such as v[0] of an empty vector that has capacity.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  if(ALTI_SANITIZE MATCHES undefined)
    # These are a sixth of the build. The address sanitizer stops at what the first two look for; the last one looks at
    # casts within class hierarchies, which the rooms that read files hardly have.
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=null,object-size,vptr)
  endif()
endif()
