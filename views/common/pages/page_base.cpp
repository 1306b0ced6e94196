#include "views/common/pages/page_base.h"

#include "core/base/values/parse.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <vector>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct PageBases {
    Q_DECLARE_TR_FUNCTIONS(altiscope::PageBase)
};

/// The steps of a rank that are to be shown and have a time, by number.
std::vector<const Step*> timedSteps(const RankEntry& rank, const ContextFilter& context) {
    std::vector<const Step*> steps;
    for (const Step& step : rank.steps)
        if (step.range && context.holdsStep(step.number)) steps.push_back(&step);
    std::sort(steps.begin(), steps.end(), [](const Step* a, const Step* b) { return a->number < b->number; });
    return steps;
}

}  // namespace

std::optional<PageBase> pageBase(const Session& session, const Selection& selection, CaptureId shown) {
    const auto choice = selection.baseOf(shown);
    if (!choice) return std::nullopt;
    const OpenCapture* open = session.capture(choice->capture);
    if (open == nullptr || open->store == nullptr || open->job != 0) return std::nullopt;
    return PageBase{.capture = open->id,
                    .store = open->store,
                    .context = baseContext(selection.current().context, *choice),
                    .origin = open->times.origin(),
                    .title = baseTitle(session, *choice, shown)};
}

QString baseTitle(const Session& session, const BaseChoice& base, CaptureId shown) {
    QStringList parts;
    const OpenCapture* open = session.capture(base.capture);
    if (base.capture != shown && open != nullptr) parts << open->title;
    if (!base.ranks.empty())
        parts << PageBases::tr("rank %1", "part of a base: 3, or 0-3, 8").arg(toQString(numberRanges(base.ranks)));
    if (!base.steps.empty())
        parts << PageBases::tr("step %1", "part of a base: 5, or 5-7").arg(toQString(numberRanges(base.steps)));
    return parts.join(u", "_s);
}

std::optional<AlignedSteps> alignedSteps(const RankEntry& shown, const ContextFilter& context, const RankEntry& base,
                                         const ContextFilter& ofBase) {
    const auto first = timedSteps(shown, context), second = timedSteps(base, ofBase);
    if (first.empty() || second.empty()) return std::nullopt;
    const auto both = [](const Step& a, const Step& b) {
        return AlignedSteps{a.number, b.number, a.range->begin - b.range->begin};
    };
    if (context.steps == ofBase.steps)
        for (const Step* step : first) {
            const auto other = std::lower_bound(second.begin(), second.end(), step->number,
                                                [](const Step* a, std::int64_t number) { return a->number < number; });
            if (other != second.end() && (*other)->number == step->number) return both(*step, **other);
        }
    return both(*first.front(), *second.front());
}

Scope baseScope(const PageBase& base, const Scope& shown) {
    Scope scope{.capture = base.capture,
                .store = base.store,
                .context = base.context,
                .marked = {},
                .rank = {},
                .origin = base.origin};
    if (base.capture == shown.capture && base.context.steps == shown.context.steps) scope.marked = shown.marked;
    if (!shown.rank || base.context.ranks != shown.context.ranks) return scope;
    const auto number = shown.store->ranks[shown.rank->value].info.rankId;
    for (RankIndex rank; rank.value < base.store->ranks.size() && number; ++rank.value)
        if (base.store->ranks[rank.value].info.rankId == number) scope.rank = rank;
    return scope;
}

}  // namespace altiscope
