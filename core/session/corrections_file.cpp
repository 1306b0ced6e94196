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
    RankCorrections all = correctionsOf(contentOf(m_file).value(capture).toObject());
    const auto said = m_said.find(capture);
    if (said == m_said.end()) return all;
    for (const auto& [rank, correction] : said->second) {
        if (correction.empty()) all.erase(rank);
        else all.insert_or_assign(rank, correction);
    }
    return all;
}

bool CorrectionsFile::set(const QString& capture, const std::string& rank, const RankCorrection& correction) {
    m_said[capture].insert_or_assign(rank, correction);
    if (m_file.isEmpty()) return true;
    QDir().mkpath(QFileInfo(m_file).absolutePath());
    // What cannot be understood is not lost.
    if (QFileInfo(m_file).size() > 0 && contentOf(m_file).isEmpty()) QFile::copy(m_file, m_file + u".unread"_s);
    // Another window may have written meanwhile: only this rank is changed.
    QJsonObject content = contentOf(m_file);
    QJsonObject ranks = content.value(capture).toObject();
    const QString key = QString::fromStdString(rank);
    if (correction.empty()) ranks.remove(key);
    else ranks.insert(key, jsonOf(correction));
    if (ranks.isEmpty()) content.remove(capture);
    else content.insert(capture, ranks);
    QSaveFile file(m_file);
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(content).toJson()) > 0 && file.commit();
}

}  // namespace altiscope
