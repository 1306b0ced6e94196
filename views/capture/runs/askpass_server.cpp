#include "views/capture/runs/askpass_server.h"

#include "core/base/text/printable_text.h"
#include "core/capture/targets/ssh_command.h"
#include "views/capture/support/tone_label.h"
#include "views/common/support/formatters.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSocketNotifier>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace altiscope {

namespace {

/// OpenSSH's own prompts are far shorter.
constexpr qsizetype kMaxQuestion = 8192;
constexpr int kMaxWaiting = 16;
/// Longer than any passphrase, and whole in the buffer of a socket.
constexpr int kMaxSecret = 1000;

bool isOwn(int descriptor) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::getuid();
}

/// Fields in /proc after the name of a process, the state first.
std::vector<std::string> processFields(const std::string& process) {
    std::ifstream file("/proc/" + process + "/stat");
    std::string text;
    std::getline(file, text);
    const auto name = text.rfind(')');
    if (name == std::string::npos) return {};
    std::istringstream rest(text.substr(name + 1));
    return {std::istream_iterator<std::string>(rest), {}};
}

/// The process of OpenSSH that has started the helper at the other end: its number and when it began, since numbers are
/// given again; empty if that is not known.
std::string askingProcess(int descriptor) {
    static constexpr std::size_t kParent = 1, kBegin = 19;
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return {};
    const auto helper = processFields(std::to_string(peer.pid));
    if (helper.size() <= kParent) return {};
    const auto asking = processFields(helper[kParent]);
    return asking.size() <= kBegin ? std::string() : helper[kParent] + " " + asking[kBegin];
}

/// Pixels.
int widestLine(const QLabel& label) {
    int widest = 0;
    for (const QString& line : label.text().split(u'\n'))
        widest = std::max(widest, label.fontMetrics().horizontalAdvance(line));
    return widest + 2;
}

int listenAt(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return -1;
    std::memcpy(address.sun_path, path.data(), path.size());
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -1;
    if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        ::listen(descriptor, kMaxWaiting) == 0) {
        return descriptor;
    }
    ::close(descriptor);
    return -1;
}

}  // namespace

AskpassQuestion askpassQuestion(const QByteArray& kind, const QByteArray& prompt) {
    AskpassQuestion question;
    if (prompt.contains("(yes/no")) question.kind = AskpassQuestion::Kind::HostKey;
    if (kind == "confirm") question.kind = AskpassQuestion::Kind::Confirm;
    if (kind == "none") question.kind = AskpassQuestion::Kind::Notice;
    QStringList lines;
    for (const QByteArray& line : prompt.trimmed().split('\n'))
        lines << toQString(printableText({line.constData(), static_cast<std::size_t>(line.size())}));
    question.prompt = lines.join(QChar(u'\n'));
    return question;
}

/// One program that waits for an answer.
class AskpassServer::Asker : public QObject {
public:
    Asker(int descriptor, std::shared_ptr<std::atomic<int>> open, QObject* parent)
        : QObject(parent), m_descriptor(descriptor), m_notifier(descriptor, QSocketNotifier::Read, this),
          m_open(std::move(open)) {}
    ~Asker() override {
        m_notifier.setEnabled(false);
        if (m_isComplete) --*m_open;
        ::close(m_descriptor);
    }
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;

    QSocketNotifier& notifier() { return m_notifier; }
    const AskpassQuestion& question() const { return m_question; }
    const std::string& process() const { return m_process; }

    enum class Reading { Partial, Complete, Over };
    /// Bytes that have come so far; after the whole question only its end is of interest.
    Reading read() {
        std::array<char, 1024> piece{};
        const ssize_t size = ::recv(m_descriptor, piece.data(), piece.size(), MSG_DONTWAIT);
        if (size == 0) return Reading::Over;
        if (size < 0) return Reading::Partial;
        m_text.append(piece.data(), size);
        if (m_text.size() > kMaxQuestion) return Reading::Over;
        if (m_isComplete || m_text.count('\0') < 2) return Reading::Partial;
        m_isComplete = true;
        ++*m_open;
        m_process = askingProcess(m_descriptor);
        const auto parts = m_text.split('\0');
        m_question = askpassQuestion(parts[0], parts[1]);
        return Reading::Complete;
    }

    void answer(QByteArray text) const {
        text.prepend('y');
        // Fits into the buffer of the socket; whoever has gone away gets none.
        [[maybe_unused]] const ssize_t sent =
            ::send(m_descriptor, text.constData(), static_cast<std::size_t>(text.size()), MSG_NOSIGNAL | MSG_DONTWAIT);
        ::explicit_bzero(text.data(), static_cast<std::size_t>(text.size()));
    }

private:
    int m_descriptor;
    QSocketNotifier m_notifier;
    std::shared_ptr<std::atomic<int>> m_open;
    QByteArray m_text;
    AskpassQuestion m_question;
    std::string m_process;
    bool m_isComplete = false;
};

AskpassServer::AskpassServer(QWidget* window) : QObject(window), m_window(window) {
    const std::string folder = capture::controlFolder();
    if (folder.empty()) return;
    const std::string path =
        folder + "/ask-" + std::to_string(::getpid()) + "-" + std::to_string(QRandomGenerator::system()->generate64());
    m_listening = listenAt(path);
    if (m_listening < 0) return;
    m_socket = path;
    const auto* notifier = new QSocketNotifier(m_listening, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &AskpassServer::accept);
}

AskpassServer::~AskpassServer() {
    if (m_listening >= 0) ::close(m_listening);
    if (!m_socket.empty()) ::unlink(m_socket.c_str());
}

capture::Askpass AskpassServer::askpass() const {
    if (m_socket.empty()) return {};
    return {QCoreApplication::applicationFilePath().toStdString(), m_socket, [open = m_open] { return *open > 0; }};
}

void AskpassServer::accept() {
    const int descriptor = ::accept4(m_listening, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) return;
    auto* asker = new Asker(descriptor, m_open, this);
    if (!isOwn(descriptor) || m_waiting.size() >= kMaxWaiting) return delete asker;
    connect(&asker->notifier(), &QSocketNotifier::activated, this, [this, asker] {
        const Asker::Reading reading = asker->read();
        if (reading == Asker::Reading::Partial) return;
        if (reading == Asker::Reading::Over) {
            // Its dialog follows it; the notifier is still at work.
            asker->notifier().setEnabled(false);
            return asker->deleteLater();
        }
        m_waiting.emplace_back(asker);
        showNext();
    });
}

void AskpassServer::showNext() {
    while (m_dialog == nullptr && !m_waiting.empty()) {
        const QPointer<Asker> asker = m_waiting.front();
        m_waiting.pop_front();
        if (asker == nullptr) continue;
        // Who has cancelled does not want to do it twice more.
        if (!asker->process().empty() && Prompt(asker->process(), asker->question().prompt) == m_refused) {
            // Its notifier may be what has called this.
            asker->notifier().setEnabled(false);
            asker->deleteLater();
        } else {
            ask(*asker);
        }
    }
}

void AskpassServer::ask(Asker& asker) {
    using Kind = AskpassQuestion::Kind;
    const Kind kind = asker.question().kind;
    // Another dialog may have asked for what needs the answer; keys are for that one again afterwards.
    const QPointer<QWidget> before = QApplication::activeWindow();
    m_dialog = new QDialog(m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setWindowTitle(kind == Kind::HostKey ? tr("Is this the right host?") : tr("OpenSSH asks"));
    auto* column = new QVBoxLayout(m_dialog);
    auto* prompt = new QLabel(asker.question().prompt, m_dialog);
    prompt->setTextFormat(Qt::PlainText);
    prompt->setTextInteractionFlags(Qt::TextSelectableByMouse);
    prompt->setWordWrap(true);
    if (kind == Kind::HostKey) prompt->setFont(monospaceFont(m_dialog->font()));
    // A fingerprint that is broken is hard to compare.
    const int room = m_window->window()->width() * 9 / 10, wide = widestLine(*prompt);
    prompt->setMinimumWidth(std::min(std::max(wide, m_window->fontMetrics().averageCharWidth() * 70), room));
    column->addWidget(prompt);
    QLineEdit* line = nullptr;
    const Prompt same{asker.process(), asker.question().prompt};
    if (kind == Kind::Secret && !same.first.empty() && same == m_answered) {
        auto* refused = new ToneLabel(IconTone::Error, m_dialog);
        refused->setText(tr("What was entered before was not accepted."));
        column->addWidget(refused);
    }
    if (kind == Kind::Secret) {
        line = new QLineEdit(m_dialog);
        line->setEchoMode(QLineEdit::Password);
        line->setAccessibleName(asker.question().prompt);
        line->setMaxLength(kMaxSecret);
        column->addWidget(line);
    }
    if (kind == Kind::HostKey) {
        auto* advice = new ToneLabel(IconTone::Warning, m_dialog);
        advice->setText(tr("Compare the fingerprint with what the administrator of the host says. Once accepted it is "
                           "kept in your known hosts."));
        column->addWidget(advice);
    }
    auto* buttons = new QDialogButtonBox(m_dialog);
    column->addWidget(buttons);
    if (kind != Kind::Notice) {
        auto* yes = buttons->addButton(kind == Kind::HostKey  ? tr("&Accept the key")
                                       : kind == Kind::Secret ? tr("&OK")
                                                              : tr("&Yes"),
                                       QDialogButtonBox::AcceptRole);
        yes->setAutoDefault(kind == Kind::Secret);
        yes->setDefault(kind == Kind::Secret);
    }
    auto* no = buttons->addButton(kind == Kind::HostKey ? tr("&Refuse") : tr("&Cancel"), QDialogButtonBox::RejectRole);
    // Whoever only presses Return accepts no key.
    no->setDefault(kind != Kind::Secret);
    connect(buttons, &QDialogButtonBox::accepted, m_dialog, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, m_dialog, &QDialog::reject);
    // Where OpenSSH has given up nobody waits for the answer.
    connect(&asker, &QObject::destroyed, m_dialog, &QDialog::reject);
    connect(m_dialog, &QDialog::finished, this,
            [this, line, same, before, waiting = QPointer<Asker>(&asker)](int result) {
                if (waiting != nullptr) {
                    if (line != nullptr) (result == QDialog::Accepted ? m_answered : m_refused) = same;
                    if (result == QDialog::Accepted) waiting->answer(line != nullptr ? line->text().toUtf8() : "yes");
                    waiting->notifier().setEnabled(false);
                    waiting->disconnect(m_dialog);
                    waiting->deleteLater();
                }
                if (line != nullptr) line->clear();
                m_dialog = nullptr;
                if (before != nullptr) before->activateWindow();
                showNext();
            });
    m_dialog->open();
    if (line != nullptr) line->setFocus();
    else no->setFocus();
}

}  // namespace altiscope
