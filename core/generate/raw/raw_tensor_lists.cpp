#include "core/generate/raw/raw_tensor_lists.h"

#include "core/base/values/parse.h"

#include <algorithm>
#include <utility>

namespace altiscope::generate {

namespace {

constexpr std::uint32_t kUndefined = 0xffffffff;
constexpr std::pair<std::string_view, std::uint32_t> kRawTypes[] = {
    {"DT_BF16", 27}, {"FLOAT", 0}, {"FLOAT16", 1}, {"INT64", 9}, {"UINT8", 4}, {"BOOL", 12}, {"UINT16", 7}};
constexpr std::pair<std::string_view, std::uint32_t> kRawFormats[] = {
    {"FORMAT_ND", 2}, {"ND", 2}, {"NCHW", 0}, {"NC1HWC0", 3}, {"FRACTAL_Z", 4}};

template <std::size_t n>
std::uint32_t numberOf(const std::pair<std::string_view, std::uint32_t> (&list)[n], std::string_view name) {
    const auto known = std::find_if(list, list + n, [name](const auto& one) { return one.first == name; });
    return known == list + n ? kUndefined : known->second;
}

/// Takes what stands before the next separator.
std::string_view taken(std::string_view& list, char separator) {
    const std::string_view one = list.substr(0, list.find(separator));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    return one;
}

}  // namespace

void addRawTensors(std::string_view shapes, std::string_view types, std::string_view formats, bool areOutputs,
                   std::vector<RawTensor>& tensors) {
    static constexpr std::size_t kFirstDimension = 3;
    if (types == "N/A") return;
    while (!types.empty()) {
        RawTensor& tensor = tensors.emplace_back();
        tensor[0] = areOutputs ? 1 : 0;
        tensor[1] = numberOf(kRawFormats, taken(formats, ';'));
        tensor[2] = numberOf(kRawTypes, taken(types, ';'));
        std::string_view dimensions = taken(shapes, ';');
        for (std::size_t i = kFirstDimension; i < tensor.size() && !dimensions.empty(); ++i)
            tensor[i] = wholeNumber<std::uint32_t>(taken(dimensions, ',')).value_or(0);
    }
}

}  // namespace altiscope::generate
