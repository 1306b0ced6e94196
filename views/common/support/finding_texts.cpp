#include "views/common/support/finding_texts.h"

#include "core/base/text/percent_text.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/threshold_texts.h"

#include <QCoreApplication>
#include <QStringList>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct Weights {
    Q_DECLARE_TR_FUNCTIONS(altiscope::FindingWeights)
};

FindingItem::Weight weightOf(const Finding& finding) {
    if (finding.rule == "missing_data") return FindingItem::Weight::Missing;
    switch (finding.severity) {
    case FindingSeverity::High: return FindingItem::Weight::High;
    case FindingSeverity::Medium: return FindingItem::Weight::Medium;
    case FindingSeverity::Low: break;
    }
    return FindingItem::Weight::Low;
}

QString parameterOf(const Finding& finding, std::string_view name) {
    for (const auto& [known, value] : finding.parameters) {
        if (known == name) return toQString(value);
    }
    return {};
}

/// The share of the step, and by which limits it counts; further sentences of the finding say why it is rated lower.
QString severityReasonOf(const Finding& finding) {
    if (finding.rule == "missing_data") return Weights::tr("Not rated: what is not recorded is not a fault.");
    const auto limit = [&finding](std::string_view name) -> QString {
        for (const auto& [known, value] : finding.thresholds) {
            if (known == name) return thresholdText(*findThreshold(name), value);
        }
        return {};
    };
    const auto shareOf = [&finding](std::string_view name) {
        return toQString(inLanguage(parameterOf(finding, name).toStdString(), catalogueLanguage()));
    };
    const QString share = shareOf("share"), high = limit("high_share"), medium = limit("medium_share");
    if (!finding.recoverable || share.isEmpty() || high.isEmpty())
        return Weights::tr("Rated without a time: it is not known what it costs a step.");
    if (finding.isOfRecording)
        return Weights::tr("%1 of the recording, which has no steps: medium at most.").arg(share);
    if (const QString ofAll = shareOf("all_share"); !ofAll.isEmpty())
        return Weights::tr("%1 of all steps is recoverable, in one of them: medium from %2 on, and no more.")
            .arg(ofAll, medium);
    return Weights::tr("%1 of a step is recoverable. High from %2 on, medium from %3 on.").arg(share, high, medium);
}

/// The kinds of data that a finding names in the words of the window.
Finding withTitleOfData(Finding finding) {
    for (auto& [name, value] : finding.parameters) {
        if (name != "what") continue;
        QStringList titles;
        for (const QString& what : toQString(value).split(u", "_s)) titles << dataTitle(what.toStdString());
        value = titles.join(u", "_s).toStdString();
    }
    return finding;
}

}  // namespace

FindingItem findingItem(const Finding& finding) {
    FindingItem item;
    item.weight = weightOf(finding);
    item.key = toQString(finding.rule);
    if (finding.rule == "missing_data") item.key = u"missing/"_s + parameterOf(finding, "what");
    // As sentences call it: several ranks may have one number, and each has findings of its own.
    const QString rank = parameterOf(finding, "rank");
    if (finding.rankId) item.key += u":rank"_s + (rank.isEmpty() ? QString::number(*finding.rankId) : rank);
    if (finding.rule == "slow_link")
        item.key += u":link"_s + parameterOf(finding, "source") + u'-' + parameterOf(finding, "target") + u'-' +
                    parameterOf(finding, "transport");
    if (finding.step) item.key += u":step"_s + QString::number(*finding.step);
    const Finding named = withTitleOfData(finding);
    item.title = toQString(findingTitle(named, catalogueLanguage()));
    item.detail = toQString(findingDetail(named, catalogueLanguage()));
    if (finding.rule == "missing_data")
        item.title = missingTitle(static_cast<std::size_t>(parameterOf(finding, "what").split(u", "_s).size()));
    item.severityReason = severityReasonOf(finding);
    item.formula = toQString(ruleFormula(finding.rule, catalogueLanguage()));
    QStringList thresholds;
    for (const auto& [name, value] : finding.thresholds) {
        if (const ThresholdInfo* info = findThreshold(name))
            thresholds << toQString(name) + u" = "_s + thresholdText(*info, value);
    }
    if (!thresholds.isEmpty()) item.formula += u'\n' + Weights::tr("Thresholds used: %1").arg(thresholds.join(u", "_s));
    if (finding.recoverable) item.recoverable = DurationNs{*finding.recoverable};
    item.isOfRecording = finding.isOfRecording;
    item.isOfOneStep = finding.step.has_value();
    item.hasEvidence =
        !finding.evidence.slices.empty() || !finding.evidence.ranges.empty() || !finding.evidence.rows.empty();
    return item;
}

QString missingTitle(std::size_t kinds) {
    return Weights::tr("%n kind(s) of data not recorded", nullptr, static_cast<int>(kinds));
}

QString weightWord(FindingItem::Weight weight) {
    switch (weight) {
    case FindingItem::Weight::High: return Weights::tr("High");
    case FindingItem::Weight::Medium: return Weights::tr("Medium");
    case FindingItem::Weight::Low: return Weights::tr("Low");
    case FindingItem::Weight::Missing: return Weights::tr("Not recorded");
    }
    return {};
}

QString weightIcon(FindingItem::Weight weight) {
    switch (weight) {
    case FindingItem::Weight::High: return u"error"_s;
    case FindingItem::Weight::Medium: return u"warning"_s;
    case FindingItem::Weight::Low: return u"info"_s;
    case FindingItem::Weight::Missing: return u"missing"_s;
    }
    return {};
}

IconTone weightTone(FindingItem::Weight weight) {
    switch (weight) {
    case FindingItem::Weight::High: return IconTone::Error;
    case FindingItem::Weight::Medium: return IconTone::Warning;
    case FindingItem::Weight::Low:
    case FindingItem::Weight::Missing: return IconTone::Muted;
    }
    return IconTone::Muted;
}

QString findingHead(const FindingItem& item) {
    if (!item.recoverable) return weightWord(item.weight);
    const QString time = item.isOfRecording ? Weights::tr("%1 of the recording")
                         : item.isOfOneStep ? Weights::tr("%1 in one step")
                                            : Weights::tr("%1 per step");
    return weightWord(item.weight) + u" · "_s + time.arg(formatDuration(*item.recoverable));
}

QString findingAsText(const FindingItem& item) {
    return u"%1 (%2)\n%3"_s.arg(item.title, findingHead(item), item.detail);
}

QString severityWord(const QString& severity) {
    if (severity == "high"_L1) return Weights::tr("High");
    if (severity == "medium"_L1) return Weights::tr("Medium");
    if (severity == "low"_L1) return Weights::tr("Low");
    if (severity == "missing"_L1) return weightWord(FindingItem::Weight::Missing);
    return severity;
}

QString ruleWord(const QString& rule) { return toQString(ruleName(rule.toStdString(), catalogueLanguage())); }

QString originWord(const QString& origin) {
    if (origin == "recorded"_L1) return Weights::tr("recorded");
    if (origin == "computed"_L1) return Weights::tr("computed");
    if (origin == "host"_L1) return Weights::tr("host");
    return origin;
}

}  // namespace altiscope
