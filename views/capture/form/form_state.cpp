#include "views/capture/form/form_state.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"
#include "core/capture/methods/conditions.h"
#include "core/capture/methods/presets.h"

#include <algorithm>

namespace altiscope {

using capture::Medium;
using capture::Method;
using capture::Trigger;

bool takesFile(const Method& method) { return method.takesFile(); }

bool takesLaunch(const Method& method) { return method.trigger != Trigger::Attach && method.medium != Medium::Request; }

bool actsOnRunningJobs(const Method& method) { return method.trigger != Trigger::Launch || method.preparesRunningJobs; }

bool needsLaunch(const Method& method) {
    return method.medium == Medium::Options || method.medium == Medium::Environment ||
           (method.medium == Medium::Command && method.trigger == Trigger::Launch);
}

std::string FormState::preview() const {
    if (!isValid()) return {};
    return hasFile ? plan.diff : plan.text();
}

FormState formState(const FormInput& input) {
    auto assignments = capture::presetAssignments(*input.method, input.preset);
    assignments.insert(assignments.end(), input.edits.begin(), input.edits.end());
    const bool hasFile = takesFile(capture::flavourOf(*input.method, assignments)) && input.fileText;
    const std::string* fileText = hasFile ? &*input.fileText : nullptr;
    capture::SettingProblems problems;
    FormState state{capture::makeSettings(*input.method, assignments, fileText, problems), {}, {}, {}, false};
    state.problems = std::move(problems);
    state.hasFile = fileText != nullptr;
    capture::validate(state.settings, state.problems);
    if (capture::hasErrors(state.problems)) return state;
    auto plan = capture::makePlan(state.settings, fileText, input.file);
    if (plan.ok()) state.plan = std::move(plan).value();
    else if (plan.failed()) state.error = plan.error();
    return state;
}

std::vector<RowState> rowStates(const FormInput& input, const FormState& state, std::string_view language) {
    std::vector<RowState> rows;
    for (const capture::Setting& setting : state.settings.all()) {
        const capture::Field& field = *setting.field;
        RowState row;
        row.text = capture::plainText(setting.value);
        const auto edit = std::find_if(input.edits.rbegin(), input.edits.rend(),
                                       [&field](const auto& pair) { return pair.first == field.name; });
        row.isEdited = edit != input.edits.rend();
        if (row.isEdited) row.text = edit->second;
        row.applies = capture::holds(field.applies, state.settings);
        // A field that was set although it has no effect must be changeable.
        row.isLocked = field.fixed || (!row.applies && !row.isEdited);
        if (!row.applies) {
            row.message = catalogueText("capture.field.not_applicable", language,
                                        {{"condition", capture::conditionText(field.applies, language)}});
        }
        for (const capture::SettingProblem& problem : state.problems) {
            if (problem.field != field.name || row.kind == RowState::Kind::Error) continue;
            // It may have words of the file.
            row.message = printableText(capture::problemSentence(problem, language));
            row.kind =
                problem.severity == capture::ProblemLevel::Error ? RowState::Kind::Error : RowState::Kind::Warning;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void applyEdit(std::vector<capture::Assignment>& edits, const std::string& name,
               const std::optional<std::string>& text) {
    const auto same = [&name](const auto& pair) { return pair.first == name; };
    const auto found = std::find_if(edits.begin(), edits.end(), same);
    if (!text) {
        if (found != edits.end()) edits.erase(found);
    } else if (found != edits.end()) {
        found->second = *text;
    } else {
        edits.emplace_back(name, *text);
    }
}

}  // namespace altiscope
