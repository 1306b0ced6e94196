#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/methods/settings.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::capture {

/// A field's name and the text of its value, as the user gives them.
using Assignment = std::pair<std::string, std::string>;

/// The settings that the user wants, over what a file has, over the method's standard values.
///
/// @param fileText  The configuration as it is; only of methods whose medium is a file. Null: there is none.
/// @param problems  Gets "capture.field.unknown" for names that the method does not have, and what is wrong with the
///                  file.
/// @note  Texts: true and false, numbers, words, lists with commas or as JSON, "null". A text that is none of the
///        type's is taken as
///        it is and found by validate().
Settings makeSettings(const Method& method, const std::vector<Assignment>& assignments, const std::string* fileText,
                      SettingProblems& problems);

/// The method as the flavour has it that the user names, else as its first one.
const Method& flavourOf(const Method& method, const std::vector<Assignment>& assignments);

/// What is wrong with the settings, field by field: types, ranges, words, conditions, rules between fields. What the
/// tool would
/// silently do instead of what was set is an error that says so.
/// @note  Pure; O(fields).
void validate(const Settings& settings, SettingProblems& problems);

bool hasErrors(const SettingProblems& problems);

/// What is wrong, in a language, without the field's name.
std::string problemSentence(const SettingProblem& problem, std::string_view language);
/// "field: sentence." in a language; without a field the sentence alone.
std::string problemText(const SettingProblem& problem, std::string_view language);

}  // namespace altiscope::capture
