#include "views/capture/form/start_state.h"

#include "core/capture/session/expectation.h"
#include "core/capture/targets/target.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

namespace {

using capture::Medium;
using capture::Trigger;

struct StartTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::StartTexts)
};

/// Field that has to be given first; empty if none has.
QString lack(const FormState& form, const JobInput& job) {
    const capture::Method& method = form.settings.method();
    if (job.targets.empty()) return StartTexts::tr("Choose at least one target on the left.");
    const auto wrong = std::find_if(job.targets.begin(), job.targets.end(),
                                    [](const std::string& name) { return !capture::parseTarget(name); });
    if (wrong != job.targets.end()) return StartTexts::tr("%1 is not a target.").arg(toQString(*wrong));
    if (takesFile(method) && job.file.empty())
        return StartTexts::tr("Give the configuration file as the job uses it, on the target.");
    const bool hasApplication = method.medium == Medium::Command && !(form.settings.text("application").empty() &&
                                                                      form.settings.text("sys_devices").empty());
    if (needsLaunch(method) && job.launch.empty() && !hasApplication)
        return StartTexts::tr("Give the command that starts the job.");
    if (method.medium == Medium::Snippet && job.launch.empty())
        return StartTexts::tr("Put the lines into your program. To have it watched, give the command that starts it.");
    // Where a running job works is not known from here.
    const std::string output = form.settings.output();
    const bool isKnown = output.starts_with('/') || !job.launch.empty() || !job.workdir.empty() ||
                         (!form.settings.outputField().empty() && method.trigger != Trigger::Edit);
    if (job.results.empty() && (form.settings.outputField().empty() || !isKnown))
        return StartTexts::tr(
            "Give the folder for results: the settings do not name it, or only relative to where the job runs.");
    return {};
}

QString wrongSettings(const FormState& form) {
    QStringList names;
    for (const capture::SettingProblem& problem : form.problems) {
        if (problem.severity == capture::ProblemLevel::Error && !problem.field.empty())
            names << toQString(problem.field);
    }
    names.removeDuplicates();
    if (names.isEmpty()) return StartTexts::tr("The configuration cannot be used; see the preview.");
    return StartTexts::tr("%n setting(s) to correct: %1", nullptr, static_cast<int>(names.size()))
        .arg(names.join(StartTexts::tr(", ", "between settings")));
}

QString targetsText(const std::vector<std::string>& targets) {
    QStringList names;
    for (const std::string& name : targets)
        names << (name == "local" ? StartTexts::tr("this machine") : toQString(name));
    if (names.size() > 3)
        return StartTexts::tr("%1 and %n more target(s)", nullptr, static_cast<int>(names.size()) - 2)
            .arg(names.first(2).join(StartTexts::tr(", ", "between settings")));
    return names.join(StartTexts::tr(", ", "between settings"));
}

QString whatHappens(const capture::Method& method, const JobInput& job) {
    const QString targets = targetsText(job.targets), file = toQString(job.file);
    const bool launches = !job.launch.empty();
    if (takesFile(method) && launches)
        return StartTexts::tr(
                   "On %1: %2 is changed as shown, the command is started, and the file is restored after recording.")
            .arg(targets, file);
    if (takesFile(method) && method.trigger == Trigger::Edit)
        return StartTexts::tr("On %1: %2 is changed as shown; the running job takes it up by itself, and the file is "
                              "restored after recording.")
            .arg(targets, file);
    if (takesFile(method))
        return StartTexts::tr(
                   "On %1: %2 is changed as shown; then you start the job, and the file is restored after recording.")
            .arg(targets, file);
    if (method.medium == Medium::Options)
        return StartTexts::tr("On %1: the command is started with the options shown.").arg(targets);
    if (method.medium == Medium::Environment)
        return StartTexts::tr("On %1: the command is started with the variable shown.").arg(targets);
    if (method.medium == Medium::Snippet)
        return StartTexts::tr("On %1: the command is started and watched; its program has the lines shown.")
            .arg(targets);
    if (method.medium == Medium::Service)
        return StartTexts::tr("On %1: the service is called as shown; it goes on after its recording.").arg(targets);
    if (method.trigger == Trigger::Attach)
        return StartTexts::tr("On %1: msprof attaches to the process and records it; the process goes on.")
            .arg(targets);
    if (method.medium == Medium::Request)
        return StartTexts::tr("On %1: the daemon of msMonitor is sent the message shown; the running job records.")
            .arg(targets);
    return StartTexts::tr("On %1: msprof runs the command and records it.").arg(targets);
}

}  // namespace

StartState startState(const FormState& form, const JobInput& job) {
    if (!form.isValid()) return {false, wrongSettings(form)};
    if (const QString missing = lack(form, job); !missing.isEmpty()) return {false, missing};
    QString sentence = whatHappens(form.settings.method(), job) + u' ';
    const bool opens = capture::expectationOf(form.settings).kind == capture::ResultKind::Folders;
    if (job.fetches && !opens) sentence += StartTexts::tr("Then its results are copied here.");
    else
        sentence += job.fetches ? StartTexts::tr("Then its results are copied here and opened.")
                                : StartTexts::tr("Its results stay there until you fetch them.");
    return {true, sentence};
}

}  // namespace altiscope
