#pragma once

/// Small files of a cluster analysis: two ranks, one collective and one transfer, in the current form.
namespace altiscope::test::cluster_samples {

inline constexpr const char* kSteps =
    "Step,Type,Index,Computing,Communication(Not "
    "Overlapped),Overlapped,Communication,Free,Stage,Bubble,Communication(Not Overlapped and Exclude Receive)\n"
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

/// The same numbers as a database.
inline constexpr const char* kDatabase =
    "CREATE TABLE ClusterStepTraceTime(step TEXT, type TEXT, 'index' TEXT, computing, communication_not_overlapped, "
    "overlapped, communication, free, stage,"
    " bubble, communication_not_overlapped_and_exclude_receive, preparing);"
    "INSERT INTO ClusterStepTraceTime "
    "VALUES('2','rank','0',10.5,2.0,1.0,3.0,4.0,20.0,0.0,2.0,NULL),('2','rank','1',11.5,3.0,1.0,4.0,5.0,21.0,0.0,3.0,"
    "NULL),"
    "('2','stage','(0,1)',11.5,3.0,1.0,4.0,5.0,21.0,0.0,3.0,NULL);"
    "CREATE TABLE ClusterCommunicationTime(step, rank_id, hccl_op_name, group_name, start_timestamp, elapsed_time, "
    "transit_time, wait_time,"
    " synchronization_time, idle_time);"
    "INSERT INTO ClusterCommunicationTime "
    "VALUES('step2',0,'hcom_allReduce__491_0_1','7461056492133621760',1000.5,0.5,0.25,0.125,0.125,0.125),"
    "('step2',1,'hcom_allReduce__491_0_1','7461056492133621760',1001,0.75,0,0,0,0.75),"
    "('step2',0,'Total Op Info','7461056492133621760',NULL,0.5,NULL,NULL,NULL,NULL);"
    "CREATE TABLE ClusterCommunicationBandwidth(step, rank_id, hccl_op_name, group_name, band_type, transit_size, "
    "transit_time, bandwidth,"
    " large_packet_ratio, package_size, count, total_duration);"
    "INSERT INTO ClusterCommunicationBandwidth "
    "VALUES('step2',0,'hcom_allReduce__491_0_1','7461056492133621760','HCCS',2.5,0.25,10.0,0,1.25,2,0.25),"
    "('step2',0,'Total Op Info','7461056492133621760','HCCS',2.5,0.25,10.0,0,1.25,2,0.25);"
    "CREATE TABLE ClusterCommunicationMatrix(step, hccl_op_name, group_name, src_rank, dst_rank, transit_size, "
    "transit_time, bandwidth, transport_type, op_name);"
    "INSERT INTO ClusterCommunicationMatrix "
    "VALUES('step2','allreduce-top1','7461056492133621760',0,1,2.5,0.25,10.0,'HCCS','hcom_allReduce__491_0_1'),"
    "('step2','allreduce-top1','7461056492133621760',1,0,1.5,0.5,3.0,'HCCS','hcom_allReduce__491_0_1'),"
    "('step2','Total Op Info','7461056492133621760',0,1,2.5,0.25,10.0,'HCCS','');"
    "CREATE TABLE CommunicationGroupMapping(type, rank_set, group_name, group_id, pg_name);"
    "INSERT INTO CommunicationGroupMapping VALUES('collective','(0,1)','7461056492133621760','the "
    "group','dp'),('p2p','(0,1)','','','');"
    "CREATE TABLE HostInfo(hostUid, hostName); INSERT INTO HostInfo VALUES('u','node1');"
    "CREATE TABLE RankDeviceMap(rankId, deviceId, hostUid, profilePath); INSERT INTO RankDeviceMap "
    "VALUES(0,4,'u',''),(1,5,'u','');";

}  // namespace altiscope::test::cluster_samples
