# A release has two levels of optimisation: -O1 takes a third off the build of what does as much work as a user's hand
# requests. Builds that have one level for everything keep it.
set(ALTI_LEVELS OFF)
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[01]")
  set(ALTI_LEVELS ON)
endif()

# alti_light(TARGET): what it does is not worth more than -O1.
function(alti_light target)
  if(ALTI_LEVELS)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# alti_room(NAME [QT] [LIGHT] [FULL shelf...] LINKS room... LIBS library...)
# A room is one static library made of all .cpp files of the calling folder and its shelves; a new file needs no edit here.
# LINKS names the rooms that it may include (public: their headers are seen by includers too), LIBS are private. FULL names
# the shelves that are worth full optimisation: the rest is light.
function(alti_room name)
  cmake_parse_arguments(arg "QT;LIGHT" "" "FULL;LINKS;LIBS" ${ARGN})
  list(TRANSFORM arg_LINKS PREPEND altiscope_)
  # Rooms with Qt are compiled as position-independent code, which needs a header of its own: not worth it.
  set(headers)
  if(TARGET altiscope_core_header AND NOT arg_QT)
    set(full altiscope_core_header)
    if(ALTI_HOT)
      set(full altiscope_core_hot_header)
    endif()
    set(headers ${full} ${full})
    if(ALTI_LEVELS AND (arg_LIGHT OR arg_FULL))
      set(headers altiscope_core_light_header ${full})
    endif()
  endif()
  alti_library(altiscope_${name} ${CMAKE_CURRENT_SOURCE_DIR} ${headers})
endfunction()

# alti_library(TARGET FOLDER [HEADER FULL_HEADER]): a static library, as the caller's arg_... say; HEADER and FULL_HEADER are
# the targets whose precompiled headers its light and its other files take.
function(alti_library target folder)
  list(APPEND ARGN "" "")
  list(GET ARGN 0 header)
  list(GET ARGN 1 full_header)
  alti_sources(sources ${folder})
  set(full)
  if(ALTI_LEVELS AND arg_FULL)
    foreach(shelf ${arg_FULL})
      if(NOT IS_DIRECTORY ${folder}/${shelf})
        message(FATAL_ERROR "${target}: there is no shelf ${shelf}")
      endif()
    endforeach()
    list(JOIN arg_FULL "|" shelves)
    set(full ${sources})
    list(FILTER full INCLUDE REGEX "^${folder}/(${shelves})/")
    list(REMOVE_ITEM sources ${full})
  endif()
  alti_part(${target} STATIC "${header}" "${sources}")
  if(arg_LIGHT OR arg_FULL)
    alti_light(${target})
  endif()
  if(full)
    alti_part(${target}_full OBJECT "${full_header}" "${full}")
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_full>)
  endif()
endfunction()

function(alti_part target kind header sources)
  add_library(${target} ${kind} ${sources})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${arg_LINKS} PRIVATE ${arg_LIBS})
  if(arg_QT)
    alti_automoc(${target})
  endif()
  if(header)
    target_precompile_headers(${target} REUSE_FROM ${header})
  endif()
endfunction()

# alti_header(NAME HEADER [option...]): a target whose precompiled headers others take; g++ 12 fails where a header has another
# level of optimisation than its user. A target's own would be up to 300 MB each.
function(alti_header name header)
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
  add_library(altiscope_${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_precompile_headers(altiscope_${name} PRIVATE ${header})
  target_compile_options(altiscope_${name} PRIVATE ${ARGN})
endfunction()

# alti_automoc(TARGET): what Qt makes of its headers is joined with its other files instead of being compiled by itself,
# which would read all of its headers once more.
function(alti_automoc target)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/mocs_compilation.cpp)
  set(joined ${CMAKE_CURRENT_BINARY_DIR}/${target}_mocs.cpp)
  file(CONFIGURE OUTPUT ${joined} CONTENT "#include \"${made}\"\n")
  set_source_files_properties(${made} PROPERTIES HEADER_FILE_ONLY ON)
  set_source_files_properties(${joined} PROPERTIES SKIP_AUTOMOC ON)
  target_sources(${target} PRIVATE ${joined})
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
endfunction()

# alti_hot(): the targets of this folder look at each byte of gigabytes.
macro(alti_hot)
  if(ALTI_LEVELS)
    set(ALTI_HOT ON)
    add_compile_options(-O3)
  endif()
endmacro()

# alti_sources(VARIABLE FOLDER): all sources of a room. A room may consist of headers alone, but a library may not: it then
# gets an empty source file.
function(alti_sources variable folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.h)
  if(NOT "${sources}" MATCHES "\\.cpp")
    set(empty ${CMAKE_CURRENT_BINARY_DIR}/headers_only.cpp)
    file(CONFIGURE OUTPUT ${empty} CONTENT "")
    list(APPEND sources ${empty})
  endif()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# alti_embed(TARGET NAME FUNCTION HEADER FILE...): FUNCTION of HEADER returns the bytes of the files, as EmbedText.cmake
# joins them; NAME tells the source files that it makes apart.
function(alti_embed target name function header)
  set(script ${PROJECT_SOURCE_DIR}/packaging/cmake/EmbedText.cmake)
  set(embedded ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  list(JOIN ARGN "|" inputs)
  add_custom_command(
    OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} "-DINPUT=${inputs}" -DOUTPUT=${embedded} -DHEADER=${header} -DFUNCTION=${function}
            -P ${script}
    DEPENDS ${ARGN} ${script}
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${embedded})
  # Each has a constant of the same name.
  set_source_files_properties(${embedded} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
