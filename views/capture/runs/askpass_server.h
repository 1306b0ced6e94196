#pragma once

#include "core/capture/targets/remote_shell.h"

#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QString>

#include <atomic>
#include <deque>
#include <memory>
#include <string>

class QDialog;
class QSocketNotifier;
class QWidget;

namespace altiscope {

/// Question of OpenSSH to the user.
struct AskpassQuestion {
    enum class Kind {
        Secret,   ///< A password, passphrase or one-time code.
        HostKey,  ///< Whether a host has the key that its administrator says it has; "yes" or "no".
        Confirm,  ///< Yes or no, without a text.
        Notice,   ///< Nothing: "touch your key".
    } kind = Kind::Secret;
    QString prompt;  ///< In the words of OpenSSH; one that is too long or hides something is made harmless.
};

/// @param kind, prompt  As askpass_helper.h hands them over.
AskpassQuestion askpassQuestion(const QByteArray& kind, const QByteArray& prompt);

/// Shows the questions of askpass_helper.h in the window, one after another, and hands the answers back. The socket
/// lies in a folder that nobody else can enter, under a name that cannot be foreseen, and other users are refused.
/// Secrets are kept nowhere. GUI thread; nothing blocks.
class AskpassServer : public QObject {
    Q_OBJECT
public:
    /// @param window  What the questions stand before.
    explicit AskpassServer(QWidget* window);
    ~AskpassServer() override;

    /// For RemoteShell::open; may outlive this. Empty if there is no place for a socket: then nobody is asked.
    capture::Askpass askpass() const;

private:
    class Asker;

    void accept();
    void showNext();
    void ask(Asker& asker);

    QWidget* m_window;
    std::shared_ptr<std::atomic<int>> m_open = std::make_shared<std::atomic<int>>(0);  ///< Questions without an answer.
    int m_listening = -1;
    std::string m_socket;
    std::deque<QPointer<Asker>> m_waiting;
    QPointer<QDialog> m_dialog;
    using Prompt = std::pair<std::string, QString>;  ///< Which process, and its prompt.
    Prompt m_refused;                                ///< The last secret that was refused: OpenSSH asks three times.
    Prompt m_answered;                               ///< The last secret that was given.
};

}  // namespace altiscope
