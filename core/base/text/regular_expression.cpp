#include "core/base/text/regular_expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <new>

namespace altiscope {

namespace {

constexpr std::uint32_t kMaxSteps = 1'000'000;
constexpr std::uint32_t kMaxKilobytes = 20'000;

struct Deleter {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

std::unique_ptr<pcre2_match_context, Deleter> matchLimits() {
    std::unique_ptr<pcre2_match_context, Deleter> limits(pcre2_match_context_create(nullptr));
    if (!limits) throw std::bad_alloc();
    pcre2_set_match_limit(limits.get(), kMaxSteps);
    pcre2_set_heap_limit(limits.get(), kMaxKilobytes);
    return limits;
}

int stopIfCancelled(pcre2_callout_block*, void* token) {
    return static_cast<const CancelToken*>(token)->cancelled() ? PCRE2_ERROR_CALLOUT : 0;
}

const unsigned char* bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

struct RegularExpression::Compiled {
    std::unique_ptr<pcre2_code, Deleter> code;
    std::unique_ptr<pcre2_match_context, Deleter> limits;
};

std::unique_ptr<RegularExpression::Compiled> RegularExpression::compile(std::string_view pattern, unsigned options,
                                                                        std::string& problem) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    auto compiled = std::make_unique<Compiled>();
    compiled->code.reset(pcre2_compile(bytes(pattern), pattern.size(),
                                       PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | options, &error,
                                       &offset, nullptr));
    if (!compiled->code) {
        std::array<unsigned char, 256> message{};
        pcre2_get_error_message(error, message.data(), message.size());
        problem =
            std::string(reinterpret_cast<const char*>(message.data())) + " at character " + std::to_string(offset + 1);
        return nullptr;
    }
    compiled->limits = matchLimits();
    pcre2_jit_compile(compiled->code.get(), PCRE2_JIT_COMPLETE);  // without it, matching is only slower
    return compiled;
}

RegularExpression::RegularExpression(std::string_view pattern)
    : m_pattern(pattern), m_compiled(compile(pattern, 0, m_problem)) {}

RegularExpression::~RegularExpression() = default;

RegularExpression::Match RegularExpression::search(std::string_view text, const CancelToken& cancel) const {
    if (!m_compiled) return Match::No;
    const pcre2_code* code = m_compiled->code.get();
    pcre2_match_context* limits = m_compiled->limits.get();
    std::unique_ptr<pcre2_match_context, Deleter> own;
    if (text.size() > kShortText) {
        std::call_once(m_once, [this] {
            std::string problem;
            m_stoppable = compile(m_pattern, PCRE2_AUTO_CALLOUT, problem);
        });
        if (!m_stoppable) return Match::TooCostly;
        code = m_stoppable->code.get();
        own = matchLimits();
        limits = own.get();
        pcre2_set_callout(limits, stopIfCancelled, const_cast<CancelToken*>(&cancel));
    }
    const std::unique_ptr<pcre2_match_data, Deleter> data(pcre2_match_data_create_from_pattern(code, nullptr));
    if (!data) throw std::bad_alloc();
    const int found = pcre2_match(code, bytes(text), text.size(), 0, 0, data.get(), limits);
    if (found >= 0) return Match::Yes;
    if (found == PCRE2_ERROR_CALLOUT) return Match::Cancelled;
    return found == PCRE2_ERROR_NOMATCH ? Match::No : Match::TooCostly;
}

}  // namespace altiscope
