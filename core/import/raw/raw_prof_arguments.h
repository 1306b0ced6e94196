#pragma once

#include "core/base/text/text_buffer.h"
#include "core/import/raw/raw_prof_records.h"

#include <cstdint>

namespace altiscope::reader {

// Arguments of what CANN recorded, as JSON with the keys of the text export; "{}" if no record has the number. Any
// thread.

void writeRawCall(const RawProfRecords& prof, std::uint64_t number, TextBuffer& out);
void writeRawTask(const RawProfRecords& prof, const RawProfRecords::Device& device, std::uint64_t number,
                  TextBuffer& out);
void writeRawPart(const RawProfRecords& prof, const RawProfRecords::Device& device, std::uint64_t number,
                  TextBuffer& out);
void writeRawCollective(const RawProfRecords& prof, const RawProfRecords::Device& device, std::uint64_t number,
                        TextBuffer& out);

}  // namespace altiscope::reader
