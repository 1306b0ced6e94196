#pragma once

/// Small files of a cluster analysis: two ranks, one collective and one transfer, in the current form.
namespace altiscope::test::cluster_samples {

inline constexpr const char* kSteps =
    "Step,Type,Index,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not Overlapped and Exclude Receive)\n"
    "2,rank,0,10.5,2.0,1.0,3.0,4.0,20.0,0.0,2.0\n"
    "2,rank,1,11.5,3.0,1.0,4.0,5.0,21.0,0.0,3.0\n"
    "2,stage,\"(0, 1)\",11.5,3.0,1.0,4.0,5.0,21.0,0.0,3.0\n";

inline constexpr const char* kCommunication = R"json({"(0, 1)": {"step2": {
"hcom_allReduce__491_0_1@7461056492133621760": {
"0": {"Communication Time Info": {"Start Timestamp(us)": 1000.5, "Elapse Time(ms)": 0.5, "Transit Time(ms)": 0.25, "Wait Time(ms)": 0.125, "Synchronization Time(ms)": 0.125, "Idle Time(ms)": 0.125},
"Communication Bandwidth Info": {"HCCS": {"Transit Size(MB)": 2.5, "Transit Time(ms)": 0.25, "Bandwidth(GB/s)": 10.0, "Large Packet Ratio": 0, "Size Distribution": {"1.25": [2, 0.25]}}, "RDMA": {"Transit Size(MB)": 0, "Transit Time(ms)": 0, "Bandwidth(GB/s)": 0, "Large Packet Ratio": 0, "Size Distribution": {}}}},
"1": {"Communication Time Info": {"Start Timestamp(us)": 1001, "Elapse Time(ms)": 0.75, "Transit Time(ms)": 0, "Wait Time(ms)": 0, "Synchronization Time(ms)": 0, "Idle Time(ms)": 0.75},
"Communication Bandwidth Info": {}}},
"Total Op Info@7461056492133621760": {"0": {"Communication Time Info": {"Elapse Time(ms)": 0.5}, "Communication Bandwidth Info": {}}}}}})json";

inline constexpr const char* kMatrix = R"json({"(0, 1)": {"step2": {
"allreduce-top1@7461056492133621760": {"0-1": {"Transport Type": "HCCS", "Transit Size(MB)": 2.5, "Transit Time(ms)": 0.25, "Bandwidth(GB/s)": 10.0, "Op Name": "hcom_allReduce__491_0_1"},
"1-0": {"Transport Type": "HCCS", "Transit Size(MB)": 1.5, "Transit Time(ms)": 0.5, "Bandwidth(GB/s)": 3.0, "Op Name": "hcom_allReduce__491_0_1"}},
"Total Op Info@7461056492133621760": {"0-1": {"Transport Type": "HCCS", "Transit Size(MB)": 2.5, "Transit Time(ms)": 0.25, "Bandwidth(GB/s)": 10.0}}}}})json";

inline constexpr const char* kGroups = R"json({"collective": [[0, 1]], "p2p": [[0, 1]], "comm_group_parallel_info": [
{"type": "collective", "rank_set": [1, 0], "group_name": "7461056492133621760", "group_id": "the group", "pg_name": "dp"},
{"type": "p2p", "rank_set": [0, 1], "group_name": "", "group_id": "", "pg_name": ""}]})json";

}  // namespace altiscope::test::cluster_samples
