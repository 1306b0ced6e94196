#pragma once

#include "core/base/values/result.h"

#include <filesystem>

namespace altiscope::reader {

/// Cuts the name of another journal off the end of a database's journal. SQLite writes it there when a change spans
/// several databases, and deletes the file of that name, wherever it lies, once it took the change back.
/// Source: sqlite.org/fileformat2.html section 3 (super-journal), pager.c readSuperJournal: page number of 4 bytes,
/// name, length of the name and checksum of 4 bytes each, magic of 8 bytes.
/// @return Whether there was one. Error "file.unreadable" with the reason of the system.
Result<bool> cutSuperJournalName(const std::filesystem::path& journal);

}  // namespace altiscope::reader
