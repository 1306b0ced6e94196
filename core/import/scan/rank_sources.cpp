#include "core/import/scan/rank_sources.h"

#include "core/import/sqlite/db_connection.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace altiscope::reader {

namespace {

bool isTextOf(const RankManifest& rank, const std::string& name) {
    return std::any_of(rank.traces.begin(), rank.traces.end(),
                       [&name](const SourceFile& text) { return text.name == name; });
}

/// The source that the user wants to be read of a rank, if it is there; else empty.
std::string chosenSource(const RankManifest& rank, const std::vector<const ListedFolder*>& folders,
                         const RankCorrections& corrections) {
    const auto correction = corrections.find(rank.info.path);
    if (correction == corrections.end()) return {};
    const std::string& wanted = correction->second.source;
    bool isThere = isTextOf(rank, wanted);
    for (const ListedFolder* folder : folders) {
        for (const ListedFile* file : timelineDatabases(*folder))
            isThere = isThere || folder->relativeTo(file->name) == wanted;
    }
    return isThere ? wanted : std::string();
}

}  // namespace

std::vector<std::string> chooseTimelineSource(RankManifest& rank, const std::vector<const ListedFolder*>& folders,
                                              const SourceChoice& choice, Diagnostics& diagnostics) {
    std::vector<std::string> contents;
    const std::size_t reportedBefore = rank.info.alternatives.size();
    const std::string chosen = chosenSource(rank, folders, choice.corrections);
    const bool keepsText = !rank.traces.empty() && (chosen.empty() ? choice.preferText : isTextOf(rank, chosen));
    std::optional<SourceFile> taken;
    for (const ListedFolder* folder : folders) {
        for (const ListedFile* file : timelineDatabases(*folder)) {
            if (choice.cancel.cancelled()) return contents;
            const std::string name = folder->relativeTo(file->name);
            const bool isPassedOver = !chosen.empty() && name != chosen;
            if (taken || keepsText || isPassedOver) {
                rank.info.alternatives.push_back(name);
                continue;
            }
            SourceFile source = databaseFile(folder->path / file->name, name, file->size, choice, diagnostics);
            const auto facts = readDbFacts(source.path, name, choice.cancel);
            if (choice.cancel.cancelled()) return contents;
            if (facts.ok() && facts.value().holdsTimeline) {
                applyFacts(facts.value(), rank);
                facts.value().problems.addTo(diagnostics, name);
                contents = facts.value().contents;
                taken = std::move(source);
            } else if (rank.traces.empty() && !taken && !facts.ok()) {
                // With nothing else to show, its reader says what is wrong with it, unless it is in the way no more.
                if (mayPass(facts.error()))
                    diagnostics.add(facts.error().code, Severity::Lost, name, {}, facts.error().parameters);
                taken = std::move(source);
            } else {
                const Error error = facts.ok() ? Error{"db.not_a_timeline", name, {}, {}} : facts.error();
                diagnostics.add(error.code, Severity::Info, name, {}, error.parameters);
                rank.info.alternatives.push_back(name);
            }
        }
    }
    if (!chosen.empty() && !taken && rank.traces.empty()) {
        // The user's choice shows nothing: as if there were none.
        rank.info.alternatives.clear();
        SourceChoice usual = choice;
        usual.corrections.clear();
        return chooseTimelineSource(rank, folders, usual, diagnostics);
    }
    if (taken) {
        for (const SourceFile& text : rank.traces) rank.info.alternatives.push_back(text.name);
        rank.traces.assign(1, std::move(*taken));
        rank.info.source = SourceKind::Db;
    }
    const std::string takenName = rank.traces.empty() ? rank.info.path : rank.traces.front().name;
    for (std::size_t i = reportedBefore; i < rank.info.alternatives.size(); ++i)
        diagnostics.add("source_not_taken", Severity::Info, rank.info.alternatives[i], {}, {{"taken", takenName}});
    return contents;
}

}  // namespace altiscope::reader
