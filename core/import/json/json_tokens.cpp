#include "core/import/json/json_tokens.h"

#include <simdjson.h>

#include <algorithm>

namespace altiscope::reader {

struct JsonTokens::Impl {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> stages;
};

JsonTokens::JsonTokens() : m_impl(std::make_unique<Impl>()) {}
JsonTokens::~JsonTokens() = default;
JsonTokens::JsonTokens(JsonTokens&&) noexcept = default;
JsonTokens& JsonTokens::operator=(JsonTokens&&) noexcept = default;

bool JsonTokens::find(std::string_view text) {
    // Only the first stage is used: it is what makes simdjson fast, and it does not care whether the text is one
    // document. Its second stage and the On-Demand interface could neither say where a damaged record begins nor go on
    // after it.
    static constexpr std::size_t kMinCapacity = std::size_t{64} << 10;
    static constexpr std::size_t kAnyDepth = 1;  // used by the second stage alone
    m_count = 0;
    auto& stages = m_impl->stages;
    if (!stages || stages->capacity() < text.size()) {
        const std::size_t capacity = std::max(text.size(), kMinCapacity);
        const auto error =
            stages
                ? stages->set_capacity(capacity)
                : simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, kAnyDepth, stages);
        if (error != simdjson::SUCCESS) return false;
    }
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    if (stages->stage1(bytes, text.size(), simdjson::stage1_mode::regular) != simdjson::SUCCESS) return false;
    m_count = stages->n_structural_indexes;
    m_positions = stages->structural_indexes.get();
    return true;
}

}  // namespace altiscope::reader
