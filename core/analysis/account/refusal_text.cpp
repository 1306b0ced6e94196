#include "core/analysis/account/refusal_text.h"

#include "core/base/text/catalogue.h"

#include <cstdio>

namespace altiscope {

std::string refusalText(const JobAccount& job, const CaptureStore& capture, std::string_view language) {
    const std::string_view code = refusalCode(job.refusal);
    if (code.empty()) return {};
    MessageParameters parameters;
    if (job.refusedBy != kNoRank) {
        const RankInfo& info = capture.ranks[job.refusedBy.value].info;
        parameters.emplace_back("rank", info.rankId ? std::to_string(*info.rankId) : info.path);
    }
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.1f", job.replayError.value_or(0) * 100);
    parameters.emplace_back("error", percent);
    return catalogueText(code, language, parameters);
}

}  // namespace altiscope
