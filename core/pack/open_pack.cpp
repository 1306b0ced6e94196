#include "core/pack/open_pack.h"

#include "core/base/threads/parallel.h"
#include "core/import/ranks/diagnostics_json.h"
#include "core/pack/argument_blocks.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_json.h"
#include "core/store/file/store_file.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope::pack {

namespace {

using File = std::shared_ptr<const PackFile>;

/// Set for a section of another version of Altiscope, which is whole but says nothing to this one.
std::optional<std::string> otherVersion(const PackSection* section, std::uint32_t version) {
    if (section == nullptr || section->header.version == version) return std::nullopt;
    return std::to_string(section->header.version);
}

/// The text of a section of JSON; Error "pack.damaged" where it is not there or not whole, "pack.list_version"
/// {version} where it is of another version.
Result<PackBytes> textOf(const PackFile& file, SectionKind kind, const CancelToken& cancel) {
    const PackSection* section = file.find(kind);
    if (section == nullptr) return Error{"pack.damaged", file.path().string(), {}, {}};
    if (const auto version = otherVersion(section, kJsonVersion))
        return Error{"pack.list_version", file.path().string(), {}, {{"version", *version}}};
    return file.content(*section, cancel);
}

Result<PackedRanks> ranksOf(const PackFile& file, const CancelToken& cancel) {
    const auto text = textOf(file, SectionKind::Ranks, cancel);
    if (!text.ok()) return text.as<PackedRanks>();
    auto ranks = ranksFromJson(text.value().bytes);
    if (!ranks) return Error{"pack.damaged", file.path().string(), {}, {}};
    return std::move(*ranks);
}

/// One pack on its way in.
class PackOpening {
public:
    PackOpening(File file, PackedRanks list, const PackReading& reading, ProgressSlot& progress,
                const CancelToken& cancel)
        : m_file(std::move(file)), m_list(std::move(list)), m_reading(reading), m_progress(progress), m_cancel(cancel),
          m_name(m_file->path().filename().string()) {}

    Result<std::shared_ptr<const CaptureStore>> run();

private:
    void readNotes();
    void listRanks();
    void correctNumbers();
    void chooseRanks();
    void readRank(std::size_t number);
    Result<StoreFileContent> store(const PackSection* section) const;
    void lose(std::string_view code, const MessageParameters& parameters = {});
    /// That a part is lost because the system could not read the file is said beside.
    void loseUnread(const Error& error);
    void report() const;
    CaptureStore::State state() const;

    File m_file;
    PackedRanks m_list;
    const PackReading& m_reading;
    ProgressSlot& m_progress;
    const CancelToken& m_cancel;
    std::string m_name;
    std::vector<std::size_t> m_order;   // by place in the capture: place in the list
    std::vector<std::size_t> m_chosen;  // places in the capture
    std::mutex m_mutex;                 // guards what follows, and keeps updates apart
    CaptureStore m_capture;
    bool m_isWhole = true;
    std::size_t m_updates = 0;
};

void PackOpening::lose(std::string_view code, const MessageParameters& parameters) {
    m_capture.diagnostics.add(code, Severity::Lost, m_name, {}, parameters);
    m_isWhole = false;
}

void PackOpening::loseUnread(const Error& error) {
    if (error.code.starts_with("file.")) lose(error.code, error.parameters);
}

void PackOpening::report() const {
    if (m_reading.onUpdate) m_reading.onUpdate(std::make_shared<const CaptureStore>(m_capture));
}

/// What is said about the capture, and about the pack itself.
void PackOpening::readNotes() {
    const auto text = textOf(*m_file, SectionKind::Diagnostics, m_cancel);
    auto diagnostics = text.ok() ? reader::diagnosticsOfJson(text.value().bytes) : std::nullopt;
    if (diagnostics) m_capture.diagnostics = std::move(*diagnostics);
    else if (text.failed() && text.error().code == "pack.list_version")
        lose("pack.notes_version", text.error().parameters);
    else lose("pack.notes_lost");
    if (text.failed()) loseUnread(text.error());
    if (const auto whole = m_file->wholeUntil()) {
        m_capture.diagnostics.add("pack.cut", Severity::Lost, m_name, {PlaceUnit::Byte, *whole});
        m_isWhole = false;
    }
    std::uint64_t unknown = 0;
    for (const PackSection& section : m_file->sections()) {
        const std::uint32_t kind = section.header.kind;
        if (kind < static_cast<std::uint32_t>(SectionKind::Ranks) ||
            kind > static_cast<std::uint32_t>(SectionKind::Arguments))
            ++unknown;
    }
    if (unknown > 0)
        m_capture.diagnostics.add("pack.unknown_sections", Severity::Info, m_name, {},
                                  {{"count", std::to_string(unknown)}}, unknown);
    if (!m_list.hasGroups) return;
    const PackSection* section = m_file->find(SectionKind::Groups);
    auto groups = store(section);
    if (groups.ok()) m_capture.rows = std::move(groups.value().rows);
    if (!groups.failed()) return;
    if (const auto version = otherVersion(section, kStoreFileVersion))
        lose("pack.groups_version", {{"version", *version}});
    else lose("pack.groups_lost");
    loseUnread(groups.error());
}

void PackOpening::correctNumbers() {
    for (PackedRank& rank : m_list.ranks) {
        const auto said = m_reading.corrections.find(rank.info.path);
        if (said == m_reading.corrections.end() || !said->second.rankId) continue;
        rank.info.rankId = said->second.rankId;
        m_capture.diagnostics.add("rank.corrected", Severity::Info, rank.info.path, {},
                                  {{"rank", std::to_string(*rank.info.rankId)}});
    }
}

void PackOpening::listRanks() {
    for (std::size_t i = 0; i < m_list.ranks.size(); ++i) m_order.push_back(i);
    correctNumbers();
    // Corrected or not: look-ups of a rank rely on it.
    std::stable_sort(m_order.begin(), m_order.end(), [this](std::size_t a, std::size_t b) {
        const RankInfo &one = m_list.ranks[a].info, &other = m_list.ranks[b].info;
        return std::tie(one.rankId, one.path) < std::tie(other.rankId, other.path);
    });
    for (const std::size_t number : m_order) {
        RankEntry entry;
        entry.info = m_list.ranks[number].info;
        // They stayed where the capture was.
        entry.info.alternatives.clear();
        // Said again once it is read.
        if (m_list.ranks[number].hasStore) entry.info.state = RankState::Listed;
        m_capture.ranks.push_back(std::move(entry));
    }
    // Whoever watches the files watches the pack.
    if (!m_capture.ranks.empty())
        m_capture.ranks.front().sources =
            std::make_shared<const std::vector<FileStamp>>(std::vector<FileStamp>{stampOf(m_file->path())});
}

/// Whether both were read of the same state of the pack: another pack may have the same ranks.
bool isSameFile(const CaptureStore& known, const CaptureStore& now) {
    const auto stamps = [](const CaptureStore& capture) {
        return capture.ranks.empty() || capture.ranks.front().sources == nullptr ? std::vector<FileStamp>()
                                                                                 : *capture.ranks.front().sources;
    };
    return stamps(known) == stamps(now);
}

/// Whether anything of the pack itself was lost. What is said of the capture's files counts in the list's state.
bool isPackLost(const Diagnostics& diagnostics, std::string_view name) {
    const std::vector<Diagnostic> entries = diagnostics.about(name).entries();
    return std::any_of(entries.begin(), entries.end(), [](const Diagnostic& entry) {
        return entry.severity == Severity::Lost && (entry.code.starts_with("pack.") || entry.code.starts_with("file."));
    });
}

/// As of the capture's folder: what is known, what is wanted, and else ranks in order within a number of bytes.
void PackOpening::chooseRanks() {
    const reader::RankChoice& choice = m_reading.ranks;
    const CaptureStore* known = choice.known.get();
    const bool isSame = known != nullptr && isSameFile(*known, m_capture) &&
                        std::equal(known->ranks.begin(), known->ranks.end(), m_capture.ranks.begin(),
                                   m_capture.ranks.end(), [](const RankEntry& a, const RankEntry& b) {
                                       return a.info.path == b.info.path && a.info.traceBytes == b.info.traceBytes;
                                   });
    if (isSame) {
        // A loss stays one.
        m_capture.diagnostics = known->diagnostics;
        m_isWhole = m_isWhole && !isPackLost(known->diagnostics, m_name);
    }
    std::uint64_t bytes = 0;
    bool isFirst = choice.wanted.empty();
    bool isPartWanted = false;
    for (std::size_t i = 0; i < m_capture.ranks.size(); ++i) {
        if (!m_list.ranks[m_order[i]].hasStore) continue;
        const RankInfo& info = m_capture.ranks[i].info;
        const bool isKnown = known != nullptr && i < known->ranks.size() &&
                             (known->ranks[i].trace != nullptr || known->ranks[i].rows != nullptr);
        const bool isLost = isSame && known->ranks[i].info.state == RankState::Partial;
        if (isSame && (isKnown || isLost)) {
            m_capture.ranks[i] = known->ranks[i];
            continue;
        }
        const bool isWanted = std::find(choice.wanted.begin(), choice.wanted.end(), info.path) != choice.wanted.end();
        const bool isAutomatic = known == nullptr && (isFirst || info.traceBytes <= choice.automaticBytes - bytes);
        if (!isWanted && !isAutomatic && !isKnown) continue;
        m_chosen.push_back(i);
        isPartWanted = isPartWanted || (choice.windowOf(info.path) && !choice.acceptsWhole);
        if (!isAutomatic) continue;
        bytes = std::min(bytes + info.traceBytes, choice.automaticBytes);
        isFirst = isFirst && info.traceBytes == 0;
    }
    if (isPartWanted) m_capture.diagnostics.add("pack.read_whole", Severity::Info, m_name, {});
}

Result<StoreFileContent> PackOpening::store(const PackSection* section) const {
    if (section == nullptr || otherVersion(section, kStoreFileVersion))
        return Error{"pack.damaged", m_file->path().string(), {}, {}};
    const auto content = m_file->content(*section, m_cancel);
    if (!content.ok()) return content.as<StoreFileContent>();
    return readStoreBytes({content.value().owner, content.value().bytes}, m_file->path(), m_cancel);
}

MessageParameters withVersion(MessageParameters parameters, const std::string& version) {
    parameters.emplace_back("version", version);
    return parameters;
}

void PackOpening::readRank(std::size_t place) {
    if (m_cancel.cancelled()) return;
    const auto number = static_cast<std::uint32_t>(m_order[place]);
    const PackedRank& packed = m_list.ranks[number];
    const PackSection* section = m_file->find(SectionKind::Store, number);
    auto content = store(section);
    const MessageParameters rank{{"rank", packed.info.path}};
    if (content.cancelled()) return;
    const PackSection* arguments = packed.hasArguments ? m_file->find(SectionKind::Arguments, number) : nullptr;
    const auto otherArguments = otherVersion(arguments, kArgumentsVersion);
    const bool areArgumentsLost = packed.hasArguments && (arguments == nullptr || otherArguments);
    const std::lock_guard lock(m_mutex);
    RankEntry& entry = m_capture.ranks[place];
    entry.info.state = packed.info.state;
    m_progress.addDone(packed.info.traceBytes);
    if (content.ok()) {
        if (packed.hasTrace) entry.trace = std::move(content.value().store);
        entry.rows = std::move(content.value().rows);
        entry.steps = packed.steps;
        if (arguments != nullptr && !areArgumentsLost) entry.arguments = packedArguments(m_file, *arguments);
        if (otherArguments) lose("pack.arguments_version", withVersion(rank, *otherArguments));
        else if (areArgumentsLost) lose("pack.arguments_lost", rank);
    } else {
        if (const auto version = otherVersion(section, kStoreFileVersion))
            lose("pack.other_version", withVersion(rank, *version));
        else lose("pack.rank_lost", rank);
        loseUnread(content.error());
    }
    if (content.failed() || areArgumentsLost) entry.info.state = RankState::Partial;
    // Each update copies the list of all ranks: of thousands of small ones only some are sent at once.
    static constexpr std::size_t kReportedOneByOne = 64;
    if (m_updates++ % (m_capture.ranks.size() / kReportedOneByOne + 1) == 0) report();
}

/// Failed where ranks were lost and none was read: empty tables would pass for an answer. Ranks that were not wanted
/// yet may still be whole.
CaptureStore::State PackOpening::state() const {
    bool isAnyRead = false, isAnyLost = false, isAnyLeft = false;
    for (std::size_t i = 0; i < m_capture.ranks.size(); ++i) {
        const RankEntry& rank = m_capture.ranks[i];
        if (!m_list.ranks[m_order[i]].hasStore) continue;
        const bool isRead = rank.trace != nullptr || rank.rows != nullptr;
        isAnyRead = isAnyRead || isRead;
        isAnyLeft = isAnyLeft || (!isRead && rank.info.state == RankState::Listed);
        isAnyLost = isAnyLost || (!isRead && rank.info.state == RankState::Partial);
    }
    if (isAnyLost && !isAnyRead && !isAnyLeft) return CaptureStore::State::Failed;
    return m_isWhole ? m_list.state : CaptureStore::State::Partial;
}

Result<std::shared_ptr<const CaptureStore>> PackOpening::run() {
    m_capture.path = m_file->path().string();
    readNotes();
    listRanks();
    chooseRanks();
    for (const std::size_t place : m_chosen) m_progress.addTotal(m_capture.ranks[place].info.traceBytes);
    if (m_cancel.cancelled()) return Cancelled{};
    report();
    m_progress.setPhase(ProgressPhase::Reading);
    parallelFor(m_chosen.size(), [this](std::size_t i) { readRank(m_chosen[i]); });
    if (m_cancel.cancelled()) return Cancelled{};
    m_capture.state = state();
    m_capture.sealed = true;
    m_progress.setPhase(ProgressPhase::Done);
    return std::make_shared<const CaptureStore>(std::move(m_capture));
}

}  // namespace

Result<std::shared_ptr<const CaptureStore>> openPack(const std::filesystem::path& path, const PackReading& reading,
                                                     ProgressSlot& progress, const CancelToken& cancel) {
    try {
        progress.setPhase(ProgressPhase::Scanning);
        const auto file = PackFile::open(path);
        if (!file.ok()) return file.as<std::shared_ptr<const CaptureStore>>();
        auto ranks = ranksOf(*file.value(), cancel);
        if (!ranks.ok()) return ranks.as<std::shared_ptr<const CaptureStore>>();
        return PackOpening(file.value(), std::move(ranks).value(), reading, progress, cancel).run();
    } catch (const std::bad_alloc&) { return Error{"capture.out_of_memory", path.string(), {}, {}}; }
}

Result<std::string> packIdentity(const std::filesystem::path& path, const CancelToken& cancel) {
    try {
        const auto file = PackFile::open(path);
        if (!file.ok()) return file.as<std::string>();
        const auto ranks = ranksOf(*file.value(), cancel);
        if (!ranks.ok()) return ranks.as<std::string>();
        return ranks.value().identity;
    } catch (const std::bad_alloc&) { return Error{"capture.out_of_memory", path.string(), {}, {}}; }
}

}  // namespace altiscope::pack
