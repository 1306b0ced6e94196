#pragma once

#include <QString>

#include <filesystem>

namespace altiscope {

class DemoCapture;
class LanguageController;
class Marks;
class Selection;
class Session;
class ThemeController;
class UserSettings;

/// Services that the window works with; all of them outlive it.
struct WindowServices {
    Session& session;
    Selection& selection;
    ThemeController& theme;
    LanguageController& language;
    UserSettings& settings;
    DemoCapture& demo;
    Marks& marks;
    /// For the records of captures that are started here; empty: none can be started.
    std::filesystem::path captureFolder = {};
    /// Where what is open is kept, see WorkspaceRecovery; empty: nothing is kept.
    QString recoveryFolder = {};
};

}  // namespace altiscope
