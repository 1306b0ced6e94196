#include "views/operators/shares.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/meaning_look.h"
#include "views/operators/operator_tables.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct ShareTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::Shares)
};

Share shareOf(const KeyTime& time, std::int64_t all, const QString& title) {
    return {.title = title,
            .time = time.time.total,
            .count = time.time.count,
            .part = all == 0 ? 0 : static_cast<double>(time.time.total) / static_cast<double>(all),
            .key = time.key};
}

}  // namespace

std::vector<Share> groupShares(const OperatorNumbers& numbers, std::size_t most) {
    const KernelGroups& groups = *numbers.groups;
    const std::vector<KeyTime>& times = numbers.keys;
    const std::size_t shown = most == 0 ? times.size() : std::min(most, times.size());
    std::vector<Share> shares;
    for (std::size_t i = 0; i < shown; ++i)
        shares.push_back(shareOf(times[i], groups.all.total, keyTitle(groups, times[i].key)));
    if (shown == times.size()) return shares;
    KeyTime others;
    for (std::size_t i = shown; i < times.size(); ++i) {
        others.time.count += times[i].time.count;
        others.time.total += times[i].time.total;
    }
    Share& rest = shares.emplace_back(shareOf(
        others, groups.all.total, ShareTexts::tr("%n other(s)", nullptr, static_cast<int>(times.size() - shown))));
    rest.key.reset();
    return shares;
}

std::vector<Share> coreShares(const OperatorNumbers& numbers) {
    const KernelGroups& groups = *numbers.groups;
    std::vector<Share> shares;
    for (const KeyTime& time : numbers.cores) {
        const QString core = toQString(groups.index->text(groups.keys[time.key].core));
        shares.push_back(shareOf(time, groups.all.total, core.isEmpty() ? ShareTexts::tr("core not recorded") : core));
    }
    return shares;
}

QString shareTip(const Share& share) {
    return withCount(ShareTexts::tr("%1: %2, %3, %n kernel(s)", nullptr, pluralCount(share.count)), share.count)
               .arg(share.title, formatDuration({share.time}), formatPercent(share.part)) +
           u'\n' + formatExactNs({share.time});
}

QString shortTitle(const Share& share, const QFontMetrics& metrics, int room) {
    return metrics.elidedText(share.title, share.title.contains(u'/') ? Qt::ElideMiddle : Qt::ElideRight, room);
}

QColor shareColour(const Share& share, std::size_t place, const Theme& theme) {
    if (!share.key) return theme.hairLine;
    return hueBeside(theme, place);
}

}  // namespace altiscope
