#include "views/capture/capture_page.h"

#include "core/capture/session/repeats.h"
#include "views/capture/form/job_form.h"
#include "views/capture/repeat_dialog.h"
#include "views/capture/runs/captures_pane.h"
#include "views/capture/runs/repeat_runner.h"
#include "views/capture/support/host_texts.h"
#include "views/capture/support/tone_label.h"

#include <QCheckBox>
#include <QPointer>
#include <QPushButton>

#include <utility>

namespace altiscope {

void CapturePage::repeatOrStop() {
    if (m_repeats != nullptr) return endRepeats({});
    auto* dialog = new RepeatDialog(m_memory, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RepeatDialog::chosen, this, &CapturePage::startRepeats);
    dialog->open();
}

void CapturePage::startRepeats(const capture::RepeatPlan& plan) {
    if (!m_startState.possible || m_folder.empty() || m_repeats != nullptr) return;
    capture::RepeatPlan whole = plan;
    whole.workdir = m_job->workdir();
    capture::StartRequest request = startRequest();
    request.assignments = capture::repeatedAssignments(*request.method, request.preset, request.assignments);
    m_repeats = new RepeatRunner(whole, std::move(request), m_captures->askpass(job().targets, m_input.method), this);
    connect(m_repeats, &RepeatRunner::due, this, [this, fetches = m_fetches->isChecked(), isOne = plan.times == 1] {
        const auto takeEnd = [runner = QPointer(m_repeats)](bool isGood) {
            if (runner) runner->takeEnd(isGood);
        };
        // One after the other would take the place of what the user looks at meanwhile.
        m_captures->start(m_repeats->request(), fetches, takeEnd, isOne);
    });
    connect(m_repeats, &RepeatRunner::changed, this, &CapturePage::showRepeats);
    connect(m_repeats, &RepeatRunner::ended, this, &CapturePage::endRepeats);
    m_repeats->begin();
}

void CapturePage::endRepeats(const QString& why) {
    std::exchange(m_repeats, nullptr)->stop();
    showRepeats();
    if (!why.isEmpty()) emit statusMessage(why);
}

void CapturePage::showRepeats() {
    const auto problem = capture::repeatProblem(*m_input.method, m_input.preset, m_input.edits);
    const bool runs = m_repeats != nullptr;
    m_repeat->setVisible(runs || actsOnRunningJobs(*m_input.method));
    m_repeat->setEnabled(runs || (m_startState.possible && !problem && m_job->launch().empty() && !m_folder.empty()));
    m_repeat->setText(runs ? tr("Stop the series") : tr("Se&ries…"));
    m_repeat->setToolTip(runs      ? tr("Starts no more captures; one that is running continues")
                         : problem ? hostSentence(*problem)
                                   : tr("Several captures of the running job, or one once a step is slow"));
    m_repeatNote->setText(runs ? m_repeats->sentence() : QString());
    m_repeatNote->setVisible(runs);
}

}  // namespace altiscope
