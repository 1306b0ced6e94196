#include "core/trace/module_names.h"

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

constexpr std::pair<std::uint32_t, std::string_view> kModuleNames[] = {
    {0, "SLOG"},        {1, "IDEDD"},     {2, "SCC"},
    {3, "HCCL"},        {4, "FMK"},       {5, "CCU"},
    {6, "DVPP"},        {7, "RUNTIME"},   {8, "CCE"},
    {9, "HDC"},         {10, "DRV"},      {11, "NET"},
    {22, "DEVMM"},      {23, "KERNEL"},   {24, "LIBMEDIA"},
    {25, "CCECPU"},     {27, "ROS"},      {28, "HCCP"},
    {29, "ROCE"},       {30, "TEFUSION"}, {31, "PROFILING"},
    {32, "DP"},         {33, "APP"},      {34, "TS"},
    {35, "TSDUMP"},     {36, "AICPU"},    {37, "LP"},
    {38, "TDT"},        {39, "FE"},       {40, "MD"},
    {41, "MB"},         {42, "ME"},       {43, "IMU"},
    {44, "IMP"},        {45, "GE"},       {47, "CAMERA"},
    {48, "ASCENDCL"},   {49, "TEEOS"},    {50, "ISP"},
    {51, "SIS"},        {52, "HSM"},      {53, "DSS"},
    {54, "PROCMGR"},    {55, "BBOX"},     {56, "AIVECTOR"},
    {57, "TBE"},        {58, "FV"},       {60, "TUNE"},
    {61, "HSS"},        {62, "FFTS"},     {63, "OP"},
    {64, "UDF"},        {65, "HICAID"},   {66, "TSYNC"},
    {67, "AUDIO"},      {68, "TPRT"},     {69, "ASCENDCKERNEL"},
    {70, "ASYS"},       {71, "ATRACE"},   {72, "RTC"},
    {73, "SYSMONITOR"}, {74, "AMP"},      {75, "ADETECT"},
    {76, "MBUFF"},      {77, "CUSTOM"}};

}  // namespace

std::span<const std::pair<std::uint32_t, std::string_view>> moduleNames() { return kModuleNames; }

std::string_view moduleName(std::uint32_t module) {
    const auto found = std::lower_bound(std::begin(kModuleNames), std::end(kModuleNames), module,
                                        [](const auto& one, std::uint32_t wanted) { return one.first < wanted; });
    return found == std::end(kModuleNames) || found->first != module ? std::string_view() : found->second;
}

}  // namespace altiscope
