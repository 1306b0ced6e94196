#include "views/timeline/rows/track_layout.h"

#include "views/common/support/formatters.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array<std::pair<TimelineRowKind, QLatin1StringView>, 4> kKinds{
    {{TimelineRowKind::Rank, "rank"_L1},
     {TimelineRowKind::Process, "process"_L1},
     {TimelineRowKind::Thread, "thread"_L1},
     {TimelineRowKind::Counter, "counter"_L1}}};

QJsonObject nameJson(const RowName& name) {
    QJsonObject json;
    for (const auto& [kind, word] : kKinds) {
        if (kind == name.kind) json.insert("kind"_L1, QString(word));
    }
    if (!name.process.empty()) json.insert("process"_L1, toQString(name.process));
    if (!name.track.empty()) json.insert("track"_L1, toQString(name.track));
    if (name.number > 0) json.insert("number"_L1, static_cast<int>(name.number));
    return json;
}

std::vector<RowKey> rowsNamed(const TrackNames& names, const QJsonObject& json) {
    const auto kind =
        std::find_if(kKinds.begin(), kKinds.end(),
                     [word = json.value("kind"_L1).toString()](const auto& known) { return known.second == word; });
    const int number = json.value("number"_L1).toInt();
    if (kind == kKinds.end() || number < 0) return {};
    const std::string process = json.value("process"_L1).toString().toStdString(),
                      track = json.value("track"_L1).toString().toStdString();
    return names.rowsNamed({kind->first, process, track, static_cast<std::uint32_t>(number)});
}

/// Names the ranks of an entry, unless it is for as many as there can be.
void addRanks(QJsonObject& entry, const TrackNames& names, const std::vector<RowKey>& rows, std::size_t all) {
    if (rows.size() == all) return;
    QJsonArray ranks;
    for (const RowKey& row : rows) ranks.append(names.rankName(row.rank));
    entry.insert("ranks"_L1, ranks);
}

/// nullopt: all ranks.
std::optional<std::set<RankIndex>> ranksOf(const TrackNames& names, const QJsonObject& entry) {
    if (!entry.contains("ranks"_L1)) return std::nullopt;
    std::set<RankIndex> ranks;
    for (const QJsonValue& name : entry.value("ranks"_L1).toArray()) {
        if (const auto rank = names.rankNamed(name)) ranks.insert(*rank);
    }
    return ranks;
}

std::vector<RowKey> rowsOf(const TrackNames& names, const QJsonObject& entry) {
    std::vector<RowKey> rows = rowsNamed(names, entry);
    if (const auto ranks = ranksOf(names, entry))
        std::erase_if(rows, [&ranks](const RowKey& row) { return !ranks->contains(row.rank); });
    return rows;
}

std::vector<RowKey> rowsOf(const TrackNames& names, const QJsonArray& entries) {
    std::vector<RowKey> rows;
    for (const QJsonValue& entry : entries) {
        const auto more = rowsOf(names, entry.toObject());
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

/// Neighbours with the same name are one entry, so that the order is kept.
QJsonArray rowsJson(const TrackNames& names, const std::vector<RowKey>& rows) {
    QJsonArray entries;
    for (std::size_t i = 0; i < rows.size();) {
        const auto name = names.nameOf(rows[i]);
        std::vector<RowKey> same;
        for (; i < rows.size() && (same.empty() || names.nameOf(rows[i]) == name); ++i) same.push_back(rows[i]);
        if (!name) continue;
        QJsonObject entry = nameJson(*name);
        addRanks(entry, names, same, names.rowsNamed(*name).size());
        entries.append(entry);
    }
    return entries;
}

/// By name, then rank.
std::vector<RowKey> sorted(const TrackNames& names, std::vector<RowKey> rows) {
    std::erase_if(rows, [&names](const RowKey& row) { return row.capture != names.capture() || !names.nameOf(row); });
    std::sort(rows.begin(), rows.end(), [&names](const RowKey& a, const RowKey& b) {
        return std::pair(names.nameOf(a), a.rank) < std::pair(names.nameOf(b), b.rank);
    });
    return rows;
}

QJsonArray namesJson(const TrackNames& names, const std::vector<RowKey>& rows) {
    QJsonArray json;
    for (const RowKey& row : rows) {
        if (const auto name = names.nameOf(row)) json.append(nameJson(*name));
    }
    return json;
}

/// Entries that say the same of rows with the same name are one.
template <class Value, class ToJson>
QJsonArray grouped(const TrackNames& names, const std::vector<std::pair<RowKey, Value>>& said, ToJson toJson) {
    std::vector<std::pair<Value, std::vector<RowKey>>> groups;
    std::map<std::pair<RowName, Value>, std::size_t> places;
    for (const auto& [row, value] : said) {
        const auto [known, isNew] = places.try_emplace({*names.nameOf(row), value}, groups.size());
        if (isNew) groups.push_back({value, {}});
        groups[known->second].second.push_back(row);
    }
    QJsonArray entries;
    for (const auto& [value, rows] : groups) entries.append(toJson(rowsJson(names, rows).first().toObject(), value));
    return entries;
}

void saveOrder(QJsonObject& saved, const TrackNames& names, const TrackArrangement& arrangement) {
    std::vector<RowKey> parents;
    for (const auto& [parent, order] : arrangement.order) parents.push_back(parent);
    std::vector<std::pair<RowKey, std::vector<RowName>>> said;
    for (const RowKey& parent : sorted(names, parents)) {
        std::vector<RowName> children;
        for (const RowKey& child : arrangement.order.at(parent)) {
            if (const auto name = names.nameOf(child)) children.push_back(*name);
        }
        said.emplace_back(parent, std::move(children));
    }
    const QJsonArray entries = grouped(names, said, [](const QJsonObject& of, const std::vector<RowName>& children) {
        QJsonArray rows;
        for (const RowName& child : children) rows.append(nameJson(child));
        return QJsonObject{{u"of"_s, of}, {u"rows"_s, rows}};
    });
    if (!entries.isEmpty()) saved.insert("order"_L1, entries);
    QJsonArray ranks;
    for (const auto& [parent, order] : arrangement.order) {
        if (parent.kind != TimelineRowKind::Host || parent.capture != names.capture()) continue;
        for (const RowKey& row : order) {
            if (row.rank.value < names.rankCount()) ranks.append(names.rankName(row.rank));
        }
    }
    if (!ranks.isEmpty()) saved.insert("ranks"_L1, ranks);
}

void saveMerged(QJsonObject& saved, const TrackNames& names, const TrackArrangement& arrangement) {
    std::vector<std::pair<QJsonArray, std::vector<RowKey>>> groups;
    for (const std::vector<RowKey>& merged : arrangement.merged) {
        if (merged.front().capture != names.capture()) continue;
        const QJsonArray rows = namesJson(names, merged);
        const auto known =
            std::find_if(groups.begin(), groups.end(), [&rows](const auto& group) { return group.first == rows; });
        if (known != groups.end()) known->second.push_back(merged.front());
        else if (!rows.isEmpty()) groups.push_back({rows, {merged.front()}});
    }
    QJsonArray entries;
    for (const auto& [rows, first] : groups) {
        QJsonObject entry{{u"rows"_s, rows}};
        addRanks(entry, names, first, rowsNamed(names, rows.first().toObject()).size());
        entries.append(entry);
    }
    if (!entries.isEmpty()) saved.insert("merged"_L1, entries);
}

/// Children of a row by their names, where it has them.
std::vector<RowKey> childrenOf(const TrackNames& names, const RowKey& parent, const QJsonArray& children) {
    std::vector<RowKey> rows;
    for (const QJsonValue& child : children) {
        for (const RowKey& row : rowsNamed(names, child.toObject())) {
            if (row.rank == parent.rank) rows.push_back(row);
        }
    }
    return rows;
}

}  // namespace

QJsonObject savedLayout(const TrackNames& names, const TrackArrangement& arrangement, const TrackFilter& filter,
                        const RowExpansion& expansion) {
    QJsonObject saved;
    const auto insert = [&saved](QLatin1StringView key, const QJsonArray& entries) {
        if (!entries.isEmpty()) saved.insert(key, entries);
    };
    std::vector<RowKey> pinned = arrangement.pinned, opened, closed;
    std::erase_if(pinned, [&names](const RowKey& row) { return row.capture != names.capture(); });
    insert("pinned"_L1, rowsJson(names, pinned));
    insert("hidden"_L1, rowsJson(names, sorted(names, {filter.hidden.begin(), filter.hidden.end()})));
    for (const auto& [row, open] : expansion) (open ? opened : closed).push_back(row);
    insert("opened"_L1, rowsJson(names, sorted(names, opened)));
    insert("closed"_L1, rowsJson(names, sorted(names, closed)));
    std::vector<RowKey> sized;
    for (const auto& [row, heights] : arrangement.heights) sized.push_back(row);
    std::vector<std::pair<RowKey, std::pair<int, int>>> heights;
    for (const RowKey& row : sorted(names, sized))
        heights.push_back({row, {arrangement.heights.at(row).open, arrangement.heights.at(row).shut}});
    insert("heights"_L1, grouped(names, heights, [](QJsonObject entry, const std::pair<int, int>& of) {
               entry.insert("open"_L1, of.first);
               entry.insert("shut"_L1, of.second);
               return entry;
           }));
    saveOrder(saved, names, arrangement);
    saveMerged(saved, names, arrangement);
    return saved;
}

TrackLayout layoutFor(const TrackNames& names, const QJsonObject& saved) {
    TrackLayout layout;
    const auto rowsAt = [&](QLatin1StringView key) { return rowsOf(names, saved.value(key).toArray()); };
    layout.arrangement.pinned = rowsAt("pinned"_L1);
    for (const RowKey& row : rowsAt("hidden"_L1)) layout.hidden.insert(row);
    for (const RowKey& row : rowsAt("opened"_L1)) layout.expansion[row] = true;
    for (const RowKey& row : rowsAt("closed"_L1)) layout.expansion[row] = false;
    for (const QJsonValue& entry : saved.value("heights"_L1).toArray()) {
        const RowHeights heights{entry["open"_L1].toInt(), entry["shut"_L1].toInt()};
        for (const RowKey& row : rowsOf(names, entry.toObject())) layout.arrangement.heights[row] = heights;
    }
    for (const QJsonValue& entry : saved.value("order"_L1).toArray()) {
        for (const RowKey& parent : rowsOf(names, entry["of"_L1].toObject()))
            layout.arrangement.order[parent] = childrenOf(names, parent, entry["rows"_L1].toArray());
    }
    std::vector<RowKey> ranks;
    for (const QJsonValue& name : saved.value("ranks"_L1).toArray()) {
        if (const auto rank = names.rankNamed(name))
            ranks.push_back({names.capture(), *rank, TimelineRowKind::Rank, 0});
    }
    // Each host takes its own out of them.
    if (!ranks.empty()) {
        for (const RowKey& host : names.hosts()) layout.arrangement.order[host] = ranks;
    }
    for (const QJsonValue& entry : saved.value("merged"_L1).toArray()) {
        const QJsonArray rows = entry["rows"_L1].toArray();
        const auto wanted = ranksOf(names, entry.toObject());
        for (const RowKey& first : rowsNamed(names, rows.first().toObject())) {
            if (wanted && !wanted->contains(first.rank)) continue;
            auto group = childrenOf(names, first, rows);
            if (group.size() > 1) layout.arrangement.merged.push_back(std::move(group));
        }
    }
    return layout;
}

TrackLayout withLayout(TrackLayout all, CaptureId capture, const TrackLayout& layout) {
    const auto isOwn = [capture](const RowKey& row) { return row.capture == capture; };
    const auto isOwnEntry = [capture](const auto& entry) { return entry.first.capture == capture; };
    TrackArrangement& arrangement = all.arrangement;
    std::erase_if(arrangement.pinned, isOwn);
    arrangement.pinned.insert(arrangement.pinned.end(), layout.arrangement.pinned.begin(),
                              layout.arrangement.pinned.end());
    std::erase_if(arrangement.merged, [&isOwn](const std::vector<RowKey>& group) { return isOwn(group.front()); });
    arrangement.merged.insert(arrangement.merged.end(), layout.arrangement.merged.begin(),
                              layout.arrangement.merged.end());
    std::erase_if(arrangement.order, isOwnEntry);
    arrangement.order.insert(layout.arrangement.order.begin(), layout.arrangement.order.end());
    std::erase_if(arrangement.heights, isOwnEntry);
    arrangement.heights.insert(layout.arrangement.heights.begin(), layout.arrangement.heights.end());
    std::erase_if(all.hidden, isOwn);
    all.hidden.insert(layout.hidden.begin(), layout.hidden.end());
    std::erase_if(all.expansion, isOwnEntry);
    all.expansion.insert(layout.expansion.begin(), layout.expansion.end());
    return all;
}

}  // namespace altiscope
