#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// "msmonitor_{pid}_{stamp}_{rank or -1}.jsonl": which process wrote a file of lines, and when it began to.
struct MonitorFileName {
    /// Text that files of one process share: "4711_3", or the name where it has no such parts.
    std::string process;
    std::string stamp;                 ///< yyyymmddHHMMSSmmm; texts of the same form compare like times.
    std::int64_t pid = 0;              ///< 0: not known.
    std::optional<std::int64_t> rank;  ///< nullopt: -1, or not known.
};
/// nullopt: no such file by its name. Source: core/import/monitor/FORMAT.md section 1.
std::optional<MonitorFileName> monitorFileName(std::string_view name);

/// One line of such a file.
struct MonitorLine {
    enum class Kind : std::uint8_t {
        Call,           ///< On the host.
        Communication,  ///< A collective on a device.
        Kernel,
        HostMark,
        DeviceMark,
        Devices,  ///< Devices that the process has used; see `devices`.
        Groups,   ///< Communication groups of the job; see `text`.
    };
    Kind kind = Kind::Call;
    std::string_view kindText;  ///< "API", "AclAPI", ...
    std::string_view name;
    std::string_view text;            ///< Type of a kernel, group of a collective, domain of a mark, value of Groups.
    std::int64_t begin = 0, end = 0;  ///< ns since 1970; end >= begin.
    std::int64_t process = 0, thread = 0;    ///< Set for calls and marks on the host.
    std::int64_t device = 0, stream = 0;     ///< Set for the others.
    std::optional<std::int64_t> connection;  ///< correlationId, or the id of a mark.
    std::vector<std::int64_t> devices;
};

/// Result of reading a line.
enum class MonitorOutcome : std::uint8_t {
    Taken,
    Broken,       ///< No JSON object.
    UnknownKind,  ///< `detail`: its kind, or empty if it has none.
    BadField,     ///< `detail`: a field that it needs, and that is missing, of another type or out of range.
};

/// Reads lines, one after the other. One worker's.
class MonitorLineParser {
public:
    MonitorLineParser();
    ~MonitorLineParser();
    MonitorLineParser(const MonitorLineParser&) = delete;
    MonitorLineParser& operator=(const MonitorLineParser&) = delete;

    /// @param text  Without its end. Texts of `line()` hold until the next call.
    MonitorOutcome read(std::string_view text);
    const MonitorLine& line() const { return m_line; }
    const std::string& detail() const { return m_detail; }
    /// Fields that a taken line can do without, and that are of another type or out of range: they were left out.
    const std::vector<std::string_view>& oddFields() const { return m_odd; }
    bool endsBeforeItBegins() const { return m_isReversed; }
    /// The fields of a line that its slice does not show, as JSON text; empty if it is no line.
    std::string arguments(std::string_view text);

private:
    struct Parser;
    class Fields;
    MonitorOutcome take(const Fields& fields);
    bool takeTimes(const Fields& fields);
    bool takeHost(const Fields& fields);
    bool takeDevice(const Fields& fields);

    std::unique_ptr<Parser> m_parser;
    MonitorLine m_line;
    std::string m_detail;
    std::vector<std::string_view> m_odd;
    bool m_isReversed = false;
};

}  // namespace altiscope::reader
