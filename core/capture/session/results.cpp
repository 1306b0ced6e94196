#include "core/capture/session/results.h"

#include "core/base/values/parse.h"

#include <algorithm>

namespace altiscope::capture {

namespace {

constexpr std::string_view kOutput = "ASCEND_PROFILER_OUTPUT/";
/// Looks without a change after which what has its mark is complete.
constexpr int kSettledLooks = 2;
/// How long what may still be analysed, and what has its tables but no mark, must stay the same.
constexpr std::chrono::seconds kNotAnalysed(5), kNoMark(15);

std::string_view nameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::optional<std::int64_t> numberBetween(std::string_view text, std::string_view before, std::string_view after) {
    if (!text.starts_with(before) || !text.ends_with(after) || text.size() <= before.size() + after.size()) return {};
    return wholeNumber(text.substr(before.size(), text.size() - before.size() - after.size()));
}

struct FolderMarks {
    bool isRecorded = false;  ///< The tool has stopped recording.
    bool hasOutput = false;   ///< The analysis has begun.
    bool isAnalysed = false;  ///< It says that it has ended.
    bool hasTables = false;   ///< What can be read without raw data.
    std::optional<std::int64_t> rank;
};

FolderMarks marksOf(const ListedResult& result) {
    FolderMarks marks;
    for (const TargetFile& file : result.files) {
        const std::string_view name = file.name, base = nameOf(name);
        const bool isOutput = name.starts_with(kOutput);
        marks.hasOutput = marks.hasOutput || isOutput || name.starts_with("mindstudio_profiler_output/");
        marks.isAnalysed = marks.isAnalysed || (isOutput && base == "analyse.done");
        const bool isTable = (isOutput && (base == "trace_view.json" || base.ends_with(".db"))) ||
                             name.starts_with("mindstudio_profiler_output/") ||
                             (name == base && base.starts_with("msprof_") && base.ends_with(".db"));
        marks.hasTables = marks.hasTables || (isTable && file.size > 0);
        if (name == base && base.starts_with("profiler_info") && base.ends_with(".json") && file.size > 0) {
            marks.isRecorded = true;
            marks.rank = numberBetween(base, "profiler_info_", ".json");
        }
        if (base.starts_with("end_info")) marks.isRecorded = marks.isRecorded || name.starts_with("host/");
    }
    // MindSpore's monitor names the folder above: rank3_start5_stop6.
    const std::string_view parent = nameOf(std::string_view(result.path).substr(0, result.path.rfind('/')));
    if (const auto start = parent.find("_start"); !marks.rank && start != std::string_view::npos) {
        marks.rank = numberBetween(parent.substr(0, start), "rank", "");
    }
    return marks;
}

Error problem(const char* code) { return Error{code, {}, {}, {}}; }

/// A result as it stays the same, at the time of a look.
struct Stillness {
    const StableSince& since;
    StableSince::Time now;

    bool lasts(int looks, std::chrono::seconds time = std::chrono::seconds(0)) const {
        return since.lasts(looks, time, now);
    }
};

void judgeFolder(const ListedResult& result, Analysis analysis, JobState job, const Stillness& stable,
                 RankRecord& record) {
    const FolderMarks marks = marksOf(result);
    const bool isPlain = nameOf(result.path).starts_with("PROF_");
    const bool hasMark = nameOf(result.path).ends_with("_ascend_pt");
    record.rank = marks.rank;
    record.state = marks.isRecorded || marks.hasOutput ? State::Analysing : State::Recording;
    if (!marks.isRecorded && !marks.hasOutput) {
        if (result.isProcessGone && stable.lasts(kSettledLooks))
            record.message = problem("capture.result.process_gone");
        return;
    }
    if (analysis == Analysis::There && job == JobState::Runs) return;
    if (marks.isAnalysed) {
        const bool good = marks.hasTables && !result.hasErrors;
        record.state = good ? State::Done : State::Failed;
        if (!good) record.message = problem("capture.result.analysis_failed");
        return;
    }
    std::chrono::seconds wanted(0);
    if (marks.hasTables) wanted = hasMark ? kNoMark : kNotAnalysed;
    else if (marks.hasOutput || isPlain || analysis == Analysis::Yes || analysis == Analysis::There) return;
    else if (analysis == Analysis::Unknown) wanted = kNotAnalysed;
    if (!stable.lasts(kSettledLooks, wanted)) return;
    record.state = State::Done;
    if (!marks.hasTables) record.message = problem("capture.result.raw");
}

void judgeEnded(const ListedResult& result, Analysis analysis, JobState job, const Stillness& stable,
                RankRecord& record) {
    if (isOver(record.state) || !stable.lasts(kSettledLooks) || (job != JobState::EndedWell && job != JobState::Failed))
        return;
    const FolderMarks marks = marksOf(result);
    const bool isRaw =
        nameOf(result.path).starts_with("PROF_") && marks.isRecorded && !marks.hasOutput && analysis != Analysis::There;
    if (job == JobState::EndedWell && (marks.hasTables || isRaw)) {
        record.state = State::Done;
        if (isRaw) record.message = problem("capture.result.raw");
        return;
    }
    record.state = State::Failed;
    // What the tools say of themselves is not what counts: they end with 0 after most failures.
    if (analysis == Analysis::There)
        record.message =
            problem(job == JobState::EndedWell ? "capture.result.analysis_empty" : "capture.result.analysis_failed");
    else record.message = problem("capture.result.incomplete");
}

RankRecord judge(const ListedResult& result, ResultKind kind, Analysis analysis, JobState job,
                 const Stillness& stable) {
    RankRecord record{result.path, {}, State::Recording, {}};
    record.process = result.process;
    for (const TargetFile& file : result.files) record.bytes += file.size;
    if (kind == ResultKind::Folders) {
        judgeFolder(result, analysis, job, stable, record);
        judgeEnded(result, analysis, job, stable, record);
        return record;
    }
    bool isComplete = !result.files.empty() && result.files[0].size > 0;
    const std::string_view name = nameOf(result.path);
    if (kind == ResultKind::Snapshots) {
        record.rank = numberBetween(name.substr(name.rfind('_')), "_", ".pickle");
    } else if (kind == ResultKind::Monitored) {
        const std::string_view stem = name.substr(0, name.rfind('.'));
        record.rank = wholeNumber(stem.substr(stem.rfind('_') + 1));
        isComplete = isComplete && job == JobState::EndedWell;
    } else if (kind == ResultKind::Served) {
        isComplete = job == JobState::EndedWell &&
                     std::any_of(result.files.begin(), result.files.end(),
                                 [](const TargetFile& file) { return file.name.ends_with(".db") && file.size > 0; });
    } else {
        const auto features = std::count_if(result.files.begin(), result.files.end(), [](const TargetFile& file) {
            return file.name.ends_with(".pt") && file.size > 0;
        });
        isComplete = result.samples > 0 && static_cast<std::uint64_t>(features) >= result.samples;
        // Those of a run before are complete, too, until the job writes its own.
        if (result.wasThere) isComplete = isComplete && (job == JobState::EndedWell || job == JobState::Unknown);
    }
    if (isComplete && stable.lasts(kSettledLooks)) record.state = State::Done;
    judgeEnded(result, analysis, isComplete ? JobState::Unknown : job, stable, record);
    return record;
}

/// The 17 digits of the time in a name, else nothing.
std::string_view timeOf(std::string_view path) {
    const std::string_view name = nameOf(path);
    for (std::size_t at = name.find('_'); at != std::string_view::npos; at = name.find('_', at + 1)) {
        const std::string_view digits = name.substr(at + 1, 17);
        if (digits.size() == 17 && digits.find_first_not_of("0123456789") == std::string_view::npos) return digits;
    }
    return {};
}

std::string printOf(const ListedResult& result) {
    std::string print;
    for (const TargetFile& file : result.files) {
        print += file.name + '\0' + std::to_string(file.size) + ' ' + file.time + '\0';
    }
    return print;
}

}  // namespace

std::vector<RankRecord> ResultWatch::look(const Listing& listing, ResultKind kind, Analysis analysis, JobState job,
                                          StableSince::Time now) {
    std::vector<RankRecord> records;
    bool allSame = true;
    for (const ListedResult& result : listing.results) {
        Seen& seen = m_seen[result.path];
        std::string print = printOf(result);
        const bool same = print == seen.print;
        seen.stable.note(same, now);
        seen.print = std::move(print);
        allSame = allSame && same;
        records.push_back(judge(result, kind, analysis, job, {seen.stable, now}));
    }
    m_stable.note(allSame && listing.results.size() == m_count, now);
    m_count = listing.results.size();
    std::stable_sort(records.begin(), records.end(), [](const RankRecord& a, const RankRecord& b) {
        return std::pair(timeOf(a.path), std::string_view(a.path)) <
               std::pair(timeOf(b.path), std::string_view(b.path));
    });
    return records;
}

}  // namespace altiscope::capture
