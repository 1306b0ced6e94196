#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/methods/plan.h"
#include "core/capture/methods/settings.h"
#include "core/capture/methods/validation.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Choices of the user for a method, as `capture start` would take it.
struct FormInput {
    const capture::Method* method = nullptr;
    std::string preset;
    std::vector<capture::Assignment> edits;  ///< Over those of the preset, in the order of the edits.
    std::string file;                        ///< Name of the configuration; of methods with a file only.
    std::optional<std::string> fileText;     ///< As it is there, where it was read.
};

/// The result of that input. Made by the core functions of `capture validate`, so that both say the same.
struct FormState {
    capture::Settings settings;
    capture::SettingProblems problems;
    std::optional<Error> error;  ///< Why the file cannot be changed.
    capture::Plan plan;          ///< Empty while there are errors.

    bool isValid() const { return !error && !capture::hasErrors(problems); }
    /// The change of a file that was read, else the file, command, variable or lines.
    std::string preview() const;
    bool hasFile = false;  ///< The file was read: the preview is its change.
};

/// @note  Pure; some 100 µs, and 50 ms for 1 MB of JSON.
FormState formState(const FormInput& input);

/// Methods that change a file on the target.
bool takesFile(const capture::Method& method);
/// Methods that can run a command: all but those that attach.
bool takesLaunch(const capture::Method& method);
/// Methods that record jobs that run, or prepare jobs for that.
bool actsOnRunningJobs(const capture::Method& method);
/// Methods that do nothing without a command.
bool needsLaunch(const capture::Method& method);

/// How a row of the form looks.
struct RowState {
    std::string text;       ///< The value, as --set takes it.
    bool isEdited = false;  ///< By the user, not by a preset or the file.
    bool applies = true;    ///< The tool looks at it.
    bool isLocked = false;  ///< Cannot be changed: fixed by the method, or without an effect.
    std::string message;    ///< Fault of it, or why it has no effect; in the language.
    enum class Kind { Quiet, Warning, Error } kind = Kind::Quiet;
};

/// Rows of all settings, in order.
/// @param language  As catalogueText.
std::vector<RowState> rowStates(const FormInput& input, const FormState& state, std::string_view language);

/// Puts an edit in the place of a former one of the same field; `text` nullopt takes it back.
void applyEdit(std::vector<capture::Assignment>& edits, const std::string& name,
               const std::optional<std::string>& text);

}  // namespace altiscope
