#include "views/common/support/save_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// ".svg" of "SVG (*.svg)".
QString endingOf(const QString& filter) {
    static const QRegularExpression pattern(u"\\*(\\.[A-Za-z0-9.]+)"_s);
    return pattern.match(filter).captured(1);
}

/// A folder that does not exist would be taken for the file's name by the dialog.
QString folderForDocuments() {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

}  // namespace

QString withEndingOf(const QString& file, const QString& filter) {
    return file.isEmpty() || !QFileInfo(file).suffix().isEmpty() ? file : file + endingOf(filter);
}

QString fileNameFor(const QString& about) {
    static const QRegularExpression awkward(u"[\\s\\\\/:*?\"<>|.]+"_s);
    QString name = about.trimmed();
    name.replace(awkward, u"_"_s);
    return name;
}

QString chooseSaveFile(QWidget* parent, const QString& title, const QString& about, const QString& filters) {
    QString filter = filters.section(u";;"_s, 0, 0);
    const QString name = fileNameFor(about);
    const QString proposed =
        QDir(folderForDocuments()).filePath((name.isEmpty() ? u"altiscope"_s : name) + endingOf(filter));
    const QString file = QFileDialog::getSaveFileName(parent, title, proposed, filters, &filter);
    return withEndingOf(file, filter);
}

}  // namespace altiscope
