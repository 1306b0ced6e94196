#pragma once

#include "core/base/values/result.h"
#include "core/generate/support/output_target.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace altiscope::generate {

/// The slices of one kind of record, as the collector writes them: a new one whenever one is full, and beside each that
/// is finished a ".done" with its size. A file without records is not made.
class RawSlices {
public:
    /// @param stem  Path below the capture's folder, without ".slice_N".
    RawSlices(OutputTarget& target, std::filesystem::path stem) : m_target(target), m_stem(std::move(stem)) {}

    /// @param records  Whole ones.
    Result<Done> write(std::string_view records);
    /// Nothing may be written after it.
    Result<Done> close();
    std::uint64_t bytes() const { return m_bytes; }

private:
    Result<Done> finishSlice();

    OutputTarget& m_target;
    std::filesystem::path m_stem;
    std::unique_ptr<OutputStream> m_stream;
    std::uint32_t m_number = 0;
    std::uint64_t m_sliceBytes = 0, m_bytes = 0;
};

}  // namespace altiscope::generate
