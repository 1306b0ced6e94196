#pragma once

#include "core/base/values/time.h"
#include "core/session/session.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <vector>

namespace altiscope {

/// A moment or a range of time that the user has marked.
struct Mark {
    TimeRange range;  ///< On the clock of its capture's traces; empty: a moment.
    QString name, note;
    int colour = 0;  ///< Which of the theme's hues.
    bool operator==(const Mark&) const = default;
};

/// The marks of the open captures, from one run of the program to the next: a JSON file of the user's that knows
/// captures by their paths. Other windows may write it as well: a change takes in what they have said. GUI thread.
class Marks : public QObject {
    Q_OBJECT
public:
    /// @param file  Read when a capture is opened, and with each change, which writes it; empty: kept in memory only.
    Marks(const Session& session, QString file, QObject* parent = nullptr);

    /// By begin. Empty for a capture that is not open.
    const std::vector<Mark>& of(CaptureId capture) const;
    /// Also gives it a name if it has none, and the colour after the newest one's.
    void add(CaptureId capture, Mark mark);
    /// Adds those that it does not have yet, as they are, up to kMaxMarks, by one change of the file and one signal.
    void join(CaptureId capture, const std::vector<Mark>& added);
    /// Marks are known by what they are: one that is gone meanwhile stays gone.
    void change(CaptureId capture, const Mark& before, Mark after);
    void remove(CaptureId capture, const Mark& mark);
    void clear(CaptureId capture);

signals:
    void changed();
    /// The file cannot be written; marks stay until the program ends.
    void notKept(const QString& file);

private:
    std::vector<Mark>* listOf(CaptureId capture) const;
    template <class Edit>
    void edit(CaptureId capture, Edit change);

    const Session& m_session;
    QString m_file;
    bool m_isKept = true;                                  // the file could be written the last time
    mutable std::map<QString, std::vector<Mark>> m_marks;  // by path, of captures that were looked at
};

}  // namespace altiscope
