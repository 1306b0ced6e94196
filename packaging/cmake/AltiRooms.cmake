# alti_room(NAME [QT] LINKS room... LIBS library...)
# A room is one static library made of all .cpp files of the calling folder and its shelves; a new file needs no edit here.
# LINKS names the rooms that it may include (public: their headers are seen by includers too), LIBS are private.
function(alti_room name)
  cmake_parse_arguments(arg "QT" "" "LINKS;LIBS" ${ARGN})
  alti_sources(sources ${CMAKE_CURRENT_SOURCE_DIR})
  add_library(altiscope_${name} STATIC ${sources})
  target_include_directories(altiscope_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  foreach(room ${arg_LINKS})
    target_link_libraries(altiscope_${name} PUBLIC altiscope_${room})
  endforeach()
  target_link_libraries(altiscope_${name} PRIVATE ${arg_LIBS})
  if(arg_QT)
    set_target_properties(altiscope_${name} PROPERTIES AUTOMOC ON)
  endif()
endfunction()

# alti_light(): the targets of this folder do as much work as a user's hand asks for, so they are optimised less: it takes a
# third off their build. Not for views: g++ 12 fails where a precompiled header has another level than its user.
macro(alti_light)
  add_compile_options($<$<CONFIG:Release>:-O1>)
endmacro()

# alti_hot(): the targets of this folder look at each byte of gigabytes. Nothing in builds that are less optimised anyway.
macro(alti_hot)
  if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O2")
    add_compile_options($<$<CONFIG:Release>:-O3>)
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
