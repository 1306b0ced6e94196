#pragma once

#include "core/store/capture_store.h"
#include "tests/core/analysis/rank_text.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::test {

/// The number behind '#' in a slice's name is its connection.
class NumberedArguments : public ArgumentSource {
public:
    explicit NumberedArguments(const TraceStore& trace) {
        for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
            const std::string name(trace.name({i}));
            const std::size_t at = name.find('#');
            if (at != std::string::npos && !name.starts_with("ProfilerStep"))
                m_texts[trace.pos({i}).packed] = "{\"connection_id\": " + name.substr(at + 1) + "}";
        }
    }
    Result<std::string> arguments(SourcePos pos) const override {
        const auto found = m_texts.find(pos.packed);
        return found == m_texts.end() ? std::string() : found->second;
    }

private:
    std::map<std::uint64_t, std::string> m_texts;
};

/// A capture of one rank.
inline std::shared_ptr<const CaptureStore> captureOfText(const std::string& lines, std::vector<Step> steps) {
    RankEntry rank;
    rank.info.rankId = 0;
    rank.trace = rankTrace(lines);
    rank.arguments = std::make_shared<NumberedArguments>(*rank.trace);
    rank.steps = std::move(steps);
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.push_back(std::move(rank));
    return capture;
}

/// Step 7.
inline std::vector<Step> oneStep(std::int64_t begin, std::int64_t end) { return {{7, TimeRange{{begin}, {end}}}}; }

}  // namespace altiscope::test
