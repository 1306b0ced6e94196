#include "core/import/trace/trace_container.h"

#include "core/base/values/parse.h"
#include "core/base/values/time.h"
#include "core/import/json/json_event.h"
#include "core/import/json/json_text.h"
#include "core/import/json/json_tokens.h"

#include <algorithm>

namespace altiscope::reader {

Result<Done> FileWindow::load(std::uint64_t byte, std::size_t size) {
    const std::uint64_t rest = m_file->size() - std::min(byte, m_file->size());
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, rest));
    // Grows only: the buffer is used again and again.
    if (m_buffer.size() < size + 1) m_buffer.resize(size + 1);
    const auto got = m_file->read(byte, std::span(m_buffer.data(), size));
    if (!got.ok()) return got.as<Done>();
    m_byte = byte;
    m_size = got.value();
    m_buffer[m_size] = '\0';
    m_endsFile = m_size < size || size == rest;
    return Done{};
}

namespace {

constexpr std::size_t kWindow = std::size_t{64} << 10;

/// Walks over a file token by token, for what surrounds the events.
class FileScan {
public:
    explicit FileScan(const ReadOnlyFile& file) : m_window(file) {}

    std::uint64_t byte() const { return m_byte; }
    void step() { ++m_byte; }

    /// The next byte that is no blank; '\0' at the end of the file.
    Result<char> next() {
        for (;;) {
            const auto rest = restOfWindow(1);
            if (!rest.ok()) return rest.as<char>();
            if (rest.value().empty()) return '\0';
            for (const char c : rest.value()) {
                if (!isJsonBlank(c)) return c;
                ++m_byte;
            }
        }
    }

    /// Whether value() was empty because of its size.
    bool sawTooLarge() const { return m_sawTooLarge; }

    /// The JSON value that begins here, and steps after it. Empty if it is none, too large, or cut off.
    Result<std::string_view> value() {
        for (std::size_t size = kWindow;; size *= 2) {
            const auto rest = restOfWindow(size);
            if (!rest.ok()) return rest.as<std::string_view>();
            const ValueExtent extent = valueExtent(rest.value());
            if (extent.end == ValueExtent::End::Complete) {
                m_byte += extent.length;
                return rest.value().substr(0, extent.length);
            }
            if (extent.end == ValueExtent::End::Broken || m_window.endsFile()) return std::string_view{};
            if (size >= kMaxRecordBytes) {
                m_sawTooLarge = true;
                return std::string_view{};
            }
        }
    }

private:
    /// The window's text from here on: at least `size` bytes, or all up to the end of the file.
    Result<std::string_view> restOfWindow(std::size_t size) {
        const std::uint64_t end = m_window.byte() + m_window.text().size();
        const bool holds = m_byte >= m_window.byte() && m_byte <= end && (m_window.endsFile() || end - m_byte >= size);
        if (!holds) {
            const auto loaded = m_window.load(m_byte, std::max(size, kWindow));
            if (!loaded.ok()) return loaded.as<std::string_view>();
        }
        return m_window.text().substr(m_byte - m_window.byte());
    }

    FileWindow m_window;
    std::uint64_t m_byte = 0;
    bool m_sawTooLarge = false;
};

bool hasMember(std::string_view object, std::string_view quotedKey) {
    JsonTokens tokens;
    const std::string text(object);  // a copy, because the byte after it must be none that JSON knows
    bool found = false;
    if (!tokens.find(text)) return false;
    const JsonCursor cursor(text, tokens);
    if (cursor.skipValue(0) == cursor.count())
        cursor.forEachMember(0, [&](std::string_view key, std::uint32_t) { found = found || key == quotedKey; });
    return found;
}

Error traceError(std::string code, std::string_view name, std::uint64_t byte) {
    return {std::move(code), std::string(name), Place{PlaceUnit::Byte, byte}.text(), {}};
}

/// Looks for the list of events among the members of the object at `scan`.
Result<TraceContainer> findInObject(FileScan& scan, std::string_view name) {
    const std::uint64_t begin = scan.byte();
    std::int64_t baseTime = 0;
    const auto noTimeline = [&] { return traceError("trace.not_a_timeline", name, begin); };
    for (char separator = '{'; separator == '{' || separator == ',';) {
        scan.step();
        auto c = scan.next();
        if (!c.ok()) return c.as<TraceContainer>();
        if (c.value() != '"') return noTimeline();
        const auto key = scan.value();
        if (!key.ok()) return key.as<TraceContainer>();
        const bool isList = key.value() == "\"traceEvents\"", isBase = key.value() == "\"baseTimeNanoseconds\"";
        c = scan.next();
        if (!c.ok()) return c.as<TraceContainer>();
        if (c.value() != ':') return noTimeline();
        scan.step();
        c = scan.next();
        if (!c.ok()) return c.as<TraceContainer>();
        if (isList && c.value() == '[') return TraceContainer{true, scan.byte() + 1, baseTime};
        const auto value = scan.value();
        if (!value.ok()) return value.as<TraceContainer>();
        if (scan.sawTooLarge())
            return Error{"trace.head_too_large",
                         std::string(name),
                         Place{PlaceUnit::Byte, scan.byte()}.text(),
                         {{"limit", std::to_string(kMaxRecordBytes)}}};
        if (value.value().empty()) return noTimeline();
        if (const auto base = isBase ? wholeNumber(value.value()) : std::nullopt; base && isTraceTime(*base))
            baseTime = *base;
        c = scan.next();
        if (!c.ok()) return c.as<TraceContainer>();
        separator = c.value();
    }
    return noTimeline();
}

}  // namespace

Result<TraceContainer> findTraceContainer(const ReadOnlyFile& file, std::string_view name) {
    FileWindow head(file);
    const auto loaded = head.load(0, 3);
    if (!loaded.ok()) return loaded.as<TraceContainer>();
    FileScan scan(file);
    if (head.text() == "\xEF\xBB\xBF") {
        for (int i = 0; i < 3; ++i) scan.step();
    }
    const auto c = scan.next();
    if (!c.ok()) return c.as<TraceContainer>();
    if (c.value() == '[') return TraceContainer{false, scan.byte() + 1, 0};
    if (c.value() == '{') return findInObject(scan, name);
    if (c.value() == '\0' && scan.byte() >= file.size()) return traceError("trace.empty", name, 0);
    return traceError("trace.not_json", name, scan.byte());
}

Result<Done> checkTraceEnd(const ReadOnlyFile& file, const TraceContainer& container, std::uint64_t byte,
                           DiagnosticLog& problems) {
    FileWindow window(file);
    std::uint64_t after = byte;
    if (container.isObject) {
        const auto loaded = window.load(byte, kMaxRecordBytes);
        if (!loaded.ok()) return loaded;
        // With a member in front, the rest must make a whole object.
        static constexpr std::string_view kFront = "{\"\":0";
        const std::string object = std::string(kFront).append(window.text());
        const ValueExtent extent = valueExtent(object);
        switch (extent.end) {
        case ValueExtent::End::Complete:
            // Only the first list counts; a second one would hold events that are never shown.
            if (hasMember(std::string_view(object).substr(0, extent.length), "\"traceEvents\""))
                problems.add(Problem::TrailingData, byte);
            after += extent.length - kFront.size();
            break;
        case ValueExtent::End::Broken:
            problems.add(Problem::TrailingData, byte + extent.length - kFront.size());
            return Done{};
        case ValueExtent::End::NeedMore:
            if (window.endsFile()) problems.add(Problem::UnclosedObject, byte + window.text().size());
            else problems.add(Problem::TailTooLarge, byte, "limit", std::to_string(kMaxRecordBytes));
            return Done{};
        }
    }
    for (;;) {
        const auto loaded = window.load(after, kWindow);
        if (!loaded.ok()) return loaded;
        const auto text = window.text();
        const auto data = std::find_if(text.begin(), text.end(), [](char c) { return !isJsonBlank(c); });
        after += static_cast<std::uint64_t>(data - text.begin());
        if (data != text.end()) {
            problems.add(Problem::TrailingData, after);
            return Done{};
        }
        if (window.endsFile()) return Done{};
    }
}

}  // namespace altiscope::reader
