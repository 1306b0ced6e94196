#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace altiscope {

/// The numbers that a text such as "0-3, 8" names, ascending and each once; empty for an empty text. nullopt if it is
/// none, or names more than 2^17 numbers.
inline std::optional<std::vector<std::int64_t>> numbersOf(const QString& text) {
    constexpr std::int64_t kMostNumbers = std::int64_t{1} << 17;
    static const QRegularExpression kPart(QStringLiteral("^\\s*(\\d{1,9})\\s*(?:-\\s*(\\d{1,9}))?\\s*$"));
    std::set<std::int64_t> numbers;
    if (text.trimmed().isEmpty()) return std::vector<std::int64_t>();
    for (const QString& part : text.split(u',')) {
        const QRegularExpressionMatch match = kPart.match(part);
        if (!match.hasMatch()) return std::nullopt;
        const std::int64_t first = match.captured(1).toLongLong();
        const std::int64_t last = match.captured(2).isEmpty() ? first : match.captured(2).toLongLong();
        if (last < first || last - first >= kMostNumbers) return std::nullopt;
        for (std::int64_t number = first; number <= last; ++number) numbers.insert(number);
        if (static_cast<std::int64_t>(numbers.size()) > kMostNumbers) return std::nullopt;
    }
    return std::vector<std::int64_t>(numbers.begin(), numbers.end());
}

/// Numbers as ranges: "0-3, 8", which numbersOf() reads. @pre They ascend.
inline QString numberRanges(const std::vector<std::int64_t>& numbers) {
    QStringList parts;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        parts << (last == i       ? QString::number(numbers[i])
                  : last == i + 1 ? QStringLiteral("%1, %2").arg(numbers[i]).arg(numbers[last])
                                  : QStringLiteral("%1-%2").arg(numbers[i]).arg(numbers[last]));
        i = last + 1;
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace altiscope
