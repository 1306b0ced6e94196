#include "app/cli/info_sums.h"

#include "app/cli/output.h"
#include "core/base/text/amount_text.h"
#include "core/base/text/json_text.h"
#include "core/base/text/printable_text.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_set.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope::cli {

namespace {

using Ordered = nlohmann::ordered_json;
using AllSums = std::vector<std::optional<pack::PackedRankSums>>;

Ordered numberCell(const std::optional<std::int64_t>& value) { return value ? Ordered(*value) : Ordered(); }

std::vector<std::size_t> byRank(const pack::PackedRanks& list) {
    std::vector<std::size_t> order(list.ranks.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&list](std::size_t a, std::size_t b) {
        const RankInfo &one = list.ranks[a].info, &other = list.ranks[b].info;
        return std::tie(one.rankId, one.path) < std::tie(other.rankId, other.path);
    });
    return order;
}

Ordered stepJson(const pack::PackedStep& step) {
    Ordered json{{"step", numberCell(step.number)}, {"origin", step.isComputed ? "computed" : "recorded"}};
    for (std::size_t i = 0; i < pack::kStepSums.size(); ++i)
        json[std::string(pack::kStepSums[i])] = numberCell(step.sums[i]);
    return json;
}

std::string sumsJson(const std::string& path, const pack::PackedRanks& list, const AllSums& sums) {
    Ordered ranks = Ordered::array();
    for (const std::size_t i : byRank(list)) {
        const RankInfo& info = list.ranks[i].info;
        Ordered rank{{"rank_id", numberCell(info.rankId)},
                     {"host", info.host},
                     {"path", info.path},
                     {"state", std::string(rankStateName(info.state))},
                     {"start_ts", nullptr},
                     {"end_ts", nullptr},
                     {"rows", nullptr},
                     {"steps", Ordered::array()}};
        if (sums[i]) {
            if (sums[i]->range) {
                rank["start_ts"] = sums[i]->range->begin.value;
                rank["end_ts"] = sums[i]->range->end.value;
            }
            rank["rows"] = sums[i]->rows;
            for (const pack::PackedStep& step : sums[i]->steps) rank["steps"].push_back(stepJson(step));
        }
        ranks.push_back(std::move(rank));
    }
    return dumpJson(Ordered{{"path", path}, {"program", list.program}, {"ranks", std::move(ranks)}}) + "\n";
}

/// Sum over steps, of computed ones where there are any: both say the same of a step.
std::string totalText(const pack::PackedRankSums& sums, std::string_view column) {
    const bool hasComputed =
        std::any_of(sums.steps.begin(), sums.steps.end(), [](const pack::PackedStep& step) { return step.isComputed; });
    const auto place = static_cast<std::size_t>(std::find(pack::kStepSums.begin(), pack::kStepSums.end(), column) -
                                                pack::kStepSums.begin());
    double total = 0;
    bool isKnown = false;
    for (const pack::PackedStep& step : sums.steps) {
        if (step.isComputed != hasComputed || !step.sums[place]) continue;
        isKnown = true;
        total += static_cast<double>(*step.sums[place]);
    }
    constexpr double kLargest = 9e18;
    return isKnown && total < kLargest ? timeText(static_cast<std::int64_t>(total)) : std::string("-");
}

std::string sumsText(const pack::PackedRanks& list, const AllSums& sums) {
    std::string text;
    for (const std::size_t i : byRank(list)) {
        const RankInfo& info = list.ranks[i].info;
        text +=
            "rank " + (info.rankId ? std::to_string(*info.rankId) : std::string("-")) + "  " + printableText(info.path);
        if (!info.host.empty()) text += "  host " + printableText(info.host);
        if (!sums[i]) {
            text += "  no sums\n";
            continue;
        }
        for (const std::string_view table : {"slice", "kernel", "step"}) {
            const auto rows = sums[i]->rows.find(std::string(table));
            if (rows != sums[i]->rows.end()) text += "  " + std::string(table) + " " + std::to_string(rows->second);
        }
        for (const std::string_view column : {"computing", "not_overlapped", "free"})
            text += "  " + std::string(column) + " " + totalText(*sums[i], column);
        text += "\n";
    }
    return text;
}

}  // namespace

int runInfoSums(const std::string& path, CommandContext& context, WorkerArena& arena) {
    if (!pack::isPack(path) && !pack::isPackFolder(path)) return reportError({"pack.no_pack", path, {}, {}});
    std::optional<Result<pack::PackSet>> set;
    std::optional<Result<AllSums>> sums;
    arena.run([&] {
        const auto source = context.packSources.find(path);
        set = pack::openPackSet(path, context.cancel, source == context.packSources.end() ? nullptr : source->second);
        if (set->ok()) sums = pack::packSums(set->value(), context.cancel);
    });
    if (set->cancelled() || (sums && sums->cancelled())) return kCancelled;
    if (set->failed()) return reportError(set->error());
    if (sums->failed()) return reportError(sums->error());
    const pack::PackedRanks& list = set->value().list;
    context.out.write(context.options.json ? sumsJson(path, list, sums->value()) : sumsText(list, sums->value()));
    for (const Diagnostic& entry : set->value().problems.entries())
        if (entry.severity == Severity::Lost) printMessage(printableText(entry.message("en")));
    return context.options.strict && list.state != CaptureStore::State::Ok ? kPartialData : kOk;
}

}  // namespace altiscope::cli
