#pragma once

#include "core/base/text/text_buffer.h"
#include "core/generate/records/allocator_states.h"
#include "core/generate/records/unit_record.h"

#include <string>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// Rows of memory_record.csv, operator_memory.csv (CRLF) and npu_module_mem.csv (LF).
/// Source of the formats: torch_npu's text export at level 1, MindSpore's source. Its memory_record has no streams, and
/// an MB of 1000 KB; its npu_module_mem is CANN's. Else MB and KB are 2^20 and 2^10 bytes.

std::string_view memoryRecordHeader(Framework framework);
/// What the process holds, sampled; torch_npu has it before all other rows of the file, MindSpore behind them.
void addProcessMemory(const Run& run, std::uint32_t rank, const UnitRecord& record, Framework framework,
                      TextBuffer& out);
/// Both allocators by time: PTA, GE and, at each of their events, PTA+GE, or the framework's own names.
void addAllocatorRecords(const Run& run, std::uint32_t rank, const UnitRecord& record, Framework framework,
                         TextBuffer& out);

std::string_view operatorMemoryHeader();
/// Blocks of one pool by allocation.
void addOperatorMemory(const Run& run, std::uint32_t rank, const UnitRecord& record, MemoryPool pool, TextBuffer& out);

std::string_view moduleMemoryHeader(Framework framework);
/// Components of the driver and the runtime; the file lists one after the other.
const std::vector<std::string_view>& memoryModules();
/// Blocks that a component holds on a rank of the stage; the same during the whole run.
std::uint64_t moduleBlocks(const Run& run, std::uint32_t stage, std::size_t module);
/// When it is sampled within a window: the components one after the other.
std::vector<TimeNs> moduleSampleTimes(TimeNs profilerStart, std::size_t module, const TimeRange& window);
/// Over the whole run.
void addModuleMemory(const Run& run, std::uint32_t rank, std::size_t module, Framework framework, TextBuffer& out);

}  // namespace altiscope::generate
