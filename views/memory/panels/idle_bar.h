#pragma once

#include "core/analysis/memory/idle_limits.h"
#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <array>

class QCheckBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace altiscope {

/// Fields for the limits above which an allocation is used badly: each as a time and as a share of its life. They are
/// shown while they choose rows, and remembered. GUI thread.
class IdleBar : public Translated<QWidget> {
    Q_OBJECT
public:
    explicit IdleBar(const ViewMemory& memory, QWidget* parent = nullptr);

    /// nullopt: they choose nothing.
    std::optional<IdleLimits> limits() const;
    void setLimits(const std::optional<IdleLimits>& limits);

signals:
    void changed();

private:
    struct Field {
        QLabel* label;
        QLineEdit* time;
        QLabel* joiner;
        QSpinBox* share;
    };
    void remember();
    void showFields();
    void retranslate() override;
    static IdleLimit limitOf(const Field& field);

    ViewMemory m_memory;
    QCheckBox* m_isOn;
    std::array<Field, 3> m_fields{};
};

}  // namespace altiscope
