#include "core/pack/open_pack.h"

#include "core/base/threads/parallel.h"
#include "core/import/ranks/diagnostics_json.h"
#include "core/pack/argument_blocks.h"
#include "core/pack/group_rows.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_json.h"
#include "core/pack/pack_set.h"
#include "core/pack/row_bounds.h"
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

/// A pack, or a folder of packs, on its way in.
class PackOpening {
public:
    PackOpening(PackSet set, const PackReading& reading, ProgressSlot& progress, const CancelToken& cancel)
        : m_set(std::move(set)), m_list(m_set.list), m_reading(reading), m_progress(progress), m_cancel(cancel) {}

    Result<std::shared_ptr<const CaptureStore>> run();

private:
    void readNotes();
    void readNotes(std::size_t file, std::vector<Diagnostics>& notes);
    void readGroups();
    void listRanks();
    void correctNumbers();
    void chooseRanks();
    void readRank(std::size_t number);
    Result<StoreFileContent> store(const PackFile& file, const PackSection* section) const;
    void lose(std::size_t file, std::string_view code, const MessageParameters& parameters = {});
    /// That a part is lost because the system could not read the file is said beside.
    void loseUnread(std::size_t file, const Error& error);
    void report() const;
    CaptureStore::State state() const;

    PackSet m_set;
    PackedRanks& m_list;
    const PackReading& m_reading;
    ProgressSlot& m_progress;
    const CancelToken& m_cancel;
    std::vector<std::size_t> m_order;   // by place in the capture: place in the list
    std::vector<std::size_t> m_chosen;  // places in the capture
    std::mutex m_mutex;                 // guards what follows, and keeps updates apart
    CaptureStore m_capture;
    bool m_isWhole = true;
    std::size_t m_updates = 0;
};

void PackOpening::lose(std::size_t file, std::string_view code, const MessageParameters& parameters) {
    m_capture.diagnostics.add(code, Severity::Lost, m_set.nameOf(file), {}, parameters);
    m_isWhole = false;
}

void PackOpening::loseUnread(std::size_t file, const Error& error) {
    if (error.code.starts_with("file.") || error.code.starts_with("remote.")) lose(file, error.code, error.parameters);
}

void PackOpening::report() const {
    if (m_reading.onUpdate) m_reading.onUpdate(std::make_shared<const CaptureStore>(m_capture));
}

/// Takes over what a pack says about the capture, and says what is to be said about the pack itself.
void PackOpening::readNotes(std::size_t file, std::vector<Diagnostics>& notes) {
    const PackFile& pack = *m_set.files[file];
    const auto text = textOf(pack, SectionKind::Diagnostics, kJsonVersion, m_cancel);
    if (auto said = text.ok() ? reader::diagnosticsOfJson(text.value().bytes) : std::nullopt)
        notes.push_back(std::move(*said));
    else if (text.failed() && text.error().code == "pack.list_version")
        lose(file, "pack.notes_version", text.error().parameters);
    else lose(file, "pack.notes_lost");
    if (text.failed()) loseUnread(file, text.error());
    if (const auto whole = pack.wholeUntil()) {
        m_capture.diagnostics.add("pack.cut", Severity::Lost, m_set.nameOf(file), {PlaceUnit::Byte, *whole});
        m_isWhole = false;
    }
    std::uint64_t unknown = 0;
    for (const PackSection& section : pack.sections()) {
        const std::uint32_t kind = section.header.kind;
        if (kind < static_cast<std::uint32_t>(SectionKind::Sums) ||
            kind > static_cast<std::uint32_t>(SectionKind::Results))
            ++unknown;
    }
    if (unknown > 0)
        m_capture.diagnostics.add("pack.unknown_sections", Severity::Info, m_set.nameOf(file), {},
                                  {{"count", std::to_string(unknown)}}, unknown);
}

void PackOpening::readNotes() {
    m_capture.diagnostics = m_set.problems;
    m_isWhole = !m_set.problems.anyLost();
    std::vector<Diagnostics> notes;
    for (std::size_t i = 0; i < m_set.files.size() && !m_cancel.cancelled(); ++i) readNotes(i, notes);
    m_capture.diagnostics.merge(notes.size() == 1 ? notes.front() : mergedDiagnostics(notes));
}

void PackOpening::readGroups() {
    std::vector<std::shared_ptr<const RowTables>> groups;
    for (std::size_t i = 0; m_list.hasGroups && i < m_set.files.size(); ++i) {
        const PackSection* section = m_set.files[i]->find(SectionKind::Groups);
        if (section == nullptr && m_set.files.size() > 1) continue;
        auto rows = store(*m_set.files[i], section);
        if (rows.ok()) groups.push_back(std::move(rows.value().rows));
        if (!rows.failed()) continue;
        if (const auto version = otherVersion(section, kStoreFileVersion))
            lose(i, "pack.groups_version", {{"version", *version}});
        else lose(i, "pack.groups_lost");
        loseUnread(i, rows.error());
    }
    m_capture.rows = mergedGroups(groups, m_cancel);
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
        if (m_reading.onlySums) entry.steps = m_list.ranks[number].steps;
        else if (m_list.ranks[number].hasStore) entry.info.state = RankState::Listed;
        m_capture.ranks.push_back(std::move(entry));
    }
    // To watch the files of the capture is to watch its packs.
    if (m_capture.ranks.empty()) return;
    std::vector<FileStamp> stamps;
    for (const auto& file : m_set.files) stamps.push_back(file->stamp());
    m_capture.ranks.front().sources = std::make_shared<const std::vector<FileStamp>>(std::move(stamps));
}

/// Whether both were read of the same state of the pack: another pack may have the same ranks.
bool isSameFile(const CaptureStore& known, const CaptureStore& now) {
    const auto stamps = [](const CaptureStore& capture) {
        return capture.ranks.empty() || capture.ranks.front().sources == nullptr ? std::vector<FileStamp>()
                                                                                 : *capture.ranks.front().sources;
    };
    return stamps(known) == stamps(now);
}

/// Whether anything of the packs themselves was lost. What is said of the capture's files counts in the list's state.
bool isPackLost(const Diagnostics& diagnostics, const PackSet& set) {
    const std::vector<Diagnostic> entries = diagnostics.entries();
    return std::any_of(entries.begin(), entries.end(), [&set](const Diagnostic& entry) {
        bool isOfPack = false;
        for (std::size_t i = 0; i < set.files.size() && !isOfPack; ++i) isOfPack = set.nameOf(i) == entry.file;
        return isOfPack && entry.severity == Severity::Lost &&
               (entry.code.starts_with("pack.") || entry.code.starts_with("file."));
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
        m_isWhole = m_isWhole && !isPackLost(known->diagnostics, m_set);
    }
    if (m_reading.onlySums) return;
    std::uint64_t bytes = 0;
    bool isFirst = choice.wanted.empty();
    bool isPartWanted = false;
    for (std::size_t i = 0; i < m_capture.ranks.size(); ++i) {
        const RankInfo& info = m_capture.ranks[i].info;
        if (!m_list.ranks[m_order[i]].hasStore || !choice.accepts(info)) continue;
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
    if (isPartWanted) m_capture.diagnostics.add("pack.read_whole", Severity::Info, m_set.nameOf(0), {});
}

Result<StoreFileContent> PackOpening::store(const PackFile& file, const PackSection* section) const {
    if (section == nullptr || otherVersion(section, kStoreFileVersion))
        return Error{"pack.damaged", file.path().string(), {}, {}};
    const auto content = file.content(*section, m_cancel);
    if (!content.ok()) return content.as<StoreFileContent>();
    return readStoreBytes({content.value().owner, content.value().bytes}, file.path(), m_cancel);
}

MessageParameters withVersion(MessageParameters parameters, const std::string& version) {
    parameters.emplace_back("version", version);
    return parameters;
}

void PackOpening::readRank(std::size_t place) {
    if (m_cancel.cancelled()) return;
    const PackedRank& packed = m_list.ranks[m_order[place]];
    const auto [file, number] = m_set.places[m_order[place]];
    const std::shared_ptr<const PackFile>& pack = m_set.files[file];
    const PackSection* section = pack->find(SectionKind::Store, number);
    auto content = store(*pack, section);
    const MessageParameters rank{{"rank", packed.info.path}};
    if (content.cancelled()) return;
    std::uint64_t beyond = 0;
    if (content.ok()) content.value().rows = boundedRows(std::move(content.value().rows), beyond);
    const PackSection* arguments = packed.hasArguments ? pack->find(SectionKind::Arguments, number) : nullptr;
    const auto otherArguments = otherVersion(arguments, kArgumentsVersion);
    const bool areArgumentsLost = packed.hasArguments && (arguments == nullptr || otherArguments);
    RankEntry entry = m_capture.ranks[place];
    std::unique_lock lock(m_mutex);
    entry.info.state = packed.info.state;
    m_progress.addDone(packed.info.traceBytes);
    if (content.ok()) {
        if (packed.hasTrace) entry.trace = std::move(content.value().store);
        entry.rows = std::move(content.value().rows);
        entry.steps = packed.steps;
        if (arguments != nullptr && !areArgumentsLost) entry.arguments = packedArguments(pack, *arguments);
        if (otherArguments) lose(file, "pack.arguments_version", withVersion(rank, *otherArguments));
        else if (areArgumentsLost) lose(file, "pack.arguments_lost", rank);
    } else {
        if (const auto version = otherVersion(section, kStoreFileVersion))
            lose(file, "pack.other_version", withVersion(rank, *version));
        else lose(file, "pack.rank_lost", rank);
        loseUnread(file, content.error());
    }
    if (beyond > 0) {
        MessageParameters parameters = rank;
        parameters.emplace_back("count", std::to_string(beyond));
        lose(file, "pack.row_times", parameters);
    }
    if (content.failed() || areArgumentsLost || beyond > 0) entry.info.state = RankState::Partial;
    if (m_reading.onRank && content.ok()) {
        lock.unlock();
        m_reading.onRank(place, entry);
        lock.lock();
    }
    m_capture.ranks[place] = std::move(entry);
    // Each update copies the list of all ranks: of thousands of small ones only some are sent at once.
    static constexpr std::size_t kReportedOneByOne = 64;
    if (m_updates++ % (m_capture.ranks.size() / kReportedOneByOne + 1) == 0) report();
}

/// Failed where ranks were lost and none was read: empty tables would pass for an answer. Ranks that were not wanted
/// yet may still be whole.
CaptureStore::State PackOpening::state() const {
    if (m_reading.onlySums) return m_isWhole ? m_list.state : CaptureStore::State::Partial;
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
    m_capture.path = m_set.path.string();
    readNotes();
    readGroups();
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
        auto set = openPackSet(path, cancel, reading.source);
        if (!set.ok()) return set.as<std::shared_ptr<const CaptureStore>>();
        return PackOpening(std::move(set).value(), reading, progress, cancel).run();
    } catch (const std::bad_alloc&) { return Error{"capture.out_of_memory", path.string(), {}, {}}; }
}

Result<std::string> packIdentity(const std::filesystem::path& path, const CancelToken& cancel) {
    try {
        const auto set = openPackSet(path, cancel);
        if (!set.ok()) return set.as<std::string>();
        return set.value().list.identity;
    } catch (const std::bad_alloc&) { return Error{"capture.out_of_memory", path.string(), {}, {}}; }
}

}  // namespace altiscope::pack
