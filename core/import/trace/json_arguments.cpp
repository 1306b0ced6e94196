#include "core/import/trace/json_arguments.h"

#include "core/base/files/file.h"
#include "core/import/json/json_event.h"
#include "core/import/json/json_text.h"
#include "core/import/trace/text_search.h"
#include "core/import/trace/trace_container.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include <sys/stat.h>

namespace altiscope::reader {

namespace {

/// Size and time of change: tell whether a file is still the one that was read.
struct ReadStamp {
    off_t size = 0;
    timespec changed{};
    bool operator==(const ReadStamp& other) const {
        return size == other.size && changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
    }
};

std::optional<ReadStamp> stampOf(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return ReadStamp{status.st_size, status.st_mtim};
}

/// Takes arguments out of the records of one file. Keeps its memory from record to record; one thread.
class RecordReader {
public:
    explicit RecordReader(const ReadOnlyFile& file) : m_window(file) {}

    /// The arguments of the record at `byte`, valid until the next call; nullopt if there is no record.
    /// @param ahead  Up to there more records will be requested, so the file is read at once up to there.
    Result<std::optional<std::string_view>> read(std::uint64_t byte, std::uint64_t ahead);
    /// Keeps memory, but no text: the file may be another one when it is read again.
    void forget() { m_window.clear(); }

private:
    std::optional<std::string_view> argumentsOf(std::string_view record);

    FileWindow m_window;
    JsonTokens m_tokens;
    std::string m_record;
};

/// Bytes that most records fit into.
constexpr std::size_t kFirstLook = std::size_t{2} << 10;
/// Records that lie further apart are read each by itself.
constexpr std::uint64_t kGap = std::uint64_t{4} << 10;

std::optional<std::string_view> RecordReader::argumentsOf(std::string_view record) {
    m_record.assign(record);
    if (!m_tokens.find(m_record)) {
        m_record = repairedRecord(record).text;
        if (!m_tokens.find(m_record)) return std::nullopt;
    }
    const JsonCursor cursor(m_record, m_tokens);
    JsonEvent event;
    if (cursor.kind(0) != TokenClass::OpenObject || cursor.readEvent(0, event) != cursor.count()) return std::nullopt;
    if (event.args == 0) return std::string_view{};
    const std::uint32_t last = cursor.skipValue(event.args) - 1;
    const std::uint32_t begin = cursor.position(event.args);
    return std::string_view(m_record).substr(begin, cursor.position(last) + cursor.text(last).size() - begin);
}

Result<std::optional<std::string_view>> RecordReader::read(std::uint64_t byte, std::uint64_t ahead) {
    const bool holds = byte >= m_window.byte() && byte < m_window.byte() + m_window.text().size();
    for (std::size_t size = holds ? 0 : static_cast<std::size_t>(ahead - byte) + kFirstLook;;
         size = std::max(size, kFirstLook) * 4) {
        if (size > 0) {
            const auto loaded = m_window.load(byte, size);
            if (!loaded.ok()) return loaded.as<std::optional<std::string_view>>();
        }
        const std::string_view text = m_window.text().substr(byte - m_window.byte());
        if (!text.starts_with('{')) return std::optional<std::string_view>{};
        // Nearly always the record ends at the next border, which is found faster than by scanning the value.
        if (const auto border = findEventBorder(text, 0, text.size())) {
            if (const auto found = argumentsOf(text.substr(0, text.rfind('}', *border) + 1))) return found;
        }
        const ValueExtent extent = valueExtent(text);
        if (extent.end == ValueExtent::End::Complete) return argumentsOf(text.substr(0, extent.length));
        if (extent.end == ValueExtent::End::Broken || m_window.endsFile() || size > kMaxRecordBytes)
            return std::optional<std::string_view>{};
    }
}

class JsonArguments final : public ArgumentSource {
public:
    explicit JsonArguments(const SourceFile& file)
        : m_path(file.path), m_name(file.name), m_number(file.number), m_stamp(stampOf(file.path)) {}

    Result<std::string> arguments(SourcePos pos) const override;
    void each(std::span<const SourcePos> positions, const Take& take) const override;
    Result<std::vector<SourcePos>> find(std::string_view text, bool ignoreCase,
                                        const CancelToken& cancel) const override;

private:
    /// The file as it was; Error if it has changed.
    Result<const ReadOnlyFile*> open(std::uint64_t byte) const;
    Error changed(std::uint64_t byte) const {
        return {"args.source_changed", m_name, Place{PlaceUnit::Byte, byte}.text(), {}};
    }

    const std::filesystem::path m_path;
    const std::string m_name;
    const std::uint32_t m_number;
    const std::optional<ReadStamp> m_stamp;
    mutable std::mutex m_mutex;  // guards the next two
    mutable std::optional<ReadOnlyFile> m_file;
    mutable std::vector<std::unique_ptr<RecordReader>> m_idle;  ///< Their memory is worth keeping from call to call.
};

Result<const ReadOnlyFile*> JsonArguments::open(std::uint64_t byte) const {
    if (!m_stamp || stampOf(m_path) != m_stamp) return changed(byte);
    const std::lock_guard lock(m_mutex);
    if (!m_file) {
        auto opened = ReadOnlyFile::openText(m_path);
        if (!opened.ok()) return opened.as<const ReadOnlyFile*>();
        m_file.emplace(std::move(opened).value());
    }
    return &*m_file;
}

Result<std::string> JsonArguments::arguments(SourcePos pos) const {
    std::optional<Result<std::string>> result;
    each(std::span(&pos, 1), [&result](std::size_t, const Result<std::string_view>& text) {
        result = text.ok() ? Result<std::string>(std::string(text.value())) : text.as<std::string>();
    });
    return std::move(*result);
}

void JsonArguments::each(std::span<const SourcePos> positions, const Take& take) const {
    static constexpr std::uint64_t kMaxAhead = std::uint64_t{1} << 20;
    if (positions.empty()) return;
    std::vector<std::size_t> order(positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
    const auto file = open(positions[order.front()].offset());
    if (!file.ok()) {
        for (const std::size_t number : order) take(number, file.as<std::string_view>());
        return;
    }
    std::unique_ptr<RecordReader> reader;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            reader = std::move(m_idle.back());
            m_idle.pop_back();
        }
    }
    if (!reader) reader = std::make_unique<RecordReader>(*file.value());
    std::uint64_t ahead = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint64_t byte = positions[order[i]].offset();
        if (byte >= ahead) {
            ahead = byte;
            for (std::size_t next = i + 1; next < order.size(); ++next) {
                const std::uint64_t other = positions[order[next]].offset();
                if (other - ahead > kGap || other - byte > kMaxAhead) break;
                ahead = other;
            }
        }
        const auto text = reader->read(byte, std::max(ahead, byte));
        if (!text.ok()) take(order[i], text.as<std::string_view>());
        else if (!text.value()) take(order[i], changed(byte));
        else take(order[i], *text.value());
    }
    reader->forget();
    const std::lock_guard lock(m_mutex);
    m_idle.push_back(std::move(reader));
}

Result<std::vector<SourcePos>> JsonArguments::find(std::string_view text, bool ignoreCase,
                                                   const CancelToken& cancel) const {
    const auto file = open(0);
    if (!file.ok()) return file.as<std::vector<SourcePos>>();
    auto places = findText(*file.value(), text, ignoreCase, cancel);
    if (!places.ok()) return places.as<std::vector<SourcePos>>();
    std::vector<SourcePos> positions;
    positions.reserve(places.value().size());
    for (const std::uint64_t place : places.value()) positions.push_back(SourcePos::make(m_number, place));
    return positions;
}

}  // namespace

std::shared_ptr<const ArgumentSource> makeJsonArguments(const SourceFile& file) {
    return std::make_shared<JsonArguments>(file);
}

}  // namespace altiscope::reader
