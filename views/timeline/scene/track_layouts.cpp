#include "views/timeline/scene/track_layouts.h"

#include "views/common/support/formatters.h"
#include "views/timeline/rows/track_layout.h"

#include <QCryptographicHash>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr int kKeepAfterMs = 500;
/// Captures whose last arrangement is remembered; the oldest is forgotten.
constexpr qsizetype kMaxCaptures = 200;

QString layoutsKey() { return u"timeline/layouts"_s; }
QString captureListKey() { return u"timeline/arranged"_s; }

/// Settings have names of few letters only.
QString captureName(const CaptureStore& store) {
    return QString::fromLatin1(
        QCryptographicHash::hash(QByteArray::fromStdString(store.path), QCryptographicHash::Sha1).toHex().first(16));
}
QString captureKey(const QString& name) { return u"timeline/rows_"_s + name; }

QJsonObject readJson(const ViewMemory& memory, const QString& key) {
    return QJsonDocument::fromJson(memory.value(key).toString().toUtf8()).object();
}
void writeJson(const ViewMemory& memory, const QString& key, const QJsonObject& json) {
    memory.setValue(key, QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact)));
}

QJsonObject layoutOf(const TimelineModel& model, const TrackNames& names) {
    return savedLayout(names, model.arrangement(), model.filter(), model.expansion());
}

}  // namespace

TrackLayouts::TrackLayouts(TimelineScene& scene, ViewMemory memory, QWidget* window, QObject* parent)
    : QObject(parent), m_scene(scene), m_memory(std::move(memory)), m_window(window), m_slot(scene.jobs()) {
    m_keeper.setSingleShot(true);
    m_keeper.setInterval(kKeepAfterMs);
    connect(&m_keeper, &QTimer::timeout, this, [this] {
        // A layout that is not applied yet must not be replaced by the shown one.
        if (!idle()) return m_keeper.start();
        keepLast();
    });
    connect(&scene, &TimelineScene::rowsChanged, this, &TrackLayouts::follow);
}

TrackLayouts::~TrackLayouts() {
    if (m_keeper.isActive()) keepLast();
}

QJsonObject TrackLayouts::all() const { return readJson(m_memory, layoutsKey()); }

QStringList TrackLayouts::names() const {
    // Each is a line in three menus; nobody knows who wrote the settings.
    static constexpr qsizetype kMaxLayouts = 500;
    const QStringList known = all().keys();
    return known.first(std::min(known.size(), kMaxLayouts));
}

void TrackLayouts::save(const QString& name) {
    const TimelineModel& model = m_scene.model();
    if (name.isEmpty() || model.sources().empty()) return;
    QJsonObject layout = layoutOf(model, *namesOf(model.sources()[0]));
    saveFilter(layout);
    QJsonObject layouts = all();
    layouts.insert(name, layout);
    writeJson(m_memory, layoutsKey(), layouts);
}

void TrackLayouts::apply(const QString& name) {
    const QJsonObject layout = all().value(name).toObject();
    const TimelineModel& model = m_scene.model();
    if (layout.isEmpty()) return;
    TrackLayout next{model.arrangement(), model.filter().hidden, model.expansion()};
    for (const TimelineSource& source : model.sources()) {
        next = withLayout(std::move(next), source.capture, layoutFor(*namesOf(source), layout));
    }
    TrackFilter filter{.text = {}, .hiddenKinds = {}, .hidden = std::move(next.hidden)};
    showFilter(layout, filter);
    m_scene.arrange(std::move(next.arrangement), filter, std::move(next.expansion));
    showColours(layout);
}

void TrackLayouts::saveFilter(QJsonObject& layout) const {
    const TrackFilter& filter = m_scene.model().filter();
    QJsonArray kinds;
    for (const TrackKind kind : filter.hiddenKinds) kinds.append(toQString(trackKindName(kind)));
    layout.insert("kinds"_L1, kinds);
    layout.insert("text"_L1, filter.text);
    layout.insert("colours"_L1, static_cast<int>(m_scene.colourBy()));
    layout.insert("rules"_L1, savedRules(m_scene.colourRules()));
}

void TrackLayouts::showFilter(const QJsonObject& layout, TrackFilter& filter) const {
    filter.text = layout.value("text"_L1).toString();
    filter.hiddenKinds.clear();
    const QJsonArray kinds = layout.value("kinds"_L1).toArray();
    for (int kind = 0; kind <= static_cast<int>(TrackKind::Other); ++kind) {
        if (kinds.contains(toQString(trackKindName(static_cast<TrackKind>(kind)))))
            filter.hiddenKinds.insert(static_cast<TrackKind>(kind));
    }
}

void TrackLayouts::showColours(const QJsonObject& layout) {
    const int colours = layout.value("colours"_L1).toInt();
    if (colours >= 0 && colours < static_cast<int>(kColourings.size()))
        m_scene.setColourBy(kColourings[static_cast<std::size_t>(colours)]);
    // Layouts of older versions do not say any.
    if (layout.contains("rules"_L1)) m_scene.setColourRules(rulesFrom(layout.value("rules"_L1).toArray()));
}

// --- of workspaces ------------------------------------------------------------------------------------------------

QJsonObject TrackLayouts::state(const WorkspaceIds& captures) const {
    const TimelineModel& model = m_scene.model();
    Said said{{}, model.arrangement(), model.filter().hidden, model.expansion(), {}};
    for (const CaptureId capture : captures.ids) {
        const auto followed = m_followed.find(capture);
        said.of.emplace_back(capture, followed == m_followed.end() ? nullptr : followed->second.names);
    }
    const bool isSame = m_wanted.empty() && said.of == m_said.of && said.arrangement == m_said.arrangement &&
                        said.hidden == m_said.hidden && said.expansion == m_said.expansion;
    if (!isSame) {
        for (const auto& [capture, names] : said.of) {
            const auto wanted = m_wanted.find(capture);
            said.rows.append(wanted != m_wanted.end() ? wanted->second
                             : names != nullptr       ? layoutOf(model, *names)
                                                      : QJsonObject());
        }
        m_said = std::move(said);
    }
    QJsonObject state{{u"rows"_s, m_said.rows}};
    if (!m_wanted.empty()) m_said = {};
    saveFilter(state);
    return state;
}

void TrackLayouts::restore(const QJsonObject& state, const WorkspaceIds& captures) {
    TrackFilter filter = m_scene.model().filter();
    showFilter(state, filter);
    m_scene.setFilter(filter);
    showColours(state);
    m_wanted.clear();
    const QJsonArray rows = state.value("rows"_L1).toArray();
    for (std::size_t i = 0; i < captures.ids.size(); ++i) {
        const QJsonValue layout = rows.at(static_cast<qsizetype>(i));
        if (captures.ids[i] != kNoCapture && layout.isObject()) m_wanted[captures.ids[i]] = layout.toObject();
    }
    for (const CaptureId capture : captures.ids) applyWanted(capture);
}

/// If its names are known.
void TrackLayouts::applyWanted(CaptureId capture) {
    const auto followed = m_followed.find(capture);
    if (followed == m_followed.end() || followed->second.names == nullptr) return;
    const auto wanted = m_wanted.extract(capture);
    if (wanted.empty()) return;
    arrangeAs(capture, wanted.mapped());
    emit applied();
}

void TrackLayouts::arrangeAs(CaptureId capture, const QJsonObject& layout) {
    const TimelineModel& model = m_scene.model();
    TrackLayout next = withLayout({model.arrangement(), model.filter().hidden, model.expansion()}, capture,
                                  layoutFor(*m_followed.at(capture).names, layout));
    TrackFilter filter = model.filter();
    filter.hidden = std::move(next.hidden);
    m_kept = next.arrangement;
    m_keptHidden = filter.hidden;
    m_keptExpansion = next.expansion;
    m_scene.arrange(std::move(next.arrangement), filter, std::move(next.expansion), HistoryMark::Continue);
}

void TrackLayouts::remove(const QString& name) {
    QJsonObject layouts = all();
    layouts.remove(name);
    writeJson(m_memory, layoutsKey(), layouts);
}

void TrackLayouts::rename(const QString& name, const QString& to) {
    QJsonObject layouts = all();
    if (to.isEmpty() || to == name || !layouts.contains(name)) return;
    layouts.insert(to, layouts.take(name));
    writeJson(m_memory, layoutsKey(), layouts);
}

void TrackLayouts::reset() { m_scene.arrange({}, {}, {}); }

/// Captures that are read get their last arrangement.
void TrackLayouts::follow() {
    const TimelineModel& model = m_scene.model();
    const auto isGone = [&model](const auto& followed) { return !model.sources().sourceOf(followed.first); };
    if (m_keeper.isActive() && std::any_of(m_followed.begin(), m_followed.end(), isGone)) keepLast();
    std::erase_if(m_followed, isGone);
    bool isNew = false;
    for (const TimelineSource& source : model.sources()) {
        // A source that is no open capture has no arrangement of its own.
        if (!isOpenCapture(source.capture)) continue;
        if (!source.store->sealed || m_followed[source.capture].store == source.store) continue;
        m_followed[source.capture] = {source.store, nullptr};
        isNew = true;
    }
    if (isNew) lookUp();
    // Not put off by each further change: rows change all the time while a capture is read.
    if (!m_keeper.isActive()) m_keeper.start();
}

/// Reads the names of all captures of which they are not known.
void TrackLayouts::lookUp() {
    std::map<CaptureId, Followed> unknown;
    for (const auto& [capture, followed] : m_followed) {
        if (followed.names == nullptr) unknown.emplace(capture, followed);
    }
    m_slot.start(
        [unknown](const CancelToken& cancel) mutable {
            for (auto& [capture, followed] : unknown) {
                if (!cancel.cancelled()) followed.names = std::make_shared<const TrackNames>(*followed.store, capture);
            }
            return std::move(unknown);
        },
        [this](const std::map<CaptureId, Followed>& found) {
            for (const auto& [capture, followed] : found) {
                const auto known = m_followed.find(capture);
                if (known == m_followed.end() || known->second.store != followed.store) continue;
                known->second.names = followed.names;
                applyLast(capture);
            }
        });
}

/// Unless the user has begun another meanwhile.
void TrackLayouts::applyLast(CaptureId capture) {
    const TimelineModel& model = m_scene.model();
    const Followed& followed = m_followed.at(capture);
    if (m_wanted.contains(capture)) return applyWanted(capture);
    const QJsonObject last = readJson(m_memory, captureKey(captureName(*followed.store)));
    if (last.isEmpty() || !layoutOf(model, *followed.names).isEmpty()) return;
    arrangeAs(capture, last);
}

std::shared_ptr<const TrackNames> TrackLayouts::namesOf(const TimelineSource& source) const {
    const auto known = m_followed.find(source.capture);
    const bool isKnown =
        known != m_followed.end() && known->second.store == source.store && known->second.names != nullptr;
    return isKnown ? known->second.names : std::make_shared<const TrackNames>(*source.store, source.capture);
}

/// The last arrangement of each capture that is read whole; also of one that has just been closed.
void TrackLayouts::keepLast() {
    m_keeper.stop();
    const TimelineModel& model = m_scene.model();
    if (model.arrangement() == m_kept && model.filter().hidden == m_keptHidden && model.expansion() == m_keptExpansion)
        return;
    m_kept = model.arrangement();
    m_keptHidden = model.filter().hidden;
    m_keptExpansion = model.expansion();
    QStringList list = m_memory.value(captureListKey()).toStringList();
    const QStringList before = list;
    for (const auto& [capture, followed] : m_followed) keep(followed, list);
    while (list.size() > kMaxCaptures) m_memory.setValue(captureKey(list.takeFirst()), QString());
    if (list != before) m_memory.setValue(captureListKey(), list);
}

void TrackLayouts::keep(const Followed& followed, QStringList& list) const {
    if (followed.names == nullptr) return;
    const QString name = captureName(*followed.store);
    const QJsonObject layout = layoutOf(m_scene.model(), *followed.names);
    if (layout.isEmpty() && !list.contains(name)) return;
    writeJson(m_memory, captureKey(name), layout);
    list.removeAll(name);
    list.append(name);
}

QString TrackLayouts::promptName(const QString& title, const QString& suggestion) const {
    bool taken = false;
    const QString name =
        QInputDialog::getText(m_window, title, tr("Name of the layout:"), QLineEdit::Normal, suggestion, &taken);
    return taken ? name.trimmed() : QString();
}

void TrackLayouts::fillMenu(QMenu& menu) {
    const QStringList known = names();
    const auto shown = [](const QString& name) { return QString(name).replace(u'&', u"&&"_s); };
    for (const QString& name : known) menu.addAction(shown(name), this, [this, name] { apply(name); });
    if (!known.isEmpty()) menu.addSeparator();
    menu.addAction(tr("&Save as a layout\u2026"), this,
                   [this] { save(promptName(tr("Save as a layout"), tr("Layout %1").arg(names().size() + 1))); })
        ->setEnabled(!m_scene.model().sources().empty());
    if (!known.isEmpty()) {
        QMenu* renamed = menu.addMenu(tr("Re&name"));
        QMenu* removed = menu.addMenu(tr("Re&move"));
        for (const QString& name : known) {
            renamed->addAction(shown(name), this,
                               [this, name] { rename(name, promptName(tr("Rename a layout"), name)); });
            removed->addAction(shown(name), this, [this, name] { remove(name); });
        }
    }
    menu.addSeparator();
    menu.addAction(tr("All rows as &recorded"), this, &TrackLayouts::reset);
}

}  // namespace altiscope
