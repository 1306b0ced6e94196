#include "views/snapshot/data/block_details.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QEvent>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

struct DetailTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::BlockDetails)
};

QString escaped(std::string_view text) { return toQString(text).toHtmlEscaped(); }

QString stackHtml(std::string_view stack) {
    if (stack.empty()) return u"<p><i>"_s + DetailTexts::tr("No call stack was recorded.") + u"</i></p>"_s;
    return u"<pre style='white-space: pre-wrap'>"_s + escaped(stack) + u"</pre>"_s;
}

QString blockLink(const DeviceSnapshot& device, BlockNumber number) {
    const BlockLife& block = device.blocks[number];
    return htmlLink(u"block:%1"_s.arg(number),
                    bytesText(block.bytes) + u", "_s + stackTitle(device.stackText(block.stack)));
}

QString eventLink(const DeviceSnapshot& device, EventNumber event) {
    if (event < 0) return eventText(event);
    const QString time = entryTimeText(device, event);
    return htmlLink(u"event:%1"_s.arg(event), eventText(event)) + (time.isEmpty() ? QString() : u" · "_s + time);
}

/// Texts of a program may be of any length.
QString annotationHtml(std::string_view annotation) {
    constexpr std::size_t kShown = 4000;
    return escaped(annotation.substr(0, kShown)) + (annotation.size() > kShown ? u"…"_s : QString());
}

/// How long something took: in events, and in time where both ends have one.
QString pauseText(const DeviceSnapshot& device, EventNumber from, EventNumber to) {
    const QString events = DetailTexts::tr("%n event(s)", nullptr, to - from);
    const auto begin = device.timeAt(from), end = device.timeAt(to);
    return begin && end && *begin <= *end ? events + u" · "_s + formatDuration(*end - *begin) : events;
}

class Rows {
public:
    void add(const QString& name, const QString& html) {
        // Chinese names are taller than most values.
        m_html += u"<tr><td style='padding-right:8px'>%1</td><td style='vertical-align:middle'>%2</td></tr>"_s.arg(
            name.toHtmlEscaped(), html);
    }
    QString html() const { return u"<table>"_s + m_html + u"</table>"_s; }

private:
    QString m_html;
};

/// Which ranges of the program (record_function) an entry was in, the outermost first.
void addRanges(const DeviceSnapshot& device, EventNumber at, Rows& rows) {
    constexpr std::size_t kShown = 12;
    QStringList names;
    for (const std::string_view name : device.rangesAt(at, kShown)) names << annotationTitle(name);
    if (!names.isEmpty()) rows.add(DetailTexts::tr("Within"), names.join(u" › "_s).toHtmlEscaped());
}

/// Who released the block and when, and how long it was there.
void addRelease(const DeviceSnapshot& device, const BlockLife& block, Rows& rows) {
    const bool isThere = block.end == device.events;
    if (block.freeRequested < block.end && block.freeRequested + 1 != block.end && block.freeRequested >= 0)
        rows.add(DetailTexts::tr("Release requested by"), eventLink(device, block.freeRequested));
    rows.add(DetailTexts::tr("Released by"), isThere                    ? DetailTexts::tr("Alive at the end")
                                             : block.end <= block.begin ? DetailTexts::tr("Not in the history")
                                                                        : eventLink(device, block.end));
    if (!isThere && block.begin >= 0 && block.end > block.begin)
        rows.add(DetailTexts::tr("Lifetime"), pauseText(device, block.begin, block.end).toHtmlEscaped());
}

/// When the block was used, and how long it was not.
void addUses(const DeviceSnapshot& device, const BlockLife& block, const BlockUses& uses, Rows& rows) {
    const auto add = [&](const QString& name, EventNumber at, const QString& pause) {
        rows.add(name, eventLink(device, at) + u"<br>"_s + pause.toHtmlEscaped());
    };
    add(DetailTexts::tr("First use"), uses.first,
        block.begin < 0 ? QString()
                        : DetailTexts::tr("%1 after the allocation").arg(pauseText(device, block.begin, uses.first)));
    add(DetailTexts::tr("Last use"), uses.last,
        block.end >= device.events
            ? QString()
            : DetailTexts::tr("%1 before the release").arg(pauseText(device, uses.last, block.end)));
    if (uses.idle.begin < uses.idle.end)
        rows.add(DetailTexts::tr("Longest idle"), pauseText(device, uses.idle.begin, uses.idle.end).toHtmlEscaped());
    rows.add(DetailTexts::tr("Uses"), formatCount(uses.count));
}

/// The stack of the release, if the history has it.
QString releaseStackHtml(const DeviceSnapshot& device, const BlockLife& block) {
    if (block.end == device.events || block.end <= block.begin || block.end < 0) return {};
    // The stack of the request says who released it; the completion may come from the allocator itself.
    const bool hasRequest = block.freeRequested >= 0 && block.freeRequested < block.end;
    const std::string_view stack = device.entryStack(hasRequest ? block.freeRequested : block.end);
    return u"<p><b>"_s + DetailTexts::tr("Released by") + u"</b></p>"_s + stackHtml(stack);
}

/// The blocks at the same address before and after this one.
void addUsesOfAddress(const DeviceSnapshot& device, BlockNumber number, Rows& rows) {
    const auto [first, last] = device.usesOf(device.blocks[number].address);
    for (std::size_t i = first; i < last; ++i) {
        if (device.byAddress[i] != number) continue;
        if (i > first) rows.add(DetailTexts::tr("Address used before by"), blockLink(device, device.byAddress[i - 1]));
        if (i + 1 < last) rows.add(DetailTexts::tr("Address reused by"), blockLink(device, device.byAddress[i + 1]));
    }
}

/// Neighbours of the block in its segment.
void addNeighbours(const LoadedSnapshot& snapshot, BlockNumber number, const PoolState& pool, Rows& rows) {
    const auto part =
        std::find_if(pool.parts.begin(), pool.parts.end(), [&](const PoolPart& each) { return each.block == number; });
    if (part == pool.parts.end()) return;
    const auto index = static_cast<std::size_t>(part - pool.parts.begin());
    const auto segment = std::find_if(pool.segments.begin(), pool.segments.end(), [&](const PoolSegment& each) {
        return index >= each.firstPart && index < each.firstPart + each.parts;
    });
    if (segment == pool.segments.end()) return;
    const auto partText = [&](std::size_t which) {
        const PoolPart& of = pool.parts[which];
        return of.block == kNoBlock ? DetailTexts::tr("Free: %1").arg(bytesText(of.size)).toHtmlEscaped()
                                    : blockLink(*snapshot.device, of.block);
    };
    if (index > segment->firstPart) rows.add(DetailTexts::tr("Before it"), partText(index - 1));
    if (index + 1 < segment->firstPart + segment->parts) rows.add(DetailTexts::tr("After it"), partText(index + 1));
    rows.add(DetailTexts::tr("Segment"),
             DetailTexts::tr("%1 of %2; free: %3, holes: %4")
                 .arg(addressText(segment->address), bytesText(segment->size), bytesText(segment->holeBytes))
                 .arg(segment->holes)
                 .toHtmlEscaped());
}

}  // namespace

QString blockDetailsHtml(const LoadedSnapshot& snapshot, BlockNumber number, const PoolState* pool,
                         const std::optional<BlockUses>& uses) {
    const DeviceSnapshot& device = *snapshot.device;
    const BlockLife& block = device.blocks[number];
    Rows rows;
    rows.add(DetailTexts::tr("Requested"), exactBytesText(block.bytes).toHtmlEscaped());
    if (block.size != kNoCell) rows.add(DetailTexts::tr("Size"), exactBytesText(block.size).toHtmlEscaped());
    rows.add(DetailTexts::tr("Address"), addressText(block.address));
    if (block.stream != kNoCell) rows.add(DetailTexts::tr("Stream"), QString::number(block.stream));
    if (block.annotation != 0)
        rows.add(DetailTexts::tr("Annotation"), annotationHtml(device.annotationText(block.annotation)));
    addRanges(device, block.begin, rows);
    rows.add(DetailTexts::tr("Allocated by"), eventLink(device, block.begin));
    addRelease(device, block, rows);
    if (uses) addUses(device, block, *uses, rows);
    addUsesOfAddress(device, number, rows);
    if (pool != nullptr) addNeighbours(snapshot, number, *pool, rows);
    return rows.html() + u"<p><b>"_s + DetailTexts::tr("Allocated by") + u"</b></p>"_s +
           stackHtml(device.stackText(block.stack)) + releaseStackHtml(device, block);
}

QString eventDetailsHtml(const LoadedSnapshot& snapshot, EventNumber at) {
    const DeviceSnapshot& device = *snapshot.device;
    Rows rows;
    rows.add(DetailTexts::tr("Event"), eventText(at).toHtmlEscaped());
    rows.add(DetailTexts::tr("Allocated"), exactBytesText(device.allocatedAt(at)).toHtmlEscaped());
    rows.add(DetailTexts::tr("Reserved"), exactBytesText(device.reservedAt(at)).toHtmlEscaped());
    if (at < 0) return rows.html();
    const SnapshotEntryView entry = device.entry(at);
    if (const QString time = entryTimeText(device, at); !time.isEmpty()) rows.add(DetailTexts::tr("Time"), time);
    rows.add(DetailTexts::tr("Action"), escaped(device.actionText(at)));
    if (const std::string_view annotation = device.entryAnnotation(at); !annotation.empty())
        rows.add(DetailTexts::tr("Annotation"), annotationHtml(annotation));
    addRanges(device, at, rows);
    if (entry.size != kNoCell) rows.add(DetailTexts::tr("Size"), exactBytesText(entry.size).toHtmlEscaped());
    if (entry.address != kNoCell) rows.add(DetailTexts::tr("Address"), addressText(entry.address));
    if (entry.stream != kNoCell) rows.add(DetailTexts::tr("Stream"), QString::number(entry.stream));
    const bool isRelease = entry.action == SnapshotAction::FreeCompleted;
    const BlockNumber block =
        entry.address == kNoCell ? kNoBlock : device.blockAt(entry.address, isRelease ? at - 1 : at);
    if (block != kNoBlock) rows.add(DetailTexts::tr("Block"), blockLink(device, block));
    return rows.html() + stackHtml(device.entryStack(at));
}

BlockDetails::BlockDetails(SnapshotSelection& selection, QWidget* parent)
    : QTextBrowser(parent), m_selection(selection) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setMinimumWidth(fontMetrics().averageCharWidth() * 24);
    connect(&selection, &SnapshotSelection::blockChanged, this, &BlockDetails::refresh);
    connect(&selection, &SnapshotSelection::eventChanged, this, &BlockDetails::refresh);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (m_snapshot != nullptr) followSnapshotLink(url.toString(), *m_snapshot, m_selection);
    });
}

void BlockDetails::setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    m_pool.reset();
    refresh();
}

void BlockDetails::setPool(std::shared_ptr<const PoolState> pool) {
    m_pool = std::move(pool);
    refresh();
}

void BlockDetails::setUses(const std::optional<BlockUses>& uses) {
    if (!m_uses && !uses) return;
    m_uses = uses;
    refresh();
}

void BlockDetails::refresh() {
    setAccessibleName(tr("Details of the selected block"));
    if (m_snapshot == nullptr) return clear();
    const BlockNumber block = m_selection.block();
    setHtml(block == kNoBlock ? eventDetailsHtml(*m_snapshot, m_selection.eventNumber())
                              : blockDetailsHtml(*m_snapshot, block, m_pool.get(), m_uses));
}

void BlockDetails::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
}

void followSnapshotLink(const QString& link, const LoadedSnapshot& snapshot, SnapshotSelection& selection) {
    const auto number = link.mid(link.indexOf(u':') + 1).toUInt();
    if (link.startsWith("event:"_L1) && number < static_cast<std::uint32_t>(std::max(0, snapshot.device->events))) {
        selection.setBlock(kNoBlock);
        selection.setEvent(static_cast<EventNumber>(number));
    }
    if (link.startsWith("block:"_L1) && number < snapshot.device->blocks.size()) {
        const BlockLife& block = snapshot.device->blocks[number];
        if (!block.isThereAt(selection.eventNumber())) selection.setEvent(block.begin);
        selection.setBlock(number);
    }
}

}  // namespace altiscope
