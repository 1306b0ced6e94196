#include "core/capture/session/size_estimate.h"

#include "core/capture/methods/method.h"
#include "core/capture/methods/value.h"
#include "core/capture/session/expectation.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

namespace altiscope::capture {

namespace {

/// Steps, ranks and folders say how much is recorded and where, these by whom; all others what is recorded of a step.
bool saysWhat(const Field& field) {
    static constexpr std::string_view kOthers[] = {"is_rank", "pid", "port"};
    return field.unit != "step" && field.unit != "rank" && field.type != FieldType::Path &&
           std::find(std::begin(kOthers), std::end(kOthers), field.name) == std::end(kOthers);
}

bool haveSameContent(const Settings& one, const Settings& other) {
    if (one.variant() != other.variant()) return false;
    const auto all = one.all();
    return std::all_of(all.begin(), all.end(), [&other](const Setting& setting) {
        const Setting* same = other.find(setting.field->name);
        return !saysWhat(*setting.field) || (same != nullptr && plainText(same->value) == plainText(setting.value));
    });
}

std::set<std::int64_t> distinct(const std::vector<std::int64_t>& ranks) { return {ranks.begin(), ranks.end()}; }

/// By how much more ranks write on a target; nullopt where that cannot be known.
std::optional<double> scaleOfRanks(const std::vector<std::int64_t>& now, const std::vector<std::int64_t>& before,
                                   bool isAlone) {
    const auto ranks = distinct(now), formerRanks = distinct(before);
    if (ranks == formerRanks) return 1.0;
    // Of several targets nobody knows which ranks are on which.
    if (!isAlone || ranks.empty() || formerRanks.empty()) return std::nullopt;
    return static_cast<double>(ranks.size()) / static_cast<double>(formerRanks.size());
}

}  // namespace

std::optional<std::int64_t> recordedStepCount(const Settings& settings) {
    const StepFields& fields = settings.method().steps;
    if (fields.end.empty()) return std::nullopt;
    const auto end = settings.integer(fields.end);
    const auto from = fields.first.empty() ? std::optional<std::int64_t>(0) : settings.integer(fields.first);
    if (!from || !end || *from < 0 || *end < 0 || *end + fields.more <= *from) return std::nullopt;
    return *end + fields.more - *from;
}

bool countsSteps(const Method& method) { return !method.steps.end.empty(); }

std::optional<SizeEstimate> estimateSize(const Settings& settings, const SizeQuery& query,
                                         std::span<const CaptureRecord> formers) {
    const auto steps = recordedStepCount(settings);
    if (!steps) return std::nullopt;
    const auto ranks = expectationOf(settings).ranks;
    for (const CaptureRecord& former : formers) {
        if (former.method != settings.method().name || former.state != State::Done || former.launch != query.launch ||
            former.targets.size() != query.targets) {
            continue;
        }
        const auto there = std::find_if(former.targets.begin(), former.targets.end(), [&](const TargetRecord& one) {
            return one.name == query.target && one.workdir == query.workdir && one.config == query.config;
        });
        if (there == former.targets.end()) continue;
        const auto before = settingsOf(former, *there);
        const auto stepsBefore = before ? recordedStepCount(*before) : std::nullopt;
        std::uint64_t bytes = 0;
        for (const RankRecord& rank : there->ranks) bytes += rank.bytes;
        const auto scale = scaleOfRanks(ranks, former.expectedRanks, query.targets == 1);
        if (bytes == 0 || !stepsBefore || !scale || !haveSameContent(settings, *before)) continue;
        // A count of steps that was mistyped may be as large as a number can be.
        constexpr double kMaxBytes = 1e18;
        const double expected =
            static_cast<double>(bytes) * *scale * static_cast<double>(*steps) / static_cast<double>(*stepsBefore);
        return SizeEstimate{static_cast<std::uint64_t>(std::min(expected, kMaxBytes)), former.id, bytes};
    }
    return std::nullopt;
}

}  // namespace altiscope::capture
