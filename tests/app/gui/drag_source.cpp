// drag_source PATH...
// A file manager for walks: a small window whose content, dragged with the mouse, is the given files.
#include <QApplication>
#include <QDrag>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>

namespace {

class Source : public QLabel {
public:
    explicit Source(QList<QUrl> files) : QLabel(QStringLiteral("drag me")), m_files(std::move(files)) {
        setAlignment(Qt::AlignCenter);
        setFixedSize(160, 60);
        setWindowTitle(QStringLiteral("drag source"));
    }

protected:
    void mouseMoveEvent(QMouseEvent*) override {
        auto* drag = new QDrag(this);
        auto* content = new QMimeData;
        content->setUrls(m_files);
        drag->setMimeData(content);
        drag->exec(Qt::CopyAction | Qt::LinkAction);
    }

private:
    QList<QUrl> m_files;
};

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    QList<QUrl> files;
    const QStringList arguments = QApplication::arguments();
    for (qsizetype i = 1; i < arguments.size(); ++i)
        files << QUrl::fromLocalFile(QFileInfo(arguments[i]).absoluteFilePath());
    Source source(files);
    source.show();
    return QApplication::exec();
}
