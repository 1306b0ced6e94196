#include "core/import/raw/raw_tensors.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace altiscope::reader {

namespace {

std::string typeText(std::uint32_t type) {
    switch (type) {
    case 0: return "FLOAT";
    case 1: return "FLOAT16";
    case 2: return "INT8";
    case 3: return "INT32";
    case 4: return "UINT8";
    case 6: return "INT16";
    case 7: return "UINT16";
    case 8: return "UINT32";
    case 9: return "INT64";
    case 10: return "UINT64";
    case 11: return "DOUBLE";
    case 12: return "BOOL";
    case 27: return "DT_BF16";
    case 0xffffffff: return "UNDEFINED";
    default: return std::to_string(type);
    }
}

std::string formatText(std::uint32_t format) {
    if (format == 0xffffffff) return "UNDEFINED";
    std::string name;
    switch (format & 0xff) {
    case 0: name = "NCHW"; break;
    case 1: name = "NHWC"; break;
    case 2: name = "ND"; break;
    case 3: name = "NC1HWC0"; break;
    case 4: name = "FRACTAL_Z"; break;
    case 29: name = "FRACTAL_NZ"; break;
    default: name = std::to_string(format & 0xff); break;
    }
    const std::uint32_t sub = (format >> 8) & 0xffff;
    return sub == 0 ? name : name + ':' + std::to_string(sub);
}

}  // namespace

std::array<std::string, 6> rawTensorTexts(std::string_view bytes) {
    static constexpr std::size_t kNumbers = 11, kDimensions = 8;
    std::array<std::string, 6> texts;
    std::array<bool, 2> hasOne{};
    for (; bytes.size() >= kNumbers * sizeof(std::uint32_t); bytes.remove_prefix(kNumbers * sizeof(std::uint32_t))) {
        std::array<std::uint32_t, kNumbers> tensor;
        std::memcpy(tensor.data(), bytes.data(), sizeof tensor);
        const std::size_t side = tensor[0] == 0 ? 0 : 1;
        std::string shape;
        for (std::size_t i = 0; i < kDimensions && tensor[3 + i] != 0; ++i)
            shape += (i == 0 ? "" : ",") + std::to_string(tensor[3 + i]);
        const std::array<std::string, 3> parts{shape, typeText(tensor[2]), formatText(tensor[1])};
        for (std::size_t i = 0; i < parts.size(); ++i) texts[side * 3 + i] += (hasOne[side] ? ";" : "") + parts[i];
        hasOne[side] = true;
    }
    return texts;
}

}  // namespace altiscope::reader
