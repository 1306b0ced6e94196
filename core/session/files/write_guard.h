#pragma once

#include <filesystem>

namespace altiscope {

// Files that must not be written to, decided here for all that write files for the user: exported tables and traces,
// pictures, generated captures, files of settings, the cache. Links, "..", other names of the same folder (mounts,
// case) and hard links lead to the same result. Any thread; some system calls, and a listing of the capture if the file
// has several hard links.

/// Whether writing `file` would change the capture that is opened as `capture`, a folder, an archive or a file of a
/// larger capture. True for what lies in the opened folder, or in the rank, raw data or cluster result around what was
/// opened (as reader::scanCapture finds it), for a file that is also one of the capture's under another name, for an
/// existing file with a profiler's name, database or snapshot beside an opened file or in a folder with or beside a
/// profiler's results, and for all that liesInProfilerFolder() refuses.
bool liesInCapture(const std::filesystem::path& capture, const std::filesystem::path& file);

/// Whether `file` lies in a folder of any capture: below a folder with a profiler's name (*_ascend_pt, *_ascend_ms,
/// PROF_*, ASCEND_PROFILER_OUTPUT, mindstudio_profiler_output, *cluster_analysis_output), or directly in one that holds
/// a profiler's settings, or a timeline among other results of a profiler. Its own name says nothing.
bool liesInProfilerFolder(const std::filesystem::path& file);

}  // namespace altiscope
