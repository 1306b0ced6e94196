#pragma once

#include "core/session/session.h"
#include "core/session/workspace/mark.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <vector>

namespace altiscope {

/// The marks of the open captures, from one run of the program to the next: a JSON file of the user's that knows
/// captures by their paths. Other windows may write it as well: a change takes in what they have said. GUI thread.
class Marks : public QObject {
    Q_OBJECT
public:
    /// @param file  Read when a capture is opened, and with each change, which writes it; empty: kept in memory only.
    Marks(const Session& session, QString file, QObject* parent = nullptr);

    /// By begin. Empty for a capture that is not open.
    const std::vector<Mark>& of(std::uint32_t capture) const;
    /// Also gives it a name if it has none, and the colour after the newest one's.
    void add(std::uint32_t capture, Mark mark);
    /// Adds those that are not there yet, as they are.
    void join(std::uint32_t capture, const std::vector<Mark>& marks);
    /// Marks are known by what they are: one that is gone meanwhile stays gone.
    void change(std::uint32_t capture, const Mark& before, Mark after);
    void remove(std::uint32_t capture, const Mark& mark);
    void clear(std::uint32_t capture);

signals:
    void changed();
    /// The file cannot be written; marks stay until the program ends.
    void notKept(const QString& file);

private:
    std::vector<Mark>* listOf(std::uint32_t capture) const;
    template <class Edit>
    void edit(std::uint32_t capture, Edit change);

    const Session& m_session;
    QString m_file;
    bool m_isKept = true;                                  // the file could be written the last time
    mutable std::map<QString, std::vector<Mark>> m_marks;  // by path, of captures that were looked at
};

}  // namespace altiscope
