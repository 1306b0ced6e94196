#pragma once

#include "core/report/document/report_document.h"

#include <QImage>
#include <QJsonArray>
#include <QWidget>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace altiscope {

/// The pictures that the user put into the report, each with a title and a note; they can be moved and taken out. GUI
/// thread.
class PictureList : public QWidget {
    Q_OBJECT
public:
    /// Further ones are refused: the file would be too large to send.
    static constexpr std::size_t kMaxPictures = 30;

    explicit PictureList(QWidget* parent = nullptr);

    /// @return False if there are too many already, or it cannot be kept.
    bool add(const QImage& picture, const QString& title);
    const std::vector<ReportPicture>& pictures() const { return m_pictures; }

    /// So much of them, as text of a workspace, goes into it: what is open is saved every second.
    static constexpr qsizetype kMaxKeptBytes = 4 << 20;
    /// Whether a workspace takes them all.
    bool areAllKept() const { return m_keptOnes == m_pictures.size(); }
    /// [{"title","note","png": base64}], the first ones up to kMaxKeptBytes; shared, not copied.
    const QJsonArray& state() const { return m_state; }
    /// Instead of those that are there. What is no PNG, or too large a one, is excluded.
    void restore(const QJsonArray& state);

signals:
    void changed();

protected:
    void changeEvent(QEvent* event) override;

private:
    void append(ReportPicture picture, const QImage& image);
    void announce();
    void keepWords(std::size_t place);
    void rebuild();
    QWidget* makeRow(std::size_t place);
    void move(std::size_t place, std::ptrdiff_t by);
    void retranslate();
    void applyColours();

    std::vector<ReportPicture> m_pictures;
    std::vector<QPixmap> m_thumbnails;
    QJsonArray m_state;
    std::size_t m_keptOnes = 0;
    QLabel* m_hint;
    QVBoxLayout* m_rows;
};

}  // namespace altiscope
