"""The headings of every table that the analyses of torch_npu, MindSpore and CANN write, once, from their own public sources.

Sources, as of 2025 and 2026: github.com/Ascend/pytorch (torch_npu/profiler/analysis), github.com/mindspore-ai/mindspore_test
(mindspore/python/mindspore/profiler, releases of 2.4 to 2.7), github.com/Ascend/msprof (analysis). `test_headers.py` holds what we
generate, read and write against them."""

TORCH, MINDSPORE, CANN = "torch_npu", "MindSpore", "CANN"

SHAPES = "Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats"
KERNEL = f"Model ID,Task ID,Stream ID,{{}},Block Num,Mix Block Num,HF32 Eligible,{SHAPES},Context ID"
NAMES = "Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)"
CANN_NAMES = "Op Name,OP Type,OP State,Task Type,Task Start Time(us),Task Duration(us),Task Wait Time(us)"
# Columns of PipeUtilization; other metrics have other ones, which any name may have.
PIPES = ("aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),aic_scalar_ratio,aic_mte1_time(us),"
         "aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,aic_fixpipe_time(us),aic_fixpipe_ratio,aic_icache_miss_rate,aiv_time(us),"
         "aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,aiv_scalar_time(us),aiv_scalar_ratio,aiv_mte2_time(us),aiv_mte2_ratio,"
         "aiv_mte3_time(us),aiv_mte3_ratio,aiv_icache_miss_rate,cube_utilization(%)")
STEP_TIMES = ("Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
              "Communication(Not Overlapped and Exclude Receive),Preparing")
ALLOCATIONS = ("Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),"
               "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total Allocated(MB),"
               "Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type")
POOLS = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB)"
PORTS = ("Device_id,Timestamp(us),Bandwidth(MB/s),Rx Bandwidth efficiency(%),rxPacket/s,rxError rate(%),rxDropped rate(%),"
         "Tx Bandwidth efficiency(%),txPacket/s,txError rate(%),txDropped rate(%),funcId")
AI_CPU = ("Device_id,Timestamp(us),Node,Compute_time(us),Memcpy_time(us),Task_time(us),Dispatch_time(us),Total_time(us),Stream ID,"
          "Task ID")

# {file without its stamp: (source, headings)}. CANN writes Device_id before the headings of its configuration
# (msinterface/msprof_output_summary.py); frameworks that copy a file keep its headings.
CONFIGURED = "analysis/msconfig/msprof_export_data_config.py"
ASSEMBLED = "analysis/csrc/application/summary/"
CANN_FILES = {
    "op_summary": (ASSEMBLED + "op_summary_assembler.cpp", "Device_id," + KERNEL.format(CANN_NAMES)),
    "op_statistic": (ASSEMBLED + "op_statistic_assembler.cpp",
                     "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"),
    "api_statistic": (ASSEMBLED + "api_statistic_assembler.cpp",
                      "Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance"),
    "communication_statistic": (ASSEMBLED + "comm_statistic_assembler.cpp",
                                "Device_id,OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"),
    "task_time": (ASSEMBLED + "task_time_assembler.cpp",
                  "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)"),
    "fusion_op": (ASSEMBLED + "fusion_op_assembler.cpp",
                  "Device_id,Model Name,Model ID,Fusion Op,Original Ops,Memory Input(KB),Memory Output(KB),Memory Weight(KB),"
                  "Memory Workspace(KB),Memory Total(KB)"),
    "npu_mem": (ASSEMBLED + "npu_memory_assembler.cpp", "Device_id,event,ddr(KB),hbm(KB),memory(KB),timestamp(us)"),
    "npu_module_mem": (ASSEMBLED + "npu_module_mem_assembler.cpp", "Device_id,Component,Timestamp(us),Total Reserved(KB),Device"),
    "page_fault": (ASSEMBLED + "page_fault_assembler.cpp", "Device Id,Stream Id,Task Id,Page Fault Num,Op Name"),
    "step_trace": (ASSEMBLED + "summary_step_trace_assembler.cpp",
                   "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),FP to BP Time(us),"
                   "Iteration Refresh(us),Data Aug Bound(us),Model ID"),
    "memory_record": (CONFIGURED, "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device"),
    "operator_memory": (CONFIGURED, "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),"
                        "Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),Device"),
    "static_op_mem": (CONFIGURED, "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)"),
    "l2_cache": ("analysis/viewer/stars/stars_soc_view.py and prof_bean/_l2_cache_bean.py",
                 "Device_id,Stream Id,Task Id,Hit Rate,Victim Rate,Op Name"),
    "soc_pmu": (CONFIGURED, "Device_id,Stream Id,Task Id,TLB Hit Rate,TLB Miss Rate,Op Name"),
    "aicpu": (CONFIGURED, AI_CPU),
    "aicpu_mi": (CONFIGURED, "Device_id,Node Name,Start Time(us),End Time(us),Queue Size"),
    "dp": (CONFIGURED, "Device_id,Timestamp(us),Action,Source,Cached Buffer Size"),
    "hbm": (CONFIGURED, "Device_id,Metric,Read(MB/s),Write(MB/s)"),
    "ddr": (CONFIGURED, "Device_id,Metric,Read(MB/s),Write(MB/s)"),
    "nic": (CONFIGURED, PORTS),
    "roce": (CONFIGURED, PORTS),
    "hccs": ("analysis/viewer/interconnection_view.py", "Device_id,Mode,Max,Min,Average"),
    "pcie": ("analysis/viewer/interconnection_view.py", "Device_id,Mode,Min,Max,Avg"),
    "llc_read_write": ("analysis/viewer/get_llc_data.py", "Device_id,Mode,Task,Hit Rate(%),Throughput(MB/s)"),
    "msprof_tx": (CONFIGURED, "Device_id,pid,tid,category,event_type,payload_type,payload_value,Start_time(us),End_time(us),"
                  "message_type,message,domain,Device Start_time(us),Device End_time(us)"),
}


def copied(*names):
    return {name: CANN_FILES[name] for name in names}


# torch_npu/profiler/analysis
TORCH_FILES = {
    "kernel_details": ("prof_common_func/_csv_headers.py, prof_view/_kernel_view_parser.py",
                       "Step Id,Device_id," + KERNEL.format(NAMES)),
    "operator_details": ("prof_view/_operator_view_parser.py",
                         "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),"
                         "Device Total Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)"),
    "operator_memory": ("prof_view/_memory_view_parser.py", ALLOCATIONS),
    "memory_record": ("prof_view/_memory_view_parser.py", POOLS + ",Stream Ptr,Device Type"),
    "npu_module_mem": ("prof_bean/_npu_module_mem_bean.py", "Device_id,Component,Timestamp(us),Total Reserved(MB),Device"),
    "step_trace_time": ("prof_view/_trace_step_time_parser.py", "Device_id," + STEP_TIMES),
    # prof_view/_integrate_parser.py
    **copied("nic", "roce", "pcie", "hccs", "l2_cache", "api_statistic", "op_statistic", "task_time", "soc_pmu"),
    "data_preprocess": CANN_FILES["aicpu"],
}

# mindspore/python/mindspore/profiler/analysis/viewer
MINDSPORE_FILES = {
    "kernel_details": ("ascend_kernel_details_viewer.py, ../../common/constant.py", "Step ID," + KERNEL.format(NAMES)),
    "operator_details": ("ms_operator_details_viewer.py", "Name,Input Shapes"),
    "operator_memory": ("ascend_op_memory_viewer.py", ALLOCATIONS),
    "memory_record": ("ascend_memory_viewer.py", POOLS + ",Device Type"),
    "step_trace_time": ("ascend_step_trace_time_viewer.py", STEP_TIMES),
    "dataset": ("ms_dataset_viewer.py", "Operation,Stage,Occurrences,Avg. time (us),Custom Info"),
    "minddata_pipeline_raw": ("ms_minddata_viewer.py",
                              "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_queue_length,"
                              "output_queue_usage_rate,sample_interval,parent_id,children_id"),
    # ascend_integrate_viewer.py; npu_module_mem: ascend_memory_viewer.py
    **copied("l2_cache", "api_statistic", "op_statistic", "static_op_mem", "hbm", "nic", "roce", "pcie", "hccs", "npu_module_mem"),
    "data_preprocess": CANN_FILES["aicpu"],
}

FILES = {TORCH: TORCH_FILES, MINDSPORE: MINDSPORE_FILES, CANN: CANN_FILES}

# Names of the same column in older versions, and columns that these lack.
OLDER = {"Block Num": "Block Dim", "Mix Block Num": "Mix Block Dim"}
OLDER_LACK = {(TORCH, "step_trace_time"): "Device_id"}

# Tables of databases. CANN: analysis/csrc/application/database/msprof_db.cpp (schema 1.2.0); torch_npu:
# prof_common_func/_constant.py (TableColumnsManager), which MindSpore's have not. analyze/communication_analyzer.db: msconfig/tables_config.py.
CANN_TABLES = {
    "STRING_IDS": "id value", "SESSION_TIME_INFO": "startTimeNs endTimeNs", "NPU_INFO": "id name", "RANK_DEVICE_MAP": "rankId deviceId",
    "HOST_INFO": "hostUid hostName", "META_DATA": "name value",
    "TASK": "startNs endNs deviceId connectionId globalTaskId globalPid taskType contextId streamId taskId modelId",
    "COMPUTE_TASK_INFO": "name globalTaskId blockNum mixBlockNum taskType opType inputFormats inputDataTypes inputShapes outputFormats "
                         "outputDataTypes outputShapes attrInfo opState hf32Eligible gridDim blockDim",
    "COMMUNICATION_SCHEDULE_TASK_INFO": "name globalTaskId taskType opType",
    "COMMUNICATION_TASK_INFO": "name globalTaskId taskType planeId groupName notifyId rdmaType srcRank dstRank transportType size "
                               "dataType linkType opId isMaster bandwidth",
    "COMMUNICATION_OP": "opName startNs endNs connectionId groupName opId relay retry dataType algType count opType deviceId rankSize",
    "CANN_API": "startNs endNs type globalTid connectionId name", "NPU_MEM": "type ddr hbm timestampNs deviceId",
    "NPU_MODULE_MEM": "moduleId timestampNs totalReserved deviceId",
    "NPU_OP_MEM": "operatorName addr type size timestampNs globalTid totalAllocate totalReserve component deviceId",
    "NIC": "deviceId timestampNs bandwidth rxPacketRate rxByteRate rxPackets rxBytes rxErrors rxDropped txPacketRate txByteRate "
           "txPackets txBytes txErrors txDropped funcId",
    "HBM": "deviceId timestampNs bandwidth hbmId type", "DDR": "deviceId timestampNs read write",
    "LLC": "deviceId llcId timestampNs hitRate throughput mode", "TASK_PMU_INFO": "globalTaskId name value",
    "PCIE": "deviceId timestampNs txPostMin txPostMax txPostAvg txNonpostMin txNonpostMax txNonpostAvg txCplMin txCplMax txCplAvg "
            "txNonpostLatencyMin txNonpostLatencyMax txNonpostLatencyAvg rxPostMin rxPostMax rxPostAvg rxNonpostMin rxNonpostMax "
            "rxNonpostAvg rxCplMin rxCplMax rxCplAvg",
    "HCCS": "deviceId timestampNs txThroughput rxThroughput",
    "ACC_PMU": "accId readBwLevel writeBwLevel readOstLevel writeOstLevel timestampNs deviceId",
    "SOC_BANDWIDTH_LEVEL": "l2BufferBwLevel mataBwLevel timestampNs deviceId", "AICORE_FREQ": "deviceId timestampNs freq dieId",
    "MSTX_EVENTS": "startNs endNs eventType rangeId category message globalTid endGlobalTid domainId connectionId",
    "MEMCPY_INFO": "globalTaskId size memcpyOperation", "OVERLAP_ANALYSIS": "id deviceId startNs endNs type",
    "QOS": "deviceId eventName bandwidth timestampNs dieId",
    "SIO": "deviceId name timestampNs rxReq rxRsp rxSnp rxDat txReq txRsp txSnp txDat",
    **{f"ENUM_{name}": "id name" for name in ("API_TYPE", "MODULE", "HCCL_DATA_TYPE", "HCCL_LINK_TYPE", "HCCL_TRANSPORT_TYPE",
                                              "HCCL_RDMA_TYPE", "MSTX_EVENT_TYPE", "MEMCPY_OPERATION", "OVERLAP_ANALYSIS_TYPE")},
}
CANN_TABLES["ROCE"] = CANN_TABLES["NIC"]
TORCH_TABLES = {
    "CONNECTION_IDS": "id connectionId", "PYTORCH_CALLCHAINS": "id stack stackDepth", "STEP_TIME": "id startNs endNs",
    "GC_RECORD": "startNs endNs globalTid",
    "PYTORCH_API": "startNs endNs globalTid connectionId name sequenceNumber fwdThreadId inputDtypes inputShapes callchainId type",
    "MEMORY_RECORD": "component timestamp totalAllocated totalReserved totalActive streamPtr deviceId",
    "OP_MEMORY": "name size allocationTime releaseTime activeReleaseTime duration activeDuration allocationTotalAllocated "
                 "allocationTotalReserved allocationTotalActive releaseTotalAllocated releaseTotalReserved releaseTotalActive streamPtr "
                 "deviceId",
    "CommAnalyzerBandwidth": "hccl_op_name group_name transport_type transit_size transit_time bandwidth large_packet_ratio "
                             "package_size count total_duration step type",
    "CommAnalyzerMatrix": "hccl_op_name group_name src_rank dst_rank transport_type transit_size transit_time bandwidth step type "
                          "op_name",
    "CommAnalyzerTime": "hccl_op_name group_name start_timestamp elapse_time transit_time wait_time synchronization_time idle_time "
                        "step type",
    "StepTraceTime": "deviceId step computing communication_not_overlapped overlapped communication free stage bubble "
                     "communication_not_overlapped_and_exclude_receive preparing",
}
TABLES = {**CANN_TABLES, **TORCH_TABLES}
# CANN's own communication_analyzer.db has neither steps nor what torch_npu adds.
ANALYZER_TABLES = {name: " ".join(one for one in TORCH_TABLES[name].split() if one not in ("step", "type", "op_name"))
                   for name in ("CommAnalyzerBandwidth", "CommAnalyzerMatrix", "CommAnalyzerTime")}

# Columns that recorded databases of 2025 lack, which are those that `generate` writes.
SINCE_2025 = {"COMPUTE_TASK_INFO": "opState hf32Eligible gridDim", "COMMUNICATION_TASK_INFO": "isMaster bandwidth",
              "COMMUNICATION_OP": "deviceId rankSize", "AICORE_FREQ": "dieId", "StepTraceTime": "deviceId"}
OLDER_COLUMNS = {"blockNum": "blockDim", "mixBlockNum": "mixBlockDim"}
