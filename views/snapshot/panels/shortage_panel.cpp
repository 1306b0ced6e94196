#include "views/snapshot/panels/shortage_panel.h"

#include "core/session/session.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/snapshot/data/block_details.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

struct ShortageTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::ShortagePanel)
};

constexpr std::size_t kMaxHolders = 20;
/// Failed requests in the list: the last ones.
constexpr std::size_t kMaxFailures = 100;
constexpr int kSelectedMoment = -100;

QString stackLink(const DeviceSnapshot& device, std::uint32_t stack) {
    return htmlLink(u"stack:%1"_s.arg(stack), stackTitle(device.stackText(stack)));
}

QString remedyText(const LoadedSnapshot& snapshot, const ShortageRemedy& remedy) {
    switch (remedy.kind) {
    case ShortageRemedy::Kind::ExpandableSegments:
        return ShortageTexts::tr(
                   "<b>expandable_segments:True</b> in PYTORCH_NPU_ALLOC_CONF (PYTORCH_CUDA_ALLOC_CONF on GPUs): "
                   "the segments of this stream have %1 free, in %2 holes. Segments that grow would have them, "
                   "and what is left of the device, in one piece.")
            .arg(bytesText(remedy.bytes))
            .arg(remedy.count);
    case ShortageRemedy::Kind::SplitLimit:
        return ShortageTexts::tr(
                   "<b>A lower max_split_size_mb</b> (below %1): the segment %2 of %3 would have been large "
                   "enough; it is taken up by small blocks (%4) that have room in holes of other segments.")
            .arg(QString::number(std::max<std::int64_t>(20, remedy.bytes >> 20)), addressText(remedy.address),
                 bytesText(remedy.bytes))
            .arg(remedy.count);
    case ShortageRemedy::Kind::FreeStack:
        return ShortageTexts::tr("<b>Releasing what this call stack has</b>: %1 (blocks: %2) of %3.")
            .arg(bytesText(remedy.bytes))
            .arg(remedy.count)
            .arg(stackLink(*snapshot.device, remedy.stack));
    }
    return {};
}

QString holdersHtml(const LoadedSnapshot& snapshot, const MemoryShortage& shortage) {
    QString html = u"<h4>"_s + ShortageTexts::tr("Who had how much of it").toHtmlEscaped() + u"</h4><table>"_s;
    const auto all = static_cast<double>(std::max<std::int64_t>(1, shortage.pool.allocated + shortage.pool.waiting));
    for (std::size_t i = 0; i < std::min(kMaxHolders, shortage.holders.size()); ++i) {
        const StackSum& sum = shortage.holders[i];
        html += u"<tr><td align='right' style='padding-right:8px'>%1</td><td align='right' "
                u"style='padding-right:8px'>%2</td>"
                "<td style='padding-right:8px'>%3</td><td>%4</td></tr>"_s.arg(
                    bytesText(sum.bytes), formatPercent(static_cast<double>(sum.bytes) / all),
                    withCount(ShortageTexts::tr("%n block(s)", nullptr, pluralCount(sum.blocks)), sum.blocks)
                        .toHtmlEscaped(),
                    stackLink(*snapshot.device, sum.stack));
    }
    html += u"</table>"_s;
    if (shortage.holders.size() > kMaxHolders)
        html += u"<p>"_s +
                ShortageTexts::tr("%n further call stack(s): the tab Stacks has them all.", nullptr,
                                  static_cast<int>(shortage.holders.size() - kMaxHolders)) +
                u"</p>"_s;
    return html;
}

}  // namespace

QString shortageHtml(const LoadedSnapshot& snapshot, const MemoryShortage& shortage) {
    const PoolState& pool = shortage.pool;
    QString html = u"<h3>"_s;
    if (shortage.isFailure)
        html += ShortageTexts::tr("A request of %1 failed").arg(exactBytesText(shortage.requested)).toHtmlEscaped();
    else html += ShortageTexts::tr("%1 were allocated").arg(exactBytesText(pool.allocated)).toHtmlEscaped();
    html += u"</h3><p>"_s;
    html +=
        (shortage.at < 0 ? eventText(shortage.at) : htmlLink(u"event:%1"_s.arg(shortage.at), eventText(shortage.at)));
    html += u"</p><table>"_s;
    const auto row = [&](const QString& name, const QString& value) {
        html += u"<tr><td style='padding-right:12px'>%1</td><td style='vertical-align:middle'>%2</td></tr>"_s.arg(
            name.toHtmlEscaped(), value.toHtmlEscaped());
    };
    row(ShortageTexts::tr("Reserved"),
        ShortageTexts::tr("%1 (segments: %2)").arg(exactBytesText(pool.reserved)).arg(pool.segments.size()));
    row(ShortageTexts::tr("Allocated by the program"), exactBytesText(pool.allocated));
    if (pool.waiting > 0) row(ShortageTexts::tr("Released, waits for streams"), exactBytesText(pool.waiting));
    row(ShortageTexts::tr("Lost by rounding"), exactBytesText(std::max<std::int64_t>(0, shortage.rounding)));
    row(ShortageTexts::tr("Free in segments"),
        ShortageTexts::tr("%1 (holes: %2)").arg(exactBytesText(pool.holeBytes)).arg(pool.holes));
    row(ShortageTexts::tr("Largest hole"), exactBytesText(pool.largestHole));
    if (shortage.deviceFree != kNoCell)
        row(ShortageTexts::tr("Left of the device (device_free)"), exactBytesText(shortage.deviceFree));
    html += u"</table>"_s;
    if (shortage.isFailure) {
        html += u"<h4>"_s + ShortageTexts::tr("What would have been enough").toHtmlEscaped() + u"</h4>"_s;
        if (shortage.remedies.empty()) {
            html += u"<p>"_s;
            html += shortage.fittingHoles > 0
                        ? ShortageTexts::tr(
                              "The pool has %n hole(s) of that size: they belong to other streams or the other pool, "
                              "or the request failed for another reason. The pool shows no remedy.",
                              nullptr, pluralCount(shortage.fittingHoles))
                        : ShortageTexts::tr(
                              "Neither joining the holes nor releasing a single call stack would have made room: "
                              "the program needs less memory at this point, or more devices.");
            html += u"</p>"_s;
        }
        html += u"<ul>"_s;
        for (const ShortageRemedy& remedy : shortage.remedies)
            html += u"<li>"_s + remedyText(snapshot, remedy) + u"</li>"_s;
        html += u"</ul>"_s;
    }
    return html + holdersHtml(snapshot, shortage);
}

ShortagePanel::ShortagePanel(Session& session, SnapshotSelection& selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_slot(session.jobs()), m_moments(new QComboBox(this)),
      m_text(new QTextBrowser(this)) {
    auto* column = bareLayout<QVBoxLayout>(this, 4);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 0);
    bar->addWidget(m_moments);
    bar->addStretch(1);
    column->addLayout(bar);
    column->addWidget(m_text, 1);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_moments->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_moments, &QComboBox::activated, this, &ShortagePanel::request);
    connect(&selection, &SnapshotSelection::eventChanged, this, [this] {
        if (m_moments->currentData().toInt() == kSelectedMoment) request();
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QString link = url.toString();
        if (link.startsWith("stack:"_L1)) return emit stackRequested(link.mid(6).toUInt());
        if (m_snapshot != nullptr) followSnapshotLink(link, *m_snapshot, m_selection);
    });
}

void ShortagePanel::setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    m_slot.cancel();
    m_shown.reset();
    m_moments->clear();
    fillMoments();
    show();
    if (m_snapshot != nullptr) request();
}

void ShortagePanel::fillMoments() {
    const QVariant before = m_moments->currentData();
    m_moments->clear();
    if (m_snapshot == nullptr) return;
    const auto& failures = m_snapshot->failures;
    // The last one is what ended the program.
    for (std::size_t i = failures.size(), count = 0; i-- > 0 && count < kMaxFailures; ++count) {
        const EventNumber at = failures[i];
        m_moments->addItem(
            tr("%1: a request of %2 failed").arg(eventText(at), bytesText(m_snapshot->device->entry(at).size)), at);
    }
    m_moments->addItem(tr("The peak: %1").arg(eventText(m_snapshot->peak)), m_snapshot->peak);
    m_moments->addItem(tr("The selected event"), kSelectedMoment);
    if (const int known = m_moments->findData(before); before.isValid() && known >= 0)
        m_moments->setCurrentIndex(known);
}

void ShortagePanel::request() {
    if (m_snapshot == nullptr) return;
    const int chosen = m_moments->currentData().toInt();
    const EventNumber at = chosen == kSelectedMoment ? m_selection.eventNumber() : static_cast<EventNumber>(chosen);
    m_slot.start(
        [snapshot = m_snapshot, at](const CancelToken& cancel) { return memoryShortage(*snapshot->pool, at, cancel); },
        [this](std::optional<MemoryShortage> shortage) {
            m_shown = std::move(shortage);
            show();
        });
}

void ShortagePanel::show() {
    m_moments->setAccessibleName(tr("Which event"));
    m_text->setAccessibleName(tr("Why out of memory"));
    m_text->setHtml(m_snapshot == nullptr || !m_shown ? QString() : shortageHtml(*m_snapshot, *m_shown));
}

void ShortagePanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        fillMoments();
        show();
    }
    QWidget::changeEvent(event);
}

}  // namespace altiscope
