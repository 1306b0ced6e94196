#include "core/session/marks.h"

#include "core/session/user_file.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr int kColours = 16;

std::vector<Mark> marksOf(const QJsonArray& list) {
    std::vector<Mark> marks;
    for (const QJsonValue& item : list) {
        const QJsonObject said = item.toObject();
        const qint64 begin = said.value("begin"_L1).toInteger(), end = said.value("end"_L1).toInteger();
        if (!said.contains("begin"_L1) || end < begin) continue;
        marks.push_back({{{begin}, {end}}, said.value("name"_L1).toString(), said.value("note"_L1).toString(),
                         std::clamp(said.value("colour"_L1).toInt(), 0, kColours - 1)});
    }
    return marks;
}

QJsonArray marksJson(const std::vector<Mark>& marks) {
    QJsonArray list;
    for (const Mark& mark : marks) {
        list.append(QJsonObject{{u"begin"_s, qint64{mark.range.begin.value}}, {u"end"_s, qint64{mark.range.end.value}},
                                {u"name"_s, mark.name}, {u"note"_s, mark.note}, {u"colour"_s, mark.colour}});
    }
    return list;
}

void sortByBegin(std::vector<Mark>& marks) {
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.range.begin < b.range.begin; });
}

}  // namespace

Marks::Marks(const Session& session, QString file, QObject* parent) : QObject(parent), m_session(session), m_file(std::move(file)) {}

std::vector<Mark>* Marks::listOf(std::uint32_t capture) const {
    const OpenCapture* open = m_session.capture(capture);
    if (open == nullptr) return nullptr;
    const auto [known, isNew] = m_marks.try_emplace(open->path);
    if (isNew) {
        known->second = marksOf(readUserFile(m_file).value(open->path).toArray());
        sortByBegin(known->second);
    }
    return &known->second;
}

const std::vector<Mark>& Marks::of(std::uint32_t capture) const {
    static const std::vector<Mark> kNone;
    const auto* list = listOf(capture);
    return list == nullptr ? kNone : *list;
}

void Marks::add(std::uint32_t capture, Mark mark) {
    auto* list = listOf(capture);
    if (list == nullptr) return;
    if (mark.name.isEmpty()) mark.name = QString::number(list->size() + 1);
    mark.colour = static_cast<int>(list->size() * 5 % kColours);  // hues far from each other follow
    list->push_back(std::move(mark));
    sortByBegin(*list);
    keep(capture);
}

void Marks::change(std::uint32_t capture, std::size_t place, Mark mark) {
    auto* list = listOf(capture);
    if (list == nullptr || (*list)[place] == mark) return;
    (*list)[place] = std::move(mark);
    sortByBegin(*list);
    keep(capture);
}

void Marks::remove(std::uint32_t capture, std::size_t place) {
    auto* list = listOf(capture);
    if (list == nullptr) return;
    list->erase(list->begin() + static_cast<std::ptrdiff_t>(place));
    keep(capture);
}

void Marks::clear(std::uint32_t capture) {
    auto* list = listOf(capture);
    if (list == nullptr || list->empty()) return;
    list->clear();
    keep(capture);
}

void Marks::keep(std::uint32_t capture) {
    const QString path = m_session.capture(capture)->path;
    const auto& marks = m_marks[path];
    const bool kept = changeUserFile(m_file, [&](QJsonObject& content) {
        if (marks.empty()) content.remove(path);
        else content.insert(path, marksJson(marks));
    });
    if (!kept) emit notKept(m_file);
    emit changed();
}

}  // namespace altiscope
