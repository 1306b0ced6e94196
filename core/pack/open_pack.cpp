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

/// The text of a section of JSON; Error "pack.damaged" where it is not there or not whole.
Result<std::string> textOf(const PackFile& file, SectionKind kind, const CancelToken& cancel) {
    const PackSection* section = file.find(kind);
    if (section == nullptr || section->header.version != kJsonVersion)
        return Error{"pack.damaged", file.path().string(), {}, {}};
    const auto content = file.content(*section, cancel);
    if (!content.ok()) return content.as<std::string>();
    return std::string(content.value().bytes);
}

Result<PackedRanks> ranksOf(const PackFile& file, const CancelToken& cancel) {
    const auto text = textOf(file, SectionKind::Ranks, cancel);
    if (!text.ok()) return text.as<PackedRanks>();
    auto ranks = ranksFromJson(text.value());
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
    bool correctNumbers();
    void chooseRanks();
    void readRank(std::size_t number);
    Result<StoreFileContent> store(const PackSection* section) const;
    void lose(std::string_view code, const MessageParameters& parameters = {});
    void report() const;

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
};

void PackOpening::lose(std::string_view code, const MessageParameters& parameters) {
    m_capture.diagnostics.add(code, Severity::Lost, m_name, {}, parameters);
    m_isWhole = false;
}

void PackOpening::report() const {
    if (m_reading.onUpdate) m_reading.onUpdate(std::make_shared<const CaptureStore>(m_capture));
}

/// What is said about the capture, and about the pack itself.
void PackOpening::readNotes() {
    const auto text = textOf(*m_file, SectionKind::Diagnostics, m_cancel);
    auto diagnostics = text.ok() ? reader::diagnosticsOfJson(text.value()) : std::nullopt;
    if (diagnostics) m_capture.diagnostics = std::move(*diagnostics);
    else lose("pack.notes_lost");
    if (const auto whole = m_file->wholeUntil())
        m_capture.diagnostics.add("pack.cut", Severity::Lost, m_name, {PlaceUnit::Byte, *whole});
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
    auto groups = store(m_file->find(SectionKind::Groups));
    if (groups.ok()) m_capture.rows = std::move(groups.value().rows);
    else if (groups.failed()) lose("pack.groups_lost");
}

/// @return Whether there was anything to correct.
bool PackOpening::correctNumbers() {
    bool isAny = false;
    for (PackedRank& rank : m_list.ranks) {
        const auto said = m_reading.corrections.find(rank.info.path);
        if (said == m_reading.corrections.end() || !said->second.rankId) continue;
        isAny = true;
        rank.info.rankId = said->second.rankId;
        m_capture.diagnostics.add("rank.corrected", Severity::Info, rank.info.path, {},
                                  {{"rank", std::to_string(*rank.info.rankId)}});
    }
    return isAny;
}

void PackOpening::listRanks() {
    for (std::size_t i = 0; i < m_list.ranks.size(); ++i) m_order.push_back(i);
    if (correctNumbers()) {
        std::stable_sort(m_order.begin(), m_order.end(), [this](std::size_t a, std::size_t b) {
            const RankInfo &one = m_list.ranks[a].info, &other = m_list.ranks[b].info;
            return std::tie(one.rankId, one.path) < std::tie(other.rankId, other.path);
        });
    }
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

/// As of the capture's folder: what is known, what is wanted, and else ranks in order within a number of bytes.
void PackOpening::chooseRanks() {
    const reader::RankChoice& choice = m_reading.ranks;
    const CaptureStore* known = choice.known.get();
    const bool isSame =
        known != nullptr && std::equal(known->ranks.begin(), known->ranks.end(), m_capture.ranks.begin(),
                                       m_capture.ranks.end(), [](const RankEntry& a, const RankEntry& b) {
                                           return a.info.path == b.info.path && a.info.traceBytes == b.info.traceBytes;
                                       });
    if (isSame) {
        // What was lost stays lost.
        m_capture.diagnostics = known->diagnostics;
        m_isWhole = m_isWhole && (known->state != CaptureStore::State::Partial || m_list.state == known->state);
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
        isFirst = false;
    }
    if (isPartWanted) m_capture.diagnostics.add("pack.read_whole", Severity::Info, m_name, {});
}

Result<StoreFileContent> PackOpening::store(const PackSection* section) const {
    if (section == nullptr || section->header.version != kStoreFileVersion)
        return Error{"pack.damaged", m_file->path().string(), {}, {}};
    const auto content = m_file->content(*section, m_cancel);
    if (!content.ok()) return content.as<StoreFileContent>();
    return readStoreBytes({content.value().owner, content.value().bytes}, m_file->path(), m_cancel);
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
    const bool areArgumentsLost =
        packed.hasArguments && (arguments == nullptr || arguments->header.version != kArgumentsVersion);
    const std::lock_guard lock(m_mutex);
    RankEntry& entry = m_capture.ranks[place];
    entry.info.state = packed.info.state;
    m_progress.addDone(packed.info.traceBytes);
    if (content.ok()) {
        if (packed.hasTrace) entry.trace = std::move(content.value().store);
        entry.rows = std::move(content.value().rows);
        entry.steps = packed.steps;
        if (arguments != nullptr && !areArgumentsLost) entry.arguments = packedArguments(m_file, *arguments);
        if (areArgumentsLost) lose("pack.arguments_lost", rank);
    } else {
        const bool isOther = section != nullptr && section->header.version != kStoreFileVersion;
        lose(isOther ? "pack.other_version" : "pack.rank_lost", rank);
    }
    if (content.failed() || areArgumentsLost) entry.info.state = RankState::Partial;
    report();
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
    m_capture.state = m_isWhole ? m_list.state : CaptureStore::State::Partial;
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
    const auto file = PackFile::open(path);
    if (!file.ok()) return file.as<std::string>();
    const auto ranks = ranksOf(*file.value(), cancel);
    if (!ranks.ok()) return ranks.as<std::string>();
    return ranks.value().identity;
}

}  // namespace altiscope::pack
