#pragma once

#include "core/analysis/support/capture_facts.h"
#include "core/base/values/error.h"
#include "core/base/values/time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// How much a finding matters; by recoverable time, unless its rule says otherwise (lowerSeverity, isRatedByItself).
enum class FindingSeverity : std::uint8_t { High, Medium, Low };
std::string_view findingSeverityName(FindingSeverity severity);  ///< "high", "medium", "low"

/// Where to look: slices and ranges of a rank, and rows of the SQL tables.
struct FindingEvidence {
    struct Slice {
        RankIndex rank{};
        FactSlice slice;
    };
    struct Range {
        RankIndex rank{};
        TimeRange range;
        bool isGap = false;  ///< Nothing happens in it; else it is to be looked at as a whole.
        SliceId host{};      ///< Slice of a gap: what the host did in most of it; 0: not known.
    };
    struct Rows {
        std::string table;      ///< Table of the SQL surface.
        std::string condition;  ///< For its WHERE.
        // Rows of a snapshot are also a place on the page Snapshot:
        std::optional<RankIndex> rank = {};
        std::optional<std::int64_t> device = {};  ///< As SnapshotRows has it.
        std::optional<std::int64_t> event = {};   ///< Index of an entry of its history.
        std::string stack = {};                   ///< That allocated the blocks; empty: several did.
    };
    std::vector<Slice> slices;
    std::vector<Range> ranges;
    std::vector<Rows> rows;
    /// Whether it is about time in which the device does nothing, within its ranges.
    bool isOfIdleDevice = false;
    std::vector<RankIndex> peers;  ///< Ranks that it was compared with.
    /// How the names of the counters begin whose curves show it; empty: none does.
    std::string counter = {};
    /// The lowest and the highest level on which a growth of memory rests, bytes.
    std::optional<std::pair<std::int64_t, std::int64_t>> levels = {};
};

/// Something suspicious in a capture. Its texts are catalogue codes with parameters, so that a front end shows it in
/// its language.
struct Finding {
    std::string rule;  ///< "slow_rank"; texts: finding.slow_rank.title, finding.slow_rank
    FindingSeverity severity = FindingSeverity::Low;
    std::optional<RankIndex> rank;       ///< nullopt: the capture as a whole.
    std::optional<std::int64_t> rankId;  ///< Number of that rank in the job, if known.
    std::optional<std::int64_t> step;    ///< If one step is meant.
    std::optional<TimeRange> range;      ///< Where it shows first, on the rank's clock.
    /// ns per step; nullopt: not known, or not a matter of time. What a run without the cause would win: claims of
    /// causes in a replay add up. Else a limit, as the sentence says, that others may share. Shares are of the step:
    /// StepFacts::endToEnd.
    std::optional<std::int64_t> recoverable;
    MessageParameters parameters;  ///< Parameters of the texts; times and shares as people read them.
    /// Codes of further sentences, after the detail: why the severity is lower than the time.
    std::vector<std::string_view> notes = {};
    std::vector<std::pair<std::string, double>> thresholds;  ///< Those that decided.
    FindingEvidence evidence;
    /// Nothing divides the recording of its rank into steps: what is said of a step is said of all of it. Texts of the
    /// codes finding.RULE.recording say so, or a note.
    bool isOfRecording = false;
    /// The recoverable time is what a replay of the job wins: without a cause, or by a what-if after all causes.
    bool isReplayed = false;
    /// ns per step that is won if this alone is mended, by that replay. What others hide is not what to look at first.
    std::optional<std::int64_t> now;
};

/// Where findings of a rule are shown beside the list of all.
enum class RuleTopic : std::uint8_t {
    Communication,  ///< Time of transfers, or for which ranks wait for each other: on the page Communication.
    Other,
};

/// A rule as front ends know it. Its texts are four codes of the catalogue that follow from its word: finding.RULE (the
/// detail), finding.RULE.title, .name (two or three words) and .formula (how the recoverable time is computed).
struct RuleInfo {
    std::string_view rule;
    RuleTopic topic;
};
/// All rules, by name.
std::span<const RuleInfo> findingRules();

/// Topic of a rule; Other for an unknown one.
RuleTopic topicOf(std::string_view rule);

/// The texts in a language ("en", "zh_CN"); of an unknown rule its word, and no formula.
std::string ruleName(std::string_view rule, std::string_view language);
std::string ruleFormula(std::string_view rule, std::string_view language);
std::string findingTitle(const Finding& finding, std::string_view language);
std::string findingDetail(const Finding& finding, std::string_view language);

/// JSON objects for the SQL table `finding`: parameters by name; {"slices":[id],"ranges":[{"rank_id","begin","end"}],
/// "rows":[{"table","where"}]}; thresholds by name.
std::string findingParametersJson(const Finding& finding);
std::string findingEvidenceJson(const Finding& finding);
std::string findingThresholdsJson(const Finding& finding);

}  // namespace altiscope
