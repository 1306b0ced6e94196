#include "core/analysis/kernels/kernel_classes.h"
