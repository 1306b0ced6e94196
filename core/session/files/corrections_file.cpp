#include "core/session/files/corrections_file.h"

#include "core/session/files/user_file.h"

#include <QJsonObject>

#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

RankCorrections correctionsOf(const QJsonObject& capture) {
    RankCorrections corrections;
    for (auto rank = capture.begin(); rank != capture.end(); ++rank) {
        const QJsonObject saved = rank.value().toObject();
        RankCorrection correction;
        const qint64 number = saved.value("rank_id"_L1).toInteger(-1);
        if (number >= 0) correction.rankId = number;
        correction.source = saved.value("source"_L1).toString().toStdString();
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
    RankCorrections all = correctionsOf(readUserFile(m_file).value(capture).toObject());
    const auto saved = m_corrections.find(capture);
    if (saved == m_corrections.end()) return all;
    for (const auto& [rank, correction] : saved->second) {
        if (correction.empty()) all.erase(rank);
        else all.insert_or_assign(rank, correction);
    }
    return all;
}

bool CorrectionsFile::set(const QString& capture, const std::string& rank, const RankCorrection& correction) {
    m_corrections[capture].insert_or_assign(rank, correction);
    // Another window may have written meanwhile: only this rank is changed.
    return changeUserFile(m_file, [&](QJsonObject& content) {
        QJsonObject ranks = content.value(capture).toObject();
        const QString key = QString::fromStdString(rank);
        if (correction.empty()) ranks.remove(key);
        else ranks.insert(key, jsonOf(correction));
        if (ranks.isEmpty()) content.remove(capture);
        else content.insert(capture, ranks);
    });
}

}  // namespace altiscope
