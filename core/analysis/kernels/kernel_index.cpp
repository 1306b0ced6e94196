#include "core/analysis/kernels/kernel_index.h"

#include "core/analysis/kernels/kernel_signatures.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kRowsOfPiece = std::size_t{1} << 18;
constexpr std::uint32_t kNoText = KernelSignature::kNoText;

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
    std::string_view text(std::uint32_t number) const { return m_texts[number]; }
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

KernelSignature signatureOf(const RawSignature& raw, std::uint32_t part, std::optional<StringId> communication,
                            TextNumbers& texts) {
    KernelSignature made{.part = part,
                         .isCollective = communication && raw.kind == communication->value,
                         .name = texts.number(raw.name),
                         .type = texts.number(raw.type),
                         .core = texts.number(raw.core),
                         .shapes = texts.number(raw.shapes)};
    if (!made.isCollective || made.type != kNoText || made.name == kNoText) return made;
    const std::string_view name = texts.text(made.name);
    if (const auto end = name.find("__"); end != std::string_view::npos)
        made.type = texts.number(name.substr(0, end + 1));
    return made;
}

/// Signatures of all pieces of a part in the order of their coming.
struct MergedPart {
    std::size_t firstPiece = 0;
    std::vector<RawSignature> keys;
    std::vector<std::vector<std::uint32_t>> numbers;  ///< By piece: places in `keys` of its own signatures.
};

std::vector<MergedPart> mergedParts(std::size_t parts, const std::vector<IndexPiece>& pieces,
                                    const std::vector<PieceSignatures>& read) {
    std::vector<MergedPart> merged(parts);
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        MergedPart& part = merged[pieces[p].part];
        if (part.numbers.empty()) part.firstPiece = p;
        part.numbers.emplace_back();
    }
    parallelFor(parts, [&](std::size_t part) {
        SignatureNumbers known;
        for (std::size_t i = 0; i < merged[part].numbers.size(); ++i) {
            for (const RawSignature& key : read[merged[part].firstPiece + i].keys)
                merged[part].numbers[i].push_back(known.number(key));
        }
        merged[part].keys = known.keys();
    });
    return merged;
}

}  // namespace

std::shared_ptr<const KernelIndex> KernelIndex::make(std::shared_ptr<const CaptureStore> capture,
                                                     std::vector<FilteredKernels> selected, const CancelToken& cancel) {
    auto index = std::make_shared<KernelIndex>();
    index->m_capture = std::move(capture);
    index->m_selected = std::move(selected);
    for (const FilteredKernels& kernels : index->m_selected) index->m_numbers.emplace_back(kernels.rows.size());
    const std::vector<IndexPiece> pieces = piecesOf(index->m_selected, kRowsOfPiece);
    std::vector<PieceSignatures> read(pieces.size());
    const auto numbersOf = [&](const IndexPiece& piece) {
        return index->m_numbers[piece.part].span().subspan(piece.first, piece.last - piece.first);
    };
    parallelFor(pieces.size(), [&](std::size_t p) {
        const IndexPiece& piece = pieces[p];
        if (!cancel.cancelled())
            read[p] =
                readSignatures(index->table(piece.part), index->m_selected[piece.part].rows, piece, numbersOf(piece));
    });
    if (cancel.cancelled()) return nullptr;
    const std::vector<MergedPart> merged = mergedParts(index->m_selected.size(), pieces, read);
    std::vector<std::size_t> firstOfPart;
    TextNumbers texts(index->m_texts);
    for (std::size_t part = 0; part < merged.size(); ++part) {
        firstOfPart.push_back(index->m_signatures.size());
        const RowTables& rows = *index->rank(part).rows;
        texts.enter(rows);
        const auto communication = rows.texts().find("communication");
        for (const RawSignature& raw : merged[part].keys)
            index->m_signatures.push_back(signatureOf(raw, static_cast<std::uint32_t>(part), communication, texts));
    }
    parallelFor(pieces.size(), [&](std::size_t p) {
        const std::size_t part = pieces[p].part;
        const std::vector<std::uint32_t>& inPart = merged[part].numbers[p - merged[part].firstPiece];
        for (std::uint32_t& number : numbersOf(pieces[p]))
            number = static_cast<std::uint32_t>(firstOfPart[part] + inPart[number]);
    });
    std::set<std::int64_t> steps;
    for (const PieceSignatures& piece : read) steps.insert(piece.steps.begin(), piece.steps.end());
    index->m_steps.assign(steps.begin(), steps.end());
    return cancel.cancelled() ? nullptr : index;
}

std::uint64_t KernelIndex::kernels() const {
    std::uint64_t count = 0;
    for (const FilteredKernels& part : m_selected) count += part.rows.size();
    return count;
}

}  // namespace altiscope
