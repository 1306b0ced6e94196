#include "core/session/workspace/capture_link.h"

#include "core/session/workspace/capture_identity.h"

#include <QStringList>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr QLatin1StringView kScheme = "altiscope:"_L1;
constexpr qsizetype kMaxLinkLetters = 200;

/// Digits, perhaps after a minus sign; nothing else.
std::optional<std::int64_t> linkNumber(QStringView text) {
    const QStringView digits = text.startsWith(u'-') ? text.sliced(1) : text;
    for (const QChar c : digits) {
        if (c < u'0' || c > u'9') return std::nullopt;
    }
    bool isNumber = false;
    const qint64 value = text.toLongLong(&isNumber);
    return isNumber ? std::optional<std::int64_t>(value) : std::nullopt;
}

std::optional<TimeRange> linkRange(QStringView text) {
    // The first time may be negative.
    const qsizetype dash = text.indexOf(u'-', 1);
    if (dash < 0) return std::nullopt;
    const auto begin = linkNumber(text.first(dash)), end = linkNumber(text.sliced(dash + 1));
    const bool isRange = begin && end && *begin <= *end && isTraceTime(*begin) && isTraceTime(*end);
    return isRange ? std::optional(TimeRange{{*begin}, {*end}}) : std::nullopt;
}

}  // namespace

QString linkText(const CaptureLink& link) {
    QString text = kScheme + QString::fromStdString(link.identity);
    if (link.rank) text += u"/rank/"_s + QString::number(*link.rank);
    if (link.slice) return text + u"/slice/"_s + QString::number(link.slice->value);
    if (link.range)
        text += u"/range/"_s + QString::number(link.range->begin.value) + u'-' + QString::number(link.range->end.value);
    return text;
}

bool looksLikeLink(const QString& text) { return text.trimmed().startsWith(kScheme, Qt::CaseInsensitive); }

std::optional<CaptureLink> linkFromText(const QString& text) {
    QString written = text.trimmed();
    if (!looksLikeLink(written) || written.size() > kMaxLinkLetters) return std::nullopt;
    written = written.sliced(kScheme.size());
    if (written.startsWith("//"_L1)) written = written.sliced(2);
    while (written.endsWith(u'/')) written.chop(1);
    const QStringList parts = written.split(u'/');
    CaptureLink link{parts.front().toLower().toStdString(), {}, {}, {}};
    if (!isCaptureIdentity(link.identity) || parts.size() % 2 == 0) return std::nullopt;
    for (qsizetype i = 1; i < parts.size(); i += 2) {
        const QString& what = parts[i];
        const auto number = linkNumber(parts[i + 1]);
        const bool isLast = i + 2 == parts.size();
        if (what == "rank"_L1 && i == 1 && number) {
            link.rank = number;
        } else if (what == "slice"_L1 && isLast && number && *number >= 0) {
            link.slice = SliceId{*number};
        } else if (what == "range"_L1 && isLast) {
            link.range = linkRange(parts[i + 1]);
            if (!link.range) return std::nullopt;
        } else {
            return std::nullopt;
        }
    }
    return link;
}

}  // namespace altiscope
