#pragma once

#include "core/base/values/time.h"
#include "core/findings/finding.h"
#include "views/common/theme/icons.h"

#include <QString>

#include <cstddef>
#include <optional>

namespace altiscope {

// Findings in words; translated, pure functions of the GUI thread.

/// A finding, or data that is missing, as lists show it.
struct FindingItem {
    enum class Weight : unsigned char { High, Medium, Low, Missing };

    Weight weight = Weight::Low;
    QString key;  ///< Names it from run to run, so that it can be muted: rule, rank, step.
    QString title, detail;
    QString severityReason;                 ///< Why it is rated so.
    QString formula;                        ///< How the recoverable time is computed, and the thresholds that decided.
    std::optional<DurationNs> recoverable;  ///< Per step; without steps of the recording.
    bool isOfRecording = false;
    bool isOfOneStep = false;
    bool hasEvidence = false;
};

FindingItem findingItem(const Finding& finding);

/// "2 kinds of data not recorded"
QString missingTitle(std::size_t kinds);

/// "High", "Medium", ...
QString weightWord(FindingItem::Weight weight);
QString weightIcon(FindingItem::Weight weight);  ///< Name for themedIcon().
IconTone weightTone(FindingItem::Weight weight);

/// "High · 1.25 ms per step", "Medium · 1.25 ms of the recording"
QString findingHead(const FindingItem& item);
/// Title, head and sentence as plain text, for the clipboard.
QString findingAsText(const FindingItem& item);

// Words of tables for people; what is unknown stays as it is.

QString severityWord(const QString& severity);  ///< "high" -> "High"
QString ruleWord(const QString& rule);          ///< "gc_pause" -> "Garbage collection"
QString originWord(const QString& origin);      ///< "recorded", "computed", "host"

}  // namespace altiscope
