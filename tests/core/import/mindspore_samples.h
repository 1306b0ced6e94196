#pragma once

#include <string>

/// Small files of MindSpore, in the forms of the documentation.
namespace altiscope::test::mindspore_samples {

inline constexpr const char* kHostInfo =
    "tid,pid,parent_pid,module_name,event,stage,level,start_end,custom_info,memory_usage(kB),time_stamp(us)\n"
    "11,100,1,Dataset,PipelineIterator,GetNext,1,0,,0,1000\n"
    "11,100,1,Dataset,PipelineIterator,GetNext,1,1,,0,1400\n"
    "11,100,1,Dataset,PipelineIterator,GetNext,1,0,,2048,2000\n"
    "12,100,1,GraphKernel,Compile,Optimize,0,0,pass_a,0,2100\n"
    "11,100,1,Dataset,PipelineIterator,GetNext,1,1,,0,2600\n"
    "12,100,1,GraphKernel,Compile,Optimize,0,1,pass_a,4096,2900\n"
    "12,100,1,Runtime,Launch,Begin,1,2,,0,3000\n"
    "13,100,1,Dataset,MindRecordOp,LoadFile,1,0,file_a,0,3100\n"
    "13,100,1,Dataset,MindRecordOp,LoadFile,1,0,file_b,0,3140\n"
    "13,100,1,Dataset,MindRecordOp,LoadFile,1,1,file_b,0,3150\n"
    "15,100,1,Dataset,BatchOp,Pack,1,1,,0,3300\n"
    "14,100,1,Dataset,ShuffleOp,Fill,1,0,,0,3200\n"
    "16,100,1,Dataset,CacheOp,Warm,1,0,,512,0\n"
    "16,100,1,Dataset,CacheOp,Warm,1,1,,0,70\n";

inline constexpr const char* kHcclRaw =
    "step_num,communication_cost,wait_cost,link_info,communication_operator_cost\n"
    "1,0.5,0.25,\"{\"\"1-0\"\": {\"\"SDMA\"\": [0.5, 4.096, 99.0]}}\",\"{\"\"stream_41_0_AllReduce-op1\"\": "
    "[\"\"1\"\", 0.5, 0.25, "
    "{\"\"1-0\"\": {\"\"SDMA\"\": [0.25, 2.048, 8192.0]}, \"\"0-0\"\": {\"\"SDMA\"\": [0.25, 2.048, 8192.0]}}]}\"\n"
    "2,0.1,0,{},\"{\"\"stream_3_0_Receive-op2\"\": [\"\"1\"\", 0.1, 0, {}]}\"\n"
    "-,0.3,0.1,{},{}\n";

inline constexpr const char* kStepTrace = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,"
                                          "fp_and_bp,tail,stream_1_0_AllReduce-op1\n"
                                          "1,100,300,200,120,280,20,160,20,7\n"
                                          "2,300,500,200,320,480,20,160,20,7\n"
                                          "-,200,400,200,220,380,20,160,20,7\n";

/// The second of two reduces is not in each step.
inline constexpr const char* kReduces =
    "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail,stream_4_0_Receive-op2,"
    "stream_4_0_Receive-op2_start_point,stream_4_0_Receive-op2_end_point,stream_5_parallel_0_start_point,"
    "stream_5_parallel_0_end_point,stream_5_parallel_0,stream_5_parallel_1_start_point,stream_5_parallel_1_end_point\n"
    "1,100,300,200,100,290,0,190,10,20,110,130,200,350,150,0,0\n"
    "-,100,300,200,100,290,0,190,10,20,110,130,200,350,150,0,0\n";

inline constexpr const char* kClusterSteps = "computation_time,communication_alone_time\n1.5,0.25\n2,0.5\n2,0.5\n";

inline constexpr const char* kIterations =
    "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),FP to BP Time(us),"
    "Iteration Refresh(us),Data Aug Bound(us),Model ID,Reduce Start(us),Reduce Duration(us),Reduce Start(us),"
    "Reduce Duration(us)\n"
    "0,1,1000.500\t,1400.500\t,1500.500\t,500.000,400.000,100.000,N/A,3,1100.000\t,18446744073709549.616,1200.000\t,5."
    "000\n0,2,1600.500\t,1900.500\t,2000.500\t,400.000,300.000,100.000,100.000,3,N/A,N/A\n";

inline constexpr const char* kGpuShapes =
    R"({"operator":{"1":[{"step":1,"op_side":"gpu","op_type":"Add","op_name":"Add-op6","dur":75.6,"shape_info":["[32, 1]","[4]"]}],"2":[{"step":2,"op_side":"cpu","op_name":"Cast-op7","dur":1.5,"shape_info":[]}]},)"
    R"("kernel":{"1":[{"step":1,"op_type":"cuLaunchKernel","op_name":"k_add","op_full_name":"Default/Add-op6","dur":2,"block_dim":"1","grid_dim":"1"}]},"operator_type":{},"kernel_type":{}})";

inline constexpr const char* kLegacyKernels = "op_name, stream_id, start_time(ms), duration(ms)\n"
                                              "Default/a/Mul-op1,5,0.0015,0.0002\n"
                                              "Default/Add-op2,5,0.0020,0.0003\n";

inline constexpr const char* kLegacyTimeline =
    R"([{"name":"Mul-op1","ph":"X","tid":5,"pid":1,"ts":0.0,"dur":0.2},{"name":"Add-op2","ph":"X","tid":5,"pid":1,"ts":0.5000000001,"dur":0.3}])";

inline constexpr const char* kSummary = "op_ids,0,1,2\nop_names,Batch,Shuffle,TFReader\nnum_workers,4,1,8\nqueue_"
                                        "average_size,-1,20.5,3\nqueue_utilization_pct,-1,31.25,50\n"
                                        "parent_id,-1,0,1\nchildren_ids,[1],[2],[]\nper_pipeline_time,12\n";

inline constexpr const char* kSummaryJson =
    R"({"op_ids":[0,1],"op_names":["Batch","Map"],"children_ids":[[1],[]],"queue_average_size":[-1,2.5]})";

/// A timeline with one slice.
inline std::string traceOf(const std::string& name) {
    return R"([{"ph":"X","name":")" + name + R"(","pid":1,"tid":2,"ts":1,"dur":2}])";
}

inline constexpr const char* kPipelineProfiling =
    R"({"op_info":[{"op_id":0,"op_type":"BatchOp","num_workers":4,"children":[1],"metrics":null},{"op_id":1,"op_type":"MapOp","num_workers":2,"children":[2]},)"
    R"({"op_id":2,"op_type":"ImageFolderOp","num_workers":8,"metrics":{"output_queue":{"length":64,"size":[10,30]}}}],"sampling_interval":10})";

inline constexpr const char* kIterator = "0 0 1 900 1\n1 64 1 3 1\n0 0 2 4 2\n0 0 3 6 3\n0 1 2 8 2\n0 2 2 12 2\n";

}  // namespace altiscope::test::mindspore_samples
