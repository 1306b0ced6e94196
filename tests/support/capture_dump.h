#pragma once

#include "core/base/values/result.h"
#include "core/import/import_capture.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace altiscope::test {

using ImportResult = Result<std::shared_ptr<const CaptureStore>>;

/// How a test imports.
struct ImportTestOptions {
    unsigned threads = 2;
    std::size_t chunkBytes = std::size_t{4} << 20;
    reader::RankChoice ranks{};
    bool preferDatabase = false;
};

/// Imports in an arena of its own.
ImportResult importForTest(const std::filesystem::path& path, const ImportTestOptions& options = {});

/// A folder that vanishes with the object.
class TestFolder {
public:
    TestFolder();
    ~TestFolder();
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Writes a file, with the folders that it lies in. @return Its path.
    std::filesystem::path write(const std::string& name, std::string_view content) const;

private:
    std::filesystem::path m_path;
};

/// Rows of a store, one a line, in the order of the store; threads are told as pid/tid:
///     "slice 1/2 d0 name [1000,+500) cat=c @17", "instant 1/2 name 1000 @17", "counter 1/name series 1000 1.5",
///     "flow cat 17 -> 35" (positions of the slices at its ends, '-' for none)
std::string dumpRows(const TraceStore& store);

/// One a line: "lost broken_record t.json x1 byte 17, byte 35".
std::string dumpDiagnostics(const Diagnostics& diagnostics);

/// "state ok" or "error CODE PLACE", the rows of all ranks, and the diagnostics: all that a test of one file needs.
std::string dumpImport(const ImportResult& result);

/// Everything, with identity, tracks, metadata and arguments: for golden captures.
std::string dumpCapture(const ImportResult& result);

/// Every number and text of a store in one piece, for comparing stores byte by byte.
std::string storeBytes(const TraceStore& store);

}  // namespace altiscope::test
