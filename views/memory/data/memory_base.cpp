#include "views/memory/data/memory_base.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/memory/data/rank_memory.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct MemoryBases {
    Q_DECLARE_TR_FUNCTIONS(altiscope::MemoryBase)
};

std::optional<TimeNs> firstSample(const MemorySeriesSet& set) {
    std::optional<TimeNs> first;
    for (const auto& series : set.series)
        if (series->size() > 0) first = std::min(first.value_or(series->time(0)), series->time(0));
    return first;
}

}  // namespace

std::optional<RankIndex> baseRank(const PageBase& base, const CaptureStore& shown, RankIndex rank) {
    const std::vector<RankIndex> ranks = ranksWithMemory(*base.store, base.context);
    if (ranks.empty()) return std::nullopt;
    const auto number = shown.ranks[rank.value].info.rankId;
    for (const RankIndex of : ranks)
        if (number && base.store->ranks[of.value].info.rankId == number) return of;
    return ranks.front();
}

std::shared_ptr<const MemoryBase> memoryBase(const PageBase& base, const RankMemory& shown,
                                             const ContextFilter& context, const CancelToken& cancel) {
    const auto beside = baseRank(base, *shown.capture, shown.rank);
    if (!beside) return nullptr;
    const RankEntry &now = shown.entry(), &before = base.store->ranks[beside->value];
    if (before.rows == nullptr || now.rows == nullptr) return nullptr;
    auto set = memorySeries(before.rows, shown.byStream, cancel);
    if (!set || set->series.empty()) return nullptr;
    auto made = std::make_shared<MemoryBase>();
    made->set = std::move(*set);
    made->title = base.title;
    if (base.context.ranks.size() != 1 && before.info.rankId != now.info.rankId)
        made->title += u", "_s + rankTitle(before.info);
    if (const auto steps = alignedSteps(now, context, before, base.context)) {
        made->shift = steps->shift;
        made->steps = {steps->shown, steps->base};
        return made;
    }
    const auto own = memorySeries(now.rows, false, cancel);
    if (!own) return nullptr;
    const auto from = firstSample(*own), to = firstSample(made->set);
    if (from && to) made->shift = *from - *to;
    return made;
}

std::vector<CurveLine> withBase(std::vector<CurveLine> lines, std::vector<CurveLine> base, DurationNs shift) {
    const std::size_t own = lines.size();
    for (CurveLine& line : base) {
        const auto same = std::find_if(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(own),
                                       [&](const CurveLine& other) { return other.name == line.name; });
        if (same != lines.begin() + static_cast<std::ptrdiff_t>(own)) {
            line.hue = same->hue;
            line.shown = same->shown;
        }
        line.name = MemoryBases::tr("%1, base", "a curve of memory").arg(line.name);
        line.shift = shift;
        line.isBase = true;
        lines.push_back(std::move(line));
    }
    return lines;
}

QString baseNote(const MemoryBase& base) {
    if (!base.steps)
        return MemoryBases::tr("Dashed: the base, %1, drawn so that its first sample lies at the first one here.")
            .arg(base.title);
    return MemoryBases::tr("Dashed: the base, %1, drawn so that its step %2 begins with step %3 here.")
        .arg(base.title)
        .arg(base.steps->base)
        .arg(base.steps->shown);
}

}  // namespace altiscope
