#pragma once

// The plot library for the sources of this folder; never for a header. It is written with Qt's own loop macro, which
// the project switches off; the loops that its header has are plain ones.
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef foreach
