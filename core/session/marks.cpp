#include "core/session/marks.h"

#include "core/session/user_file.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
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

}  // namespace

Marks::Marks(const Session& session, QString file, QObject* parent)
    : QObject(parent), m_session(session), m_file(std::move(file)) {
    // Another window may have marked it since it was last open here.
    connect(&session, &Session::captureOpened, this, [this](std::uint32_t capture) {
        if (m_isKept && !m_file.isEmpty()) m_marks.erase(m_session.capture(capture)->path);
        emit changed();
    });
}

std::vector<Mark>* Marks::listOf(std::uint32_t capture) const {
    const OpenCapture* open = m_session.capture(capture);
    if (open == nullptr) return nullptr;
    const auto [known, isNew] = m_marks.try_emplace(open->path);
    if (isNew) {
        known->second = marksFromJson(readUserFile(m_file).value(open->path).toArray());
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
    edit(capture, [&mark](std::vector<Mark>& list) {
        if (mark.name.isEmpty()) mark.name = QString::number(list.size() + 1);
        mark.colour = static_cast<int>(list.size() * 5 % kMarkColours);  // hues far from each other follow
        list.push_back(mark);
    });
}

void Marks::join(std::uint32_t capture, const std::vector<Mark>& marks) {
    const std::vector<Mark>& known = of(capture);
    const auto isKnown = [](const std::vector<Mark>& list, const Mark& mark) {
        return std::find(list.begin(), list.end(), mark) != list.end();
    };
    if (std::all_of(marks.begin(), marks.end(), [&](const Mark& mark) { return isKnown(known, mark); })) return;
    edit(capture, [&](std::vector<Mark>& list) {
        for (const Mark& mark : marks) {
            if (static_cast<qsizetype>(list.size()) < kMostMarks && !isKnown(list, mark)) list.push_back(mark);
        }
    });
}

void Marks::change(std::uint32_t capture, const Mark& before, Mark after) {
    if (before == after) return;
    edit(capture, [&](std::vector<Mark>& list) {
        if (take(list, before)) list.push_back(after);
    });
}

void Marks::remove(std::uint32_t capture, const Mark& mark) {
    edit(capture, [&mark](std::vector<Mark>& list) { take(list, mark); });
}

void Marks::clear(std::uint32_t capture) {
    if (of(capture).empty()) return;
    edit(capture, [](std::vector<Mark>& list) { list.clear(); });
}

template <class Edit>
void Marks::edit(std::uint32_t capture, Edit change) {
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
        // What is not shown is not lost.
        for (qsizetype i = kMostMarks; i < before.size(); ++i) after.append(before.at(i));
        if (after.isEmpty()) content.remove(path);
        else content.insert(path, after);
    });
    if (!applied) apply();
    if (!m_isKept) emit notKept(m_file);
    emit changed();
}

}  // namespace altiscope
