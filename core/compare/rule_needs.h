#pragma once

#include <set>
#include <string>
#include <string_view>

namespace altiscope {

/// Words for what a side recorded: names of dimensions ("kernel"), "types" and "shapes" of kernels, "gc",
/// "ai_core_metrics", "snapshot", "steps", and "peers" where there are several ranks.
using RecordedWords = std::set<std::string, std::less<>>;

/// Whether a rule can find anything in what was recorded: where it cannot, a finding of the other side is no news.
/// Rules that need nothing, and unknown ones, always can. O(log).
bool canFindIn(std::string_view rule, const RecordedWords& recorded);

/// Whether a rule is about one rank among others; of all ranks that others find something on they name the worst.
bool isAboutOneRank(std::string_view rule);

/// Whether the table of what rules need has an entry.
bool areNeedsKnown(std::string_view rule);

}  // namespace altiscope
