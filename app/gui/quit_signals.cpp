#include "app/gui/quit_signals.h"

#include <QCoreApplication>
#include <QSocketNotifier>

#include <atomic>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace altiscope {

namespace {

constexpr int kQuitSignals[] = {SIGINT, SIGTERM, SIGHUP};

// A handler has no other way to know it.
std::atomic<int> quitPipe{-1};

extern "C" void onQuitSignal(int) {
    for (const int signal : kQuitSignals) std::signal(signal, SIG_DFL);
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = ::write(quitPipe.load(), &byte, 1);
}

}  // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    if (::pipe2(m_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
    m_notifier = new QSocketNotifier(m_pipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        m_notifier->setEnabled(false);
        emit quitting();
        QCoreApplication::quit();
    });
    quitPipe = m_pipe[1];
    for (const int signal : kQuitSignals) {
        // nohup wants the program to outlive its terminal.
        if (std::signal(signal, onQuitSignal) == SIG_IGN && signal == SIGHUP) std::signal(signal, SIG_IGN);
    }
}

QuitSignals::~QuitSignals() {
    if (m_notifier == nullptr) return;
    for (const int signal : kQuitSignals) std::signal(signal, SIG_DFL);
    quitPipe = -1;
    for (const int end : m_pipe) ::close(end);
}

}  // namespace altiscope
