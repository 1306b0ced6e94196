#pragma once

#include "core/import/raw/raw_import.h"
#include "core/store/raw/sample_records.h"

#include <string>
#include <vector>

namespace altiscope::reader {

/// Puts the samples of a device into counters, with the names and values of the text export, and rows of
/// `module_memory` and `l2_cache`; nothing of before the collection, which is "raw.early" (info).
/// @param kind  Of their positions, which count values.
/// @param data  Where they lie, for what is reported.
void addRawSamples(const DeviceSamples& samples, const std::string& data, unsigned kind, RawSink& sink,
                   Segment& segment);

/// Adds the memory of the process that addRawSamples has found to `memory_sample`, as component APP.
void addRawProcessMemory(const RawSink& sink, RowTablesBuilder& rows);

/// Puts marks on their threads. @param kind  Of their positions, which count marks.
void addRawMarks(const std::vector<MarkRecord>& marks, unsigned kind, RawSink& sink);

/// Puts the marks of a device's streams beside its tasks, with the messages of the marks of the same numbers.
/// @param kind  Of their positions, which count marks.
void addRawStreamMarks(const DeviceSamples& samples, const std::vector<MarkRecord>& marks, unsigned kind, RawSink& sink,
                       Segment& segment);

}  // namespace altiscope::reader
