#include "core/session/corrections_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr qint64 kMaxBytes = qint64{16} << 20;

QJsonObject contentOf(const QString& path) {
    QFile file(path);
    if (path.isEmpty() || !file.open(QIODevice::ReadOnly) || file.size() > kMaxBytes) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

RankCorrections correctionsOf(const QJsonObject& capture) {
    RankCorrections corrections;
    for (auto rank = capture.begin(); rank != capture.end(); ++rank) {
        const QJsonObject said = rank.value().toObject();
        RankCorrection correction;
        const qint64 number = said.value("rank_id"_L1).toInteger(-1);
        if (number >= 0) correction.rankId = number;
        correction.source = said.value("source"_L1).toString().toStdString();
        if (!correction.empty()) corrections.emplace(rank.key().toStdString(), std::move(correction));
    }
    return corrections;
}

QJsonObject jsonOf(const RankCorrection& correction) {
    QJsonObject json;
    if (correction.rankId) json.insert("rank_id"_L1, qint64{*correction.rankId});
    if (!correction.source.empty()) json.insert("source"_L1, QString::fromStdString(correction.source));
    return json;
}

}  // namespace

CorrectionsFile::CorrectionsFile(QString file) : m_file(std::move(file)) {}

RankCorrections CorrectionsFile::of(const QString& capture) const {
    if (const auto said = m_said.find(capture); said != m_said.end()) return said->second;
    return correctionsOf(contentOf(m_file).value(capture).toObject());
}

bool CorrectionsFile::set(const QString& capture, const std::string& rank, const RankCorrection& correction) {
    RankCorrections all = of(capture);
    if (correction.empty()) all.erase(rank);
    else all.insert_or_assign(rank, correction);
    m_said.insert_or_assign(capture, all);
    if (m_file.isEmpty()) return true;
    // Another window may have written meanwhile.
    QJsonObject content = contentOf(m_file);
    QJsonObject ranks;
    for (const auto& [path, one] : all) ranks.insert(QString::fromStdString(path), jsonOf(one));
    if (ranks.isEmpty()) content.remove(capture);
    else content.insert(capture, ranks);
    QDir().mkpath(QFileInfo(m_file).absolutePath());
    QSaveFile file(m_file);
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(content).toJson()) > 0 && file.commit();
}

}  // namespace altiscope
