#include "core/import/archive/archive_capture.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/import/archive/archive_expansion.h"
#include "core/import/archive/archive_names.h"
#include "core/import/files/file_names.h"
#include "core/import/ranks/diagnostics_json.h"
#include "core/import/ranks/rank_cache.h"
#include "core/import/scan/folder_scanner.h"
#include "core/store/cache/scratch_folder.h"
#include "core/store/cache/store_cache.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

/// Raised whenever other members are expanded, or to other places.
constexpr std::string_view kExpansionVersion = "6";

/// An archive's members on disk.
struct Copy {
    std::shared_ptr<const void> keeper;            ///< They live as long as this.
    std::shared_ptr<const ScratchFolder> scratch;  ///< Set while they are not kept yet.
    fs::path files;
    std::string opened;  ///< The capture among them: a folder or file below `files`.
    std::size_t count = 0;
    std::string only;  ///< One of the files, below `opened`.
    Diagnostics diagnostics;
};

/// Names of folders describe ranks, so what the archive was made of gets the archive's name, unless its own folders
/// tell more.
std::string nameForContent(const fs::path& archive, const ExpandedArchive& expanded) {
    static constexpr const char* kPlain = "content";
    bool hasOneFolder = true;
    std::string first;
    for (const std::string& file : expanded.files) {
        const std::size_t slash = file.find('/');
        const std::string top = slash == std::string::npos ? std::string() : file.substr(0, slash);
        const FolderKind kind = folderKind(top);
        if (kind == FolderKind::TorchRank || kind == FolderKind::MindSporeRank) return kPlain;
        if (first.empty()) first = top;
        hasOneFolder = hasOneFolder && !top.empty() && top == first;
    }
    const bool isFolder = folderKind(first) == FolderKind::Other;
    return hasOneFolder && isFolder ? kPlain : nameOfContent(archive);
}

std::string noteOf(const fs::path& archive, const Copy& copy) {
    const nlohmann::json facts = {{"opened", copy.opened},
                                  {"count", copy.count},
                                  {"only", copy.only},
                                  {"diagnostics", diagnosticsJson(copy.diagnostics)}};
    return archive.string() + '\n' + dumpJson(facts);
}

std::optional<Copy> keptCopy(const std::shared_ptr<const CacheFolder>& kept) {
    if (!kept) return std::nullopt;
    // The archive's path before it may hold line ends.
    const std::string& note = kept->note();
    const nlohmann::json facts = parseJson(note.substr(note.rfind('\n') + 1));
    if (!facts.is_object()) return std::nullopt;
    try {
        auto diagnostics = diagnosticsOfJson(facts.at("diagnostics").get<std::string>());
        if (!diagnostics) return std::nullopt;
        return Copy{kept,
                    nullptr,
                    kept->files(),
                    facts.at("opened").get<std::string>(),
                    facts.at("count").get<std::size_t>(),
                    facts.at("only").get<std::string>(),
                    std::move(*diagnostics)};
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
}

/// Expands an archive, raw data below some folders with it, into a scratch folder.
Result<Copy> makeScratchCopy(const ReadOnlyFile& archive, const std::vector<std::string>& rawFolders,
                             const fs::path& parent, ProgressSlot& progress, const CancelToken& cancel) {
    std::error_code error;
    const auto scratch = ScratchFolder::make(parent, cancel, error);
    if (!scratch) return Error{"archive.not_expanded", archive.path().string(), {}, {{"reason", error.message()}}};
    const fs::path files = CacheFolder::filesIn(scratch->path());
    const fs::path inTheMaking = files / "content";
    fs::create_directories(inTheMaking, error);
    auto expanded = expandArchive(archive, inTheMaking, rawFolders, {}, progress, cancel);
    if (!expanded.ok()) return expanded.as<Copy>();
    ExpandedArchive& members = expanded.value();
    Copy copy{scratch,
              scratch,
              files,
              "content",
              members.files.size(),
              members.files.empty() ? std::string() : members.files.front(),
              std::move(members.diagnostics)};
    if (members.isSingleFile) {
        copy.opened = "content/" + members.files.front();
    } else if (const std::string name = nameForContent(archive.path(), members); name != copy.opened) {
        fs::rename(inTheMaking, files / name, error);
        if (error) return Error{"archive.not_expanded", archive.path().string(), {}, {{"reason", error.message()}}};
        copy.opened = name;
    }
    return copy;
}

/// Expands an archive to where it can stay, or, if there is no such place, to where the system keeps temporary files.
Result<Copy> makeCopy(const ReadOnlyFile& archive, const std::vector<std::string>& rawFolders, const std::string& key,
                      const StoreCache* cache, const fs::path& temporary, ProgressSlot& progress,
                      const CancelToken& cancel) {
    if (cache != nullptr) {
        auto copy = makeScratchCopy(archive, rawFolders, cache->folder(), progress, cancel);
        if (copy.ok() && !mayYieldMore(copy.value().diagnostics)) {
            auto kept =
                keptCopy(cache->putFolder(key, *copy.value().scratch, noteOf(archive.path(), copy.value()), cancel));
            if (kept) return std::move(*kept);
        }
        if (copy.ok()) return copy;
        const bool isPlaceless =
            copy.failed() && (copy.error().code == "archive.no_space" || copy.error().code == "archive.not_expanded");
        if (!isPlaceless) return copy;
    }
    std::error_code error;
    return makeScratchCopy(archive, rawFolders, temporary.empty() ? fs::temp_directory_path(error) : temporary,
                           progress, cancel);
}

/// Removes a copy that will not be requested again.
void forget(Copy copy, const CancelToken& cancel) {
    const fs::path folder = copy.files.parent_path();
    copy.keeper.reset();
    copy.scratch.reset();
    CacheFolder::remove(folder, &cancel);
}

/// Tells all files of a manifest that they are members of an archive.
void setOrigin(CaptureManifest& manifest, const std::shared_ptr<const ArchiveOrigin>& origin) {
    manifest.archive = origin;
    for (RankManifest& rank : manifest.ranks) {
        for (SourceFile& file : rank.traces) file.archive = origin;
        for (TableFile& table : rank.tables) table.source.archive = origin;
    }
}

}  // namespace

std::optional<Error> firstLoss(const Diagnostics& diagnostics, const fs::path& archive) {
    for (const Diagnostic& one : diagnostics.entries()) {
        if (one.severity == Severity::Lost && std::string_view(one.code).starts_with("archive."))
            return Error{one.code, archive.string(), one.places.front().text(), one.parameters};
    }
    return std::nullopt;
}

Error locatedInArchive(Error error, const ArchiveOrigin& origin) {
    const std::string root = origin.files.string();
    if (fs::path(error.file).is_relative()) {
        if (!error.file.empty()) error.file = (origin.archive / error.file).string();
        return error;
    }
    if (!error.file.starts_with(root)) return error;
    std::string_view rest = std::string_view(error.file).substr(root.size());
    while (rest.starts_with('/')) rest.remove_prefix(1);
    std::string shown = origin.archive.string();
    if (!rest.empty()) shown += '/' + std::string(rest);
    error.file = shown;
    return error;
}

namespace {

/// An archive and where it is expanded to.
struct Expansion {
    const ReadOnlyFile& archive;
    const std::string& fingerprint;
    const StoreCache* cache;  ///< Null: none.
    const fs::path& temporary;
    ProgressSlot& progress;
    const CancelToken& cancel;
};

/// @param after  The phase that follows.
Result<Copy> findOrMakeCopy(const Expansion& expansion, const std::vector<std::string>& rawFolders,
                            ProgressPhase after) {
    const auto& [archive, fingerprint, cache, temporary, progress, cancel] = expansion;
    std::string version(kExpansionVersion);
    for (const std::string& folder : rawFolders) version += '\t' + folder;
    const std::string key = StoreCache::key("archive\n" + version + '\n' + fingerprint);

    auto kept = keptCopy(cache != nullptr ? cache->findFolder(key, cancel) : nullptr);
    if (cancel.cancelled()) return Cancelled{};
    if (kept) return std::move(*kept);
    progress.setPhase(ProgressPhase::Expanding);
    auto made = makeCopy(archive, rawFolders, key, cache, temporary, progress, cancel);
    if (!made.ok()) return made;
    progress.setFile({});
    progress.setPhase(after);
    return made;
}

/// Folders of ranks whose timeline is in raw data alone.
std::vector<std::string> foldersToRead(const CaptureManifest& manifest) {
    std::vector<std::string> folders;
    for (const RankManifest& rank : manifest.ranks) {
        const auto& present = rank.info.present;
        const bool hasRaw = std::find(present.begin(), present.end(), "raw") != present.end();
        if (!hasRaw || !rank.traces.empty()) continue;
        // Devices that were recorded together are ranks of their own; the host's records lie beside them.
        fs::path folder = rank.info.path;
        if (folder.filename().string().starts_with("device_")) folder = folder.parent_path();
        std::string name = folder.empty() ? "." : folder.string();
        if (std::find(folders.begin(), folders.end(), name) == folders.end()) folders.push_back(std::move(name));
    }
    return folders;
}

/// Scans the members that readers may want, with the raw data below some folders of the archive.
Result<CaptureManifest> scanCopy(const Expansion& expansion, const SourceChoice& choice,
                                 const std::vector<std::string>& rawFolders) {
    const ReadOnlyFile& archive = expansion.archive;
    const CancelToken& cancel = expansion.cancel;
    auto found = findOrMakeCopy(expansion, rawFolders, ProgressPhase::Scanning);
    if (!found.ok()) return found.as<CaptureManifest>();
    std::optional<Copy> copy = std::move(found).value();
    const fs::path opened = copy->files / copy->opened;
    auto origin = std::make_shared<const ArchiveOrigin>(
        ArchiveOrigin{archive.path(), expansion.fingerprint, opened, copy->keeper});
    auto manifest = scanCapture(opened, choice, cancel);
    const auto isNothing = [&manifest] {
        return manifest.failed() && manifest.error().code == "capture.nothing_found";
    };
    std::error_code error;
    if (isNothing() && copy->count == 1 && fs::is_directory(opened, error))
        manifest = scanCapture(opened / copy->only, choice, cancel);
    if (manifest.failed()) {
        // The rest of an archive that lost members may be anything: the loss is the error.
        const auto loss = firstLoss(copy->diagnostics, archive.path());
        const Error problem = loss ? *loss : locatedInArchive(manifest.error(), *origin);
        origin.reset();
        forget(std::move(*copy), cancel);
        return problem;
    }
    if (!manifest.ok()) return manifest;
    manifest.value().diagnostics.merge(copy->diagnostics);
    setOrigin(manifest.value(), origin);
    return manifest;
}

}  // namespace

Result<CaptureManifest> scanArchive(const fs::path& path, const SourceChoice& choice, const StoreCache* cache,
                                    ProgressSlot& progress, const CancelToken& cancel) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    const auto archive = ReadOnlyFile::open(error ? path : real);
    if (!archive.ok()) return archive.as<CaptureManifest>();
    const auto fingerprint = StoreCache::fingerprint(archive.value());
    if (!fingerprint.ok()) return fingerprint.as<CaptureManifest>();

    const Expansion expansion{archive.value(), fingerprint.value(), cache, choice.temporaryFolder, progress, cancel};
    auto manifest = scanCopy(expansion, choice, {});
    if (!manifest.ok()) return manifest;
    const std::vector<std::string> rawFolders = foldersToRead(manifest.value());
    if (rawFolders.empty()) return manifest;
    auto withRaw = scanCopy(expansion, choice, rawFolders);
    if (!withRaw.failed()) return withRaw;
    // The capture that was found without them stays.
    const Error& problem = withRaw.error();
    manifest.value().diagnostics.add(problem.code, Severity::Lost, archive.value().path().filename().string(), {},
                                     problem.parameters);
    return manifest;
}

Result<UnpackedFile> unpackFile(const fs::path& path, const StoreCache* cache, const fs::path& temporary,
                                ProgressSlot& progress, const CancelToken& cancel) {
    const auto packed = ReadOnlyFile::open(path);
    if (!packed.ok()) return packed.as<UnpackedFile>();
    const auto fingerprint = StoreCache::fingerprint(packed.value());
    if (!fingerprint.ok()) return fingerprint.as<UnpackedFile>();
    auto copy = findOrMakeCopy({packed.value(), fingerprint.value(), cache, temporary, progress, cancel}, {},
                               ProgressPhase::Reading);
    if (!copy.ok()) return copy.as<UnpackedFile>();
    UnpackedFile unpacked{copy.value().files / copy.value().opened, 0, copy.value().keeper,
                          std::move(copy.value().diagnostics)};
    std::error_code error;
    unpacked.size = fs::file_size(unpacked.path, error);
    if (error) return Error{"archive.not_expanded", path.string(), {}, {{"reason", error.message()}}};
    return unpacked;
}

}  // namespace altiscope::reader
