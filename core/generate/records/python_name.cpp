#include "core/generate/records/python_name.h"

#include "core/base/values/digits.h"

namespace altiscope::generate {

namespace {

/// Address of a Python object from its small number; objects of one kind lie 64 bytes apart.
void addAddress(std::uint32_t number, TextBuffer& out) {
    const std::uint64_t address = 0xfffcd9c00000ULL + std::uint64_t{number} * 0x9c40 + (number % 61) * 0x40;
    char text[12];
    for (int i = 0; i < 12; ++i) text[i] = hexDigit(static_cast<unsigned>(address >> (44 - 4 * i)));
    out.add(std::string_view(text, sizeof text));
    out.add('>');
}

}  // namespace

void addPythonName(std::string_view name, const PythonSlice& slice, TextBuffer& out) {
    out.add(name);
    if (slice.address > 0) addAddress(slice.address, out);
    if (slice.variant == 0) return;
    out.add('_');
    out.addNumber(std::uint64_t{slice.variant});
}

}  // namespace altiscope::generate
