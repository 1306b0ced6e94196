#include "core/import/raw/raw_arguments.h"

#include "core/base/files/file.h"
#include "core/base/text/text_buffer.h"
#include "core/import/raw/raw_argument_text.h"
#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_iteration_rows.h"
#include "core/import/raw/raw_mindspore.h"
#include "core/import/raw/raw_prof_arguments.h"
#include "core/import/raw/raw_prof_records.h"
#include "core/import/raw/raw_task_records.h"
#include "core/import/raw_files/raw_tlv.h"
#include "core/import/raw_records/raw_folders.h"
#include "core/import/raw_records/raw_mark_arguments.h"
#include "core/import/raw_records/raw_torch.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

void writeOperator(std::string_view value, TextBuffer& out) {
    const RawRecord<kRawOpRange> record(value.data());
    RawArgumentText object(out);
    object.number("Sequence number", record.get<"sequence">());
    object.number("Fwd thread id", record.get<"forward_thread">());
    static constexpr std::pair<std::uint16_t, std::string_view> kTexts[] = {
        {4, "Input Dims"}, {3, "Input type"}, {8, "Call stack"}, {9, "Module Hierarchy"}, {10, "flops"}};
    std::array<std::optional<std::string_view>, std::size(kTexts)> texts;
    RawInnerTlvs inner(value.substr(kRawOpRange.size));
    for (RawTlv text; inner.next(text);) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (text.type == kTexts[i].first) texts[i] = text.value;
        }
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i]) object.list(kTexts[i].second, *texts[i]);
    }
    object.end();
}

/// Reads records of one file of FRAMEWORK that mostly lie beside each other. One thread.
class FrameworkRecords {
public:
    explicit FrameworkRecords(const std::filesystem::path& path) : m_file(ReadOnlyFile::open(path)) {}

    const Result<ReadOnlyFile>& file() const { return m_file; }
    /// The value that begins at a byte; valid until the next call. @return False if there is none.
    bool read(std::uint64_t byte, RawTlv& tlv) {
        if (readFromWindow(byte, tlv)) return true;
        // Records are looked up in about their order: a step back is followed by others.
        m_begin = byte < m_begin ? byte - std::min<std::uint64_t>(byte, kWindow / 2) : byte;
        m_window.resize(kWindow);
        const auto got = m_file.value().read(m_begin, std::span(m_window));
        m_window.resize(got.ok() ? got.value() : 0);
        return readFromWindow(byte, tlv) || readRawTlv(m_file.value(), byte, m_long, tlv);
    }

private:
    static constexpr std::size_t kWindow = std::size_t{1} << 16;

    bool readFromWindow(std::uint64_t byte, RawTlv& tlv) const {
        if (byte < m_begin || byte - m_begin >= m_window.size()) return false;
        RawInnerTlvs values({m_window.data() + (byte - m_begin), m_window.size() - (byte - m_begin)});
        return values.next(tlv);
    }

    Result<ReadOnlyFile> m_file;
    std::vector<char> m_window, m_long;
    std::uint64_t m_begin = 0;  // of the window in the file
};

/// Numbers of a call of Python in the text export.
struct FrameNumbers {
    std::uint64_t number, id, parent;
    std::int64_t module;
};

void addMetrics(const RawProfRecords& prof, const RawProfRecords::Device& device, const RawDeviceTasks& of,
                RawTaskRecords& records, const CancelToken& cancel) {
    const RawMetricNames names = rawMetricNames(device.settings, RawMetricForm::Database);
    if (names.core.empty() && names.vector.empty()) return;
    // The import has reported what is wrong with them.
    Diagnostics unused;
    ProgressSlot progress;
    RawContext context{unused, progress, cancel};
    records.addMetrics(of, names,
                       readRawMetrics(device.files, device.settings,
                                      readRawFrequencies(device.files, device.settings, context), device.tasks,
                                      rawTaskBlocks(prof.host, device.joined, device.tasks.size()),
                                      prof.hasExpandedStreams, context, RawMetricForm::Database));
}

class RawArguments final : public ArgumentSource {
public:
    explicit RawArguments(const SourceFile& file)
        : m_file(file), m_stamps(stamps()), m_framework(rawFolders(file).framework) {}

    Result<std::string> arguments(SourcePos pos) const override {
        FrameworkFiles files;
        TextBuffer text;
        if (const auto problem = write(pos, files, text)) return *problem;
        return std::string(text.view());
    }

    void prepare(SourcePos pos, const CancelToken& cancel) const override {
        const auto kind = static_cast<unsigned>(pos.offset() >> kRawNumberBits);
        if (kind == static_cast<unsigned>(RawRecordKind::PythonCall)) provideFrames(pos.offset(), cancel);
        else if (kind >= static_cast<unsigned>(RawRecordKind::FirstProf) && m_file.size <= kMaxRawArguments)
            provideProfs(pos.offset(), cancel);
    }

    void each(std::span<const SourcePos> positions, const Take& take) const override {
        FrameworkFiles files;
        TextBuffer text;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            text.clear();
            const auto problem = write(positions[i], files, text);
            take(i, problem ? Result<std::string_view>(*problem) : Result<std::string_view>(text.view()));
        }
    }

    Result<std::shared_ptr<const TaskRecords>> tasks(TaskDetail detail, const CancelToken& cancel) const override {
        if (const auto problem = provideProfs(0, cancel)) return problem->as<std::shared_ptr<const TaskRecords>>();
        const bool isWhole = detail == TaskDetail::Everything;
        RawTaskRecords records(detail);
        for (const auto& prof : m_profs) {
            if (prof->settings.isLevelZero) records.setLevelZero();
            records.addMarks(prof->marks, prof->settings);
            records.addFusions(prof->fusions, prof->host);
            records.addGraphMemory(prof->graphMemory);
            if (isWhole && !records.addHost(prof->host, prof->settings, prof->firstConnection, cancel))
                return Cancelled{};
            for (const RawProfRecords::Device& device : prof->devices) {
                const RawDeviceTasks of{device.files.device,
                                        device.settings.wallBegin,
                                        device.settings.monotonicBegin,
                                        m_file.number,
                                        device.kind,
                                        device.tasks,
                                        device.joined,
                                        device.drawn,
                                        device.settings.wallEnd,
                                        prof->firstConnection,
                                        device.settings};
                if (!records.add(prof->host, of, cancel)) return Cancelled{};
                records.addSamples(device.samples);
                if (isWhole) addMetrics(*prof, device, of, records, cancel);
                if (cancel.cancelled()) return Cancelled{};
            }
        }
        TaskRecords taken = records.take();
        if (m_framework) {
            taken.framework = m_framework->first;
            taken.rangeInfos = rawMindsporeInfos(m_framework->first, m_file.number, cancel);
        }
        if (cancel.cancelled()) return Cancelled{};
        return std::make_shared<const TaskRecords>(std::move(taken));
    }

private:
    std::vector<FileStamp> stamps() const {
        std::vector<FileStamp> found;
        for (const std::filesystem::path& path : rawFilesOf(m_file)) found.push_back(stampOf(path));
        return found;
    }
    static Error changed(std::uint64_t number) {
        return {"args.source_changed", {}, Place{PlaceUnit::Byte, number}.text(), {}};
    }

    /// Files of FRAMEWORK that are open.
    struct FrameworkFiles {
        std::optional<FrameworkRecords> operators, marks;
    };

    using Problem = std::optional<Error>;

    Problem write(SourcePos pos, FrameworkFiles& files, TextBuffer& out) const {
        const auto kind = static_cast<unsigned>(pos.offset() >> kRawNumberBits);
        const std::uint64_t number = pos.offset() & ((std::uint64_t{1} << kRawNumberBits) - 1);
        if (kind == static_cast<unsigned>(RawRecordKind::TorchOp))
            return writeFramework("torch.op_range", number, files.operators, out);
        if (kind == static_cast<unsigned>(RawRecordKind::QueueMark))
            return writeFramework("torch.op_mark", number, files.marks, out);
        if (kind == static_cast<unsigned>(RawRecordKind::PythonCall)) return writeFrame(number, out);
        if (kind < static_cast<unsigned>(RawRecordKind::FirstProf) || m_file.size > kMaxRawArguments)
            return std::nullopt;
        if (const auto problem = provideProfs(number, {})) return problem->error();
        for (const auto& prof : m_profs) {
            if (kind == prof->callKind) return writeRawCall(*prof, number, out), std::nullopt;
            if (kind == prof->callKind + 1 && number < prof->marks.size())
                return out.add(rawMarkArguments(prof->marks[number])), std::nullopt;
            for (const RawProfRecords::Device& device : prof->devices) {
                if (kind == device.kind) return writeRawTask(*prof, device, number, out), std::nullopt;
                if (kind == device.kind + 1) return writeRawPart(*prof, device, number, out), std::nullopt;
                if (kind == device.kind + 2) return writeRawCollective(*prof, device, number, out), std::nullopt;
                if (kind == device.kind + kRawStreamMarkKind && number < device.samples.marks.size())
                    return out.add(rawStreamMarkArguments(device.samples.marks[number])), std::nullopt;
                if (kind == device.kind + kRawStreamMarkKind)
                    return out.add(rawIterationArguments(device.samples, number)), std::nullopt;
            }
        }
        out.add("{}");
        return std::nullopt;
    }

    /// Reads the PROF folders if they are not yet; they are constant from then on. @return The obstacle, if any.
    std::optional<Result<Done>> provideProfs(std::uint64_t number, const CancelToken& cancel) const {
        if (m_isRead.load(std::memory_order_acquire)) return std::nullopt;
        const std::lock_guard lock(m_mutex);
        if (m_isRead.load(std::memory_order_relaxed)) return std::nullopt;
        if (stamps() != m_stamps) return Result<Done>(changed(number));
        auto profs = readRawProfRecords(m_file, cancel);
        if (!profs) return Result<Done>(Cancelled{});
        m_profs = std::move(*profs);
        m_isRead.store(true, std::memory_order_release);
        return std::nullopt;
    }

    Problem writeFramework(const char* name, std::uint64_t byte, std::optional<FrameworkRecords>& file,
                           TextBuffer& out) const {
        if (!m_framework) return changed(byte);
        if (!file) file.emplace(m_framework->first / name);
        if (!file->file().ok()) return file->file().error();
        const bool isOperator = name == std::string_view("torch.op_range");
        const std::uint32_t size = isOperator ? kRawOpRange.size : kRawOpMark.size;
        const std::uint16_t type = isOperator ? 1 : 2;
        RawTlv tlv;
        if (!file->read(byte, tlv) || tlv.type != type || tlv.value.size() < size) return changed(byte);
        if (isOperator) {
            writeOperator(tlv.value, out);
            return std::nullopt;
        }
        RawArgumentText object(out);
        object.number("correlation_id", RawRecord<kRawOpMark>(tlv.value.data()).get<"correlation">());
        object.end();
        return std::nullopt;
    }

    Problem writeFrame(std::uint64_t number, TextBuffer& out) const;
    std::optional<Result<Done>> provideFrames(std::uint64_t number, const CancelToken& cancel) const;

    const SourceFile m_file;
    const std::vector<FileStamp> m_stamps;
    const std::optional<RawFolder> m_framework;
    mutable std::mutex m_mutex;                                     // of the threads that read what is not read yet
    mutable std::atomic<bool> m_isRead{false}, m_hasFrames{false};  // the next two are constant from then on
    mutable std::vector<std::unique_ptr<RawProfRecords>> m_profs;
    mutable std::vector<FrameNumbers> m_frames;  // by number of the record
};

/// Reads the calls of Python if they are not yet; they are constant from then on. @return The obstacle, if any.
std::optional<Result<Done>> RawArguments::provideFrames(std::uint64_t number, const CancelToken& cancel) const {
    if (m_hasFrames.load(std::memory_order_acquire)) return std::nullopt;
    const std::lock_guard lock(m_mutex);
    if (m_hasFrames.load(std::memory_order_relaxed)) return std::nullopt;
    if (!m_framework || stamps() != m_stamps) return Result<Done>(changed(number));
    Diagnostics unused;
    ProgressSlot progress;
    RawContext context{unused, progress, cancel};
    std::optional<RawSettings> host;
    if (const auto profs = rawFolders(m_file).profs; !profs.empty()) {
        const RawFiles files = listRawFiles(profs.front().first, profs.front().second, unused, cancel);
        host = readRawSettings(files.hostFolder, files.hostName, {}, unused);
    }
    const RawTorchClock clock = rawTorchClock(m_file.path, m_file.name, host ? &*host : nullptr, unused);
    const auto frames = readRawFrames(m_framework->first, m_framework->second, clock.clock, context);
    if (cancel.cancelled()) return Result<Done>(Cancelled{});
    for (const RawPythonFrame& frame : frames) m_frames.push_back({frame.number, frame.id, frame.parent, frame.module});
    std::sort(m_frames.begin(), m_frames.end(),
              [](const FrameNumbers& a, const FrameNumbers& b) { return a.number < b.number; });
    m_hasFrames.store(true, std::memory_order_release);
    return std::nullopt;
}

RawArguments::Problem RawArguments::writeFrame(std::uint64_t number, TextBuffer& out) const {
    if (const auto problem = provideFrames(number, {})) return problem->error();
    const auto frame =
        std::lower_bound(m_frames.begin(), m_frames.end(), number,
                         [](const FrameNumbers& one, std::uint64_t wanted) { return one.number < wanted; });
    if (frame == m_frames.end() || frame->number != number) return changed(number);
    RawArgumentText object(out);
    object.number("Python id", frame->id);
    object.number("Python parent id", frame->parent);
    if (frame->module >= 0) object.number("Python module id", frame->module);
    object.end();
    return std::nullopt;
}

}  // namespace

std::shared_ptr<const ArgumentSource> makeRawArguments(const SourceFile& file) {
    return std::make_shared<RawArguments>(file);
}

}  // namespace altiscope::reader
