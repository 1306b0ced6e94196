#pragma once

#include "core/findings/thresholds.h"
#include "views/common/support/view_memory.h"

#include <QObject>
#include <QSet>
#include <QString>

namespace altiscope {

/// Decisions of the user about findings, for all pages that show them: which ones to hide, and by which thresholds
/// rules decide. Remembered from run to run. GUI thread.
class FindingSettings : public QObject {
    Q_OBJECT
public:
    explicit FindingSettings(const ViewMemory& memory, QObject* parent = nullptr);

    /// @param key  FindingItem::key
    bool isMuted(const QString& key) const { return m_muted.contains(key); }
    void setMuted(const QString& key, bool muted);

    const FindingThresholds& thresholds() const { return m_thresholds; }
    void setThreshold(const ThresholdInfo& info, double value);
    void resetThresholds();
    /// That differ from their defaults.
    int changedThresholds() const;

signals:
    void mutedChanged();
    void thresholdsChanged();

private:
    void saveThresholds();

    ViewMemory m_memory;
    QSet<QString> m_muted;
    FindingThresholds m_thresholds;
};

}  // namespace altiscope
