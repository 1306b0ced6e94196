#include "views/overview/facts/overview_facts.h"

#include "core/analysis/communication/absent_ranks.h"
#include "core/base/values/parse.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/overview/facts/capture_texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct OverviewTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::OverviewTexts)
};

QString stepsOf(const CaptureStore& store) {
    const std::vector<std::int64_t> numbers = stepNumbers(store);
    if (numbers.empty()) return {};
    if (numbers.size() == 1) return OverviewTexts::tr("step %1").arg(numbers.front());
    const QString ranges = toQString(numberRanges(numbers));
    return ranges.size() <= 24
               ? OverviewTexts::tr("steps %1").arg(ranges)
               : OverviewTexts::tr("%1 steps, %2 to %3").arg(numbers.size()).arg(numbers.front()).arg(numbers.back());
}

QString listOf(const std::set<QString>& words) { return QStringList(words.begin(), words.end()).join(u", "_s); }

}  // namespace

QString factsLine(const OpenCapture& capture, std::optional<std::int64_t> mostReserved) {
    const CaptureStore& store = *capture.store;
    std::set<std::string> hosts;
    std::set<QString> frameworks, sources;
    DurationNs longest;
    for (const RankEntry& rank : store.ranks) {
        if (!rank.info.host.empty()) hosts.insert(rank.info.host);
        frameworks.insert(frameworkTitle(rank.info.framework));
        sources.insert(sourceTitle(rank.info.source));
        if (rank.trace) longest = std::max(longest, rank.trace->homeRange().length());
    }
    QStringList parts;
    parts << u"<b>"_s + captureName(capture).toHtmlEscaped() + u"</b>"_s;
    const CaptureCounts summary = summaryOf(capture);
    // Only what is not complete is worth a word.
    if (summary.stateTone != IconTone::Ok) parts << htmlLink(u"report"_s, summary.stateWord);
    const auto ranks = static_cast<int>(store.ranks.size());
    QString who = OverviewTexts::tr("%n rank(s)", nullptr, ranks);
    if (hosts.size() > 1) who += OverviewTexts::tr(" on %n host(s)", nullptr, static_cast<int>(hosts.size()));
    parts << htmlLink(u"ranks"_s, who);
    if (const QString steps = stepsOf(store); !steps.isEmpty()) parts << htmlLink(u"steps"_s, steps);
    if (longest.value > 0) parts << formatDuration(longest);
    if (!store.ranks.empty()) parts << htmlLink(u"settings"_s, listOf(frameworks) + u", "_s + listOf(sources));
    if (mostReserved)
        parts << htmlLink(u"memory"_s,
                          OverviewTexts::tr("at most %1 reserved")
                              .arg(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, *mostReserved)))));
    return parts.join(u" &nbsp;·&nbsp; "_s);
}

QString rangeText(TimeRange range, TimeNs origin) {
    const DurationNs begin = range.begin - origin, end = range.end - origin;
    // Three digits of its length, and none that only say where within the last one it begins.
    DurationNs digits{1};
    while (digits.value <= range.length().value / 1000) digits.value *= 10;
    return OverviewTexts::tr("%1 to %2", "times")
        .arg(formatAxisTime(begin, digits, end), formatAxisTime(end, digits, end));
}

QString contextText(const ContextFilter& context, TimeNs origin) {
    QStringList parts;
    if (!context.ranks.empty()) parts << OverviewTexts::tr("rank %1").arg(toQString(numberRanges(context.ranks)));
    if (!context.devices.empty()) parts << OverviewTexts::tr("NPU %1").arg(toQString(numberRanges(context.devices)));
    if (!context.steps.empty()) parts << OverviewTexts::tr("step %1").arg(toQString(numberRanges(context.steps)));
    if (context.range) parts << rangeText(*context.range, origin);
    return parts.join(u", "_s);
}

namespace {

/// Waits for ranks that are not here have no cause here.
std::optional<FindingItem> absentItem(const CaptureStore& capture) {
    const AbsentRanks absent = absentRanks(capture);
    if (absent.ranks.empty()) return std::nullopt;
    const QString ranks = toQString(numberRanges(absent.ranks));
    return FindingItem{
        .weight = FindingItem::Weight::Missing,
        .key = u"absent/"_s + ranks,
        .title = OverviewTexts::tr("%1 of %2 ranks are here").arg(absent.all - absent.ranks.size()).arg(absent.all),
        .detail = OverviewTexts::tr("Not here: rank %1. What others wait for them cannot be explained.").arg(ranks),
        .severityReason = {},
        .formula = {},
        .recoverable = {}};
}

}  // namespace

std::vector<FindingItem> missingItems(const CaptureStore& capture) {
    struct Kind {
        const MissingData* data = nullptr;
        std::vector<std::int64_t> ranks;
        std::size_t count = 0;
    };
    std::map<std::string, Kind> kinds;
    for (const RankEntry& rank : capture.ranks) {
        for (const MissingData& missing : rank.info.missing) {
            Kind& kind = kinds[missing.what];
            kind.data = &missing;
            ++kind.count;
            if (rank.info.rankId) kind.ranks.push_back(*rank.info.rankId);
        }
    }
    std::vector<FindingItem> items;
    if (auto absent = absentItem(capture)) items.push_back(*std::move(absent));
    if (kinds.empty()) return items;
    // One line: what is not recorded is no fault.
    FindingItem item{.weight = FindingItem::Weight::Missing,
                     .key = u"missing"_s,
                     .title = {},
                     .detail = {},
                     .severityReason = {},
                     .formula = {},
                     .recoverable = {}};
    QStringList details, codes;
    for (auto& [what, kind] : kinds) {
        QString title = dataTitle(what);
        if (kind.count < capture.ranks.size()) {
            std::sort(kind.ranks.begin(), kind.ranks.end());
            title += u" ("_s + OverviewTexts::tr("rank %1").arg(toQString(numberRanges(kind.ranks))) + u')';
        }
        details << title + u": "_s + missingText(*kind.data);
        codes << toQString(what);
    }
    item.key = u"missing/"_s + codes.join(u", "_s);
    item.title = missingTitle(kinds.size());
    item.detail = details.join(u'\n');
    items.push_back(std::move(item));
    return items;
}

std::vector<FindingItem> findingItems(const CaptureStore& capture, const std::vector<Finding>& findings) {
    std::vector<FindingItem> items;
    for (const Finding& finding : findings) items.push_back(findingItem(finding));
    auto missing = missingItems(capture);
    std::move(missing.begin(), missing.end(), std::back_inserter(items));
    return items;
}

}  // namespace altiscope
