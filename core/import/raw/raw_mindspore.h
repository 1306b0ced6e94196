#pragma once

#include "core/import/raw/raw_import.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/store/columns/segment.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace altiscope::reader {

/// The file of FRAMEWORK in which MindSpore writes what it did on the host.
inline constexpr std::string_view kRawMindsporeRanges = "mindspore.op_range";

/// Puts what MindSpore did on the host into the store, with the process, threads and names of the text export. Not
/// checked with a capture of a real run: experimental. Source: core/import/raw_records/FORMAT.md.
class RawMindspore {
public:
    RawMindspore(const SourceFile& file, ImportContext& import)
        : m_file(file), m_import(import), m_names(import.builder) {}

    /// Reads mindspore.op_range: slices, moments, and the flows between them that have one begin and one end each. A
    /// record has the form after whose fixed part the rest is whole. "raw.bad_record" (lost): of neither form;
    /// "raw.bad_time" (lost): ends before their begins, and records without a time. Memory: some bytes for each launch.
    /// @param folder  FRAMEWORK. @param name  Relative to the capture.
    void read(const std::filesystem::path& folder, const std::string& name, const RawClock& clock, RawContext& context);
    /// Flows to the first events on devices of the calls of CANN that lie in launches of kernels of the same thread.
    /// After read().
    void connect(std::vector<RawLaunchEnd> ends);

    std::size_t events() const { return m_events; }
    std::uint64_t rows() const { return m_rows; }
    /// The events ProfilerStep#N as steps.
    const std::vector<Step>& steps() const { return m_steps; }

private:
    struct Launch {
        std::int64_t begin, end;
        SourcePos pos;
    };
    struct Point {
        ProvisionalTrack track;
        std::int64_t time;
        SourcePos pos;
    };
    /// The ends of a flow, and how many of each there are.
    struct Ends {
        Point begin{}, end{};
        std::uint32_t begins = 0, ends = 0;
    };
    struct Range {
        std::uint64_t begin, end, thread, flow;
        std::string name;
        bool isStack;
    };

    ProvisionalTrack track(std::uint64_t thread);
    void add(const Range& range, std::uint64_t byte, const RawClock& clock);

    const SourceFile& m_file;
    ImportContext& m_import;
    TraceBuilder::Names m_names;
    Segment m_segment;
    std::unordered_map<std::uint64_t, ProvisionalTrack> m_tracks;       // by thread
    std::unordered_map<std::uint64_t, Ends> m_flows;                    // by number
    std::unordered_map<std::uint64_t, std::vector<Launch>> m_launches;  // by thread
    std::vector<Step> m_steps;
    std::uint64_t m_rows = 0, m_badTimes = 0;
    std::size_t m_events = 0;
};

/// Custom info of the slices that the ranges of a file give, with their positions, in that order. Files of
/// older releases have none. Problems have been reported by the maker of the slices. O(file).
std::vector<std::pair<SourcePos, std::string>> rawMindsporeInfos(const std::filesystem::path& folder,
                                                                 std::uint32_t file, const CancelToken& cancel);

/// The clock of MindSpore's records: that of the host, without the difference that CANN measured.
RawClock rawMindsporeClock(const RawSettings& host);

}  // namespace altiscope::reader
