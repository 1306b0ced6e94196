"""Captures of the sizes that pages are to open fast at: see measure_openings in report.py."""
import random

BEGIN_NS = 1_715_689_196_000_000_000
STEPS, NAMES, SHAPES = 40, 800, 6


def us(ns):
    return f"{ns // 1000}.{ns % 1000:03d}\t"


def summary_file(folder, name):
    file = folder / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def write_kernels(folder, count):
    """kernel_details.csv of one rank: operators of a large model, each in some shapes, in the same order in each step; one of 25 is a
    collective; times log-normal."""
    random.seed(1)
    cores = ("AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV")
    lengths = [max(1, int(random.lognormvariate(9.5, 1.2))) for _ in range(10_007)]
    words = [f"aclnnOperator{i}_OperatorAiCore_Operator{i},Operator{i // 8},{cores[i // 8 % 4]}" for i in range(NAMES)]
    shapes = [f'"4096,{i};4096,{i * 7 % 5000}",FLOAT16;FLOAT16,ND;ND,"4096,{i}",FLOAT16,ND' for i in range(NAMES * SHAPES)]
    time = BEGIN_NS
    with summary_file(folder, "kernel_details.csv").open("w") as out:
        out.write("Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,"
                  "Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats\n")
        for i in range(count):
            length, wait = lengths[i % len(lengths)], lengths[i * 3 % len(lengths)] % 4000
            if i % 25 == 0:
                what, how = f"hcom_allReduce__586_{i // 25 % 64}_1,hcom_allReduce_,HCCL", "N/A,N/A,N/A,N/A,N/A,N/A"
            else:
                what, how = words[i % NAMES], shapes[i % NAMES * SHAPES + lengths[i % 9973] % SHAPES]
            out.write(f"{i * STEPS // count},0,4294967295,{i % 65536},{i % 4},{what},{us(time)},{length / 1000},{wait / 1000},24,{how}\n")
            time += length + 2000


def write_samples(folder, count):
    """memory_record.csv of one rank, each event of the pool as PTA and as PTA+GE, steps that fill and empty it, and a tenth as many rows of
    operator_memory.csv."""
    random.seed(2)
    step = max(2, count // 2 // STEPS)
    noise = [random.randrange(64) for _ in range(10_007)]
    with summary_file(folder, "memory_record.csv").open("w") as out:
        out.write("Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\n")
        for i in range(count // 2):
            phase = i % step
            allocated = 2000 + min(phase, step - phase) * 40_000 // step + noise[i % len(noise)] / 8
            row = f"{us(BEGIN_NS + i * 1300)},{allocated},{2100 + 42_000 * min(1, i // step)},{allocated + 0.5},{1431569360 + noise[i % 97] % 3},NPU:0\n"
            out.write("PTA," + row)
            out.write("PTA+GE," + row)
    with summary_file(folder, "operator_memory.csv").open("w") as out:
        out.write("Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active Duration(us),"
                  "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),"
                  "Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\n")
        for i in range(count // 10):
            begin, length = BEGIN_NS + i * 6500, 1000 * (1 + noise[i % len(noise)] ** 2)
            out.write(f"aten::operator{noise[i * 7 % len(noise)]},{0.5 * (1 + noise[i % 997])},{us(begin)},{us(begin + length)},{us(begin + length)},"
                      f"{length / 1000},{length / 1000},2000.5,44100.0,2001.0,2000.0,44100.0,2000.5,{1431569360 + i % 3},NPU:0\n")
