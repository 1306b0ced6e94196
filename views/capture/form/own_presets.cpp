#include "views/capture/form/own_presets.h"

#include "core/capture/methods/presets.h"
#include "views/common/support/formatters.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// More are no choice any more.
constexpr std::size_t kMaxPresets = 100;
constexpr qsizetype kMaxSettings = 500;

QString presetsKey(const capture::Method& method) { return u"capture/presets/"_s + toQString(method.name); }

void remember(const ViewMemory& memory, const capture::Method& method, const std::vector<OwnPreset>& presets) {
    QStringList texts;
    for (const OwnPreset& preset : presets) texts << QString::fromUtf8(presetText(method, preset));
    memory.setValue(presetsKey(method), texts);
}

}  // namespace

QByteArray presetText(const capture::Method& method, const OwnPreset& preset) {
    QJsonArray settings;
    for (const auto& [field, value] : preset.edits) settings.append(QJsonArray{toQString(field), toQString(value)});
    const QJsonObject object{{u"method"_s, toQString(method.name)},
                             {u"preset"_s, toQString(preset.base)},
                             {u"name"_s, preset.name},
                             {u"settings"_s, settings}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::optional<OwnPreset> presetOfText(const capture::Method& method, const QByteArray& text) {
    const QJsonObject object = QJsonDocument::fromJson(text).object();
    OwnPreset preset{object[u"name"_s].toString().trimmed(), object[u"preset"_s].toString().toStdString(), {}};
    const QJsonArray settings = object[u"settings"_s].toArray();
    if (object[u"method"_s].toString() != toQString(method.name) || preset.name.isEmpty() ||
        settings.size() > kMaxSettings) {
        return std::nullopt;
    }
    const auto names = capture::presetNames();
    if (!preset.base.empty() && std::find(names.begin(), names.end(), preset.base) == names.end()) return std::nullopt;
    for (const QJsonValue& setting : settings) {
        const QJsonArray pair = setting.toArray();
        if (pair.size() != 2 || !pair[0].isString() || !pair[1].isString()) return std::nullopt;
        preset.edits.emplace_back(pair[0].toString().toStdString(), pair[1].toString().toStdString());
    }
    return preset;
}

std::vector<OwnPreset> ownPresets(const ViewMemory& memory, const capture::Method& method) {
    std::vector<OwnPreset> presets;
    for (const QString& text : memory.value(presetsKey(method)).toStringList()) {
        auto preset = presetOfText(method, text.toUtf8());
        if (preset && presets.size() < kMaxPresets) presets.push_back(std::move(*preset));
    }
    std::sort(presets.begin(), presets.end(),
              [](const OwnPreset& a, const OwnPreset& b) { return a.name.localeAwareCompare(b.name) < 0; });
    return presets;
}

void keepPreset(const ViewMemory& memory, const capture::Method& method, const OwnPreset& preset) {
    std::vector<OwnPreset> presets = ownPresets(memory, method);
    std::erase_if(presets, [&preset](const OwnPreset& other) { return other.name == preset.name; });
    presets.push_back(preset);
    remember(memory, method, presets);
}

void forgetPreset(const ViewMemory& memory, const capture::Method& method, const QString& name) {
    std::vector<OwnPreset> presets = ownPresets(memory, method);
    std::erase_if(presets, [&name](const OwnPreset& other) { return other.name == name; });
    remember(memory, method, presets);
}

}  // namespace altiscope
