#include "core/session/workspace/mark.h"

#include <QJsonObject>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

std::vector<Mark> marksFromJson(const QJsonArray& list) {
    std::vector<Mark> marks;
    for (qsizetype i = 0; i < std::min(list.size(), kMostMarks); ++i) {
        const QJsonObject said = list.at(i).toObject();
        const qint64 begin = said.value("begin"_L1).toInteger(), end = said.value("end"_L1).toInteger();
        const bool isTime = begin <= end && begin >= -kMaxTimeNs && end <= kMaxTimeNs;
        if (!said.contains("begin"_L1) || !isTime) continue;
        marks.push_back({{{begin}, {end}},
                         said.value("name"_L1).toString(),
                         said.value("note"_L1).toString(),
                         std::clamp(said.value("colour"_L1).toInt(), 0, kMarkColours - 1)});
    }
    return marks;
}

QJsonArray marksJson(const std::vector<Mark>& marks) {
    QJsonArray list;
    for (const Mark& mark : marks) {
        list.append(QJsonObject{{u"begin"_s, qint64{mark.range.begin.value}},
                                {u"end"_s, qint64{mark.range.end.value}},
                                {u"name"_s, mark.name},
                                {u"note"_s, mark.note},
                                {u"colour"_s, mark.colour}});
    }
    return list;
}

}  // namespace altiscope
