#include "app/cli/gate_options.h"

#include "app/cli/out_place.h"
#include "app/cli/output.h"
#include "core/base/files/file.h"
#include "core/base/files/pending_file.h"

#include <cstdio>

namespace altiscope::cli {

int readGate(const CommandArguments& words, std::string_view command, bool withBase,
             const std::optional<std::string>& out, GateOptions& gate) {
    gate.file = words.value("--gate");
    gate.junit = words.value("--junit");
    if (gate.junit && !gate.file) return reportWrongUsage(command, "--junit goes with --gate only.");
    if (const auto twice = fileNamedTwice({out, gate.junit, gate.file}))
        return reportWrongUsage(command, "--out, --junit and --gate must be different files, and \"" + *twice +
                                             "\" is named twice.");
    if (!gate.file) return kOk;
    const auto text = readSmallText(*gate.file, kMaxGateBytes);
    if (!text.ok()) return reportError(text.error());
    auto rules = readGateRules(text.value(), *gate.file, withBase);
    if (!rules.ok()) {
        reportError(rules.error());
        return kWrongUsage;
    }
    gate.rules = std::move(rules).value();
    return kOk;
}

int reportGateError(const Error& error) {
    const int status = reportError(error);
    for (const std::string_view code : {"gate.not_a_number", "sql.invalid", "sql.invalid_near", "sql.empty",
                                        "sql.denied", "sql.too_long", "sql.several_statements"})
        if (error.code == code) return kWrongUsage;
    return status;
}

bool isOutName(const std::string& file) {
    return file.ends_with(".html") || file.ends_with(".md") || file.ends_with(".json") || outPlaceOf(file).isStream;
}

int writeOut(const std::string& file, std::string_view text, CommandContext& context) {
    if (!outPlaceOf(file).isStdout) return writeTextFile(file, text, context);
    // Failures are stated when the program ends, as of all results.
    context.out.write(text);
    return kOk;
}

void printGateBesideOut(const std::vector<GateOutcome>& outcomes, const CommandContext& context) {
    const std::string text = context.options.json ? gateJson(outcomes) + "\n" : gateText(outcomes);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

int writeTextFile(const std::string& file, std::string_view text, const CommandContext& context) {
    PendingFile out(file, PendingFile::Access::Shared, &context.cancel);
    const bool isWritten = out.opened() && out.write(text) && out.keep();
    if (context.cancel.cancelled()) return kCancelled;
    return isWritten ? int{kOk} : reportError({"export.not_written", file, {}, {{"reason", out.problem()}}});
}

}  // namespace altiscope::cli
