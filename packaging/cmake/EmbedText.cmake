# Script: cmake -DINPUT=file -DOUTPUT=file.cpp -DHEADER=include -DFUNCTION=name -P EmbedText.cmake
# Writes a C++ file with `std::string_view altiscope::FUNCTION()` that returns the bytes of INPUT. The bytes become one
# array of character constants: string literals end at 64 KiB in some compilers and would need escaping.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
# One line of source per line of text keeps the lines of the generated file short.
string(REPLACE "'\\x0a'," "'\\x0a',\n    " bytes "${bytes}")
get_filename_component(name ${INPUT} NAME)
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
