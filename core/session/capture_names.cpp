#include "core/session/capture_names.h"

#include <QHash>
#include <QStringList>

#include <algorithm>
#include <map>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// The last `count` folders above the last part, as a path.
QString foldersAbove(const QStringList& parts, qsizetype count) {
    const qsizetype above = std::max<qsizetype>(parts.size() - 1, 0);
    const qsizetype taken = std::min(count, above);
    return parts.mid(above - taken, taken).join(u'/');
}

}  // namespace

QString captureNameOf(const QString& written) { return written.simplified().left(kMaxCaptureName); }

std::vector<QString> displayNames(const std::vector<QString>& paths) {
    std::vector<QStringList> parts;
    std::map<QString, std::vector<std::size_t>> named;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        parts.push_back(paths[i].split(u'/', Qt::SkipEmptyParts));
        named[parts.back().isEmpty() ? paths[i] : parts.back().back()].push_back(i);
    }
    std::vector<QString> names(paths.size());
    for (const auto& [name, equal] : named) {
        qsizetype deepest = 0;
        for (const std::size_t i : equal) deepest = std::max(deepest, parts[i].size());
        std::vector<std::size_t> left = equal;
        for (qsizetype count = equal.size() > 1 ? 1 : 0; !left.empty() && count <= deepest; ++count) {
            QHash<QString, int> shared;
            for (const std::size_t i : equal) ++shared[foldersAbove(parts[i], count)];
            std::erase_if(left, [&](std::size_t i) {
                const QString above = foldersAbove(parts[i], count);
                if (shared.value(above) > 1) return false;
                names[i] = above.isEmpty() ? name : name + u" \u00b7 "_s + above;
                return true;
            });
        }
        // One path that was given twice.
        for (const std::size_t i : left) names[i] = name;
    }
    return names;
}

}  // namespace altiscope
