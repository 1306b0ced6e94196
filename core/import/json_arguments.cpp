#include "core/import/json_arguments.h"

#include "core/base/file.h"
#include "core/import/json_event.h"
#include "core/import/json_text.h"
#include "core/import/trace_container.h"

#include <mutex>
#include <optional>
#include <utility>

namespace altiscope::reader {

namespace {

/// What tells whether a file is still the one that was read.
struct FileStamp {
    std::uint64_t size = 0;
    std::filesystem::file_time_type changed;
    bool operator==(const FileStamp&) const = default;
};

std::optional<FileStamp> stampOf(const std::filesystem::path& path) {
    std::error_code error;
    FileStamp stamp;
    stamp.size = std::filesystem::file_size(path, error);
    if (error) return std::nullopt;
    stamp.changed = std::filesystem::last_write_time(path, error);
    if (error) return std::nullopt;
    return stamp;
}

/// The value of "args" of a whole record, as it stands there; nullopt if the record is none.
std::optional<std::string> argumentsOf(std::string_view record) {
    JsonTokens tokens;
    std::string text(record);
    if (!tokens.find(text)) {
        text = repairedRecord(record).text;
        if (!tokens.find(text)) return std::nullopt;
    }
    const JsonCursor cursor(text, tokens);
    JsonEvent event;
    if (cursor.kind(0) != TokenClass::OpenObject || cursor.readEvent(0, event) != cursor.count()) return std::nullopt;
    if (event.args == 0) return std::string{};
    const std::uint32_t last = cursor.skipValue(event.args) - 1;
    const std::uint32_t begin = cursor.position(event.args);
    return text.substr(begin, cursor.position(last) + cursor.text(last).size() - begin);
}

class JsonArguments final : public ArgumentSource {
public:
    explicit JsonArguments(const SourceFile& file)
        : m_path(file.path), m_name(file.name), m_stamp(stampOf(file.path)) {}

    Result<std::string> arguments(SourcePos pos) const override;

private:
    Result<Done> open() const;
    Error changed(SourcePos pos) const {
        return {"args.source_changed", m_name, Place{PlaceUnit::Byte, pos.offset()}.text(), {}};
    }

    const std::filesystem::path m_path;
    const std::string m_name;
    const std::optional<FileStamp> m_stamp;
    mutable std::mutex m_mutex;  // guards opening
    mutable std::optional<ReadOnlyFile> m_file;
};

Result<Done> JsonArguments::open() const {
    const std::lock_guard lock(m_mutex);
    if (m_file) return Done{};
    auto opened = ReadOnlyFile::open(m_path);
    if (!opened.ok()) return opened.as<Done>();
    m_file.emplace(std::move(opened).value());
    return Done{};
}

Result<std::string> JsonArguments::arguments(SourcePos pos) const {
    static constexpr std::size_t kFirstLook = std::size_t{8} << 10;
    if (!m_stamp || stampOf(m_path) != m_stamp) return changed(pos);
    if (const auto opened = open(); !opened.ok()) return opened.as<std::string>();
    FileWindow window(*m_file);
    for (std::size_t size = kFirstLook;; size *= 4) {
        const auto loaded = window.load(pos.offset(), size);
        if (!loaded.ok()) return loaded.as<std::string>();
        if (!window.text().starts_with('{')) return changed(pos);
        const ValueExtent extent = valueExtent(window.text());
        if (extent.end == ValueExtent::End::Complete) {
            auto arguments = argumentsOf(window.text().substr(0, extent.length));
            if (!arguments) return changed(pos);
            return std::move(*arguments);
        }
        if (extent.end == ValueExtent::End::Broken || window.endsFile() || size > kMaxRecordBytes) return changed(pos);
    }
}

}  // namespace

std::shared_ptr<const ArgumentSource> makeJsonArguments(const SourceFile& file) {
    return std::make_shared<JsonArguments>(file);
}

}  // namespace altiscope::reader
