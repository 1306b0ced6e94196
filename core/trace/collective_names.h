#pragma once

#include <span>
#include <string>
#include <string_view>

namespace altiscope {

/// The type by which the profiler sorts collectives in its matrix: "allreduce" of "hcom_allReduce__586_0_1", "reduce"
/// of "hcom_reduceScatter__1_0": the leftmost of some words, of several at one place the first; of other names the text
/// before "__", as it is. Source: core/import/communication/FORMAT.md section 3.
std::string collectiveType(std::string_view name);

/// The first of some words in a text, by where it stands, then by the order of the words; empty: it has none.
std::string_view firstWord(std::string_view text, std::span<const std::string_view> words);

/// Whether an operator has one partner only, by its name (core/import/communication/FORMAT.md section 1; of MindSpore
/// before 2.4 core/import/mindspore/FORMAT.md section 3).
bool isPeerToPeerName(std::string_view name);
/// Whether it only receives.
bool isReceiveName(std::string_view name);

/// "__586" of "hcom_allReduce__586_0_1", digits that end the hash of the group: what there is where no file states the
/// groups. Empty if the name has none.
std::string_view groupDigits(std::string_view name);

}  // namespace altiscope
