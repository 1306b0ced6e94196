#pragma once

#include "core/base/values/time.h"

#include <QDialog>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace altiscope {

/// A time that the first event of what is moved can be drawn at.
struct ShiftAnchor {
    QString name;
    TimeNs at;  ///< On the axis.
};

/// A rank, or tracks of one, that are to be moved in time.
struct ShiftSubject {
    QString title;
    std::int64_t by = 0;            ///< ns; by what it is drawn later now.
    std::optional<TimeNs> first{};  ///< Its first event on the axis, were it not moved.
    TimeNs origin;                  ///< From which times are counted.
    bool isOfRank = true;           ///< Else tracks of a rank, which are moved against it.
    std::vector<ShiftAnchor> anchors{};
};

/// Prompts by how much a rank or a group of tracks is drawn later or earlier than recorded. GUI thread.
class ShiftDialog : public QDialog {
    Q_OBJECT
public:
    explicit ShiftDialog(ShiftSubject subject, QWidget* parent = nullptr);

signals:
    /// ns, positive: later.
    void applied(std::int64_t by);

private:
    void showResult();
    void alignWith(int anchor);

    ShiftSubject m_subject;
    QLineEdit* m_by;
    QComboBox* m_anchor;
    QLabel* m_result;
    QPushButton* m_ok;
};

}  // namespace altiscope
