#pragma once

#include "core/session/findings_loader.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/pages/framed_page.h"
#include "views/common/support/view_memory.h"
#include "views/communication/data/communication_source.h"
#include "views/communication/panels/matrix_view.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QStackedWidget;

namespace altiscope {

class AdviceTab;
class FindingSettings;
class FindingTab;
class SettingsBar;
class TimeView;

/// Communication between ranks: the matrix of links, and when collectives ran and waited. Shows the capture that is
/// chosen in the tree, within the context that all pages share. GUI thread; rows are read on workers, and only while
/// the page is in sight.
class CommunicationPage : public FramedPage {
    Q_OBJECT
public:
    /// All must outlive the page.
    CommunicationPage(Session& session, Selection& selection, FindingsLoader& loader, const FindingSettings& findings,
                      const ViewMemory& memory, QWidget* parent = nullptr);
    ~CommunicationPage() override;

    /// The collective is sought in the capture that is shown, among all steps, groups and operators.
    void showCollective(RankIndex rank, const QString& name, TimeNs begin);
    bool idle() const override;
    /// Those of `link` are the matrix.
    bool showRows(CaptureId capture, const FindingEvidence::Rows& rows) override;

    const std::shared_ptr<const CommunicationSource>& shown() const { return m_source; }
    SettingsBar& bar() { return *m_bar; }
    MatrixView& matrix() { return *m_matrix; }
    TimeView& times() { return *m_times; }
    AdviceTab& advice() { return *m_advice; }
    /// In the matrix, and beside the times.
    FindingTab& findings(bool inMatrix) { return inMatrix ? *m_matrixFindings : *m_timeFindings; }

private:
    void setUp();
    void refresh(bool isInSight) override;
    PageTexts texts() const override;
    QStringList shownGaps() const override;
    std::optional<QStringList> missing() const override;
    bool isContentShown() const override;
    void retranslate() override;
    /// With what it is compared with.
    struct Sources {
        std::shared_ptr<const CommunicationSource> shown, base;
        std::optional<PageBase> of;
    };
    void take(Sources sources);
    std::optional<LinkBase> linkBase() const;
    void showParts();
    void showMode();
    void connectFindings(FindingTab& tab);

    FindingsLoader& m_loader;
    CaptureId m_shownCapture;  ///< The capture of m_source.
    std::shared_ptr<const CommunicationSource> m_source, m_baseSource;
    std::optional<PageBase> m_base;  ///< The base of m_baseSource.
    JobSlot m_slot;
    SettingsBar* m_bar;
    QStackedWidget* m_views;
    MatrixView* m_matrix;
    TimeView* m_times;
    AdviceTab* m_advice;
    FindingTab *m_matrixFindings, *m_timeFindings;
    struct WantedCollective {
        RankIndex rank{};
        QString name;
        TimeNs begin;
    };
    std::optional<WantedCollective> m_wantedCollective;   ///< Until what is shown is as new as the capture.
    bool m_matrixIsStale = true, m_timesAreStale = true;  ///< What is out of sight is not requested.
};

}  // namespace altiscope
