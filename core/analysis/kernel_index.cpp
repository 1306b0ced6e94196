#include "core/analysis/kernel_index.h"

#include "core/analysis/cell_reader.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kRowsOfPiece = std::size_t{1} << 17;
constexpr std::uint32_t kNoText = KernelSignature::kNoText;

/// Numbers of texts as the rank's pool has them, and whether it is a collective.
using RawSignature = std::array<std::uint32_t, 5>;

struct RawHash {
    std::size_t operator()(const RawSignature& key) const {
        std::uint64_t hash = (std::uint64_t{key[0]} << 32U | key[1]) * 0x9e3779b97f4a7c15ULL;
        hash = std::rotl(hash ^ (std::uint64_t{key[2]} << 32U | key[3]), 29) * 0xbf58476d1ce4e5b9ULL;
        hash = (hash ^ (hash >> 31U) ^ key[4]) * 0x94d049bb133111ebULL;
        return static_cast<std::size_t>(hash ^ (hash >> 29U));
    }
};

/// Numbers signatures in the order of their coming. Open addressing: a lookup for each kernel is what an index costs.
class SignatureNumbers {
public:
    std::uint32_t number(const RawSignature& key) {
        if (m_keys.size() * 2 >= m_slots.size()) grow();
        std::size_t at = RawHash()(key) & (m_slots.size() - 1);
        for (; m_slots[at] != kNoText; at = (at + 1) & (m_slots.size() - 1)) {
            if (m_keys[m_slots[at]] == key) return m_slots[at];
        }
        m_slots[at] = static_cast<std::uint32_t>(m_keys.size());
        m_keys.push_back(key);
        return m_slots[at];
    }
    const std::vector<RawSignature>& keys() const { return m_keys; }

private:
    void grow() {
        m_slots.assign(std::max<std::size_t>(1024, m_slots.size() * 2), kNoText);
        for (std::uint32_t i = 0; i < m_keys.size(); ++i) {
            std::size_t at = RawHash()(m_keys[i]) & (m_slots.size() - 1);
            while (m_slots[at] != kNoText) at = (at + 1) & (m_slots.size() - 1);
            m_slots[at] = i;
        }
    }

    std::vector<std::uint32_t> m_slots;
    std::vector<RawSignature> m_keys;
};

struct PieceSignatures {
    std::vector<RawSignature> keys;
    std::set<std::int64_t> steps;
};

constexpr std::size_t kernelColumnOf(std::string_view name) { return rowColumn(RowKind::Kernel, name); }

/// Writes the piece's own numbers for its rows.
PieceSignatures readPiece(const RowTable& table, std::optional<StringId> communication, std::span<const std::uint32_t> rows, std::uint32_t* numbers) {
    CellReader kind(table, kernelColumnOf("kind")), name(table, kernelColumnOf("name")), type(table, kernelColumnOf("type")), core(table, kernelColumnOf("accelerator_core")),
        shapes(table, kernelColumnOf("input_shapes")), step(table, kernelColumnOf("step"));
    const auto textAt = [](CellReader& cells, std::uint32_t row) {
        const std::int64_t cell = cells.at(row);
        return cell == kNoCell ? kNoText : static_cast<std::uint32_t>(cell);
    };
    PieceSignatures piece;
    SignatureNumbers known;
    std::int64_t lastStep = kNoCell;
    for (const std::uint32_t row : rows) {
        const bool isCollective = communication && kind.at(row) == std::int64_t{communication->value};
        *numbers++ = known.number({textAt(name, row), textAt(type, row), textAt(core, row), textAt(shapes, row), isCollective ? 1U : 0U});
        const std::int64_t ofStep = step.at(row);
        if (std::exchange(lastStep, ofStep) != ofStep && ofStep != kNoCell) piece.steps.insert(ofStep);
    }
    piece.keys = known.keys();
    return piece;
}

/// One numbering for the texts of all ranks that signatures name.
class TextNumbers {
public:
    explicit TextNumbers(std::vector<std::string_view>& texts) : m_texts(texts) {}

    void enter(const RowTables& rows) {
        m_rows = &rows;
        m_known.assign(rows.texts().size(), kNoText);
    }
    std::uint32_t number(std::uint32_t id) {
        if (id == kNoText) return kNoText;
        if (m_known[id] == kNoText) m_known[id] = number(m_rows->text({id}));
        return m_known[id];
    }
    std::uint32_t number(std::string_view text) {
        const auto [at, isNew] = m_numbers.try_emplace(text, static_cast<std::uint32_t>(m_texts.size()));
        if (isNew) m_texts.push_back(text);
        return at->second;
    }

private:
    std::vector<std::string_view>& m_texts;
    const RowTables* m_rows = nullptr;
    std::vector<std::uint32_t> m_known;
    std::unordered_map<std::string_view, std::uint32_t> m_numbers;
};

}  // namespace

std::vector<IndexPiece> piecesOf(const std::vector<HeldKernels>& held, std::size_t size) {
    std::vector<IndexPiece> pieces;
    for (std::size_t part = 0; part < held.size(); ++part) {
        const std::size_t rows = held[part].rows.size();
        for (std::size_t first = 0; first < rows; first += size) pieces.push_back({part, first, std::min(rows, first + size)});
    }
    return pieces;
}

std::shared_ptr<const KernelIndex> KernelIndex::make(std::shared_ptr<const CaptureStore> capture, std::vector<HeldKernels> held, const CancelToken& cancel) {
    auto index = std::make_shared<KernelIndex>();
    index->m_capture = std::move(capture);
    index->m_held = std::move(held);
    index->m_numbers.resize(index->m_held.size());
    for (std::size_t part = 0; part < index->m_held.size(); ++part) index->m_numbers[part].resize(index->m_held[part].rows.size());
    const std::vector<IndexPiece> pieces = piecesOf(index->m_held, kRowsOfPiece);
    std::vector<PieceSignatures> read(pieces.size());
    parallelFor(pieces.size(), [&](std::size_t p) {
        if (cancel.cancelled()) return;
        const IndexPiece& piece = pieces[p];
        const RowTables& rows = *index->rank(piece.part).rows;
        read[p] = readPiece(index->table(piece.part), rows.texts().find("communication"),
                            std::span(index->m_held[piece.part].rows).subspan(piece.first, piece.last - piece.first), index->m_numbers[piece.part].data() + piece.first);
    });
    std::vector<std::vector<std::uint32_t>> numbers(pieces.size());
    TextNumbers texts(index->m_texts);
    SignatureNumbers ofPart;
    std::size_t firstOfPart = 0;
    std::set<std::int64_t> steps;
    for (std::size_t p = 0; p < pieces.size() && !cancel.cancelled(); ++p) {
        const std::size_t part = pieces[p].part;
        if (p == 0 || part != pieces[p - 1].part) {
            ofPart = {};
            firstOfPart = index->m_signatures.size();
            texts.enter(*index->rank(part).rows);
        }
        for (const RawSignature& key : read[p].keys) {
            const std::size_t number = firstOfPart + ofPart.number(key);
            numbers[p].push_back(static_cast<std::uint32_t>(number));
            if (number < index->m_signatures.size()) continue;
            KernelSignature& made = index->m_signatures.emplace_back();
            made = {.part = static_cast<std::uint32_t>(part), .isCollective = key[4] != 0, .name = texts.number(key[0]), .type = texts.number(key[1]),
                    .core = texts.number(key[2]), .shapes = texts.number(key[3])};
            if (!made.isCollective || made.type != kNoText) continue;
            const std::string_view name = index->text(made.name);
            if (const auto end = name.find("__"); end != std::string_view::npos) made.type = texts.number(name.substr(0, end + 1));
        }
        steps.insert(read[p].steps.begin(), read[p].steps.end());
    }
    parallelFor(pieces.size(), [&](std::size_t p) {
        if (cancel.cancelled()) return;
        const IndexPiece& piece = pieces[p];
        for (std::size_t i = piece.first; i < piece.last; ++i) index->m_numbers[piece.part][i] = numbers[p][index->m_numbers[piece.part][i]];
    });
    index->m_steps.assign(steps.begin(), steps.end());
    return cancel.cancelled() ? nullptr : index;
}

std::uint64_t KernelIndex::kernels() const {
    std::uint64_t count = 0;
    for (const HeldKernels& part : m_held) count += part.rows.size();
    return count;
}

}  // namespace altiscope
