#include "core/import/raw/raw_trace_reader.h"

#include "core/base/threads/parallel.h"
#include "core/import/database/db_flows.h"
#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_mindspore.h"
#include "core/import/raw/raw_mindspore_files.h"
#include "core/import/raw/raw_sample_rows.h"
#include "core/import/raw/raw_torch_import.h"
#include "core/import/raw_records/raw_folders.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

std::uint64_t filesIn(const fs::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code error;
    std::size_t looks = 0;
    for (fs::directory_iterator at(folder, error), end; !error && at != end && looks < kMaxRawFiles;
         at.increment(error), ++looks) {
        std::error_code ignored;
        if (at->is_symlink(ignored) || !at->is_regular_file(ignored)) continue;
        const std::uintmax_t size = at->file_size(ignored);
        if (!ignored) bytes += size;
    }
    return bytes;
}

/// Whether a file of operators begins with one.
bool hasOperators(const fs::path& framework) {
    static constexpr std::size_t kHeader = 6;
    const auto file = ReadOnlyFile::open(framework / "torch.op_range");
    if (!file.ok()) return false;
    std::array<char, kHeader> header{};
    const auto got = file.value().read(0, std::span(header));
    std::uint16_t type = 0;
    std::memcpy(&type, header.data(), sizeof type);
    return got.ok() && got.value() == kHeader && type == 1 && file.value().size() >= kHeader + kRawOpRange.size;
}

/// Reads all raw data of one rank.
class RawRankImport {
public:
    RawRankImport(const SourceFile& file, ImportContext& context)
        : m_file(file), m_context(context), m_sink(file, context) {}

    Result<ReadSummary> read() {
        const RawFolders folders = rawFolders(m_file);
        for (const std::string& name : folders.unreadable)
            m_context.diagnostics.add("raw.not_read", Severity::Lost, m_file.name, {}, {{"what", name}});
        for (const auto& [path, name] : folders.profs) {
            m_profs.push_back(std::make_unique<RawProf>(path, name, m_sink));
            m_profs.back()->readSettings();
        }
        // The framework's records need nothing of the others until both are there.
        Diagnostics ofFramework;
        parallelTogether(folders.framework ? 2 : 1, [&](std::size_t i) {
            if (i == 1) return readFramework(*folders.framework, ofFramework);
            for (const auto& prof : m_profs) prof->read();
        });
        m_context.diagnostics.merge(ofFramework);
        if (m_context.cancel.cancelled()) return Cancelled{};
        const std::size_t kernels = m_sink.kernels.size();
        const std::vector<Step> steps = m_torch       ? m_torch->steps()
                                        : m_mindspore ? m_mindspore->steps()
                                                      : std::vector<Step>();
        Diagnostics ofFlows;
        parallelTogether(3, [&](std::size_t i) {
            if (i == 1) {
                m_context.builder.commit(rawPosition(m_file.number, 0, 0),
                                         connectRows(std::move(m_sink.points), m_sink.names));
            } else if (i == 2) {
                if (m_torch) m_torch->connect(std::move(m_sink.launchEnds), ofFlows);
                else if (m_mindspore) m_mindspore->connect(std::move(m_sink.launchEnds));
            } else if (m_context.rows != nullptr) {
                addRawKernels(m_sink, steps, folders.framework.has_value());
                m_sink.totals.addRows(*m_context.rows);
                addRawProcessMemory(m_sink, *m_context.rows);
                if (m_mindsporeFiles) m_mindsporeFiles->addRows(*m_context.rows, m_context.cancel);
            }
        });
        m_context.diagnostics.merge(ofFlows);
        const std::uint64_t operators = m_torch ? m_torch->operators() : m_mindspore ? m_mindspore->events() : 0;
        if (m_torch) m_sink.rows += m_torch->rows();
        if (m_mindspore) m_sink.rows += m_mindspore->rows();
        if (m_mindsporeFiles) m_sink.rows += m_mindsporeFiles->rows();
        m_context.diagnostics.add("raw.read", Severity::Info, m_file.name, {},
                                  {{"operators", std::to_string(operators)},
                                   {"calls", std::to_string(m_sink.calls)},
                                   {"tasks", std::to_string(m_sink.tasks)},
                                   {"kernels", std::to_string(kernels)}});
        return ReadSummary{m_file.size, m_sink.rows, false};
    }

private:
    /// Reads the events of MindSpore on the host.
    void readMindspore(const std::pair<fs::path, std::string>& folder, const RawSettings* host,
                       Diagnostics& diagnostics) {
        RawContext context{diagnostics, m_context.progress, m_context.cancel};
        if (host == nullptr || !host->hasClock) {
            diagnostics.add("raw.no_clock", Severity::Lost, folder.second, {});
        } else {
            m_mindspore.emplace(m_file, m_context);
            m_mindspore->read(folder.first, folder.second, rawMindsporeClock(*host), context);
        }
        m_mindsporeFiles.emplace(m_file, m_context);
        m_mindsporeFiles->read(folder.first, folder.second, context);
        reportOthers(
            folder,
            [](std::string_view name) { return name == kRawMindsporeRanges || RawMindsporeFiles::isRead(name); },
            diagnostics);
    }

    void readFramework(const std::pair<fs::path, std::string>& folder, Diagnostics& diagnostics) {
        const RawSettings* host = m_profs.empty() ? nullptr : &m_profs.front()->settings();
        std::error_code error;
        if (fs::symlink_status(folder.first / kRawMindsporeRanges, error).type() == fs::file_type::regular) {
            return readMindspore(folder, host, diagnostics);
        }
        const RawTorchClock clock = rawTorchClock(m_file.path, m_file.name, host, diagnostics);
        RawContext context{diagnostics, m_context.progress, m_context.cancel};
        if (clock.isKnown) {
            std::int64_t process = 0;
            for (const auto& prof : m_profs) process = process == 0 ? prof->settings().process : process;
            m_torch.emplace(readRawTorch(folder.first, folder.second, clock.clock, context), m_file, folder.second,
                            m_context, process);
            m_torch->add(diagnostics);
        }
        reportOthers(folder, isReadTorchFile, diagnostics);
    }

    /// Names what lies in a folder of the framework and is not read.
    static void reportOthers(const std::pair<fs::path, std::string>& folder,
                             const std::function<bool(std::string_view)>& isRead, Diagnostics& diagnostics) {
        std::set<std::string> unread;
        std::error_code error;
        for (fs::directory_iterator at(folder.first, error), end; !error && at != end && unread.size() < kMaxRawFiles;
             at.increment(error)) {
            std::string name = at->path().filename().string();
            if (!isRead(name)) unread.insert(std::move(name));
        }
        if (error) diagnostics.add("scan.denied", Severity::Lost, folder.second, {}, {{"reason", error.message()}});
        reportNotRead(unread, folder.second, diagnostics);
    }

    const SourceFile& m_file;
    ImportContext& m_context;
    RawSink m_sink;
    std::vector<std::unique_ptr<RawProf>> m_profs;
    std::optional<RawTorchImport> m_torch;
    std::optional<RawMindspore> m_mindspore;
    std::optional<RawMindsporeFiles> m_mindsporeFiles;
};

class RawReader final : public TraceReader {
public:
    Result<ReadSummary> read(const SourceFile& file, ImportContext& context) override {
        return RawRankImport(file, context).read();
    }
};

}  // namespace

std::optional<SourceFile> rawSource(const ListedFolder& prof) {
    if (!hasReadableTasks(prof.path, prof.relative)) return std::nullopt;
    Diagnostics unused;
    const RawFiles files = listRawFiles(prof.path, prof.relative, unused, {});
    return SourceFile{prof.path, prof.relative, SourceFormat::Raw, files.bytes(), 0, {}};
}

std::optional<SourceFile> rawRankSource(const ListedFolder& rank) {
    SourceFile source{rank.path, rank.relative, SourceFormat::Raw, 0, 0, {}};
    const RawFolders folders = rawFolders(source);
    bool isReadable = folders.framework && hasOperators(folders.framework->first);
    Diagnostics unused;
    for (const auto& [path, name] : folders.profs) {
        isReadable = true;
        source.size += listRawFiles(path, name, unused, {}).bytes();
    }
    // Without anything raw in it the folder stands for itself.
    const bool isItself = folders.profs.size() == 1 && folders.profs.front().first == rank.path;
    if (!isReadable || isItself) return std::nullopt;
    if (folders.framework) source.size += filesIn(folders.framework->first);
    return source;
}

std::unique_ptr<TraceReader> makeRawReader() { return std::make_unique<RawReader>(); }

}  // namespace altiscope::reader
