#include "app/gui/palette_search.h"

#include "app/gui/window_pages.h"
#include "core/session/find/name_search.h"
#include "core/session/findings_loader.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/finding_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/widgets/command_palette.h"
#include "views/overview/facts/capture_texts.h"
#include "views/timeline/page/timeline_page.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMaxFindings = 12, kMaxRanks = 12, kMaxTracks = 12, kMaxNames = 40;
/// Names of slices may be pages long.
constexpr qsizetype kMaxName = 120;

QString shortened(QString name) {
    name = name.simplified();
    if (name.size() > kMaxName) name = name.first(kMaxName / 2) + u'…' + name.last(kMaxName / 2);
    return name;
}

/// Which words of a query texts hold, in any case. Thousands of ranks have tracks of the same few names: each is looked
/// at once.
class WordMatcher {
public:
    using Words = std::uint64_t;  ///< A bit for each.

    explicit WordMatcher(const QString& query) : m_words(query.split(u' ', Qt::SkipEmptyParts)) {}

    /// No text has more words than there are bits.
    bool isEmpty() const { return m_words.isEmpty() || m_words.size() > 64; }
    Words all() const { return ~Words{0} >> (64 - m_words.size()); }
    Words in(const QString& text) const {
        Words found = 0;
        for (qsizetype i = 0; i < m_words.size(); ++i)
            if (text.contains(m_words[i], Qt::CaseInsensitive)) found |= Words{1} << i;
        return found;
    }
    /// @param text  Has to stay where it is.
    Words inKnown(std::string_view text) {
        const auto [known, isNew] = m_known.try_emplace(text, 0);
        if (isNew) known->second = in(toQString(text));
        return known->second;
    }

private:
    QStringList m_words;
    std::unordered_map<std::string_view, Words> m_known;
};

}  // namespace

PaletteSearch::PaletteSearch(const WindowServices& services, WindowPages& pages, CommandPalette& palette)
    : QObject(&palette), m_services(services), m_pages(pages), m_palette(palette), m_slot(services.session.jobs()) {
    palette.setSearch([this](const QString& query) { search(query); });
}

/// By their titles, or all by the name of their page; the worst first.
std::vector<PaletteHit> PaletteSearch::findings(const QString& query) const {
    std::vector<PaletteHit> hits;
    const auto found = m_pages.findings().found();
    for (std::size_t i = 0; i < found->findings.size() && hits.size() < kMaxFindings; ++i) {
        const FindingItem item = findingItem(found->findings[i]);
        const QString title = tr("Findings › %1").arg(item.title);
        if (!commandMatches(title + u' ' + ruleWord(toQString(found->findings[i].rule)), query)) continue;
        hits.push_back({title, findingHead(item), [this, found, i, hasEvidence = item.hasEvidence] {
                            // The rules may have run again since.
                            const bool isKnown = m_pages.findings().found() == found;
                            if (isKnown && hasEvidence) m_pages.showEvidence(i);
                            else m_pages.showView(ViewId::Findings);
                        }});
    }
    return hits;
}

/// By the name of the track or its process; words may name the rank beside it.
std::vector<PaletteHit> PaletteSearch::tracks(const QString& query) const {
    std::vector<PaletteHit> hits;
    const auto& captures = m_services.session.captures();
    WordMatcher matcher(query);
    if (matcher.isEmpty()) return hits;
    // Words have no blanks, so that none is partly in one text and partly in the next.
    const QString between = u" / "_s;
    const WordMatcher::Words inBetween = matcher.in(between);
    for (const OpenCapture& capture : captures) {
        if (capture.store == nullptr) continue;
        for (RankIndex r; r.value < capture.store->ranks.size(); ++r.value) {
            const RankEntry& rank = capture.store->ranks[r.value];
            if (rank.trace == nullptr) continue;
            const QString of =
                captures.size() > 1 ? captureName(capture) + u" › "_s + rankTitle(rank.info) : rankTitle(rank.info);
            const WordMatcher::Words inRank = matcher.in(of);
            for (TrackIndex t; t.value < rank.trace->tracks().size(); ++t.value) {
                if (hits.size() >= kMaxTracks) return hits;
                const Track& track = rank.trace->track(t);
                const WordMatcher::Words inName =
                    matcher.inKnown(track.process) | matcher.inKnown(track.name) | inBetween;
                if (inName == 0 || (inRank | inName) != matcher.all()) continue;
                const QString name = toQString(track.process) + between + toQString(track.name);
                hits.push_back({tr("Tracks › %1").arg(shortened(of + u" › "_s + name)), tr("show it in the timeline"),
                                [this, id = capture.id, r, track = track.id] {
                                    m_pages.showView(ViewId::Timeline);
                                    m_pages.timeline().showTrack(id, r, track);
                                }});
            }
        }
    }
    return hits;
}

std::vector<PaletteHit> PaletteSearch::ranks(const QString& query) const {
    std::vector<PaletteHit> hits;
    const auto& captures = m_services.session.captures();
    const QStringList words = query.split(u' ', Qt::SkipEmptyParts);
    // For "rank 1" that rank comes first, before those that have a 1 in the name of their folder.
    const auto isNamed = [&words](const RankInfo& info) {
        return info.rankId && words.contains(QString::number(*info.rankId));
    };
    for (const OpenCapture& capture : captures) {
        if (capture.store == nullptr) continue;
        std::set<std::int64_t> repeated;
        std::vector<RankIndex> order;
        for (RankIndex r; r.value < capture.store->ranks.size(); ++r.value) order.push_back(r);
        std::stable_partition(order.begin(), order.end(),
                              [&](RankIndex r) { return isNamed(capture.store->ranks[r.value].info); });
        for (const RankIndex r : order) {
            if (hits.size() >= kMaxRanks) break;
            const RankInfo& info = capture.store->ranks[r.value].info;
            const QString title = rankTitle(info);
            if (!commandMatches(title + u" rank 卡 "_s + toQString(info.host), query)) continue;
            const QString of = captures.size() > 1 ? captureName(capture) + u" › "_s + title : title;
            hits.push_back({tr("Ranks › %1").arg(of), tr("show it in the timeline"), [this, id = capture.id, r] {
                                m_pages.showView(ViewId::Timeline);
                                m_pages.timeline().showRank(id, r);
                            }});
            // The filter goes by numbers: of several with one number it shows all, and says so once.
            if (!info.rankId || (!info.place.empty() && !repeated.insert(*info.rankId).second)) continue;
            RankInfo all = info;
            all.place.clear();
            const QString ofAll =
                captures.size() > 1 ? captureName(capture) + u" › "_s + rankTitle(all) : rankTitle(all);
            const QString only =
                info.place.empty() ? tr("only this rank on all pages") : tr("all its recordings, on all pages");
            hits.push_back({tr("Ranks › %1").arg(ofAll), only, [this, rank = *info.rankId] {
                                ContextFilter context = m_services.selection.current().context;
                                context.ranks = {rank};
                                m_services.selection.setContext(std::move(context));
                            }});
        }
    }
    return hits;
}

PaletteHit PaletteSearch::hitOf(const FoundName& found) const {
    const QString name = toQString(found.name);
    const QString detail = tr("%1 times, %2").arg(formatCount(found.count), formatDuration(DurationNs{found.total}));
    return {tr("Slices › %1").arg(shortened(name)), detail, [this, name] {
                m_pages.showView(ViewId::Timeline);
                m_pages.timeline().find(name);
            }};
}

void PaletteSearch::search(const QString& query) {
    m_slot.cancel();
    if (query.isEmpty()) return;
    std::vector<std::shared_ptr<const CaptureStore>> stores;
    for (const OpenCapture& capture : m_services.session.captures()) {
        if (capture.store != nullptr) stores.push_back(capture.store);
    }
    std::vector<PaletteHit> known = findings(query);
    for (const auto& more : {ranks(query), tracks(query)}) known.insert(known.end(), more.begin(), more.end());
    if (!known.empty()) m_palette.showHits(query, known, false);
    struct Found {
        std::vector<FoundName> names;
        bool isComplete = false;
    };
    m_slot.startInParts<Found>(
        [stores = std::move(stores), text = query.toStdString()](const CancelToken& cancel,
                                                                 const auto& publish) -> Found {
            const auto give = [&publish](std::vector<FoundName> names) { publish(Found{std::move(names), false}); };
            return {findNames(stores, text, kMaxNames, give, cancel), true};
        },
        [this, query, known = std::move(known)](const Found& found) {
            std::vector<PaletteHit> hits = known;
            for (const FoundName& name : found.names) hits.push_back(hitOf(name));
            m_palette.showHits(query, std::move(hits), found.isComplete);
        });
}

}  // namespace altiscope
