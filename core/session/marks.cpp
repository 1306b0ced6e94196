#include "core/session/marks.h"

#include "core/session/files/user_file.h"
#include "core/session/mark_json.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

void sortByBegin(std::vector<Mark>& marks) {
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark& a, const Mark& b) { return a.range.begin < b.range.begin; });
}

/// By value; whether there was one.
bool take(std::vector<Mark>& marks, const Mark& mark) {
    const auto found = std::find(marks.begin(), marks.end(), mark);
    if (found == marks.end()) return false;
    marks.erase(found);
    return true;
}

using MarkKey = std::tuple<std::int64_t, std::int64_t, QString, QString, int>;

MarkKey keyOf(const Mark& mark) {
    return {mark.range.begin.value, mark.range.end.value, mark.name, mark.note, mark.colour};
}

}  // namespace

std::vector<Mark> marksFromJson(const QJsonArray& list) {
    std::vector<Mark> marks;
    for (qsizetype i = 0; i < std::min(list.size(), kMaxMarks); ++i) {
        const QJsonObject saved = list.at(i).toObject();
        const qint64 begin = saved.value("begin"_L1).toInteger(), end = saved.value("end"_L1).toInteger();
        const bool isTime = begin <= end && isTraceTime(begin) && isTraceTime(end);
        if (!saved.contains("begin"_L1) || !isTime) continue;
        marks.push_back({{{begin}, {end}},
                         saved.value("name"_L1).toString(),
                         saved.value("note"_L1).toString(),
                         std::clamp(saved.value("colour"_L1).toInt(), 0, kMarkColours - 1)});
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

Marks::Marks(const Session& session, QString file, QObject* parent)
    : QObject(parent), m_session(session), m_file(std::move(file)) {
    // Another window may have marked it since it was last open here.
    connect(&session, &Session::captureOpened, this, [this](CaptureId capture) {
        if (m_isKept && !m_file.isEmpty()) m_marks.erase(m_session.capture(capture)->path);
        emit changed();
    });
}

std::vector<Mark>* Marks::listOf(CaptureId capture) const {
    const OpenCapture* open = m_session.capture(capture);
    if (open == nullptr) return nullptr;
    const auto [known, isNew] = m_marks.try_emplace(open->path);
    if (isNew) {
        known->second = marksFromJson(readUserFile(m_file).value(open->path).toArray());
        sortByBegin(known->second);
    }
    return &known->second;
}

const std::vector<Mark>& Marks::of(CaptureId capture) const {
    static const std::vector<Mark> kNone;
    const auto* list = listOf(capture);
    return list == nullptr ? kNone : *list;
}

void Marks::add(CaptureId capture, Mark mark) {
    edit(capture, [&mark](std::vector<Mark>& list) {
        if (mark.name.isEmpty()) mark.name = QString::number(list.size() + 1);
        mark.colour = static_cast<int>(list.size() * 5 % kMarkColours);  // hues far from each other follow
        list.push_back(mark);
    });
}

void Marks::join(CaptureId capture, const std::vector<Mark>& added) {
    if (added.empty()) return;
    edit(capture, [&added](std::vector<Mark>& list) {
        std::set<MarkKey> known;
        for (const Mark& mark : list) known.insert(keyOf(mark));
        for (const Mark& mark : added) {
            if (static_cast<qsizetype>(list.size()) >= kMaxMarks) return;
            if (known.insert(keyOf(mark)).second) list.push_back(mark);
        }
    });
}

void Marks::change(CaptureId capture, const Mark& before, Mark after) {
    if (before == after) return;
    edit(capture, [&](std::vector<Mark>& list) {
        if (take(list, before)) list.push_back(after);
    });
}

void Marks::remove(CaptureId capture, const Mark& mark) {
    edit(capture, [&mark](std::vector<Mark>& list) { take(list, mark); });
}

void Marks::clear(CaptureId capture) {
    if (of(capture).empty()) return;
    edit(capture, [](std::vector<Mark>& list) { list.clear(); });
}

template <class Edit>
void Marks::edit(CaptureId capture, Edit change) {
    auto* list = listOf(capture);
    if (list == nullptr) return;
    const QString path = m_session.capture(capture)->path;
    const auto apply = [&] {
        change(*list);
        sortByBegin(*list);
    };
    if (m_file.isEmpty()) {
        apply();
        return emit changed();
    }
    // Where the file could not be written before, it does not know what stands here.
    bool applied = false;
    const bool wasKept = m_isKept;
    m_isKept = changeUserFile(m_file, [&](QJsonObject& content) {
        const QJsonArray before = content.value(path).toArray();
        if (wasKept) *list = marksFromJson(before);
        apply();
        applied = true;
        QJsonArray after = marksJson(*list);
        // Marks that are not shown are not lost.
        for (qsizetype i = kMaxMarks; i < before.size(); ++i) after.append(before.at(i));
        if (after.isEmpty()) content.remove(path);
        else content.insert(path, after);
    });
    if (!applied) apply();
    if (!m_isKept) emit notKept(m_file);
    emit changed();
}

}  // namespace altiscope
