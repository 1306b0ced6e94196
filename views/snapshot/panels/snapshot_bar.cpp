#include "views/snapshot/panels/snapshot_bar.h"

#include "views/common/support/bare_layout.h"
#include "views/common/theme/icons.h"
#include "views/common/widgets/elided_combo_box.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPlayMs = 100;
constexpr int kSpeeds[] = {1, 10, 100, 1000, 10'000};

}  // namespace

SnapshotBar::SnapshotBar(SnapshotSelection& selection, const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_selection(selection), m_memory(memory), m_deviceLabel(new QLabel(this)),
      m_colourLabel(new QLabel(this)), m_eventLabel(new QLabel(this)), m_device(new ElidedComboBox(this)),
      m_colour(new QComboBox(this)), m_speed(new QComboBox(this)), m_event(new QSpinBox(this)),
      m_timer(new QTimer(this)) {
    auto* row = barLayout<QHBoxLayout>(this);
    for (QWidget* part : std::initializer_list<QWidget*>{m_deviceLabel, m_device, m_colourLabel, m_colour})
        row->addWidget(part);
    row->addStretch(1);
    row->addWidget(m_eventLabel);
    m_before = addButton(u"left"_s);
    row->addWidget(m_event);
    m_after = addButton(u"right"_s);
    m_play = addButton(u"run"_s);
    row->addWidget(m_speed);
    m_peak = addButton(u"up"_s);
    m_deviceLabel->setBuddy(m_device);
    m_colourLabel->setBuddy(m_colour);
    m_eventLabel->setBuddy(m_event);
    // Where a rank has several snapshots their names follow, which may be long.
    m_device->setMinimumContentsLength(14);
    m_colour->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_event->setGroupSeparatorShown(true);
    m_event->setKeyboardTracking(false);
    m_play->setCheckable(true);
    for (const BlockColouring colouring :
         {BlockColouring::Stack, BlockColouring::Size, BlockColouring::Age, BlockColouring::Stream})
        m_colour->addItem(QString(), static_cast<int>(colouring));
    const int kept = m_memory.value(u"snapshot/colouring"_s).toInt();
    m_colour->setCurrentIndex(kept < m_colour->count() ? std::max(0, kept) : 0);
    for (const int speed : kSpeeds) m_speed->addItem(QString(), speed);
    m_timer->setInterval(kPlayMs);
    connect(m_device, &QComboBox::activated, this, &SnapshotBar::choiceChanged);
    connect(m_colour, &QComboBox::activated, this, [this] {
        m_memory.setValue(u"snapshot/colouring"_s, static_cast<int>(colouring()));
        emit colouringChanged();
    });
    connect(m_event, &QSpinBox::valueChanged, this, [this](int value) { m_selection.setEvent(value); });
    connect(m_before, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_after, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_play, &QToolButton::toggled, this, &SnapshotBar::setPlaying);
    connect(m_peak, &QToolButton::clicked, this, [this] {
        if (m_snapshot != nullptr) m_selection.setEvent(m_snapshot->peak);
    });
    connect(m_timer, &QTimer::timeout, this, [this] {
        step(m_speed->currentData().toInt());
        if (m_snapshot == nullptr || m_selection.eventNumber() >= m_snapshot->device->last()) setPlaying(false);
    });
    connect(&selection, &SnapshotSelection::eventChanged, this, &SnapshotBar::showSelectedEvent);
    retranslate();
}

QToolButton* SnapshotBar::addButton(const QString& icon) {
    auto* button = new QToolButton(this);
    button->setIcon(themedIcon(icon));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    layout()->addWidget(button);
    return button;
}

void SnapshotBar::setChoices(std::vector<SnapshotChoice> choices) {
    const auto before = choice();
    m_choices = std::move(choices);
    m_device->clear();
    int chosen = 0;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        m_device->addItem(m_choices[i].title);
        const bool isSame = before && before->capture == m_choices[i].capture && before->rank == m_choices[i].rank &&
                            before->device.device == m_choices[i].device.device && before->file == m_choices[i].file;
        if (isSame) chosen = static_cast<int>(i);
    }
    if (!m_choices.empty()) m_device->setCurrentIndex(chosen);
}

std::optional<SnapshotChoice> SnapshotBar::choice() const {
    const int index = m_device->currentIndex();
    return index < 0 || static_cast<std::size_t>(index) >= m_choices.size()
               ? std::nullopt
               : std::optional(m_choices[static_cast<std::size_t>(index)]);
}

void SnapshotBar::choose(RankIndex rank, std::int64_t device) {
    const auto found = std::find_if(m_choices.begin(), m_choices.end(), [&](const SnapshotChoice& one) {
        return one.rank == rank && one.device.device == device && one.file.empty();
    });
    if (found != m_choices.end()) m_device->setCurrentIndex(static_cast<int>(found - m_choices.begin()));
}

void SnapshotBar::setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot) {
    setPlaying(false);
    m_snapshot = std::move(snapshot);
    const bool isThere = m_snapshot != nullptr;
    for (QWidget* part : std::initializer_list<QWidget*>{m_event, m_before, m_after, m_play, m_speed, m_peak})
        part->setEnabled(isThere);
    offerAnnotations(isThere && m_snapshot->device->hasAnnotations);
    const QSignalBlocker quiet(m_event);
    m_event->setRange(kBeforeHistory, isThere ? std::max(kBeforeHistory, m_snapshot->device->last()) : kBeforeHistory);
}

/// The colours by annotation are there only while a snapshot has some. Who chose them has them again with the next.
void SnapshotBar::offerAnnotations(bool isOffered) {
    const int place = static_cast<int>(BlockColouring::Annotation);
    if (isOffered == (m_colour->count() > place)) return;
    const BlockColouring before = colouring();
    if (isOffered) {
        m_colour->addItem(QString(), place);
        if (m_memory.value(u"snapshot/colouring"_s).toInt() == place) m_colour->setCurrentIndex(place);
        retranslate();
    } else {
        if (m_colour->currentIndex() == place) m_colour->setCurrentIndex(0);
        m_colour->removeItem(place);
    }
    if (colouring() != before) emit colouringChanged();
}

BlockColouring SnapshotBar::colouring() const { return static_cast<BlockColouring>(m_colour->currentData().toInt()); }

bool SnapshotBar::isPlaying() const { return m_timer->isActive(); }

void SnapshotBar::step(std::int64_t by) {
    if (m_snapshot == nullptr) return;
    m_selection.setEvent(static_cast<EventNumber>(std::clamp<std::int64_t>(
        m_selection.eventNumber() + by, kBeforeHistory, std::max(kBeforeHistory, m_snapshot->device->last()))));
}

void SnapshotBar::setPlaying(bool isPlaying) {
    if (isPlaying && m_snapshot != nullptr) m_timer->start();
    else m_timer->stop();
    const QSignalBlocker quiet(m_play);
    m_play->setChecked(m_timer->isActive());
    m_play->setIcon(themedIcon(m_timer->isActive() ? u"stop"_s : u"run"_s));
}

void SnapshotBar::showSelectedEvent() {
    const QSignalBlocker quiet(m_event);
    m_event->setValue(m_selection.eventNumber());
}

void SnapshotBar::retranslate() {
    m_deviceLabel->setText(tr("&Device"));
    m_colourLabel->setText(tr("Co&lour by"));
    m_colour->setItemText(0, tr("Call stack"));
    m_colour->setItemText(1, tr("Size"));
    m_colour->setItemText(2, tr("Age"));
    m_colour->setItemText(3, tr("Stream"));
    const int annotation = static_cast<int>(BlockColouring::Annotation);
    if (m_colour->count() > annotation) {
        m_colour->setItemText(annotation, tr("Annotation"));
        m_colour->setItemData(annotation, tr("What the program set as user_metadata; grey: nothing"), Qt::ToolTipRole);
    }
    m_colour->setItemData(1, tr("Dark: 512 bytes and less; light: 16 GiB and more"), Qt::ToolTipRole);
    m_colour->setItemData(2, tr("Dark: allocated first; light: allocated last"), Qt::ToolTipRole);
    m_eventLabel->setText(tr("Eve&nt"));
    m_event->setSpecialValueText(tr("Before", "state before the history"));
    const auto name = [](QToolButton* button, const QString& text) {
        button->setToolTip(text);
        button->setAccessibleName(text);
    };
    name(m_before, tr("The previous event ( , )"));
    name(m_after, tr("The next event ( . )"));
    name(m_play, tr("Play the history, or stop (Space)"));
    name(m_peak, tr("To the peak (P)"));
    for (int i = 0; i < m_speed->count(); ++i) m_speed->setItemText(i, tr("%1 ×").arg(m_speed->itemData(i).toInt()));
    m_speed->setToolTip(tr("Events per step of playing, ten steps a second"));
    m_speed->setAccessibleName(tr("Playback speed"));
}

}  // namespace altiscope
