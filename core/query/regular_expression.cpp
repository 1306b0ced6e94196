#include "core/query/regular_expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <new>

namespace altiscope {

namespace {

constexpr std::uint32_t kMostSteps = 1'000'000;
constexpr std::uint32_t kMostKilobytes = 20'000;

struct Deleter {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

const unsigned char* bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

struct RegularExpression::Compiled {
    std::unique_ptr<pcre2_code, Deleter> code;
    std::unique_ptr<pcre2_match_context, Deleter> limits;
};

RegularExpression::RegularExpression(std::string_view pattern) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    auto compiled = std::make_unique<Compiled>();
    compiled->code.reset(pcre2_compile(bytes(pattern), pattern.size(), PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C,
                                       &error, &offset, nullptr));
    if (!compiled->code) {
        std::array<unsigned char, 256> message{};
        pcre2_get_error_message(error, message.data(), message.size());
        m_problem = std::string(reinterpret_cast<const char*>(message.data())) + " at character " + std::to_string(offset + 1);
        return;
    }
    pcre2_jit_compile(compiled->code.get(), PCRE2_JIT_COMPLETE);  // without it, matching is only slower
    compiled->limits.reset(pcre2_match_context_create(nullptr));
    if (!compiled->limits) throw std::bad_alloc();
    pcre2_set_match_limit(compiled->limits.get(), kMostSteps);
    pcre2_set_heap_limit(compiled->limits.get(), kMostKilobytes);
    m_compiled = std::move(compiled);
}

RegularExpression::~RegularExpression() = default;

RegularExpression::Match RegularExpression::search(std::string_view text) const {
    if (!m_compiled) return Match::No;
    const std::unique_ptr<pcre2_match_data, Deleter> data(pcre2_match_data_create_from_pattern(m_compiled->code.get(), nullptr));
    if (!data) throw std::bad_alloc();
    const int found = pcre2_match(m_compiled->code.get(), bytes(text), text.size(), 0, 0, data.get(), m_compiled->limits.get());
    if (found >= 0) return Match::Yes;
    return found == PCRE2_ERROR_NOMATCH ? Match::No : Match::TooCostly;
}

}  // namespace altiscope
