#pragma once

#include "core/base/text/text_buffer.h"
#include "core/base/values/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// A process or thread id as JSON: a number where the text is one that every reader keeps exactly, else a string.
std::string chromeId(std::string_view id);

/// Writes events of Chrome's trace format, each with a comma and a line end before it. Ids come as JSON, see
/// chromeId(). Source: "Trace Event Format", phases M, X, C, i, s, f.
class ChromeWriter {
public:
    explicit ChromeWriter(TextBuffer& out) : m_out(out) {}

    struct Thread {
        std::string_view process, thread;
    };

    /// @param key  "process_name", "thread_name", ...; @param argument  "name", "labels", "sort_index".
    void metadata(std::string_view key, Thread thread, std::string_view argument, std::string_view text);
    void metadata(std::string_view key, Thread thread, std::string_view argument, std::int64_t number);

    struct Slice {
        std::string_view name, category;
        std::string_view colour;  ///< Empty: none.
        TimeNs begin;
        DurationNs duration;
        std::string_view arguments;  ///< JSON, or empty.
    };
    void slice(const Slice& slice, Thread thread);
    /// @param arguments  JSON, or empty.
    void instant(std::string_view name, Thread thread, TimeNs time, std::string_view arguments);
    void flowEnd(bool isStart, std::string_view category, std::uint64_t id, Thread thread, TimeNs time);

    /// One sample of some series: begin, a value for each, end.
    void beginCounter(std::string_view name, std::string_view process, TimeNs time);
    void counterValue(std::string_view series, double value);
    void endCounter();

private:
    void begin(char phase, std::string_view name, Thread thread);
    void beginMetadata(std::string_view key, Thread thread, std::string_view argument);
    void time(TimeNs time);
    void category(std::string_view category);
    void end(std::string_view arguments);

    TextBuffer& m_out;
    bool m_firstValue = true;
};

}  // namespace altiscope
