# Script: cmake -DINPUT=file -DOUTPUT=file.cpp -DHEADER=include -DFUNCTION=name -P EmbedText.cmake
# INPUT may be several files with | between them: before each stand a form feed and its name without ending, in a line.
# Writes a C++ file with `std::string_view altiscope::FUNCTION()` that returns the bytes of INPUT. The bytes become one
# array of character constants: string literals end at 64 KiB in some compilers and would need escaping.
string(REPLACE "|" ";" inputs "${INPUT}")
list(LENGTH inputs count)
set(bytes "")
foreach(input IN LISTS inputs)
  file(READ ${input} content HEX)
  if(count GREATER 1)
    get_filename_component(name ${input} NAME_WE)
    string(HEX ${name} name)
    string(APPEND bytes "0c${name}0a")
  endif()
  string(APPEND bytes "${content}")
endforeach()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
# One line of source per line of text keeps the lines of the generated file short.
string(REPLACE "'\\x0a'," "'\\x0a',\n    " bytes "${bytes}")
list(GET inputs 0 name)
get_filename_component(name ${name} NAME)
file(WRITE ${OUTPUT}.new
"// Made from ${name} by EmbedText.cmake; edit that file instead.
#include \"${HEADER}\"

namespace altiscope {

namespace {
// The zero at the end keeps the array legal for an empty file; it is not part of the text.
constexpr char kBytes[] = {
    ${bytes}'\\0'};
} // namespace

std::string_view ${FUNCTION}() { return {kBytes, sizeof kBytes - 1}; }

} // namespace altiscope
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
