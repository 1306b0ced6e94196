#include "views/common/support/formatters.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/percent_text.h"
#include "core/base/values/decimal.h"
#include "core/base/values/units.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFontDatabase>
#include <QRegularExpression>
#include <QTimeZone>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Places {
    Q_DECLARE_TR_FUNCTIONS(altiscope::Places)
};

/// Thin and not breakable, so that a number stays in one piece.
constexpr QChar kThinBlank(0x202f);

struct Unit {
    double size;
    QStringView name;
};

/// Three significant digits, but never fewer than the integer has: "1.25", "18.4", "123", "1234".
QString threeDigits(double value) {
    const double size = std::abs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return QString::number(value, 'f', decimals);
}

/// Takes the largest unit in which the rounded value is at least 1; the first one's values are whole numbers.
template <std::size_t N>
QString inUnits(double value, const std::array<Unit, N>& units) {
    std::size_t chosen = 0;
    // 0.9995: 999.6 of the smaller unit would read "1000".
    while (chosen + 1 < N && std::abs(value) >= units[chosen + 1].size * 0.9995) ++chosen;
    const QString number = chosen == 0 ? QString::number(value, 'f', 0) : threeDigits(value / units[chosen].size);
    return units[chosen].name.isEmpty() ? number : number + u' ' + units[chosen].name.toString();
}

QString grouped(QString digits, QChar separator) {
    for (qsizetype i = digits.size() - 3; i > (digits.startsWith(u'-') ? 1 : 0); i -= 3) digits.insert(i, separator);
    return digits;
}

/// Seconds with nine decimals in groups of three.
QString exactSeconds(std::int64_t ns) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::int64_t whole = std::abs(ns / kSecond);
    const QString fraction = QString::number(std::abs(ns % kSecond)).rightJustified(9, u'0');
    return (ns < 0 ? u"-"_s : QString()) + grouped(QString::number(whole), u',') + u'.' + fraction.first(3) +
           kThinBlank + fraction.sliced(3, 3) + kThinBlank + fraction.sliced(6) + u" s"_s;
}

}  // namespace

QString toQString(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

std::string_view catalogueLanguage() {
    //: Not shown: the language of this translation as the catalogue of sentences calls it, "zh_CN" for Chinese.
    const QString name = QCoreApplication::translate("altiscope::Language", "en");
    return name == u"zh_CN" ? "zh_CN" : "en";
}

QString errorSentence(const Error& error) { return toQString(errorText(error, catalogueLanguage())); }

QString formatDuration(DurationNs duration) {
    static constexpr std::array<Unit, 4> kUnits{{{1, u"ns"}, {1e3, u"µs"}, {1e6, u"ms"}, {1e9, u"s"}}};
    constexpr double kMinute = 60e9;
    const double value = static_cast<double>(duration.value);
    // Up to ten minutes seconds read better ("599 s").
    if (std::abs(value) < 10 * kMinute) return inUnits(value, kUnits);
    if (std::abs(value) < 60 * kMinute) return threeDigits(value / kMinute) + u" min"_s;
    return threeDigits(value / (60 * kMinute)) + u" h"_s;
}

std::optional<DurationNs> parseDuration(const QString& text) {
    const std::string written = text.toStdString();
    const std::size_t size = written.find_last_of("0123456789.") + 1;  // npos + 1 is 0
    const auto unit = amountUnit(std::string_view(written).substr(size));
    if (!unit || unit->kind != AmountUnit::Kind::Time) return std::nullopt;
    const auto ns = parseScaled(std::string_view(written).substr(0, size), unit->size);
    return ns ? std::optional(DurationNs{*ns}) : std::nullopt;
}

QString formatExactNs(DurationNs duration) { return grouped(QString::number(duration.value), u',') + u" ns"_s; }

QString formatPlainNs(DurationNs duration) { return QString::number(duration.value); }

QString formatRelativeTime(TimeNs time, TimeNs origin) { return exactSeconds((time - origin).value); }

QString formatAbsoluteTime(TimeNs time) {
    constexpr std::int64_t kYear2000 = 946'684'800'000'000'000;
    if (time.value < kYear2000) return exactSeconds(time.value);
    const QDateTime date = QDateTime::fromMSecsSinceEpoch(time.value / 1'000'000, Qt::UTC);
    const QString fraction = QString::number(time.value % 1'000'000'000).rightJustified(9, u'0');
    return date.toString(u"yyyy-MM-dd HH:mm:ss"_s) + u'.' + fraction + u" UTC"_s;
}

QString formatAxisTime(DurationNs sinceOrigin, DurationNs tick, DurationNs extent) {
    struct AxisUnit {
        std::int64_t size;
        int digits;
        QStringView name;
    };
    static constexpr std::array<AxisUnit, 4> kUnits{
        {{1, 0, u"ns"}, {1'000, 3, u"µs"}, {1'000'000, 6, u"ms"}, {1'000'000'000, 9, u"s"}}};
    const AxisUnit* unit = kUnits.data();
    for (const AxisUnit& candidate : kUnits) {
        if (std::abs(extent.value) >= candidate.size) unit = &candidate;
    }
    int decimals = unit->digits;
    for (std::int64_t step = std::max<std::int64_t>(std::abs(tick.value), 1); decimals > 0 && step % 10 == 0;
         step /= 10)
        --decimals;
    // Decimal digits of the integer, so that labels of neighbouring ticks never read the same.
    QString text = QString::number(std::abs(sinceOrigin.value / unit->size));
    if (decimals > 0) {
        const QString fraction =
            QString::number(std::abs(sinceOrigin.value % unit->size)).rightJustified(unit->digits, u'0');
        text += u'.' + fraction.first(decimals);
    }
    return (sinceOrigin.value < 0 ? u"-"_s : QString()) + text + u' ' + unit->name.toString();
}

QString formatPlace(const Place& place) {
    switch (place.unit) {
    case PlaceUnit::Whole: return {};
    case PlaceUnit::Byte: return Places::tr("byte %1").arg(place.value);
    case PlaceUnit::Row: return Places::tr("row %1").arg(place.value);
    }
    return {};
}

QString formatBytes(std::uint64_t bytes) {
    static constexpr std::array<Unit, 6> kUnits{
        {{1, u"B"}, {0x1p10, u"KiB"}, {0x1p20, u"MiB"}, {0x1p30, u"GiB"}, {0x1p40, u"TiB"}, {0x1p50, u"PiB"}}};
    return inUnits(static_cast<double>(bytes), kUnits);
}

QString formatExactBytes(std::uint64_t bytes) { return formatCount(bytes) + u" B"_s; }

QString formatAddress(std::int64_t address) { return u"0x"_s + QString::number(static_cast<quint64>(address), 16); }

QString formatRate(double bytesPerSecond) {
    static constexpr std::array<Unit, 5> kUnits{
        {{1, u"B/s"}, {1e3, u"kB/s"}, {1e6, u"MB/s"}, {1e9, u"GB/s"}, {1e12, u"TB/s"}}};
    return inUnits(bytesPerSecond, kUnits);
}

QString formatCount(std::uint64_t count) { return grouped(QString::number(count), u','); }

int pluralCount(std::uint64_t count) { return static_cast<int>(std::min<std::uint64_t>(count, 1'000'000'000)); }

QString withCount(const QString& sentence, std::uint64_t count) {
    return QString(sentence).replace(QString::number(pluralCount(count)), formatCount(count));
}

QString formatCountShort(std::uint64_t count) {
    static constexpr std::array<Unit, 4> kUnits{{{1, u""}, {1e3, u"k"}, {1e6, u"M"}, {1e9, u"G"}}};
    return inUnits(static_cast<double>(count), kUnits);
}

QString formatNumber(double value) {
    // Digits before the point read better than powers of ten, as long as they can be read at all.
    constexpr double kFewDigits = 1000, kManyDigits = 1e15;
    if (std::abs(value) < kFewDigits || !(std::abs(value) < kManyDigits)) return QString::number(value, 'g', 4);
    const QString digits = formatCount(static_cast<std::uint64_t>(std::llround(std::abs(value))));
    return value < 0 ? u'-' + digits : digits;
}

QString formatPercent(double fraction) {
    const double percent = fraction * 100;
    const bool small = percent != 0 && std::abs(percent) < 0.95;
    return QString::number(percent, 'f', small ? 1 : 0) + toQString(percentSign(catalogueLanguage()));
}

QString withUnbrokenUnits(const QString& sentence) {
    static const QRegularExpression kGap(
        u"(?<=[0-9]) (?=(?:%|[nµm]?s|min|h|[kMGT]?B(?:/s)?|[KMGTP]iB|[kMG]?Hz)(?![0-9A-Za-z_]))"_s);
    static const QRegularExpression kMargin(u"± (?=[0-9])"_s);
    return QString(sentence).replace(kGap, QString(QChar::Nbsp)).replace(kMargin, u"±\u00a0"_s);
}

QString htmlLink(const QString& target, const QString& text) {
    return u"<a href=\"%1\">%2</a>"_s.arg(target, text.toHtmlEscaped());
}

QFont monospaceFont(const QFont& body) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(body.pointSizeF());
    return font;
}

QFont scaledFont(const QFont& body, double factor) {
    QFont font = body;
    font.setPointSizeF(body.pointSizeF() * factor);
    return font;
}

}  // namespace altiscope
