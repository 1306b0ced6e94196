#pragma once

#include "core/base/values/time.h"
#include "core/session/reading/known_times.h"

#include <QDialog>
#include <QString>

#include <cstdint>
#include <optional>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace altiscope {

/// The rank of which a range of time is to be read.
struct RangeSubject {
    QString title;                      ///< Capture and rank.
    std::uint64_t bytes = 0;            ///< Size of its traces.
    KnownTimes times{};                 ///< As far as they are known.
    bool timesAreOfOthers = false;      ///< They are those of other ranks: nothing of this one was read yet.
    std::optional<TimeNs> origin{};     ///< Where times are counted from; nullopt: on the trace's own clock.
    std::optional<TimeRange> window{};  ///< The window that is read now, if it is a part.
};

/// Time since the origin as the fields show it and take it: seconds with every digit that is not zero, "12.5". Exact.
QString secondsText(TimeNs time, TimeNs origin);
/// nullopt if the text is no number of seconds within what a trace can hold.
std::optional<TimeNs> timeOfSeconds(const QString& text, TimeNs origin);

/// Asks which time of a rank to read: from, to, or a step where steps are known; says what reading it costs before
/// anything is read. Accepted by "Read the range" alone; with no valid range that is disabled, and a line says why.
class ReadRangeDialog : public QDialog {
    Q_OBJECT
public:
    explicit ReadRangeDialog(RangeSubject subject, QWidget* parent = nullptr);

    /// The range in the fields; nullopt if it is none.
    std::optional<TimeRange> range() const;

private:
    void takeStep(int index);
    void refresh();
    void show(TimeRange range);

    const RangeSubject m_subject;
    const TimeNs m_origin;
    QComboBox* m_step = nullptr;  // null where no step is known
    QLineEdit* m_from;
    QLineEdit* m_to;
    QLabel* m_cost;
    QDialogButtonBox* m_buttons;
};

}  // namespace altiscope
