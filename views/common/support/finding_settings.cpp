#include "views/common/support/finding_settings.h"

#include "core/base/text/text.h"
#include "views/common/support/formatters.h"
#include "views/common/support/threshold_texts.h"

#include <QStringList>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

bool isChanged(const FindingThresholds& thresholds, const ThresholdInfo& info) {
    return thresholds.*info.value != FindingThresholds{}.*info.value;
}

}  // namespace

FindingSettings::FindingSettings(const ViewMemory& memory, QObject* parent) : QObject(parent), m_memory(memory) {
    for (const QString& key : m_memory.value(u"findings/muted"_s).toStringList()) m_muted.insert(key);
    // "gc_pause=5000000"; what a newer or older version wrote and this one does not know is ignored.
    for (const QString& line : m_memory.value(u"findings/thresholds"_s).toStringList()) {
        const ThresholdInfo* info = findThreshold(line.section(u'=', 0, 0).toStdString());
        if (info == nullptr) continue;
        if (const auto value = thresholdValue(*info, line.section(u'=', 1))) m_thresholds.*info->value = *value;
    }
}

void FindingSettings::setMuted(const QString& key, bool muted) {
    if (muted == m_muted.contains(key)) return;
    if (muted) {
        m_muted.insert(key);
    } else {
        m_muted.remove(key);
    }
    QStringList keys(m_muted.begin(), m_muted.end());
    keys.sort();
    m_memory.setValue(u"findings/muted"_s, keys);
    emit mutedChanged();
}

void FindingSettings::setThreshold(const ThresholdInfo& info, double value) {
    if (m_thresholds.*info.value == value) return;
    m_thresholds.*info.value = value;
    saveThresholds();
}

void FindingSettings::resetThresholds() {
    if (changedThresholds() == 0) return;
    m_thresholds = {};
    saveThresholds();
}

int FindingSettings::changedThresholds() const {
    const auto infos = thresholdInfos();
    return static_cast<int>(std::count_if(infos.begin(), infos.end(),
                                          [this](const ThresholdInfo& info) { return isChanged(m_thresholds, info); }));
}

void FindingSettings::saveThresholds() {
    QStringList lines;
    for (const ThresholdInfo& info : thresholdInfos()) {
        if (isChanged(m_thresholds, info))
            lines << toQString(info.name) + u'=' + toQString(shortestNumber(m_thresholds.*info.value));
    }
    m_memory.setValue(u"findings/thresholds"_s, lines);
    emit thresholdsChanged();
}

}  // namespace altiscope
