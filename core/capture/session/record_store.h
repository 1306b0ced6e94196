#pragma once

#include "core/base/values/result.h"
#include "core/capture/session/record.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// The user's captures: a folder each, with session.json. Written in one step, so that whoever reads it, in whatever
/// moment a program was killed, finds a whole one. Any thread.
class RecordStore {
public:
    /// $XDG_DATA_HOME/altiscope/captures, else below ~/.local/share.
    static std::filesystem::path standardFolder();

    explicit RecordStore(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// Gives the record an id, "20261123-134500-1a2b3c", and a folder.
    /// @return Error "capture.session.not_written".
    Result<Done> create(CaptureRecord& record) const;
    /// Replaces session.json of a record that has an id. @return Error "capture.session.not_written".
    Result<Done> save(const CaptureRecord& record) const;
    /// With its note. @return Error "capture.session.missing" for an id that there is not, "capture.session.damaged".
    Result<CaptureRecord> load(std::string_view id) const;
    /// What the user says about a capture, at most kMaxNoteBytes; empty: nothing. In a file beside session.json, so
    /// that it needs no right to change the capture, which whoever drives it has.
    /// @return Error "capture.session.not_written".
    Result<Done> setNote(std::string_view id, std::string_view text) const;
    std::filesystem::path noteFile(std::string_view id) const;
    static constexpr std::size_t kMaxNoteBytes = 4000;
    /// Newest first; damaged ones are left out.
    std::vector<CaptureRecord> list() const;
    /// Folder of a capture.
    std::filesystem::path folderOf(std::string_view id) const { return m_folder / std::string(id); }
    /// Where its results are copied to if nobody names a folder. Its own name is what the window calls the opened
    /// results: "torch-dynamic 2026-11-23 13.45.00", in the local time of its start. "results" where there is that
    /// folder already, of a version before.
    std::filesystem::path resultsOf(const CaptureRecord& record) const;

    /// Asks whoever drives a capture to end it.
    void requestCancel(std::string_view id) const;
    /// For who has cancelled it, and has the right to change it.
    void withdrawCancel(std::string_view id) const;
    bool isCancelRequested(std::string_view id) const;

    /// Asks the process that drives a capture to go on with what is there, as CaptureRun::finish().
    void requestFinish(std::string_view id) const;
    void withdrawFinish(std::string_view id) const;
    bool isFinishRequested(std::string_view id) const;

    /// For whoever waits for the right to change a capture: that its owner puts back one thing after the other.
    void showWork(std::string_view id) const;
    /// Another number after each showWork().
    std::int64_t signOfWork(std::string_view id) const;

private:
    std::filesystem::path m_folder;
};

/// The right to change a capture: one process at a time has it, and loses it when it ends in whatever way.
class CaptureLock {
public:
    /// nullopt if another process has it, or if it cannot be had at all.
    static std::optional<CaptureLock> take(const RecordStore& store, std::string_view id);
    /// Why nobody can have it: a full disk, a folder of somebody else; empty if nothing is wrong.
    static std::string problem(const RecordStore& store, std::string_view id);
    ~CaptureLock();
    CaptureLock(CaptureLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    CaptureLock& operator=(CaptureLock&&) = delete;
    CaptureLock(const CaptureLock&) = delete;
    CaptureLock& operator=(const CaptureLock&) = delete;

private:
    explicit CaptureLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor;
};

}  // namespace altiscope::capture
