#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "app/cli/pack_units.h"
#include "app/cli/progress_line.h"
#include "core/analysis/capture_analysis.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/pack/pack_writer.h"
#include "core/session/files/write_guard.h"
#include "core/session/packing/unit_note.h"
#include "core/session/reading/capture_results.h"
#include "core/session/workspace/capture_identity.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

namespace altiscope::cli {

namespace {

struct PackArguments {
    std::vector<std::string> captures;
    std::string out;
    std::string without;  ///< As it was given.
    pack::PackOptions options;
    bool hasResults = true;  ///< Those of all ranks together go in.
    std::optional<pack::Redaction::Scope> redaction;
    std::string problem;
};

std::string readWithout(const std::string& list, PackArguments& words) {
    std::string_view rest = list;
    while (true) {
        const std::string_view word = rest.substr(0, rest.find(','));
        if (word == "args") words.options.content.withArguments = false;
        else if (word == "stacks") words.options.content.withStacks = false;
        else if (word == "results") words.hasResults = false;
        else if (word == "names-of-files") words.redaction = pack::Redaction::Scope::Paths;
        else
            return "--without takes args, stacks, results and names-of-files, joined by commas, not \"" +
                   std::string(word) + "\".";
        if (word.size() == rest.size()) return {};
        rest.remove_prefix(word.size() + 1);
    }
}

PackArguments parsePack(const CommandArguments& read) {
    PackArguments words{.captures = read.words,
                        .out = read.value("--out").value_or(""),
                        .without = read.value("--without").value_or(""),
                        .options = {},
                        .redaction = {},
                        .problem = read.problem};
    if (!words.problem.empty()) return words;
    const auto ranks = read.value("--ranks");
    if (ranks) words.options.ranks = numbersOf(*ranks);
    words.options.program = ALTI_VERSION;
    words.options.identity = read.value("--identity").value_or("");
    if (read.has("--without")) words.problem = readWithout(words.without, words);
    if (read.has("--redact")) words.redaction = pack::Redaction::Scope::All;
    if (!words.problem.empty()) return words;
    if (words.captures.empty()) words.problem = "A capture is missing.";
    else if (words.out.empty()) words.problem = "pack needs --out.";
    else if (!read.has("--engine") && !words.out.ends_with(".altipack"))
        words.problem = "--out takes a name that ends with .altipack.";
    else if (read.has("--identity") && !isCaptureIdentity(words.options.identity))
        words.problem =
            "--identity takes what a capture's identity is: 32 digits, not \"" + words.options.identity + "\".";
    else if (ranks && (!words.options.ranks || words.options.ranks->empty()))
        words.problem = "--ranks takes numbers as in 0,2,4-7, not \"" + *ranks + "\".";
    return words;
}

/// Rows that are computed of a rank by itself.
std::shared_ptr<const RowTables> computedRows(const RankEntry& rank, const CancelToken& cancel) {
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.push_back(rank);
    const auto computation = CaptureAnalysis(std::move(capture)).rank(RankIndex{0}, cancel);
    return computation == nullptr ? nullptr : computation->rows;
}

/// The captures, each rank given to `onRank` and forgotten; or the status with which the program ends.
Result<std::vector<std::shared_ptr<const CaptureStore>>> readCaptures(
    const PackArguments& words, CommandContext& context, WorkerArena& arena,
    const std::function<void(std::size_t, std::size_t, RankEntry&)>& onRank, std::optional<int>& status) {
    std::vector<std::shared_ptr<const CaptureStore>> captures;
    for (std::size_t i = 0; i < words.captures.size(); ++i) {
        CapturePart part;
        part.onlyNumbers = words.options.ranks;
        part.onRank = [&onRank, i](std::size_t place, RankEntry& rank) { onRank(i, place, rank); };
        auto capture = openReadable(words.captures[i], context, arena, part);
        if (capture.cancelled()) return Cancelled{};
        if (capture.failed()) return capture.error();
        if (capture.value() == nullptr) {
            status = kFailed;
            return captures;
        }
        captures.push_back(std::move(capture).value());
    }
    return captures;
}

/// Learns all texts of the captures, which are read for it. @return The status with which the program ends, if it does.
std::optional<int> learn(const PackArguments& words, CommandContext& context, WorkerArena& arena,
                         pack::Redaction& redaction) {
    std::mutex mutex;  // guards the error
    std::optional<Error> error;
    const auto learnRank = [&](std::size_t, std::size_t, RankEntry& rank) {
        const auto done = pack::learnRank(rank, words.options.content.withArguments, redaction, context.cancel);
        rank.trace = nullptr;
        rank.arguments = nullptr;
        rank.rows = std::make_shared<const RowTables>(std::vector<RowTable>(), StringPool());
        const std::lock_guard lock(mutex);
        if (done.failed()) error = done.error();
    };
    std::optional<int> status;
    const auto captures = readCaptures(words, context, arena, learnRank, status);
    if (captures.cancelled()) return kCancelled;
    if (captures.failed()) return reportError(captures.error());
    if (status) return status;
    if (error) return reportError(*error);
    for (const auto& capture : captures.value()) pack::learnCapture(*capture, redaction);
    redaction.giveNumbers();
    return std::nullopt;
}

constexpr std::pair<pack::SecretKind, std::string_view> kSecrets[] = {{pack::SecretKind::Path, "paths"},
                                                                      {pack::SecretKind::Host, "hosts"},
                                                                      {pack::SecretKind::User, "users"},
                                                                      {pack::SecretKind::SourceLine, "source_lines"}};

std::string packedJson(const std::string& out, const pack::PackSummary& summary, const pack::Redaction* redaction) {
    std::string json = "{\"path\":" + jsonQuoted(out) + ",\"ranks\":" + std::to_string(summary.ranks) +
                       ",\"bytes\":" + std::to_string(summary.bytes) +
                       ",\"argument_bytes\":" + std::to_string(summary.argumentBytes);
    if (redaction == nullptr) return json + "}\n";
    json += ",\"redacted\":{";
    for (const auto& [kind, name] : kSecrets) {
        const auto count = redaction->count(kind);
        json += (name == kSecrets[0].second ? "\"" : ",\"") + std::string(name) +
                "\":{\"texts\":" + std::to_string(count.texts) + ",\"replaced\":" + std::to_string(count.replaced) +
                "}";
    }
    return json + "}}\n";
}

std::string packedText(const std::string& out, const pack::PackSummary& summary, const pack::Redaction* redaction) {
    std::string text = printableText(out) + ": ranks " + std::to_string(summary.ranks) + ", " +
                       megabytesText(summary.bytes) + ", " + megabytesText(summary.argumentBytes) +
                       " of it arguments\n";
    if (redaction == nullptr) return text;
    text += "replaced:";
    for (const auto& [kind, name] : kSecrets) {
        const auto count = redaction->count(kind);
        std::string words(name);
        std::replace(words.begin(), words.end(), '_', ' ');
        text += (name == kSecrets[0].second ? " " : ", ") + words + " " + std::to_string(count.texts) + " (" +
                std::to_string(count.replaced) + " times)";
    }
    return text + "\n";
}

}  // namespace

std::string_view packHelp() {
    return "usage: altiscope-cli pack CAPTURE... --out FILE.altipack [--ranks LIST] [--without LIST] [--redact]\n"
           "       altiscope-cli pack CAPTURE --engine slurm|ssh|script --out DIR [--ranks-per-task N] [OPTIONS]\n"
           "\n"
           "Writes all that is read of a capture as one compressed file: events, tables, arguments, call stacks, what "
           "was "
           "wrong with its\n"
           "files, and which files these were. A pack opens wherever a capture opens, without the capture's folder, "
           "and "
           "answers as it\n"
           "does; arguments are read from it when they are looked at. An existing FILE is replaced once the new one is "
           "complete.\n"
           "Several captures become one, each rank below the name of its capture. As many ranks are in memory at a "
           "time as --jobs says.\n"
           "Of a pack that was damaged or cut, the ranks whose events are whole are shown, and the others are named, "
           "unless its list of\n"
           "ranks is damaged, or no rank is whole. Ranks are shown by the version of Altiscope that packed them, and "
           "by those that keep\n"
           "events the same way. --range leaves nothing of a pack out: it is read whole.\n"
           "  --ranks LIST    ranks, as in 0,2,4-7\n"
           "  --without LIST  leaves parts out, joined by commas: args, the arguments of events, about half of the "
           "file; stacks, call\n"
           "                  stacks; results, with which info and the page Overview need no rank, and which take as "
           "long "
           "as info does of the\n"
           "                  capture; names-of-files, in whose place stand path-1, path-2, ...\n"
           "  --redact        replaces paths, names of hosts and users, addresses and lines of source by path-1, "
           "host-1, user-1,\n"
           "                  source-1, ... in all texts, and keeps the numbers; says how many. Names of operators, "
           "functions and groups\n"
           "                  stay. The capture is read twice. Equal texts get equal names within one pack\n"
           "\n"
           "With --engine each unit of work is a rank, or N ranks, and becomes a pack in DIR; cluster.altipack there "
           "has the sums of all\n"
           "that are done, and units.json says of each unit whether it is waiting, running, done or failed, where and "
           "why. Run again, only\n"
           "what is missing is done. DIR opens as one capture.\n"
           "  --engine script  prints a command for each missing unit, to be run by anything: sh, GNU parallel, MPI\n"
           "  --engine ssh     shares the units among the hosts of --hosts-file FILE (one a line), one at a time on "
           "each; they see the\n"
           "                   capture, DIR and this program under the same paths\n"
           "  --engine slurm   submits a job array and follows it; --partition P, --time T, --account A, --constraint "
           "C as sbatch's\n"
           "  --ranks-per-task N  ranks of a unit; 1 unless given\n"
           "Commands of units have two more options: --identity HEX, the identity of the whole capture, and --note "
           "FILE, in which the\n"
           "process says what became of it.\n";
}

namespace {

/// Packs the captures. @param reason  Gets why that failed, if an error says so.
int packCaptures(PackArguments& words, bool isUnit, CommandContext& context, WorkerArena& arena, std::string& reason) {
    const auto report = [&reason](const Error& error) {
        reason = errorText(error, "en");
        return reportError(error);
    };
    std::optional<pack::Redaction> redaction;
    if (words.redaction) {
        redaction.emplace(*words.redaction);
        if (const auto status = learn(words, context, arena, *redaction)) return *status;
        words.options.content.redaction = &*redaction;
    }
    if (words.captures.size() == 1 && words.options.identity.empty()) {
        const auto identity = identifyCapture(words.captures.front(), context.cancel);
        if (identity.cancelled()) return kCancelled;
        if (identity.ok()) words.options.identity = identity.value();
    }
    words.options.computedRows = [&](const RankEntry& rank) { return computedRows(rank, context.cancel); };
    pack::PackWriter writer(words.out, words.options, context.cancel);
    std::optional<int> status;
    const auto captures = readCaptures(
        words, context, arena,
        [&writer](std::size_t capture, std::size_t place, RankEntry& rank) { writer.take(capture, place, rank); },
        status);
    if (captures.cancelled()) return kCancelled;
    if (captures.failed()) return report(captures.error());
    if (status) {
        reason = "nothing of the capture could be read";
        return *status;
    }
    ProgressSlot progress;
    std::optional<Result<pack::PackSummary>> done;
    {
        const ProgressLine line(progress, context, percentText);
        arena.run([&] { done = writer.finish(captures.value(), progress); });
    }
    if (done->cancelled()) return kCancelled;
    if (done->failed()) return report(done->error());
    pack::PackSummary summary = done->value();
    // A unit knows its own ranks alone.
    if (!isUnit && words.hasResults) {
        std::optional<Result<bool>> added;
        const ProgressLine line(progress, context, percentText);
        arena.run([&] { added = addResultsToPack(words.out, progress, context.cancel); });
        if (added->cancelled()) return kCancelled;
        // The pack is whole without them.
        if (added->failed()) printMessage(errorText(added->error(), "en"));
        std::error_code error;
        if (const auto bytes = std::filesystem::file_size(words.out, error); !error) summary.bytes = bytes;
    }
    if (!summary.missingRanks.empty())
        printMessage("The capture has none of these ranks: " + summary.missingRanks + ".");
    const pack::Redaction* replaced = redaction ? &*redaction : nullptr;
    context.out.write(context.options.json ? packedJson(words.out, summary, replaced)
                                           : packedText(words.out, summary, replaced));
    return worstStatusOf(captures.value(), context);
}

}  // namespace

int runPack(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments read =
        readArguments(arguments,
                      {"--out", "--ranks", "--without", "--engine", "--ranks-per-task", "--hosts-file", "--partition",
                       "--time", "--account", "--constraint", "--note", "--identity"},
                      {"--redact"});
    PackArguments words = parsePack(read);
    if (words.problem.empty()) words.problem = unitsProblem(read);
    if (!words.problem.empty()) return reportWrongUsage("pack", words.problem);
    for (const std::string& capture : words.captures)
        for (const std::string& file : {words.out, read.value("--note").value_or(words.out)})
            if (liesInCapture(capture, file)) return reportError({"export.inside_capture", file, {}, {}});
    if (read.has("--note") && !mayBecomeNote(*read.value("--note")))
        return reportError({"pack.note.other", *read.value("--note"), {}, {}});
    WorkerArena arena(context.options.jobs);
    if (read.has("--engine")) return runUnits(read, words.options.ranks, context, arena);
    std::string reason;
    if (!read.has("--note")) return packCaptures(words, false, context, arena, reason);
    UnitNote note(*read.value("--note"));
    const int status = packCaptures(words, true, context, arena, reason);
    if (status == kOk || status == kPartialData) note.done();
    else note.failed(status == kCancelled ? "it was cancelled" : reason);
    return status;
}

}  // namespace altiscope::cli
