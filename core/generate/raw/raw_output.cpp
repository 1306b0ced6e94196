#include "core/generate/raw/raw_output.h"

#include <utility>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kFullSlice = std::uint64_t{32} << 20;

}  // namespace

Result<Done> RawSlices::write(std::string_view records) {
    if (records.empty()) return Done{};
    if (m_stream && m_sliceBytes >= kFullSlice) {
        const Result<Done> done = finishSlice();
        if (!done.ok()) return done;
    }
    if (!m_stream) {
        Result<std::unique_ptr<OutputStream>> stream =
            m_target.open(m_stem.string() + ".slice_" + std::to_string(m_number));
        if (!stream.ok()) return stream.as<Done>();
        m_stream = std::move(stream).value();
    }
    m_sliceBytes += records.size();
    m_bytes += records.size();
    return m_stream->write(records);
}

Result<Done> RawSlices::close() { return m_stream ? finishSlice() : Result<Done>(Done{}); }

Result<Done> RawSlices::finishSlice() {
    const Result<Done> done = m_stream->close();
    m_stream.reset();
    if (!done.ok()) return done;
    const std::string size = "filesize:" + std::to_string(std::exchange(m_sliceBytes, 0));
    return writeFile(m_target, m_stem.string() + ".slice_" + std::to_string(m_number++) + ".done", size);
}

}  // namespace altiscope::generate
