#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/pack/redaction.h"
#include "core/pack/section_writer.h"
#include "core/store/capture_store.h"

#include <optional>
#include <string>

namespace altiscope::pack {

/// Parts of a rank that go into a pack.
struct RankContent {
    bool withArguments = true;
    bool withStacks = true;
    const Redaction* redaction = nullptr;  ///< With numbers given; null: texts stay.
};

/// The sections of one rank.
struct RankSections {
    std::optional<CodedSection> store, arguments;  ///< nullopt: it has none.
};

/// Codes what a rank holds, on the workers of the arena; any thread.
/// @param path  Of the capture, for errors.
/// @return Cancelled, Error "pack.too_large", or as ArgumentSource.
Result<RankSections> rankSections(const std::string& path, const RankEntry& rank, const RankContent& content,
                                  const CancelToken& cancel);

/// A store with its rows as a section. @param trace, rows  May be null.
CodedSection storeSection(SectionKind kind, const TraceStore* trace, const RowTables* rows, const CancelToken& cancel);

/// Learns all texts of a rank.
/// @return Cancelled, or Error as ArgumentSource.
Result<Done> learnRank(const RankEntry& rank, bool withArguments, Redaction& redaction, const CancelToken& cancel);

}  // namespace altiscope::pack
