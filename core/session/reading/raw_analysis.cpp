#include "core/session/reading/raw_analysis.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/base/threads/parallel.h"
#include "core/import/json/json_text.h"
#include "core/import/raw/raw_arguments.h"
#include "core/report/databases/write_databases.h"
#include "core/report/deliverables/deliverables.h"
#include "core/session/files/write_guard.h"
#include "core/session/reading/capture_loader.h"
#include "core/session/reading/raw_capture_search.h"
#include "core/store/cache/scratch_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

namespace altiscope {

namespace {

namespace outfs = std::filesystem;

/// Time of day as names of msprof's files hold it.
std::string nowStamp() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    std::array<char, 32> text{};
    return std::string(text.data(), std::strftime(text.data(), text.size(), "%Y%m%d%H%M%S", &local));
}

/// A new folder for files that vanishes with all that is in it unless it was moved to its place. One that a killed
/// program left is known by the mark of the scratch folder around it.
class PendingFolder {
public:
    PendingFolder(const outfs::path& parent, const CancelToken& cancel) {
        std::error_code error;
        m_scratch = ScratchFolder::make(parent, cancel, error, ScratchPlace::Capture);
        if (m_scratch != nullptr) {
            m_path = m_scratch->path() / "files";
            m_isMade = outfs::create_directory(m_path, error);
        }
        if (!m_isMade) m_problem = error.message();
    }
    PendingFolder(const PendingFolder&) = delete;
    PendingFolder& operator=(const PendingFolder&) = delete;

    bool isMade() const { return m_isMade; }
    const outfs::path& path() const { return m_path; }
    const std::string& problem() const { return m_problem; }
    /// Gives a folder its place, where nothing is; the empty name stands for this folder itself.
    bool move(const std::string& name, const outfs::path& place) {
        std::error_code error;
        if (outfs::exists(outfs::symlink_status(place, error))) {
            m_problem = "File exists";
            return false;
        }
        outfs::rename(name.empty() ? m_path : m_path / name, place, error);
        if (error) m_problem = error.message();
        return !error;
    }

private:
    std::shared_ptr<const ScratchFolder> m_scratch;
    outfs::path m_path;
    bool m_isMade = false;
    std::string m_problem;
};

Error notWritten(const outfs::path& path, const std::string& reason) {
    return {"raw_analysis.no_folder", path.string(), {}, {{"reason", reason}}};
}

/// One capture on its way.
struct AnalysisTask {
    RawCaptureFolder capture;
    outfs::path target;  ///< Folder to make; empty: into the capture.
    AnalysedCapture result;
};

/// Files that an analysis makes in a capture.
std::vector<std::string> outputNames(const AnalysisTask& task, const RawAnalysisOptions& options) {
    if (task.capture.isFramework) return {"ASCEND_PROFILER_OUTPUT"};
    std::vector<std::string> names{"analyze"};
    if (options.writesText) names.emplace_back("mindstudio_profiler_output");
    if (!options.writesDatabases) return names;
    // Their names hold the time.
    std::error_code error;
    for (outfs::directory_iterator at(task.capture.path, error), end; !error && at != end; at.increment(error)) {
        std::string name = at->path().filename().string();
        if (name.starts_with("msprof_") && name.ends_with(".db")) names.push_back(std::move(name));
    }
    return names;
}

std::optional<Error> existingOutput(const AnalysisTask& task, const RawAnalysisOptions& options) {
    if (!task.target.empty()) return std::nullopt;
    for (const std::string& name : outputNames(task, options)) {
        std::error_code error;
        const outfs::path place = task.capture.path / name;
        if (outfs::exists(outfs::symlink_status(place, error)))
            return Error{"raw_analysis.exists", place.string(), {}, {}};
    }
    return std::nullopt;
}

/// Moves what was written to its place: all of it, or nothing.
std::optional<Error> putInPlace(PendingFolder& folder, const AnalysisTask& task) {
    if (!task.target.empty()) {
        if (folder.move({}, task.target)) return std::nullopt;
        return notWritten(task.target, folder.problem());
    }
    std::vector<std::string> names;
    std::error_code error;
    for (outfs::directory_iterator at(folder.path(), error), end; !error && at != end; at.increment(error))
        names.push_back(at->path().filename().string());
    std::sort(names.begin(), names.end());
    std::vector<std::pair<std::string, outfs::path>> moved;
    for (const std::string& name : names) {
        const outfs::path place = task.capture.path / name;
        if (folder.move(name, place)) {
            moved.emplace_back(name, place);
            continue;
        }
        for (const auto& [back, from] : moved) outfs::rename(from, folder.path() / back, error);
        return notWritten(place, folder.problem());
    }
    return std::nullopt;
}

/// Facts that the framework recorded of the run beside its data.
DatabaseFacts runFacts(const outfs::path& capture) {
    static constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
    DatabaseFacts facts;
    const auto text = readSmallFile(capture / "profiler_metadata.json", kMaxBytes);
    // Deeper ones are reported where the capture is read: the library recurses.
    if (!text.ok() || reader::valueExtent(std::string_view(text.value())).isTooDeep) return facts;
    const auto object = parseOrderedJson(text.value());
    if (!object.is_object()) return facts;
    for (const auto& [name, value] : object.items()) {
        if (name.starts_with("SCHEMA_")) continue;  // ours
        facts.emplace_back(name, dumpJson(value));
    }
    return facts;
}

/// Writes the files of a rank. @return What it wrote.
Result<DeliverableSummary> writeFiles(const RankEntry& rank, const AnalysisTask& task,
                                      const DeliverableRequest& request, const RawAnalysisOptions& options,
                                      const CancelToken& cancel) {
    DeliverableSummary all;
    if (options.writesText) {
        auto written = writeDeliverables(rank, request, cancel);
        if (!written.ok()) return written;
        all = std::move(written).value();
    }
    if (!options.writesDatabases) return all;
    auto written = writeDatabases(rank, request, runFacts(task.capture.path), cancel);
    if (!written.ok()) return written;
    all.files.insert(all.files.end(), written.value().files.begin(), written.value().files.end());
    return all;
}

/// The rank that was read from raw data; null if none was.
const RankEntry* rawRank(const CaptureStore& capture) {
    const RankEntry* rank = nullptr;
    for (const RankEntry& entry : capture.ranks) {
        if (entry.info.source == SourceKind::Raw && entry.trace != nullptr) rank = &entry;
    }
    return rank;
}

/// Adds what was lost in reading, and what the files will lack since there is too much of it.
void addLost(const CaptureStore& capture, const RankEntry* rank, std::vector<Diagnostic>& lost) {
    for (const Diagnostic& one : capture.diagnostics.entries()) {
        if (one.severity == Severity::Lost) lost.push_back(one);
    }
    if (rank == nullptr || rank->info.traceBytes <= reader::kMaxRawArguments) return;
    Diagnostics tooLarge;
    tooLarge.add("raw_analysis.no_arguments", Severity::Lost, rank->info.path, {},
                 {{"limit", std::to_string(reader::kMaxRawArguments >> 30)}});
    lost.push_back(tooLarge.entries().front());
}

void analyseOne(AnalysisTask& task, const RawAnalysisOptions& options, const std::string& stamp, ProgressSlot& progress,
                const CancelToken& cancel) {
    AnalysedCapture& result = task.result;
    if (task.target.empty())
        result.swept = ScratchFolder::removeAbandoned(task.capture.path, &cancel, ScratchPlace::Capture);
    if ((result.error = existingOutput(task, options))) return;
    LoadOptions load;
    load.onlyRaw = true;
    const auto loaded = loadCapture(task.capture.path, load, progress, cancel);
    if (loaded.cancelled()) return;
    if (loaded.failed()) {
        result.error = loaded.error();
        return;
    }
    const RankEntry* rank = rawRank(*loaded.value());
    addLost(*loaded.value(), rank, result.lost);
    if (rank == nullptr) {
        result.error = Error{"deliverables.no_records", result.path, {}, {}};
        return;
    }
    const outfs::path parent = task.target.empty() ? task.capture.path : task.target.parent_path();
    PendingFolder folder(parent, cancel);
    if (!folder.isMade()) {
        result.error = notWritten(parent, folder.problem());
        return;
    }
    const Dialect dialect = task.capture.isFramework ? Dialect::Torch : Dialect::Cann;
    auto written = writeFiles(*rank, task, {folder.path(), dialect, stamp}, options, cancel);
    if (written.cancelled() || cancel.cancelled()) return;
    if (written.failed()) {
        result.error = written.error();
        return;
    }
    if ((result.error = putInPlace(folder, task))) return;
    result.folder = task.target.empty() ? task.capture.path : task.target;
    result.files = std::move(written.value().files);
    result.state = result.lost.empty() ? AnalysedCapture::State::Done : AnalysedCapture::State::Partial;
}

/// The folder for all captures, and those around it: of what this made those vanish that nothing was put into.
class OutFolder {
public:
    OutFolder() = default;
    OutFolder(const OutFolder&) = delete;
    OutFolder& operator=(const OutFolder&) = delete;
    ~OutFolder() {
        std::error_code ignored;
        // A folder with something in it is not removed.
        for (const outfs::path& one : m_made) outfs::remove(one, ignored);
    }

    /// Makes the folder if it is not there. @return What is wrong with it.
    std::optional<Error> prepare(const RawAnalysisOptions& options, const CancelToken& cancel) {
        if (liesInCapture(options.raw, options.out / "file") || liesInProfilerFolder(options.out))
            return Error{"export.inside_capture", options.out.string(), {}, {}};
        std::error_code error;
        const bool isThere = outfs::exists(options.out, error);
        if (isThere) m_swept = ScratchFolder::removeAbandoned(options.out, &cancel, ScratchPlace::Capture);
        if (isThere && (!outfs::is_directory(options.out, error) || !outfs::is_empty(options.out, error))) {
            if (error) return notWritten(options.out, error.message());
            return Error{"raw_analysis.not_empty", options.out.string(), {}, {}};
        }
        for (outfs::path at = options.out; !at.empty() && !outfs::exists(at, error); at = at.parent_path())
            m_made.push_back(at);
        outfs::create_directories(options.out, error);
        return error ? std::optional(notWritten(options.out, error.message())) : std::nullopt;
    }

    /// Folders that killed analyses had left in it; gone now.
    const std::vector<outfs::path>& swept() const { return m_swept; }

private:
    std::vector<outfs::path> m_made;  // the innermost first
    std::vector<outfs::path> m_swept;
};

}  // namespace

std::string_view analysisStateName(AnalysedCapture::State state) {
    switch (state) {
    case AnalysedCapture::State::Done: return "done";
    case AnalysedCapture::State::Partial: return "partial";
    case AnalysedCapture::State::Failed: return "failed";
    case AnalysedCapture::State::Cancelled: return "cancelled";
    }
    return {};
}

bool RawAnalysis::isCancelled() const {
    return std::any_of(captures.begin(), captures.end(),
                       [](const AnalysedCapture& one) { return one.state == AnalysedCapture::State::Cancelled; });
}

Result<RawAnalysis> analyseRaw(const RawAnalysisOptions& options, ProgressSlot& progress, const CancelToken& cancel) {
    std::vector<AnalysisTask> tasks;
    std::set<std::string> names;
    std::error_code error;
    const outfs::path root = outfs::canonical(options.raw, error);
    RawCaptures found = findRawCaptures(options.raw, cancel);
    RawAnalysis analysis{{}, found.lost.entries(), {}};
    for (RawCaptureFolder& capture : found.folders) {
        AnalysisTask& task = tasks.emplace_back();
        task.result.path = capture.path.lexically_relative(root).string();
        if (!options.out.empty()) {
            // Captures of several hosts may have one name.
            const std::string name = capture.path.filename().string();
            std::string free = name;
            for (int i = 2; !names.insert(free).second; ++i) free = name + '_' + std::to_string(i);
            task.target = options.out / free;
        }
        task.capture = std::move(capture);
    }
    if (cancel.cancelled()) return Cancelled{};
    if (tasks.empty() && !analysis.lost.empty()) {
        const Diagnostic& lost = analysis.lost.front();
        return Error{lost.code, lost.file, {}, lost.parameters};
    }
    if (tasks.empty()) return Error{"raw_analysis.nothing", options.raw.string(), {}, {}};
    OutFolder out;
    if (!options.out.empty()) {
        if (const auto problem = out.prepare(options, cancel)) return *problem;
    }
    analysis.swept = out.swept();
    const std::string stamp = nowStamp();
    parallelFor(tasks.size(), [&](std::size_t i) {
        if (!cancel.cancelled()) analyseOne(tasks[i], options, stamp, progress, cancel);
    });
    for (AnalysisTask& task : tasks) {
        AnalysedCapture& result = task.result;
        const bool isStopped = result.state == AnalysedCapture::State::Failed && !result.error;
        if (cancel.cancelled() && isStopped) result.state = AnalysedCapture::State::Cancelled;
        analysis.swept.insert(analysis.swept.end(), result.swept.begin(), result.swept.end());
        analysis.captures.push_back(std::move(result));
    }
    const bool isAnyWritten = std::any_of(analysis.captures.begin(), analysis.captures.end(),
                                          [](const AnalysedCapture& one) { return !one.folder.empty(); });
    if (cancel.cancelled() && !isAnyWritten) return Cancelled{};
    return analysis;
}

}  // namespace altiscope
