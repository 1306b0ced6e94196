#include "core/session/find/name_search.h"

#include "core/base/text/regular_expression.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <unordered_map>

namespace altiscope {

namespace {

using SearchClock = std::chrono::steady_clock;

/// How long nobody is to wait for the first names, and between further ones.
constexpr auto kPublishEach = std::chrono::milliseconds(20);
constexpr std::size_t kStatsTogether = 4096;
/// More names are not collected: what is typed says too little.
constexpr std::size_t kMaxCollected = 100'000;

std::string asLiteral(std::string_view word) {
    std::string pattern = "(?i)\\Q";
    for (std::size_t at = 0; at < word.size(); ++at) {
        // "\E" would end the quotation.
        if (word.substr(at, 2) == "\\E") {
            pattern += "\\E\\\\E\\Q";
            ++at;
        } else {
            pattern += word[at];
        }
    }
    return pattern + "\\E";
}

class NameMatcher {
public:
    explicit NameMatcher(std::string_view text) {
        constexpr std::string_view kBlanks = " \t\n\r";
        for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
            const std::size_t after = std::min(text.find_first_of(kBlanks, at), text.size());
            m_words.emplace_back(asLiteral(text.substr(at, after - at)));
            if (m_words.size() == 1) m_whole = std::string(text.substr(at));
            at = text.find_first_not_of(kBlanks, after);
        }
        const std::size_t last = m_whole.find_last_not_of(kBlanks);
        m_whole.resize(last == std::string::npos ? 0 : last + 1);
        m_begins.emplace("^" + asLiteral(m_whole));
        m_equals.emplace("^" + asLiteral(m_whole) + "$");
    }

    bool empty() const { return m_words.empty(); }
    bool matches(std::string_view name) const {
        return std::all_of(m_words.begin(), m_words.end(), [name](const RegularExpression& word) {
            return word.search(name) == RegularExpression::Match::Yes;
        });
    }
    /// 0 is best.
    int rankOf(std::string_view name) const {
        if (m_equals->search(name) == RegularExpression::Match::Yes) return 0;
        return m_begins->search(name) == RegularExpression::Match::Yes ? 1 : 2;
    }

private:
    std::deque<RegularExpression> m_words;  // which cannot be moved
    std::string m_whole;
    std::optional<RegularExpression> m_begins, m_equals;
};

struct NameHits {
    std::uint64_t count = 0;
    std::int64_t total = 0;
    int rank = 2;
};

std::vector<FoundName> bestOf(const std::unordered_map<std::string, NameHits>& known, std::size_t most) {
    using Entry = std::pair<const std::string, NameHits>;
    std::vector<const Entry*> entries;
    entries.reserve(known.size());
    for (const Entry& entry : known) entries.push_back(&entry);
    const auto isBetter = [](const Entry* a, const Entry* b) {
        if (a->second.rank != b->second.rank) return a->second.rank < b->second.rank;
        if (a->second.total != b->second.total) return a->second.total > b->second.total;
        return a->first < b->first;
    };
    const std::size_t count = std::min(most, entries.size());
    std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count), entries.end(), isBetter);
    std::vector<FoundName> best;
    for (std::size_t i = 0; i < count; ++i)
        best.push_back({entries[i]->first, entries[i]->second.count, entries[i]->second.total});
    return best;
}

}  // namespace

std::vector<FoundName> findNames(const std::vector<std::shared_ptr<const CaptureStore>>& captures,
                                 std::string_view text, std::size_t most,
                                 const std::function<void(std::vector<FoundName>)>& publish,
                                 const CancelToken& cancel) {
    const NameMatcher matcher(text);
    if (matcher.empty()) return {};
    std::unordered_map<std::string, NameHits> known;
    SearchClock::time_point published = SearchClock::now();
    std::size_t publishedNames = 0;
    for (const auto& capture : captures) {
        for (const RankEntry& rank : capture->ranks) {
            if (rank.trace == nullptr) continue;
            const TraceStore& trace = *rank.trace;
            // State of each text: not looked at, no hit, or the sums of its name.
            enum : std::uint8_t { kUnknown, kNoHit, kHit };
            std::vector<std::uint8_t> states(trace.texts().size(), kUnknown);
            const auto& stats = trace.columns().nameStats;
            for (std::size_t i = 0; i < stats.size(); ++i) {
                if (i % kStatsTogether == 0) {
                    if (cancel.cancelled()) return bestOf(known, most);
                    if (publish && known.size() > publishedNames && SearchClock::now() - published > kPublishEach) {
                        publish(bestOf(known, most));
                        published = SearchClock::now();
                        publishedNames = known.size();
                    }
                }
                const NameStat& stat = stats[i];
                std::uint8_t& state = states[stat.name.value];
                const std::string_view name = trace.text(stat.name);
                if (state == kUnknown) state = matcher.matches(name) ? kHit : kNoHit;
                if (state == kNoHit) continue;
                auto sums = known.find(std::string(name));
                if (sums == known.end()) {
                    if (known.size() >= kMaxCollected) continue;
                    sums = known.emplace(name, NameHits{0, 0, matcher.rankOf(name)}).first;
                }
                sums->second.count += stat.count;
                sums->second.total += stat.total;
            }
        }
    }
    return bestOf(known, most);
}

}  // namespace altiscope
