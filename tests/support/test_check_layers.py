#!/usr/bin/env python3
"""Self-test of check_layers.py: plants one forbidden include of each kind in a small tree and expects it to be found.

    test_check_layers.py [QTCORE_FOLDER]
"""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
QTCORE = sys.argv[1] if len(sys.argv) > 1 else None

# A tree without fault: every room has a header, and some use what they may.
SOUND = {
    "core/base/time.h": "#include <cstdint>\n",
    "core/base/parallel.h": "#include <functional>\n",
    "core/base/parallel.cpp": '#include "core/base/parallel.h"\n#include <tbb/parallel_for.h>\n',
    "core/trace/track.h": '#include "core/base/time.h"\n',
    "core/store/store.h": '#include "core/trace/track.h"\n',
    "core/import/json.h": '#include "core/store/store.h"\n',
    "core/import/json_inside.h": "#include <simdjson.h>\n",
    "core/import/json.cpp": '#include "core/import/json.h"\n#include "core/import/json_inside.h"\n',
    "core/analysis/overlap.h": '#include "core/store/store.h"\n',
    "core/analysis/support/sets.h": "#include <vector>\n",
    "core/analysis/steps/step_sums.h": '#include "core/analysis/support/sets.h"\n',
    "core/analysis/rows.h": '#include "core/analysis/steps/step_sums.h"\n',
    "core/query/sql.h": '#include "core/analysis/overlap.h"\n',
    "core/query/sql.cpp": '#include "core/query/sql.h"\n#include <sqlite3.h>\n',
    "core/capture/daemon.h": "#include <string>\n",
    "core/capture/daemon.cpp": '#include "core/capture/daemon.h"\n#include <openssl/ssl.h>\n#include <sys/socket.h>\n#include <netdb.h>\n',
    "core/session/session.h": '#include "core/import/json.h"\n#include <QObject>\n',
    "views/common/colors.h": '#include "core/session/session.h"\n#include <QColor>\n',
    "views/timeline/view.h": '#include "views/common/colors.h"\n#include <QWidget>\n',
    "views/capture/page.h": '#include "core/capture/daemon.h"\n#include <QWidget>\n',
    "views/capture/questions.cpp": "#include <sys/socket.h>\n#include <sys/un.h>\n",
    "views/memory/view.h": '#include "views/common/colors.h"\n',
    "app/gui/main.cpp": '#include "views/timeline/view.h"\n#include <QApplication>\n',
    "app/cli/main.cpp": '#include "core/query/sql.h"\n#include <QCoreApplication>\n',
    "tests/core/base/tst_time.cpp": '#include "core/import/json_inside.h"\n#include "tst_time.moc"\n#include <QWidget>\n',
}

# name -> file, line that is added to it, words of the reason
FAULTS = {
    "lower shelf includes higher": ("core/analysis/support/sets.h", '#include "core/analysis/steps/step_sums.h"',
                                    "core/analysis/support may not include core/analysis/steps/step_sums.h"),
    "shelf includes the room's own file": ("core/analysis/steps/step_sums.h", '#include "core/analysis/rows.h"', "stands above"),
    "shelf that is in no table": ("core/analysis/misc/x.h", '#include "core/base/time.h"', "core/analysis/misc is no shelf"),
    "folder in a shelf": ("core/analysis/steps/more/x.h", '#include "core/base/time.h"', "is no shelf"),
    "lower room includes higher": ("core/base/time.h", '#include "core/store/store.h"', "core/base may not include"),
    "store includes import": ("core/store/store.h", '#include "core/import/json.h"', "core/store may not include"),
    "analysis includes import": ("core/analysis/overlap.h", '#include "core/import/json.h"', "may not include"),
    "query includes session": ("core/query/sql.cpp", '#include "core/session/session.h"', "may not include"),
    "view includes store": ("views/timeline/view.h", '#include "core/store/store.h"', "views/timeline may not include"),
    "view includes import": ("views/common/colors.h", '#include "core/import/json.h"', "views/common may not include"),
    "view includes another view": ("views/timeline/view.h", '#include "views/memory/view.h"', "may not include"),
    "view common includes a view": ("views/common/colors.h", '#include "views/memory/view.h"', "may not include"),
    "gui includes store": ("app/gui/main.cpp", '#include "core/store/store.h"', "app/gui may not include"),
    "cli includes a view": ("app/cli/main.cpp", '#include "views/common/colors.h"', "app/cli may not include"),
    "core includes app": ("core/query/sql.h", '#include "app/cli/main.cpp"', "may not include app/cli"),
    "product includes tests": ("core/base/time.h", '#include "tests/core/base/tst_time.cpp"', "of the tests"),
    "room without a row": ("core/magic/wand.h", '#include "core/base/time.h"', "in no row"),
    "short path": ("core/base/parallel.h", '#include "time.h"', "not a full path"),
    "relative path": ("core/trace/track.h", '#include "../base/time.h"', "not a full path"),
    "missing file": ("core/trace/track.h", '#include "core/base/gone.h"', "not a full path"),
    "project file in angles": ("core/trace/track.h", "#include <core/base/time.h>", "included as"),
    "Qt in core": ("core/base/time.h", "#include <QString>", "may not use Qt"),
    "Qt module in core": ("core/import/json.cpp", "#include <QtCore/QString>", "may not use Qt"),
    "old Qt header in core": ("core/query/sql.cpp", "#include <qglobal.h>", "may not use Qt"),
    "widgets in session": ("core/session/session.h", "#include <QtWidgets/QWidget>", "Qt Core only"),
    "SQLite in a view": ("views/timeline/view.h", "#include <sqlite3.h>", "may not use sqlite"),
    "JSON in a view": ("views/common/colors.h", "#include <nlohmann/json.hpp>", "may not use nlohmann"),
    "TBB outside base": ("core/import/json.cpp", "#include <oneapi/tbb/parallel_for.h>", "may not use tbb"),
    "TBB in a public header": ("core/base/parallel.h", "#include <tbb/task_arena.h>", "shows tbb to other rooms"),
    "SQLite in a public header": ("core/query/sql.h", "#include <sqlite3.h>", "shows sqlite to other rooms"),
    "simdjson through an inner header": ("core/import/json.h", '#include "core/import/json_inside.h"', "shows simdjson"),
    "OpenSSL outside capture": ("core/session/session.h", "#include <openssl/evp.h>", "may not use openssl"),
    "OpenSSL in a public header": ("core/capture/daemon.h", "#include <openssl/ssl.h>", "shows openssl to other rooms"),
    "other machines in a reader": ("core/import/json.cpp", "#include <netdb.h>", "may not use network"),
    "other machines in the page of recordings": ("views/capture/page.h", "#include <netinet/in.h>", "may not use network"),
    "sockets in a view": ("views/timeline/view.h", "#include <sys/socket.h>", "may not use sockets"),
    "Qt Network in a view": ("views/timeline/view.h", "#include <QNetworkAccessManager>", "may not use qtnetwork"),
    "Qt Network in the program": ("app/gui/main.cpp", "#include <QtNetwork/QTcpSocket>", "may not use qtnetwork"),
    "Qt Network in recordings": ("core/capture/peer.cpp", "#include <QtNetwork/QTcpSocket>", "may not use qtnetwork"),
    "library in quotes": ("core/store/store.h", '#include "sqlite3.h"', "may not use sqlite"),
    "xxhash in a view": ("views/timeline/view.h", "# include <xxhash.h>", "may not use xxhash"),
    "plots in core": ("core/analysis/overlap.h", "#include <qcustomplot.h>", "may not use qcustomplot"),
}
# "TBB in a public header" needs somebody outside who includes it.
SOUND["core/import/json.cpp"] += '#include "core/base/parallel.h"\n'
# Only with Qt's headers at hand.
SHORT_QT_FAULTS = {
    "short widget name in session": ("core/session/session.h", "#include <QIcon>", "Qt Core only"),
    "short widget name in cli": ("app/cli/main.cpp", "#include <QApplication>", "Qt Core only"),
}


class CheckLayers(unittest.TestCase):
    def run_on(self, tree):
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            command = [sys.executable, os.path.join(HERE, "check_layers.py"), root]
            if QTCORE:
                command += ["--qtcore", QTCORE]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_sound_tree_passes(self):
        result = self.run_on(SOUND)
        self.assertEqual((result.returncode, result.stdout), (0, "0 forbidden includes\n"))

    def test_each_fault_is_found_where_it_is(self):
        for name, (path, line, reason) in {**FAULTS, **(SHORT_QT_FAULTS if QTCORE else {})}.items():
            with self.subTest(name):
                tree = dict(SOUND)
                tree[path] = line + "\n" + tree.get(path, "")
                result = self.run_on(tree)
                self.assertEqual(result.returncode, 1)
                self.assertIn(reason, result.stdout)
                if not reason.startswith("shows"):  # Those name the header in which the library appears.
                    self.assertIn(f"{path}:1: ", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
