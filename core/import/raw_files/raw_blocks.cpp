#include "core/import/raw_files/raw_blocks.h"

#include <algorithm>
#include <utility>

namespace altiscope::reader {

namespace {

/// Small enough that what was read is still near when it is looked at.
constexpr std::size_t kRawBlockBytes = std::size_t{1} << 18;

}  // namespace

void RawProblemCounter::flush(std::string_view file, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const bool isLast = i + 1 == m_places.size();
        // The last one that is named stands for all that follow.
        diagnostics.add(m_code, m_severity, file, {PlaceUnit::Byte, m_places[i]}, {}, isLast ? m_count - i : 1);
    }
    m_places.clear();
    m_count = 0;
}

bool RawBlocks::openNext() {
    while (m_slice < m_series.slices.size()) {
        const RawSlice& slice = m_series.slices[m_slice++];
        if (slice.isAfterGap) {
            m_hasGap = true;
            m_end = 0;
        }
        const std::uint64_t begin = m_end;
        m_end = (m_end + slice.wholeSize()) % m_size;
        if (slice.size > 0) {
            auto file = ReadOnlyFile::open(slice.path);
            if (file.ok()) {
                m_file = std::move(file).value();
                m_offset = 0;
                if (m_hasGap) beginAfterGap(begin);
                m_hasGap = slice.isShort();
                return true;
            }
            m_context.diagnostics.add(file.error().code, Severity::Lost, slice.name, {}, file.error().parameters);
        }
        m_hasGap = m_hasGap || slice.wholeSize() > 0;
    }
    return false;
}

void RawBlocks::beginAfterGap(std::uint64_t begin) {
    if (!m_rest.empty()) dropRest();
    if (!m_mark.value) {
        m_offset = (m_size - begin) % m_size;
        return;
    }
    // Marks state where records begin, whatever is missing.
    m_bytes.resize(std::size_t{2} * m_size);
    const auto got = m_file->read(0, std::span(m_bytes));
    m_bytes.resize(got.ok() ? got.value() : 0);
    for (std::size_t at = 0; at < m_size; ++at) {
        const bool isLast = at + m_size + m_mark.offset + sizeof *m_mark.value > m_bytes.size();
        if (!isRecordAt(at) || (!isLast && !isRecordAt(at + m_size))) continue;
        m_offset = at;
        return;
    }
}

bool RawBlocks::fill(std::size_t bytes) {
    m_bytes.resize(bytes);
    const auto got = m_file->read(m_offset, std::span(m_bytes));
    if (!got.ok()) {
        m_context.diagnostics.add(got.error().code, Severity::Lost, m_series.slices[m_slice - 1].name,
                                  {PlaceUnit::Byte, m_offset}, got.error().parameters);
        m_hasGap = true;
    }
    m_bytes.resize(got.ok() ? got.value() : 0);
    m_context.progress.addDone(m_bytes.size());
    return !m_bytes.empty();
}

bool RawBlocks::isRecordAt(std::size_t byte) const {
    std::uint16_t mark = 0;
    if (byte + m_mark.offset + sizeof mark > m_bytes.size()) return false;
    std::memcpy(&mark, m_bytes.data() + byte + m_mark.offset, sizeof mark);
    return mark == *m_mark.value;
}

void RawBlocks::dropRest() {
    // That a slice is shorter than it was has been said.
    if (!m_restSlice->isShort())
        m_context.diagnostics.add("raw.cut", Severity::Lost, m_restSlice->name, {PlaceUnit::Byte, m_restByte});
    m_rest.clear();
}

bool RawBlocks::next(Block& block) {
    const std::size_t whole = std::max<std::size_t>(1, kRawBlockBytes / m_size) * m_size;
    while (!m_context.cancel.cancelled()) {
        if (!m_file && !openNext()) {
            if (!m_rest.empty()) dropRest();
            return false;
        }
        const RawSlice& slice = m_series.slices[m_slice - 1];
        if (!fill(whole)) {
            m_file.reset();
            continue;
        }
        if (!m_rest.empty()) {
            const std::size_t missing = m_size - m_rest.size();
            // A slice that begins with a record of its own has nothing of the one before.
            const bool beginsAnew = m_mark.value && isRecordAt(0) && !isRecordAt(missing);
            if (beginsAnew) {
                dropRest();
            } else if (m_bytes.size() < missing) {
                m_rest.insert(m_rest.end(), m_bytes.begin(), m_bytes.end());
                m_offset += m_bytes.size();
                m_file.reset();
                continue;
            } else {
                m_rest.insert(m_rest.end(), m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(missing));
                m_bytes = std::exchange(m_rest, {});
                m_offset += missing;
                block = {m_bytes.data(), 1, &slice, 0, m_number++};
                return true;
            }
        }
        const std::size_t count = m_bytes.size() / m_size, used = count * m_size;
        block = {m_bytes.data(), count, &slice, m_offset, m_number};
        m_number += count;
        if (used < m_bytes.size()) {
            // Less than was wanted: the end of the slice.
            m_rest.assign(m_bytes.begin() + static_cast<std::ptrdiff_t>(used), m_bytes.end());
            m_restSlice = &slice;
            m_restByte = m_offset + used;
            m_file.reset();
        }
        m_offset += used;
        if (count > 0) return true;
    }
    return false;
}

}  // namespace altiscope::reader
