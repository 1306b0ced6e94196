#include "core/import/archive/archive_expansion.h"

#include "core/base/values/parse.h"
#include "core/import/archive/archive_names.h"
#include "core/import/archive/archive_reader.h"
#include "core/import/archive/archive_writer.h"
#include "core/import/archive/zip_names.h"
#include "core/import/files/file_names.h"
#include "core/import/raw_files/raw_contents.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

/// Left to the rest of the system.
constexpr std::uint64_t kSpared = std::uint64_t{256} << 20;
/// So much may be written before the free space is looked at again.
constexpr std::uint64_t kSpaceStep = std::uint64_t{64} << 20;

/// One archive on its way into a folder.
class Expander {
public:
    Expander(const ReadOnlyFile& archive, const fs::path& folder, const std::vector<std::string>& rawFolders,
             const ArchiveLimits& limits, ProgressSlot& progress, const CancelToken& cancel)
        : m_archive(archive), m_folder(folder), m_rawFolders(rawFolders), m_limits(limits), m_progress(progress),
          m_cancel(cancel) {}

    Result<ExpandedArchive> run();

private:
    enum class Flow : std::uint8_t { GoOn, Stop };
    enum class Content : std::uint8_t { Wanted, Unwanted, Undecided };

    Flow take(ArchiveReader& reader, const ArchiveMember& member);
    Flow expand(ArchiveReader& reader, const std::string& relative, const std::string& shown,
                std::optional<std::uint64_t> size, Content content);
    /// Takes the way of a member to its folder. @return 0, or the system's number for what is in the way.
    int makeFolder(const fs::path& folder);
    /// A member that could not be made, because of its name or because of the place.
    void refuse(int problem, const std::string& shown);
    void markRaw(const fs::path& folder, const std::string& name);
    /// Whether raw data at a path below the folder is wanted.
    bool isRawWanted(const std::string& relative) const;
    bool beginFile(const std::string& relative, const std::string& shown);
    Flow count(std::uint64_t bytes, const std::string& shown);
    bool hasSpace(std::uint64_t bytes);
    /// Whether as much as may be was written; tells it.
    bool isFull();
    /// Whether a member may be as large as the archive says: a false size does not make the others unreadable.
    bool isBelievable(std::uint64_t size) const;
    void add(std::string_view code, Severity severity, const std::string& shown,
             const MessageParameters& parameters = {});
    void lose(const Error& problem, const std::string& shown);
    void reportProgress(const ArchiveReader& reader);
    void reportDamagedParts(const ArchiveReader& reader);
    Error aboutArchive(std::string code, MessageParameters parameters) const {
        return {std::move(code), m_archive.path().string(), {}, std::move(parameters)};
    }
    Result<ExpandedArchive> outcome();

    const ReadOnlyFile& m_archive;
    const std::string m_name = m_archive.path().filename().string();
    const fs::path& m_folder;
    const std::vector<std::string>& m_rawFolders;
    const ArchiveLimits& m_limits;
    ProgressSlot& m_progress;
    const CancelToken& m_cancel;

    ExpandedArchive m_expanded;
    ArchiveWriter m_writer;
    std::set<std::string> m_files;
    std::set<std::pair<fs::path, std::string_view>> m_rawMarks;
    fs::path m_lastFolder;
    std::optional<Error> m_error;  // ends it all
    std::optional<Error> m_firstLoss;
    std::uint64_t m_position = 0;  // in the archive
    std::uint64_t m_reported = 0;  // of that to the progress
    std::uint64_t m_bytes = 0;     // expanded
    std::uint64_t m_unchecked = kSpaceStep;
    std::size_t m_named = 0;
    std::size_t m_folders = 0;  // that were made
    bool m_hasRaw = false;      // among the members
};

void Expander::add(std::string_view code, Severity severity, const std::string& shown,
                   const MessageParameters& parameters) {
    // Only some by name: an archive may hold a million of them.
    static constexpr std::size_t kNamed = 100;
    const Place place{PlaceUnit::Byte, m_position};
    m_expanded.diagnostics.add(code, severity, ++m_named <= kNamed ? shown : ".", place, parameters);
    if (severity == Severity::Lost && !m_firstLoss)
        m_firstLoss = Error{std::string(code), m_archive.path().string(), place.text(), parameters};
}

void Expander::lose(const Error& problem, const std::string& shown) {
    add(problem.code, Severity::Lost, shown, problem.parameters);
}

void Expander::reportProgress(const ArchiveReader& reader) {
    m_position = reader.position();
    const std::uint64_t done = reader.bytesDone();
    m_progress.addDone(done - m_reported);
    m_reported = done;
}

/// Parts of a gzip file whose content is not what was packed: all of them were read.
void Expander::reportDamagedParts(const ArchiveReader& reader) {
    const std::vector<std::uint64_t> places = reader.damagedPlaces();
    std::uint64_t count = reader.damagedParts();
    const MessageParameters reason{{"reason", "a checksum or a length is wrong"}};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place place{PlaceUnit::Byte, places[i]};
        // The last place stands for all that follow.
        const std::uint64_t these = i + 1 < places.size() ? 1 : count;
        m_expanded.diagnostics.add("archive.damaged", Severity::Lost, m_name, place, reason, these);
        count -= these;
        if (!m_firstLoss) m_firstLoss = Error{"archive.damaged", m_archive.path().string(), place.text(), reason};
    }
}

bool Expander::hasSpace(std::uint64_t bytes) {
    std::error_code error;
    const auto space = fs::space(m_folder, error);
    if (error || (space.available > kSpared && space.available - kSpared >= bytes)) return true;
    m_error = aboutArchive("archive.no_space", {{"bytes", std::to_string(bytes + kSpared - space.available)}});
    return false;
}

Expander::Flow Expander::count(std::uint64_t bytes, const std::string& shown) {
    m_bytes += bytes;
    const bool isBomb = m_bytes > m_limits.bytesAtAnyRatio && m_bytes / m_limits.ratio > m_archive.size();
    if (m_bytes > m_limits.bytes || isBomb) {
        add("archive.too_large", Severity::Lost, shown,
            {{"bytes", std::to_string(m_bytes)},
             {"size", std::to_string(m_archive.size())},
             {"limit", std::to_string(m_limits.bytes)},
             {"ratio", std::to_string(m_limits.ratio)}});
        return Flow::Stop;
    }
    m_unchecked += bytes;
    if (m_unchecked < kSpaceStep) return Flow::GoOn;
    m_unchecked = 0;
    return hasSpace(kSpaceStep) ? Flow::GoOn : Flow::Stop;
}

bool Expander::isBelievable(std::uint64_t size) const {
    return size <= m_limits.bytes && (size <= m_limits.bytesAtAnyRatio || size / m_limits.ratio <= m_archive.size());
}

bool Expander::isFull() {
    if (m_files.size() + m_folders < m_limits.files) return false;
    add("archive.too_many", Severity::Lost, m_name, {{"limit", std::to_string(m_limits.files)}});
    return true;
}

int Expander::makeFolder(const fs::path& folder) {
    if (folder == m_lastFolder) return 0;
    std::error_code error;
    m_folders += fs::create_directories(folder, error) ? 1 : 0;
    if (error) return error.value();
    if (!fs::is_directory(folder, error)) return error ? error.value() : ENOTDIR;
    m_lastFolder = folder;
    return 0;
}

/// An empty file stands for the first one of its kind in a folder of raw data.
void Expander::markRaw(const fs::path& folder, const std::string& name) {
    const std::string_view content = rawContentOf(name);
    if (!content.empty() && m_rawMarks.emplace(folder, content).second) std::ofstream(folder / name, std::ios::app);
}

bool Expander::isRawWanted(const std::string& relative) const {
    return std::any_of(m_rawFolders.begin(), m_rawFolders.end(), [&relative](const std::string& folder) {
        return folder == "." ||
               (relative.size() > folder.size() && relative.starts_with(folder) && relative[folder.size()] == '/');
    });
}

bool Expander::beginFile(const std::string& relative, const std::string& shown) {
    const fs::path path = m_folder / relative;
    const bool isNew = m_files.insert(relative).second;
    if (!isNew) {
        // As programs that unpack do: what comes later counts.
        std::error_code error;
        fs::remove(path, error);
        add("archive.repeated", Severity::Info, shown);
    }
    int problem = makeFolder(path.parent_path());
    if (problem == 0) problem = m_writer.begin(path);
    if (problem == 0 && isNew) m_expanded.files.push_back(relative);
    if (problem != 0) refuse(problem, shown);
    return problem == 0;
}

void Expander::refuse(int problem, const std::string& shown) {
    const bool isItsName = problem == ENOTDIR || problem == EEXIST || problem == EISDIR || problem == ENAMETOOLONG ||
                           problem == EILSEQ || problem == EINVAL;
    if (isItsName) add("archive.path_refused", Severity::Lost, shown);
    else
        m_error = aboutArchive("archive.not_expanded",
                               {{"reason", std::error_code(problem, std::generic_category()).message()}});
}

Expander::Flow Expander::expand(ArchiveReader& reader, const std::string& relative, const std::string& shown,
                                std::optional<std::uint64_t> size, Content content) {
    // Where passing over it is cheap, next() does it.
    if (content == Content::Unwanted && !reader.isStream()) return Flow::GoOn;
    bool isOpen = false;
    std::uint64_t end = 0;
    Flow flow = Flow::GoOn;
    while (flow == Flow::GoOn) {
        const auto block = reader.read();
        if (block.cancelled()) return Flow::Stop;
        reportProgress(reader);
        if (content == Content::Undecided && block.ok() && block.value()) {
            const MemberUse use = useByHead(std::filesystem::path(relative).filename().string(),
                                            {block.value()->bytes.data(), block.value()->bytes.size()});
            if (use == MemberUse::Nested) add("archive.nested", Severity::Info, shown);
            content = use == MemberUse::Needed ? Content::Wanted : Content::Unwanted;
            if (content == Content::Unwanted && !reader.isStream()) return Flow::GoOn;
        }
        if (content == Content::Wanted && !isOpen && (block.ok() || end > 0)) {
            if (isFull()) return Flow::Stop;
            if (size && *size > kSpaceStep && isBelievable(*size) && !hasSpace(*size)) return Flow::Stop;
            if (!beginFile(relative, shown)) return m_error ? Flow::Stop : Flow::GoOn;
            isOpen = true;
        }
        if (block.failed()) {
            lose(block.error(), shown);
            break;
        }
        if (!block.value()) break;
        const std::uint64_t blockEnd = block.value()->offset + block.value()->bytes.size();
        // Holes count like bytes: a reader of the file reads them all.
        flow = count(blockEnd > end ? blockEnd - end : block.value()->bytes.size(), shown);
        end = std::max(end, blockEnd);
        if (isOpen && flow == Flow::GoOn) m_writer.write(block.value()->offset, block.value()->bytes);
        if (m_writer.problem() != 0) flow = Flow::Stop;
    }
    if (isOpen) m_writer.end();
    return flow;
}

Expander::Flow Expander::take(ArchiveReader& reader, const ArchiveMember& member) {
    if (reader.isSingleFile()) {
        m_expanded.isSingleFile = true;
        const std::string name = nameOfContent(m_archive.path());
        m_progress.setFile(name);
        return expand(reader, name, name, std::nullopt, Content::Wanted);
    }
    const std::string shown = shownMemberName(member.name);
    const auto parts = memberParts(member.name);
    const bool hidesFile = parts && !parts->empty() && !fileContent(parts->back()).empty();
    if (member.kind == ArchiveMember::Kind::Link)
        add("archive.link_skipped", hidesFile ? Severity::Lost : Severity::Info, shown);
    else if (member.kind == ArchiveMember::Kind::Special)
        add("archive.special_skipped", isDataFileName(shown) ? Severity::Lost : Severity::Info, shown);
    else if (!parts) add("archive.path_refused", Severity::Lost, shown);
    // Bytes that are passed over count too: in a stream they are decompressed.
    if (!parts || parts->empty() || member.kind == ArchiveMember::Kind::Link ||
        member.kind == ArchiveMember::Kind::Special)
        return expand(reader, {}, shown, member.size, Content::Unwanted);

    std::string relative;
    for (const std::string& part : *parts) relative += (relative.empty() ? "" : "/") + part;
    const bool isRaw = liesInRawData(*parts);
    // In these an analysis keeps what it reads again.
    const bool isIntermediate = std::find(parts->begin(), parts->end(), "sqlite") != parts->end();
    m_hasRaw = m_hasRaw || isRaw;
    const bool isWanted = isRaw && !isIntermediate && isRawWanted(relative);
    if (member.kind == ArchiveMember::Kind::Folder || (isRaw && !isWanted)) {
        // Raw data is much, and most captures hold what was made of it: its names say whether it is needed.
        fs::path folder = m_folder / relative;
        if (isRaw) {
            std::vector<std::string> up = *parts;
            while (liesInRawData(up)) up.pop_back();
            folder = m_folder;
            for (const std::string& part : up) folder /= part;
        }
        if (isFull()) return Flow::Stop;
        if (const int problem = makeFolder(folder); problem != 0) refuse(problem, shown);
        else if (isRaw) markRaw(folder, parts->back());
        if (m_error) return Flow::Stop;
        return expand(reader, relative, shown, member.size, Content::Unwanted);
    }
    const MemberUse use = isWanted ? MemberUse::Needed : useByName(parts->back(), member.size);
    if (use == MemberUse::Nested) {
        add("archive.nested", Severity::Info, shown);
        return expand(reader, relative, shown, member.size, Content::Unwanted);
    }
    if (member.isEncrypted) {
        add("archive.encrypted", Severity::Lost, shown);
        return Flow::GoOn;
    }
    m_progress.setFile(relative);
    return expand(reader, relative, shown, member.size,
                  use == MemberUse::Needed ? Content::Wanted : Content::Undecided);
}

Result<ExpandedArchive> Expander::run() {
    m_progress.addTotal(m_archive.size());
    auto reader = ArchiveReader::open(m_archive, m_cancel);
    if (!reader.ok()) return reader.as<ExpandedArchive>();
    std::size_t members = 0;
    for (Flow flow = Flow::GoOn; flow == Flow::GoOn;) {
        const auto member = reader.value().next();
        if (m_cancel.cancelled()) return Cancelled{};
        reportProgress(reader.value());
        if (member.failed()) lose(member.error(), m_name);
        if (!member.ok() || !member.value()) break;
        if (++members > m_limits.members) {
            add("archive.too_many", Severity::Lost, m_name, {{"limit", std::to_string(m_limits.members)}});
            break;
        }
        flow = take(reader.value(), *member.value());
        if (m_cancel.cancelled()) return Cancelled{};
    }
    reportDamagedParts(reader.value());
    const auto named = eachZipAlias(m_archive, m_limits.members, m_cancel, [this](const ZipAlias& alias) {
        m_position = alias.place;
        const std::string own = shownMemberName(alias.own), listed = shownMemberName(alias.listed);
        add("archive.two_names", isDataFileName(own) || isDataFileName(listed) ? Severity::Lost : Severity::Info, own,
            {{"listed", listed}});
    });
    if (m_cancel.cancelled()) return Cancelled{};
    if (!named.ok()) return named.as<ExpandedArchive>();
    if (reader.value().endsUnmarked()) add("archive.truncated", Severity::Lost, m_name, {{"reason", "no end mark"}});
    return outcome();
}

Result<ExpandedArchive> Expander::outcome() {
    const int problem = m_writer.finish();
    if (m_error) return *m_error;
    if (problem == ENOSPC) return aboutArchive("archive.no_space", {{"bytes", std::to_string(kSpared)}});
    if (problem != 0)
        return aboutArchive("archive.not_expanded",
                            {{"reason", std::error_code(problem, std::generic_category()).message()}});
    if (m_expanded.files.empty() && !m_hasRaw) return m_firstLoss ? *m_firstLoss : aboutArchive("archive.empty", {});
    m_progress.addDone(m_archive.size() - m_reported);
    return std::move(m_expanded);
}

}  // namespace

Result<ExpandedArchive> expandArchive(const ReadOnlyFile& archive, const fs::path& folder,
                                      const std::vector<std::string>& rawFolders, const ArchiveLimits& limits,
                                      ProgressSlot& progress, const CancelToken& cancel) {
    return Expander(archive, folder, rawFolders, limits, progress, cancel).run();
}

}  // namespace altiscope::reader
