<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>QAbstractFileIconProvider</name>
    <message>
        <source>Folder</source>
        <comment>All other platforms</comment>
        <translation>文件夹</translation>
    </message>
</context>
<context>
    <name>QKeySequenceEdit</name>
    <message>
        <source>Press shortcut</source>
        <translation>按下快捷键</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Left</source>
        <translation>左箭头</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右箭头</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上箭头</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下箭头</translation>
    </message>
</context>
<context>
    <name>altiscope::AdviceTab</name>
    <message>
        <source>Byte alignment</source>
        <translation>字节对齐</translation>
    </message>
    <message>
        <source>Small packets</source>
        <translation>小数据包</translation>
    </message>
    <message>
        <source>RDMA retransmission</source>
        <translation>RDMA 重传</translation>
    </message>
    <message>
        <source>Contention for bandwidth</source>
        <translation>带宽抢占</translation>
    </message>
    <message>
        <source>SDMA moves packets larger than 512 B more slowly if their size is not a multiple of 512 B. Pad messages to multiples of 512 B. Share: of the time of all packets except RDMA.</source>
        <translation>大于 512 B 且大小不是 512 B 整数倍的数据包，SDMA 传输较慢。请将传输内容补齐到 512 B 的整数倍。占比：占除 RDMA 外所有数据包的时间。</translation>
    </message>
    <message>
        <source>Packets below %1 (by RDMA below %2) take more than 20 % of the time of all packets. Send more at once: larger buckets of gradients, larger micro batches, fused parameters. Share: of the time of all packets.</source>
        <translation>小于 %1（RDMA 小于 %2）的数据包占全部数据包时间的 20% 以上。请一次发送更多数据：增大梯度桶、增大 micro batch、合并参数。占比：占所有数据包的时间。</translation>
    </message>
    <message>
        <source>Collectives that take 4 s or more on every rank, so that no rank was merely late, while RDMA alone takes more than 4 s: packets were lost and sent again. Look at the network: PFC, optical modules, HCCL_RDMA_TIMEOUT.</source>
        <translation>每张卡上都耗时 4 s 及以上的集合通信（因此不是某张卡迟到），且仅 RDMA 就超过 4 s：数据包丢失后重传。请检查网络：PFC、光模块、HCCL_RDMA_TIMEOUT。</translation>
    </message>
    <message>
        <source>Show its &amp;worst collective</source>
        <translation>显示最差的集合通信(&amp;W)</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>High from a share of 70 % on, low below 20 %; lost packets are high.</source>
        <translation>占比达 70% 为高，不足 20% 为低；丢包为高。</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of the time of everything that this advice covers; see below.</source>
        <translation>占同类总时间的比例；同类的含义见下方说明。</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>That are concerned.</source>
        <translation>涉及的集合通信个数。</translation>
    </message>
    <message>
        <source>Packets</source>
        <translation>数据包</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Of these packets, or of these collectives&apos; SDMA or RDMA, over all planes.</source>
        <translation>这些数据包的时间，或这些集合通信的 SDMA、RDMA 时间，含所有 Plane。</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>size / time; 10^9 bytes per second are 1 GB/s.</source>
        <translation>大小 / 时间；每秒 10^9 字节为 1 GB/s。</translation>
    </message>
    <message>
        <source>Worst collective</source>
        <translation>最差的集合通信</translation>
    </message>
    <message>
        <source>The one with the most of that time.</source>
        <translation>其中用时最多的一个。</translation>
    </message>
    <message>
        <source>Only RDMA packets are known.</source>
        <translation>除 RDMA 外没有已知的数据包。</translation>
    </message>
    <message>
        <source>No packets are known.</source>
        <translation>没有已知的数据包。</translation>
    </message>
    <message>
        <source>No RDMA times are known.</source>
        <translation>没有已知的 RDMA 耗时。</translation>
    </message>
    <message>
        <source>No rank recorded both the times of its kernels and a collective, with its start, that moved %1 or more by SDMA.</source>
        <translation>没有任何卡同时给出算子的运行时间，以及开始时间已知且经 SDMA 传输 %1 及以上的集合通信。</translation>
    </message>
    <message>
        <source>Unknown: %1. %2</source>
        <translation>无法判断：%1。%2</translation>
    </message>
    <message>
        <source>%1 (known for %2 of %3 ranks)</source>
        <translation>%1（%3 张卡中有 %2 张可判断）</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>items of a list</comment>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>No advice: %1</source>
        <translation>没有建议：%1</translation>
    </message>
    <message>
        <source>Collectives below 14.4 GB/s (0.8 * 18 GB/s, what HCCS reaches with large packets on one generation of chips; others reach other values) that ran beside a matrix multiplication on the same device: both read and write its memory. A slow link looks alike: see the matrix. Share: of the transit time of all SDMA.</source>
        <translation>带宽低于 14.4 GB/s（0.8 * 18 GB/s，18 GB/s 为某一代芯片上 HCCS 传输大数据包可达的带宽；其他芯片的数值不同）且与同一设备上的矩阵乘同时运行的集合通信：两者都读写设备内存。慢链路的表现与此相同：请看矩阵。占比：占全部 SDMA 的传输时间。</translation>
    </message>
</context>
<context>
    <name>altiscope::AllocationPanel</name>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Zoom to its lifetime</source>
        <translation>缩放到其生命周期(&amp;Z)</translation>
    </message>
    <message>
        <source>within the filter of all pages</source>
        <translation>所有页面的筛选范围内</translation>
    </message>
    <message>
        <source>At any time</source>
        <translation>任何时间</translation>
    </message>
    <message>
        <source>Allocated or released in the marked time</source>
        <translation>在标记时间内分配或释放</translation>
    </message>
    <message>
        <source>Allocated or released in the visible time</source>
        <translation>在可见时段内分配或释放</translation>
    </message>
    <message>
        <source>Alive at %1</source>
        <translation>%1 时存活</translation>
    </message>
    <message>
        <source>Alive at the chosen moment</source>
        <translation>所选时刻存活</translation>
    </message>
    <message>
        <source>Which allocations</source>
        <translation>哪些分配</translation>
    </message>
    <message>
        <source>Only not &amp;released</source>
        <translation>仅未释放(&amp;R)</translation>
    </message>
    <message>
        <source>Allocations</source>
        <translation>分配记录</translation>
    </message>
</context>
<context>
    <name>altiscope::AskpassServer</name>
    <message>
        <source>Is this the right host?</source>
        <translation>这是正确的主机吗？</translation>
    </message>
    <message>
        <source>Compare the fingerprint with what the administrator of the host says. Once accepted it is kept in your known hosts.</source>
        <translation>请将指纹与主机管理员提供的指纹核对。接受后会保存在您的 known_hosts 中。</translation>
    </message>
    <message>
        <source>&amp;Accept the key</source>
        <translation>接受密钥(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;OK</source>
        <translation>确定(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Refuse</source>
        <translation>拒绝(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>What was entered before was not accepted.</source>
        <translation>之前输入的内容未被接受。</translation>
    </message>
    <message>
        <source>OpenSSH asks</source>
        <translation>OpenSSH 询问</translation>
    </message>
</context>
<context>
    <name>altiscope::BaseChooser</name>
    <message>
        <source>As shown</source>
        <translation>与所示相同</translation>
    </message>
    <message>
        <source>Others…</source>
        <translation>其他…</translation>
    </message>
    <message>
        <source>&amp;No base</source>
        <translation>无基准(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Rank</source>
        <translation>卡(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>步(&amp;S)</translation>
    </message>
    <message>
        <source>Ranks &amp;and steps…</source>
        <translation>卡和步(&amp;A)…</translation>
    </message>
    <message>
        <source>Base to compare with</source>
        <translation>要比较的基准</translation>
    </message>
    <message>
        <source>&amp;Base</source>
        <translation>基准(&amp;B)</translation>
    </message>
    <message>
        <source>none</source>
        <comment>a base</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>Base: %1</source>
        <translation>基准：%1</translation>
    </message>
    <message>
        <source>Compare with nothing</source>
        <translation>不作比较</translation>
    </message>
    <message>
        <source>What all pages compare with: Overview, Operators, Memory and Communication show it beside the rest</source>
        <translation>所有页面的比较对象：概览、算子、内存和通信将其与所示内容并列显示</translation>
    </message>
</context>
<context>
    <name>altiscope::BlockCanvas</name>
    <message>
        <source>Reserved</source>
        <translation>已预留</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Grey: smaller or shorter than a pixel</source>
        <translation>灰色：小于或短于一个像素</translation>
    </message>
    <message>
        <source>Grey: smaller or shorter than a pixel; too many blocks, only the largest are drawn</source>
        <translation>灰色：小于或短于一个像素；块太多，只绘制最大的</translation>
    </message>
    <message>
        <source>before the history</source>
        <translation>历史之前</translation>
    </message>
    <message>
        <source>alive at the end</source>
        <translation>末尾仍存活</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>events of a block</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Blocks that are smaller or shorter than a pixel: zoom in</source>
        <translation>小于或短于一个像素的块：请放大</translation>
    </message>
    <message>
        <source>Allocated %1, reserved %2</source>
        <translation>已分配 %1，已预留 %2</translation>
    </message>
    <message>
        <source>Out of memory: a request of %1 failed</source>
        <translation>内存不足：请求 %1 失败</translation>
    </message>
    <message>
        <source>&amp;Details of the block</source>
        <translation>块的详情(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Copy its call stack</source>
        <translation>复制其调用栈(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Zoom to its lifetime</source>
        <translation>缩放到其生命周期(&amp;Z)</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>none</source>
        <comment>annotation</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>… +%1</source>
        <comment>further annotations</comment>
        <translation>… +%1</translation>
    </message>
    <message>
        <source>Annotation: %1</source>
        <translation>标注：%1</translation>
    </message>
    <message>
        <source>First use</source>
        <translation>首次使用</translation>
    </message>
    <message>
        <source>Last use</source>
        <translation>最后一次使用</translation>
    </message>
</context>
<context>
    <name>altiscope::BlockDetails</name>
    <message>
        <source>No call stack was recorded.</source>
        <translation>未记录调用栈。</translation>
    </message>
    <message>
        <source>Free: %1</source>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>Before it</source>
        <translation>前一个</translation>
    </message>
    <message>
        <source>After it</source>
        <translation>后一个</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>段</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Allocated by</source>
        <translation>分配者</translation>
    </message>
    <message>
        <source>Release requested by</source>
        <translation>请求释放者</translation>
    </message>
    <message>
        <source>Released by</source>
        <translation>释放者</translation>
    </message>
    <message>
        <source>Alive at the end</source>
        <translation>末尾仍存活</translation>
    </message>
    <message>
        <source>Not in the history</source>
        <translation>历史中没有</translation>
    </message>
    <message>
        <source>Lifetime</source>
        <translation>生命周期</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n 个事件</numerusform>
        </translation>
    </message>
    <message>
        <source>Address used before by</source>
        <translation>地址此前由其使用</translation>
    </message>
    <message>
        <source>Address reused by</source>
        <translation>地址此后由其使用</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已预留</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>动作</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Details of the selected block</source>
        <translation>所选块的详情</translation>
    </message>
    <message>
        <source>%1 of %2; free: %3, holes: %4</source>
        <translation>%1，大小 %2；空闲 %3，空洞 %4 个</translation>
    </message>
    <message>
        <source>Annotation</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Within</source>
        <translation>所在区间</translation>
    </message>
    <message>
        <source>First use</source>
        <translation>首次使用</translation>
    </message>
    <message>
        <source>%1 after the allocation</source>
        <translation>分配之后 %1</translation>
    </message>
    <message>
        <source>Last use</source>
        <translation>最后一次使用</translation>
    </message>
    <message>
        <source>%1 before the release</source>
        <translation>释放之前 %1</translation>
    </message>
    <message>
        <source>Longest idle</source>
        <translation>最长闲置</translation>
    </message>
    <message>
        <source>Uses</source>
        <translation>使用次数</translation>
    </message>
</context>
<context>
    <name>altiscope::BottomPanel</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>选中统计</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>Launch chain</source>
        <translation>下发链</translation>
    </message>
    <message>
        <source>Same collective on other ranks</source>
        <translation>各卡同一通信</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>分层</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>NPU 算子</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>Import report</source>
        <translation>导入报告</translation>
    </message>
</context>
<context>
    <name>altiscope::ByHandDialog</name>
    <message>
        <source>Run manually</source>
        <translation>手动运行</translation>
    </message>
    <message>
        <source>1. On the machine of the job, apply this. %1</source>
        <translation>1. 在作业所在的机器上应用以下内容。%1</translation>
    </message>
    <message>
        <source>2. Run the job until it has recorded. If a file was changed, restore it.</source>
        <translation>2. 运行作业直到采集完成。若修改了文件，请将其恢复原样。</translation>
    </message>
    <message>
        <source>3. Copy the folders of all ranks (*_ascend_pt, *_ascend_ms, PROF_*) into one folder here, and open it.</source>
        <translation>3. 将所有卡的文件夹（*_ascend_pt、*_ascend_ms、PROF_*）复制到本机的同一文件夹中并打开它。</translation>
    </message>
    <message>
        <source>3. Copy the folders of all ranks (*_ascend_pt, *_ascend_ms, PROF_*) from %1 into one folder here, and open it.</source>
        <translation>3. 将 %1 中所有卡的文件夹（*_ascend_pt、*_ascend_ms、PROF_*）复制到本机的同一文件夹中并打开它。</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Open the results…</source>
        <translation>打开结果(&amp;O)…</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>Open the results</source>
        <translation>打开结果</translation>
    </message>
</context>
<context>
    <name>altiscope::CallSitePanel</name>
    <message>
        <source>Show the &amp;call of the longest kernel in the timeline</source>
        <translation>在时间线中显示最长 NPU 算子的调用处(&amp;C)</translation>
    </message>
    <message>
        <source>Show the longest &amp;kernel in the timeline</source>
        <translation>在时间线中显示最长的 NPU 算子(&amp;K)</translation>
    </message>
    <message>
        <source>Searching for the callers…</source>
        <translation>正在查找调用处……</translation>
    </message>
    <message>
        <source>all groups</source>
        <translation>所有分组</translation>
    </message>
    <message>
        <source>Where the kernels of %1 were called from is not recorded.</source>
        <translation>没有信息说明 %1 的 NPU 算子从何处调用。</translation>
    </message>
    <message>
        <source>This needs a timeline with host events (activities CPU and NPU) and the flows from them to the device; lines of Python need with_stack.</source>
        <translation>需要带主机事件（activities 含 CPU 和 NPU）的时间线及其到设备的连线；Python 代码行需要 with_stack。</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n call site(s).</source>
        <translation>
            <numerusform>%1：%n 个调用处。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 kernels were followed, evenly picked; counts and times are of these.</source>
        <translation>均匀选取并追溯了 %2 个 NPU 算子中的 %1 个；次数和时间只含这些。</translation>
    </message>
    <message numerus="yes">
        <source>No flow from the host leads to %n kernel(s): %1.</source>
        <translation>
            <numerusform>有 %n 个 NPU 算子没有来自主机的连线：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Lines of Python were not recorded (with_stack).</source>
        <translation>未采集 Python 代码行（with_stack）。</translation>
    </message>
    <message>
        <source>Called from</source>
        <translation>调用来源</translation>
    </message>
</context>
<context>
    <name>altiscope::CanvasOverlay</name>
    <message>
        <source>More than %1 flows: only the first are drawn</source>
        <translation>连线超过 %1 条：仅绘制最前面的部分</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>基准</translation>
    </message>
</context>
<context>
    <name>altiscope::CapturePage</name>
    <message>
        <source>Change of %1:</source>
        <translation>%1 的变更：</translation>
    </message>
    <message>
        <source>The file:</source>
        <translation>文件：</translation>
    </message>
    <message>
        <source>Options of the command:</source>
        <translation>命令选项：</translation>
    </message>
    <message>
        <source>Variable of the environment:</source>
        <translation>环境变量：</translation>
    </message>
    <message>
        <source>Lines for your program:</source>
        <translation>程序代码：</translation>
    </message>
    <message>
        <source>The command:</source>
        <translation>命令：</translation>
    </message>
    <message>
        <source>The file already has these settings.</source>
        <translation>文件中已是这些设置。</translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>正在读取文件…</translation>
    </message>
    <message>
        <source>The file does not exist yet; it is created, and removed afterwards.</source>
        <translation>该文件尚不存在；将创建它，并在之后删除。</translation>
    </message>
    <message>
        <source>Metho&amp;d</source>
        <translation>采集方式(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Preset</source>
        <translation>预设(&amp;P)</translation>
    </message>
    <message>
        <source>Settings with this in their name</source>
        <translation>按名称筛选设置</translation>
    </message>
    <message>
        <source>Filter of the settings</source>
        <translation>设置筛选</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Fetch and open the results</source>
        <translation>获取并打开结果</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>%1 has been written.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>Message to the daemon of msMonitor:</source>
        <translation>发给 msMonitor 守护进程的消息：</translation>
    </message>
    <message>
        <source>Check…</source>
        <translation>检查…</translation>
    </message>
    <message>
        <source>Checks that each target has what is needed; nothing is changed there</source>
        <translation>查看各目标是否具备所需条件；不做任何更改</translation>
    </message>
    <message>
        <source>As a new file it would be:</source>
        <translation>若为新文件，其内容为：</translation>
    </message>
    <message>
        <source>The file on %1 has not been read yet. What it contains stays, except for the settings that you or the preset have set.</source>
        <translation>尚未读取 %1 上的文件。其中的内容会保留，只改动您或预设所设置的项。</translation>
    </message>
    <message>
        <source>Stop the series</source>
        <translation>停止连续采集</translation>
    </message>
    <message>
        <source>Se&amp;ries…</source>
        <translation>连续采集(&amp;R)…</translation>
    </message>
    <message>
        <source>Starts no more captures; one that is running continues</source>
        <translation>不再启动新的采集；正在进行的采集会继续</translation>
    </message>
    <message>
        <source>Several captures of the running job, or one once a step is slow</source>
        <translation>对运行中的作业多次采集，或在某一步变慢时采集一次</translation>
    </message>
    <message>
        <source>Calls of the service:</source>
        <translation>对服务的调用：</translation>
    </message>
</context>
<context>
    <name>altiscope::CaptureTexts</name>
    <message>
        <source>reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>partial</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>%1, from %2</source>
        <comment>framework, kind of source</comment>
        <translation>%1，来自%2</translation>
    </message>
    <message>
        <source>%1 slices in %2</source>
        <translation>%1 个切片，时长 %2</translation>
    </message>
    <message>
        <source>Steps: %1</source>
        <translation>步：%1</translation>
    </message>
    <message>
        <source>Not used: %1</source>
        <translation>未采用：%1</translation>
    </message>
    <message>
        <source>%1 of %2 ranks</source>
        <translation>%2 张卡中的 %1 张</translation>
    </message>
    <message>
        <source>The capture is large, so only its first ranks were read. Choose Read in the menu of the others.</source>
        <translation>采集数据很大，因此只读取了前面的卡。其他卡可在其菜单中选择“读取”。</translation>
    </message>
    <message>
        <source>about %1 s, %2 of memory</source>
        <translation>约 %1 s，占用内存 %2</translation>
    </message>
    <message>
        <source>in part</source>
        <translation>部分读取</translation>
    </message>
    <message numerus="yes">
        <source>Only a range of time was read of %n rank(s). Choose Read all of it in their menu for the rest.</source>
        <translation>
            <numerusform>有 %n 张卡只读取了一段时间范围。如需其余部分，请在其菜单中选择“全部读取”。</numerusform>
        </translation>
    </message>
    <message>
        <source>Read in part: %1 to %2</source>
        <comment>times</comment>
        <translation>部分读取：%1 至 %2</translation>
    </message>
</context>
<context>
    <name>altiscope::CaptureTree</name>
    <message>
        <source>&amp;Copy path</source>
        <translation>复制路径(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Import report</source>
        <translation>导入报告(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Read again</source>
        <translation>重新读取(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Stop reading</source>
        <translation>停止读取(&amp;S)</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>Open captures</source>
        <translation>已打开的采集数据</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Read %n rank(s), %1</source>
        <translation>
            <numerusform>读取 %n 张卡，%1(&amp;R)</numerusform>
        </translation>
    </message>
    <message>
        <source>Read a range of &amp;time…</source>
        <translation>读取时间范围(&amp;T)…</translation>
    </message>
    <message>
        <source>Read &amp;all of it</source>
        <translation>全部读取(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Write deliverables…</source>
        <translation>写出交付件(&amp;W)…</translation>
    </message>
    <message>
        <source>New group</source>
        <translation>新建分组</translation>
    </message>
    <message>
        <source>Name of the group:</source>
        <translation>分组名称：</translation>
    </message>
    <message>
        <source>Move to &amp;group</source>
        <translation>移到分组(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;New group…</source>
        <translation>新建分组(&amp;N)…</translation>
    </message>
    <message>
        <source>N&amp;o group</source>
        <translation>不分组(&amp;O)</translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation>重命名(&amp;N)</translation>
    </message>
    <message>
        <source>Open in file &amp;manager</source>
        <translation>在文件管理器中打开(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Ungroup</source>
        <translation>取消分组(&amp;U)</translation>
    </message>
</context>
<context>
    <name>altiscope::CaptureTreeModel</name>
    <message>
        <source>%1 · %2</source>
        <comment>rank · device</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>已采集</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>missing data, switch that records it</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>采集数据</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Not read: %1</source>
        <translation>未读取：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n kind(s) of data not recorded</source>
        <translation>
            <numerusform>%n 类数据未采集</numerusform>
        </translation>
    </message>
    <message>
        <source>Not here: rank %1</source>
        <translation>不在此处：卡 %1</translation>
    </message>
    <message>
        <source>%1 of %2 ranks are here. What they wait for the others cannot be explained.</source>
        <translation>共 %2 张卡，此处有 %1 张。它们等待其余卡的原因无法说明。</translation>
    </message>
    <message>
        <source>Newest file: %1</source>
        <translation>最新文件：%1</translation>
    </message>
    <message>
        <source>On disk: %1 (files: %2)</source>
        <translation>占用磁盘：%1（文件数：%2）</translation>
    </message>
    <message>
        <source>On disk: more than %1 (files: more than %2)</source>
        <translation>占用磁盘：超过 %1（文件数：超过 %2）</translation>
    </message>
</context>
<context>
    <name>altiscope::CapturesPane</name>
    <message>
        <source>Capture %1: %2</source>
        <translation>采集 %1：%2</translation>
    </message>
</context>
<context>
    <name>altiscope::CapturesPanel</name>
    <message>
        <source>No capture, rank or host has this text.</source>
        <translation>没有采集数据、卡或主机包含此文本。</translation>
    </message>
    <message>
        <source>Search captures</source>
        <translation>搜索采集数据</translation>
    </message>
    <message>
        <source>Name, path or host of captures and ranks</source>
        <translation>采集数据和卡的名称、路径或主机</translation>
    </message>
</context>
<context>
    <name>altiscope::CellTexts</name>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
</context>
<context>
    <name>altiscope::ChainList</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 more: see the details</source>
        <translation>另有 %1 个：请查看详情</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>下发</translation>
    </message>
    <message>
        <source>CANN call</source>
        <translation>CANN 调用</translation>
    </message>
    <message>
        <source>Dequeuing</source>
        <translation>出队</translation>
    </message>
    <message>
        <source>Enqueuing</source>
        <translation>入队</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Forward operator</source>
        <translation>前向算子</translation>
    </message>
    <message>
        <source>Backward operator</source>
        <translation>反向算子</translation>
    </message>
    <message>
        <source>On the device</source>
        <translation>设备上</translation>
    </message>
    <message>
        <source>Next on the stream</source>
        <translation>同一流上的下一个</translation>
    </message>
    <message>
        <source>Waited for its end</source>
        <translation>等待其结束</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>La&amp;unched by</source>
        <translation>下发来源(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Followed by</source>
        <translation>后续执行(&amp;F)</translation>
    </message>
    <message>
        <source>What</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Click a slice to select it and scroll to it</source>
        <translation>单击切片以选中并定位</translation>
    </message>
    <message>
        <source>Launched by</source>
        <translation>下发来源</translation>
    </message>
    <message>
        <source>Followed by</source>
        <translation>后续执行</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>%1 more not listed</source>
        <translation>另有 %1 个未列出</translation>
    </message>
    <message>
        <source>Launch chain and flows</source>
        <translation>下发链与连线</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>Launch (async_npu)</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Other flows</source>
        <translation>其他连线</translation>
    </message>
    <message>
        <source>To, by %1</source>
        <translation>指向（%1）</translation>
    </message>
    <message>
        <source>From, by %1</source>
        <translation>来自（%1）</translation>
    </message>
    <message>
        <source>no slice</source>
        <translation>无切片</translation>
    </message>
</context>
<context>
    <name>altiscope::ChangedFilesBar</name>
    <message>
        <source>Files of %1 have changed since they were read.</source>
        <translation>%1 的文件在读取之后已发生变化。</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Keep what is shown</source>
        <translation>保持当前显示</translation>
    </message>
</context>
<context>
    <name>altiscope::CheckDialog</name>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>good</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Tools of the system</source>
        <translation>系统工具</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Folder for results</source>
        <translation>结果文件夹</translation>
    </message>
    <message>
        <source>Free space</source>
        <translation>可用空间</translation>
    </message>
    <message>
        <source>Folder for the job&apos;s output</source>
        <translation>作业输出文件夹</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Clock, difference</source>
        <translation>时钟偏差</translation>
    </message>
    <message>
        <source>rsync</source>
        <translation>rsync</translation>
    </message>
    <message>
        <source>CANN</source>
        <translation>CANN</translation>
    </message>
    <message>
        <source>Running job</source>
        <translation>运行中的作业</translation>
    </message>
    <message>
        <source>msMonitor</source>
        <translation>msMonitor</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Check &amp;again</source>
        <translation>重新检查(&amp;A)</translation>
    </message>
    <message>
        <source>Checks of the targets</source>
        <translation>目标检查</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查项</translation>
    </message>
    <message>
        <source>Result or remedy</source>
        <translation>结果或处理办法</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>Checking each target; nothing is changed there…</source>
        <translation>正在查看各个目标，不做任何更改…</translation>
    </message>
    <message numerus="yes">
        <source>%n check(s) failed; correct that first.</source>
        <translation>
            <numerusform>%n 项检查失败，请先处理。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The capture can be started; %n note(s).</source>
        <translation>
            <numerusform>可以开始采集；有 %n 项需要留意。</numerusform>
        </translation>
    </message>
    <message>
        <source>The capture can be started.</source>
        <translation>可以开始采集。</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Expected size</source>
        <translation>预计大小</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>altiscope::ClocksDialog</name>
    <message>
        <source>Clocks of ranks</source>
        <translation>各卡时钟</translation>
    </message>
    <message>
        <source>By how much each rank is drawn later (positive, to the right) or earlier (negative, to the left) than it was recorded. In ns, or with a unit: -1.5 ms. Recorded times in statistics and queries stay as they are.</source>
        <translation>每张卡相对采集时间显示得更晚（正值，向右）或更早（负值，向左）多少。单位 ns，也可写单位：-1.5 ms。统计与查询中的采集时间不变。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Offset, ns</source>
        <translation>偏移，ns</translation>
    </message>
    <message>
        <source>First event at</source>
        <translation>首个事件位于</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>移动方式</translation>
    </message>
    <message>
        <source>Align to &amp;start</source>
        <translation>对齐到起点(&amp;S)</translation>
    </message>
    <message>
        <source>Moves the first event of the chosen ranks (of all if none is chosen) to the first event of their capture</source>
        <translation>把所选各卡（未选择时为全部卡）的首个事件移到该采集数据中首个事件的采集时间</translation>
    </message>
    <message>
        <source>&amp;Reset all</source>
        <translation>全部重置(&amp;R)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>capture: rank</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>%1: this is not a time.</source>
        <translation>%1：这不是时间。</translation>
    </message>
</context>
<context>
    <name>altiscope::ClusterBar</name>
    <message>
        <source>as it is</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>difference from the base</source>
        <translation>与基准的差异</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>groups of %1</source>
        <comment>a dimension</comment>
        <translation>%1 通信域</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n place(s))</source>
        <comment>a dimension</comment>
        <translation>
            <numerusform>%1（%n 个位置）</numerusform>
        </translation>
    </message>
    <message>
        <source>F&amp;old</source>
        <translation>折叠(&amp;O)</translation>
    </message>
    <message>
        <source>F&amp;old: %1</source>
        <translation>折叠(&amp;O)：%1</translation>
    </message>
    <message>
        <source>&amp;Colour</source>
        <translation>颜色(&amp;C)</translation>
    </message>
    <message>
        <source>Fra&amp;mes</source>
        <translation>边框(&amp;M)</translation>
    </message>
    <message>
        <source>Dimensions of which all places share a cell.</source>
        <translation>所有位置合并为一格的维度。</translation>
    </message>
    <message>
        <source>Fold dimensions</source>
        <translation>折叠维度</translation>
    </message>
    <message>
        <source>How the values of the ranks of a cell become one.</source>
        <translation>一格中各卡的数值如何合并为一个。</translation>
    </message>
    <message>
        <source>Values or differences from the base</source>
        <translation>数值或与基准的差异</translation>
    </message>
    <message>
        <source>A frame around the ranks of each group; of the chosen rank&apos;s group all ranks are marked.</source>
        <translation>用边框围住每个通信域的卡；所选卡所在通信域的所有卡都会标出。</translation>
    </message>
    <message>
        <source>Si&amp;zes</source>
        <translation>大小(&amp;Z)</translation>
    </message>
    <message>
        <source>Sizes of the job, where the capture does not state them or others are meant: tp, cp, pp, dp, ep, and order=megatron, megatron-pp-dp, mindspeed, mindie or vllm. Empty: as recorded.</source>
        <translation>作业的并行大小，用于采集未说明或需改用其他大小时：tp、cp、pp、dp、ep，以及 order=megatron、megatron-pp-dp、mindspeed、mindie 或 vllm。留空：按采集内容。</translation>
    </message>
</context>
<context>
    <name>altiscope::ClusterPage</name>
    <message>
        <source>within the filter of all pages</source>
        <translation>所有页面的筛选范围内</translation>
    </message>
    <message>
        <source>Only times are shown here: choose another colour.</source>
        <translation>此处只显示时间：请选择其他着色。</translation>
    </message>
    <message>
        <source>%1 is not in this capture.</source>
        <translation>%1 不在此采集数据中。</translation>
    </message>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Show on the &amp;overview, limited to this rank</source>
        <translation>在概览中只显示该卡(&amp;O)</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>What a step of the job could win and by what, and which rank differs from the others.</source>
        <translation>作业的一步可以节省多少时间、原因是什么，以及哪张卡与众不同。</translation>
    </message>
    <message>
        <source>The capture is being read. Its ranks are compared when reading is complete.</source>
        <translation>正在读取采集数据。读取完成后比较各卡。</translation>
    </message>
    <message>
        <source>Nothing to compare ranks by</source>
        <translation>没有可用于比较各卡的数据</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>What could be won back</source>
        <translation>可节省的时间</translation>
    </message>
    <message>
        <source>Grid of ranks</source>
        <translation>卡网格</translation>
    </message>
    <message>
        <source>Delays</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
</context>
<context>
    <name>altiscope::ClusterTables</name>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Its place in that dimension of the job.</source>
        <translation>该卡在作业这一维度中的位置。</translation>
    </message>
    <message>
        <source>Came last</source>
        <translation>最后到达</translation>
    </message>
    <message>
        <source>Collectives in which this rank was clearly the last to come, as the page Communication counts them.</source>
        <translation>该卡明显最后到达的集合通信次数，与通信页的计数相同。</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>共</translation>
    </message>
    <message>
        <source>Collectives that could be compared with those of other ranks.</source>
        <translation>可与其他卡比较的集合通信次数。</translation>
    </message>
    <message>
        <source>the ranks of its stage of the pipeline</source>
        <translation>同一流水阶段的卡</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>所有卡</translation>
    </message>
    <message>
        <source>Above the median</source>
        <translation>高于中位数</translation>
    </message>
    <message>
        <source>%1 / median of %2 - 1</source>
        <translation>%1 / %2的中位数 - 1</translation>
    </message>
    <message>
        <source>Robust z</source>
        <translation>稳健 z 值</translation>
    </message>
    <message>
        <source>0.6745 * (%1 - median) / median of the distances from it, among %2. Beyond 3.5 a rank lies apart.</source>
        <translation>0.6745 *（%1 - 中位数）/ 与中位数距离的中位数，取自%2。超过 3.5 即明显偏离。</translation>
    </message>
    <message>
        <source>%1: the largest of the group&apos;s ranks</source>
        <translation>%1：通信域各卡中的最大值</translation>
    </message>
    <message>
        <source>%1: mean of the group&apos;s ranks</source>
        <translation>%1：通信域各卡的平均值</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>位置数</translation>
    </message>
    <message>
        <source>Ranks of a group.</source>
        <translation>每个通信域的卡数。</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>通信域数</translation>
    </message>
    <message>
        <source>That have a value.</source>
        <translation>有数值的通信域。</translation>
    </message>
    <message>
        <source>Highest group</source>
        <translation>最高的通信域</translation>
    </message>
    <message>
        <source>Its ranks: the group that lies farthest above the median of the groups, of the same stage of the pipeline where there are stages.</source>
        <translation>其中的卡：高出各通信域中位数最多的通信域；有流水阶段时与同一阶段的通信域相比。</translation>
    </message>
    <message>
        <source>Its value</source>
        <translation>其数值</translation>
    </message>
    <message>
        <source>Median group</source>
        <translation>通信域中位数</translation>
    </message>
    <message>
        <source>Median of the values of these groups.</source>
        <translation>这些通信域数值的中位数。</translation>
    </message>
    <message>
        <source>Above it</source>
        <translation>高出</translation>
    </message>
    <message>
        <source>its value - median group</source>
        <translation>其数值 - 通信域中位数</translation>
    </message>
    <message>
        <source>Of the group among these; beyond 3.5 it lies apart.</source>
        <translation>该通信域在这些通信域中的稳健 z 值；超过 3.5 即明显偏离。</translation>
    </message>
    <message>
        <source>Highest place</source>
        <translation>最高的位置</translation>
    </message>
    <message>
        <source>In the dimension, of 0 to places - 1: the one whose ranks have the highest mean over all groups.</source>
        <translation>该维度中 0 至位置数 - 1 之一：其各卡在所有通信域中的平均值最高。</translation>
    </message>
    <message>
        <source>Mean there</source>
        <translation>该位置的平均</translation>
    </message>
    <message>
        <source>Median place</source>
        <translation>位置中位数</translation>
    </message>
    <message>
        <source>Median of the means of all places.</source>
        <translation>所有位置平均值的中位数。</translation>
    </message>
    <message>
        <source>Robust z of the place</source>
        <translation>该位置的稳健 z 值</translation>
    </message>
    <message>
        <source>Of the place among all places.</source>
        <translation>该位置在所有位置中的稳健 z 值。</translation>
    </message>
    <message>
        <source>Widest group</source>
        <translation>差异最大的通信域</translation>
    </message>
    <message>
        <source>Its ranks: the group whose ranks differ the most.</source>
        <translation>其中的卡：各卡差异最大的通信域。</translation>
    </message>
    <message>
        <source>Its width</source>
        <translation>其差异</translation>
    </message>
    <message>
        <source>Largest - smallest value of its ranks.</source>
        <translation>其各卡的最大值 - 最小值。</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n rank(s)
Lowest: %2
Lower quartile: %3
Median: %4
Upper quartile: %5
Highest: %6</source>
        <translation>
            <numerusform>%1：%n 张卡
最低：%2
下四分位：%3
中位数：%4
上四分位：%5
最高：%6</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, MHz</source>
        <translation>%1（MHz）</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>%1 of the rank with the same number in the base.</source>
        <translation>基准中同号卡的%1。</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>%1 - base</source>
        <translation>%1 - 基准</translation>
    </message>
    <message>
        <source>without those apart</source>
        <translation>不含离群卡</translation>
    </message>
    <message>
        <source>%1 (box: middle half of the ranks; line: median; ends: lowest and highest rank)</source>
        <translation>%1（箱：中间一半的卡；横线：中位数；两端：最低和最高的卡）</translation>
    </message>
</context>
<context>
    <name>altiscope::ClusterTexts</name>
    <message>
        <source>Saving a checkpoint</source>
        <translation>保存检查点</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a cause, the ranks that have it</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>, most in %1</source>
        <translation>，主要在 %1</translation>
    </message>
    <message>
        <source>, in %1 of %2 steps</source>
        <translation>，出现于 %2 步中的 %1 步</translation>
    </message>
    <message>
        <source>; it came last in %1 of %2 collectives</source>
        <translation>；在 %2 次集合通信中最后到达 %1 次</translation>
    </message>
    <message>
        <source>&lt;b&gt;A step takes %1.&lt;/b&gt; A replay of it finds nothing that slows it down.</source>
        <translation>&lt;b&gt;一步耗时 %1。&lt;/b&gt;重放推演没有发现拖慢它的原因。</translation>
    </message>
    <message>
        <source>&lt;b&gt;The recording takes %1.&lt;/b&gt; A replay finds nothing that slows it down.</source>
        <translation>&lt;b&gt;整个采集耗时 %1。&lt;/b&gt;重放推演没有发现拖慢它的原因。</translation>
    </message>
    <message>
        <source>&lt;b&gt;A step takes %1; %2 (%3) of it could be won back:&lt;/b&gt;</source>
        <translation>&lt;b&gt;一步耗时 %1，其中 %2（%3）可以节省：&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;The recording takes %1; %2 (%3) of it could be won back:&lt;/b&gt;</source>
        <translation>&lt;b&gt;整个采集耗时 %1，其中 %2（%3）可以节省：&lt;/b&gt;</translation>
    </message>
    <message numerus="yes">
        <source>%n smaller cause(s)</source>
        <translation>
            <numerusform>其他 %n 个较小的原因</numerusform>
        </translation>
    </message>
    <message>
        <source>By replaying the recorded run without one cause after the other; the replay is good to %1.</source>
        <translation>由逐个去除原因的重放推演得出；重放误差为 %1。</translation>
    </message>
    <message>
        <source>Of all ranks of the job, whatever the filter chooses.</source>
        <translation>针对作业的所有卡，与筛选无关。</translation>
    </message>
    <message>
        <source>What of it could be won back is not known.</source>
        <translation>其中可以节省多少未知。</translation>
    </message>
    <message>
        <source>No what-if: the clock of %1 does not relate to those of the others, so ranks cannot be replayed together.</source>
        <translation>无法推演：%1 的时钟与其他卡无法对应，因此各卡不能一起重放。</translation>
    </message>
    <message>
        <source>No what-if: the capture holds several recordings, which are not one job.</source>
        <translation>无法推演：此采集数据包含多次采集，并非同一作业。</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步时间</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Exposed communication</source>
        <translation>未掩盖通信</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>流水线空泡</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Others waited</source>
        <translation>他卡等待</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Recoverable</source>
        <translation>可节省</translation>
    </message>
    <message>
        <source>AI Core frequency</source>
        <translation>AI Core 频率</translation>
    </message>
    <message>
        <source>Computing + exposed communication + bubble + free; mean of the steps.</source>
        <translation>计算 + 未掩盖通信 + 流水线空泡 + 空闲；各步的平均。</translation>
    </message>
    <message>
        <source>Time in which kernels run; mean of the steps.</source>
        <translation>NPU 算子运行的时间；各步的平均。</translation>
    </message>
    <message>
        <source>Time in which collectives run and no kernel does, without the bubble; mean of the steps. The rank that others wait for has the least of it.</source>
        <translation>只有集合通信运行而没有 NPU 算子运行的时间，不含流水线空泡；各步的平均。其他卡等待的卡，此时间最少。</translation>
    </message>
    <message>
        <source>Exposed communication while the rank receives from another stage of its pipeline; mean of the steps.</source>
        <translation>该卡从其他流水阶段接收时的未掩盖通信；各步的平均。</translation>
    </message>
    <message>
        <source>Time in which the device does nothing; mean of the steps.</source>
        <translation>设备空闲的时间；各步的平均。</translation>
    </message>
    <message>
        <source>Collectives in which this rank clearly came last: the sum over the other ranks of their elapsed time - that of this rank; per step.</source>
        <translation>该卡明显最后到达的集合通信：其他各卡的总耗时 - 该卡的总耗时之和；每步。</translation>
    </message>
    <message>
        <source>What the rank waits in its collectives, also beside computing; per step.</source>
        <translation>该卡在集合通信中等待的时间，包括与计算同时进行的；每步。</translation>
    </message>
    <message>
        <source>What a step of the job would win without the causes that this rank has, by removal: each ns once, so that all ranks add up. Rows of the table blame.</source>
        <translation>去除该卡的原因后作业一步可节省的时间，逐个去除：每 ns 只计一次，因此各卡可以相加。即表 blame 的行。</translation>
    </message>
    <message>
        <source>Mean over time of the counter AI Core Freq.</source>
        <translation>计数器 AI Core Freq 对时间的平均。</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>&lt;b&gt;A step takes %1&lt;/b&gt; (mean of the ranks).</source>
        <translation>&lt;b&gt;一步耗时 %1&lt;/b&gt;（各卡的平均）。</translation>
    </message>
    <message>
        <source>&lt;b&gt;How long a step takes is not known.&lt;/b&gt;</source>
        <translation>&lt;b&gt;一步的耗时未知。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>The replay has none of the chosen steps.</source>
        <translation>重放推演不包含所选的步。</translation>
    </message>
    <message>
        <source>One rank is here: whether it is slower than others, and who waits for whom, shows with two ranks or more of a job. Open the folder that holds them all.</source>
        <translation>此处只有一张卡：它是否比其他卡慢，以及谁在等谁，需要作业的两张或更多卡才能看出。请打开包含所有卡的文件夹。</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) of ranks left out, as their events are not whole.</source>
        <translation>
            <numerusform>略去 %n 个事件不完整的步。</numerusform>
        </translation>
    </message>
    <message>
        <source>How the job is divided (tp, pp, dp) is not recorded: ranks follow each other by number.</source>
        <translation>未采集作业的并行方式（tp、pp、dp）：各卡按编号排列。</translation>
    </message>
    <message>
        <source>The capture has no ranks.</source>
        <translation>采集数据中没有卡。</translation>
    </message>
    <message>
        <source>The filter of all pages holds none of its ranks.</source>
        <translation>所有页面的筛选不包含其中任何卡。</translation>
    </message>
    <message>
        <source>No rank has times of its steps, collectives or the frequency of its cores.</source>
        <translation>没有任何卡带有步时间、集合通信时间或 AI Core 频率。</translation>
    </message>
    <message>
        <source>Places of ranks are computed from the recorded sizes of the job.</source>
        <translation>各卡的位置由采集到的作业并行大小算出。</translation>
    </message>
    <message>
        <source>, for ranks that are not in the capture</source>
        <translation>，等待的是不在采集数据中的卡</translation>
    </message>
    <message>
        <source>Places of ranks follow from the sizes that were typed.</source>
        <translation>各卡的位置由输入的并行大小得出。</translation>
    </message>
</context>
<context>
    <name>altiscope::CollectiveCanvas</name>
    <message>
        <source>No collective of this selection has a time.</source>
        <translation>所选范围内没有带时间的集合通信。</translation>
    </message>
    <message>
        <source>waits 0 %</source>
        <translation>等待 0%</translation>
    </message>
    <message>
        <source>Group: %1</source>
        <translation>通信域：%1</translation>
    </message>
    <message>
        <source>Step: %1</source>
        <translation>步：%1</translation>
    </message>
    <message>
        <source>Start: %1</source>
        <translation>开始：%1</translation>
    </message>
    <message>
        <source>Elapsed: %1</source>
        <translation>总耗时：%1</translation>
    </message>
    <message>
        <source>Transit: %1</source>
        <translation>传输：%1</translation>
    </message>
    <message>
        <source>Wait: %1</source>
        <translation>等待：%1</translation>
    </message>
    <message>
        <source>Synchronization: %1</source>
        <translation>同步：%1</translation>
    </message>
    <message>
        <source>Idle: %1</source>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>Computed from the timeline.</source>
        <translation>由时间线计算得出。</translation>
    </message>
    <message>
        <source>%1 collectives share this pixel; this is the longest.</source>
        <translation>此像素内有 %1 个集合通信：这是其中最长的。</translation>
    </message>
    <message>
        <source>&amp;Zoom to it</source>
        <translation>缩放到此处(&amp;Z)</translation>
    </message>
</context>
<context>
    <name>altiscope::ColourRules</name>
    <message>
        <source>Strong red</source>
        <translation>鲜红</translation>
    </message>
    <message>
        <source>Strong orange</source>
        <translation>鲜橙</translation>
    </message>
    <message>
        <source>Strong yellow</source>
        <translation>鲜黄</translation>
    </message>
    <message>
        <source>Strong green</source>
        <translation>深绿</translation>
    </message>
    <message>
        <source>Strong blue</source>
        <translation>鲜蓝</translation>
    </message>
    <message>
        <source>Strong purple</source>
        <translation>深紫</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>黑色</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰色</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>橙色</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>红色</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫罗兰</translation>
    </message>
    <message>
        <source>Cyan</source>
        <translation>青色</translation>
    </message>
    <message>
        <source>Olive</source>
        <translation>橄榄色</translation>
    </message>
    <message>
        <source>Sky blue</source>
        <translation>天蓝</translation>
    </message>
    <message>
        <source>Amber</source>
        <translation>琥珀色</translation>
    </message>
    <message>
        <source>Mint</source>
        <translation>薄荷色</translation>
    </message>
    <message>
        <source>Rose</source>
        <translation>玫瑰色</translation>
    </message>
    <message>
        <source>Lavender</source>
        <translation>淡紫</translation>
    </message>
    <message>
        <source>Lime</source>
        <translation>黄绿</translation>
    </message>
    <message>
        <source>Purple</source>
        <translation>紫色</translation>
    </message>
    <message>
        <source>Coral</source>
        <translation>珊瑚色</translation>
    </message>
    <message>
        <source>Pink</source>
        <translation>粉色</translation>
    </message>
</context>
<context>
    <name>altiscope::ColourRulesPanel</name>
    <message>
        <source>%1 is no regular expression: %2</source>
        <translation>%1 不是正则表达式：%2</translation>
    </message>
    <message>
        <source>Slices of the timeline that a rule is about get its colour, whatever they are coloured by. The first rule counts. Workspaces keep the rules.</source>
        <translation>无论时间线的切片按什么着色，与规则相符的切片都显示规则的颜色。以第一条相符的规则为准。规则随工作空间保存。</translation>
    </message>
    <message>
        <source>&amp;Add a rule</source>
        <translation>添加规则(&amp;A)</translation>
    </message>
    <message>
        <source>Name contains</source>
        <translation>名称匹配</translation>
    </message>
    <message>
        <source>Category is</source>
        <translation>类别为</translation>
    </message>
    <message>
        <source>What the rule looks at</source>
        <translation>规则的依据</translation>
    </message>
    <message>
        <source>Regular expression, or name of a category</source>
        <translation>正则表达式，或类别的名称</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>匹配内容</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Earlier in the order</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Removes the rule</source>
        <translation>删除该规则</translation>
    </message>
</context>
<context>
    <name>altiscope::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Nothing found for “%1”</source>
        <translation>未找到“%1”</translation>
    </message>
    <message>
        <source>Follow the link</source>
        <translation>打开该链接</translation>
    </message>
    <message>
        <source>Command, finding, rank, track or slice</source>
        <translation>命令、诊断结论、卡、泳道或切片</translation>
    </message>
</context>
<context>
    <name>altiscope::CommunicationGaps</name>
    <message>
        <source>ranks %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>No communication data: %1. %2</source>
        <translation>没有通信数据：%1。%2</translation>
    </message>
    <message>
        <source>Not in this capture: ranks %1 of %2. What they sent and how long they waited is unknown; links to them come from the records of other ranks.</source>
        <translation>此采集数据中缺少卡 %1（共 %2 张）。无法得知它们发送了什么、等待了多久；通往它们的链路来自其他卡的记录。</translation>
    </message>
    <message numerus="yes">
        <source>The ranks of %n group(s) were not recorded (parallel_group_info in profiler_metadata.json): groups are named by the ranks that have files, and [2] is an index whose rank is unknown.</source>
        <translation>
            <numerusform>有 %n 个通信域没有记录成员卡（profiler_metadata.json 中的 parallel_group_info）：通信域以有文件的卡命名，[2] 表示所属卡未知的域内位置。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (rank %2: %3, rank %4: %5)</source>
        <translation>%1（卡 %2：%3，卡 %4：%5）</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Ranks of one group recorded different numbers of collectives: %1. Sums of these ranks are not of the same work.</source>
        <translation>同一通信域的各卡记录的集合通信数量不同：%1。这些卡的合计对应的工作量不同。</translation>
    </message>
    <message>
        <source>no group recorded</source>
        <translation>未记录通信域</translation>
    </message>
    <message>
        <source>with ranks %1</source>
        <translation>含卡 %1</translation>
    </message>
    <message>
        <source>No file names the ranks of this group: these are those that recorded something of it.</source>
        <translation>没有文件记录此通信域的成员卡：这里列出的是记录过它的卡。</translation>
    </message>
    <message>
        <source>communication.json is missing; computed from the timeline: times, bandwidths and packets of %1.</source>
        <translation>因缺少 communication.json，由时间线计算得出：%1 的时间、带宽和数据包。</translation>
    </message>
    <message>
        <source>communication.json is missing; computed from the timeline: times of %1. None of their tasks records an amount, so there are no bandwidths and packets.</source>
        <translation>因缺少 communication.json，由时间线计算得出：%1 的时间。其任务均未记录传输量，因此没有带宽和数据包。</translation>
    </message>
    <message>
        <source>communication_matrix.json is missing; computed from the timeline: links of %1.</source>
        <translation>因缺少 communication_matrix.json，由时间线计算得出：%1 的链路。</translation>
    </message>
    <message>
        <source>No links of %1: communication_matrix.json is missing, and no task in the timeline records an amount. %2</source>
        <translation>没有 %1 的链路：缺少 communication_matrix.json，且时间线中的任务均未记录传输量。%2</translation>
    </message>
    <message>
        <source>%1 of %2 transfer tasks record neither amount nor destination: they are not in the computed values.</source>
        <translation>%2 个传输任务中有 %1 个未记录传输量和去向：计算结果不包含它们。</translation>
    </message>
    <message>
        <source>For RDMA only sizes are computed, not durations: the tasks that start a transfer do not record when it ends.</source>
        <translation>经 RDMA 的传输只计算大小，不计算时长：发起传输的任务不反映时长。</translation>
    </message>
    <message>
        <source>Links, bandwidths and packets within the marked time are computed from the timeline: files have sums of whole steps only.</source>
        <translation>标记时间内的链路、带宽和数据包由时间线计算得出：文件只记录整步的合计。</translation>
    </message>
    <message>
        <source>in the marked %1</source>
        <translation>在标记的 %1 内</translation>
    </message>
    <message>
        <source>of whole steps: %1, whose files record no times, and whose timeline records no amounts</source>
        <translation>整步的合计：%1，其文件不记录时刻，时间线不记录传输量</translation>
    </message>
    <message>
        <source>Neither communication.json nor communication_matrix.json nor analysis.db is among the files, nor a timeline that it could be computed from.</source>
        <translation>文件中没有 communication.json、communication_matrix.json 和 analysis.db，也没有可供计算的时间线。</translation>
    </message>
    <message>
        <source>Neither communication.json nor communication_matrix.json nor analysis.db is among the files, and the timeline has no tasks of collectives; profiler_level Level1 records them, where there is more than one rank.</source>
        <translation>文件中没有 communication.json、communication_matrix.json 和 analysis.db，时间线中也没有集合通信的任务；多卡时由 profiler_level Level1 记录它们。</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>%2 的步 %1</translation>
    </message>
    <message>
        <source>Not in %1: %2. Either nothing was sent in it, or the file lacks it.</source>
        <translation>%1 中没有：%2。可能该步没有传输，也可能文件缺少该步。</translation>
    </message>
    <message>
        <source>The results of the cluster analysis have no communication data of these ranks: open the folders of the ranks.</source>
        <translation>集群分析结果中没有这些卡的通信数据：请打开各卡的文件夹。</translation>
    </message>
    <message>
        <source>the results of the cluster analysis</source>
        <translation>集群分析结果</translation>
    </message>
    <message>
        <source>%1 (or %2 in its place)</source>
        <translation>%1（或代替它的 %2）</translation>
    </message>
    <message>
        <source>Several recordings of the same ranks (%1): the matrix and the links add them up.</source>
        <translation>相同的卡有多份采集数据（卡 %1）：矩阵与链路为其合计。</translation>
    </message>
</context>
<context>
    <name>altiscope::CommunicationPage</name>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>How much and how fast ranks send to each other, and when collectives ran, moved data and waited.</source>
        <translation>各卡之间传输的数据量与速度，以及集合通信何时运行、传输数据和等待。</translation>
    </message>
    <message>
        <source>The capture is being read. Communication is shown when reading is complete.</source>
        <translation>正在读取采集数据，读完后显示通信。</translation>
    </message>
    <message>
        <source>No communication data</source>
        <translation>没有通信数据</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>诊断结论</translation>
    </message>
    <message>
        <source>%1 is not among the collectives shown here.</source>
        <translation>%1 不在此处显示的集合通信中。</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>建议</translation>
    </message>
</context>
<context>
    <name>altiscope::ComparePage</name>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Show on the page &amp;%1</source>
        <translation>在“%1”页中显示(&amp;S)</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>%1 smaller ones are only counted</source>
        <translation>另有 %1 项较小的差异仅计数</translation>
    </message>
    <message>
        <source>The timeline has no slice of this name.</source>
        <translation>时间线中没有该名称的切片。</translation>
    </message>
    <message>
        <source>Write the comparison</source>
        <translation>写出对比结果</translation>
    </message>
    <message numerus="yes">
        <source>Base: %n rank(s)</source>
        <translation>
            <numerusform>基准：%n 张卡</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Current: %n rank(s)</source>
        <translation>
            <numerusform>当前：%n 张卡</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n significant difference(s)</source>
        <translation>
            <numerusform>%n 项显著差异</numerusform>
        </translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在对比…</translation>
    </message>
    <message>
        <source>The capture is being read.</source>
        <translation>正在读取采集数据。</translation>
    </message>
    <message>
        <source>Ranks and steps are numbers as in 0, 2, 4-7.</source>
        <translation>卡和步的写法如 0, 2, 4-7。</translation>
    </message>
    <message>
        <source>Both sides are the same. Open another capture, or choose other ranks or steps for one of them: to compare rank 1 with rank 0, write 0 as rank of the base and 1 as rank of the current side.</source>
        <translation>两侧相同。请打开另一份采集数据，或为其中一侧选择其他卡或步：例如比较卡 1 与卡 0 时，在基准一侧的卡中填 0，在当前一侧填 1。</translation>
    </message>
    <message>
        <source>&amp;Base</source>
        <translation>基准(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Current</source>
        <translation>当前(&amp;C)</translation>
    </message>
    <message>
        <source>Swaps base and current</source>
        <translation>交换基准与当前</translation>
    </message>
    <message>
        <source>Swap the sides</source>
        <translation>交换两侧</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>显示(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Only significant</source>
        <translation>仅显著差异(&amp;O)</translation>
    </message>
    <message>
        <source>Only what is more than noise</source>
        <translation>只显示超出波动的差异</translation>
    </message>
    <message>
        <source>Compare &amp;again</source>
        <translation>重新对比(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Write comparison…</source>
        <translation>写出对比(&amp;W)…</translation>
    </message>
    <message>
        <source>As a page of HTML or as JSON. The table is exported by its menu</source>
        <translation>写为 HTML 页面或 JSON。表格可通过其菜单导出</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Open two captures, or one to compare its ranks or steps.</source>
        <translation>请打开两份采集数据，或打开一份采集数据以比较其卡或步。</translation>
    </message>
    <message>
        <source>Order of kernels</source>
        <translation>算子顺序</translation>
    </message>
    <message>
        <source>no steps</source>
        <translation>无步</translation>
    </message>
</context>
<context>
    <name>altiscope::ComparisonFile</name>
    <message>
        <source>Cancelled: nothing was written.</source>
        <translation>已取消：未写入任何内容。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>file, size</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Not written: the name of a comparison must end with .html or .json.</source>
        <translation>未写入：对比文件名须以 .html 或 .json 结尾。</translation>
    </message>
</context>
<context>
    <name>altiscope::ContextBar</name>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>This page ignores the filter and shows everything.</source>
        <translation>本页不受此限制，显示全部内容。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>NPU</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Filter of all pages: all, one, or ranges such as 0-3, 8</source>
        <translation>所有页面显示的范围：全部、单个，或如 0-3, 8 的区间</translation>
    </message>
    <message>
        <source>Only %1</source>
        <comment>a range of time</comment>
        <translation>仅 %1</translation>
    </message>
    <message>
        <source>Steps, peaks and findings within the marked time only</source>
        <translation>仅显示标记时间内的步、峰值和诊断结论</translation>
    </message>
</context>
<context>
    <name>altiscope::Corrections</name>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>The correction lasts until the program ends: the file of corrections cannot be written.</source>
        <translation>更正在程序结束前有效：无法写入保存更正的文件。</translation>
    </message>
    <message>
        <source>Rank number</source>
        <translation>卡号</translation>
    </message>
    <message>
        <source>Number in the job of %1:</source>
        <translation>%1 在作业中的卡号：</translation>
    </message>
    <message>
        <source>Set the rank&apos;s &amp;number…</source>
        <translation>设置卡号(&amp;N)…</translation>
    </message>
    <message>
        <source>%1 (opens beside this)</source>
        <comment>a folder</comment>
        <translation>%1（另外打开）</translation>
    </message>
    <message>
        <source>As in the &amp;files</source>
        <translation>以文件为准(&amp;F)</translation>
    </message>
    <message>
        <source>Read instea&amp;d</source>
        <translation>改为读取(&amp;D)</translation>
    </message>
</context>
<context>
    <name>altiscope::CurveCanvas</name>
    <message>
        <source>Node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>Nothing to draw here: choose a curve, or show all (Ctrl+0).</source>
        <translation>此处无可绘内容：请选择曲线，或显示全部（Ctrl+0）。</translation>
    </message>
    <message>
        <source>%1 to %2 within this pixel</source>
        <translation>该像素内 %1 至 %2</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>released</source>
        <translation>已释放</translation>
    </message>
</context>
<context>
    <name>altiscope::DataTable</name>
    <message>
        <source>Only %1</source>
        <translation>只看 %1</translation>
    </message>
    <message numerus="yes">
        <source>Copy %n row(s)</source>
        <translation>
            <numerusform>复制 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Save as CSV or JSON…</source>
        <translation>保存为 CSV 或 JSON…</translation>
    </message>
    <message>
        <source>Columns…</source>
        <translation>列…</translation>
    </message>
    <message>
        <source>Sort ascending</source>
        <translation>升序</translation>
    </message>
    <message>
        <source>Sort descending</source>
        <translation>降序</translation>
    </message>
    <message>
        <source>As recorded</source>
        <translation>按记录顺序</translation>
    </message>
    <message>
        <source>Freeze columns up to here</source>
        <translation>冻结到此列</translation>
    </message>
    <message>
        <source>Save what is shown</source>
        <translation>保存当前显示的内容</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
</context>
<context>
    <name>altiscope::DataTexts</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>NPU 算子</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Operator statistics</source>
        <translation>算子统计</translation>
    </message>
    <message>
        <source>Host API statistics</source>
        <translation>主机侧 API 统计</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Module memory</source>
        <translation>组件内存</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Call stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Tensor shapes</source>
        <translation>张量形状</translation>
    </message>
    <message>
        <source>Module hierarchy</source>
        <translation>模块层级</translation>
    </message>
    <message>
        <source>AI Core metrics</source>
        <translation>AI Core 指标</translation>
    </message>
    <message>
        <source>L2 cache</source>
        <translation>L2 缓存</translation>
    </message>
    <message>
        <source>Network cards</source>
        <translation>网卡</translation>
    </message>
    <message>
        <source>PCIe and HCCS</source>
        <translation>PCIe 与 HCCS</translation>
    </message>
    <message>
        <source>Program marks (mstx)</source>
        <translation>程序打点（mstx）</translation>
    </message>
    <message>
        <source>Python GC</source>
        <translation>Python GC</translation>
    </message>
    <message>
        <source>Host load</source>
        <translation>主机负载</translation>
    </message>
    <message>
        <source>Memory snapshot</source>
        <translation>内存快照</translation>
    </message>
    <message>
        <source>Cluster analysis</source>
        <translation>集群分析</translation>
    </message>
    <message>
        <source>Recording settings</source>
        <translation>采集配置</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>partial</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>raw data</source>
        <translation>原始数据</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <source>Chrome trace</source>
        <translation>Chrome trace 文件</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>database</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>cluster analysis</source>
        <translation>集群分析结果</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>Rank unknown</source>
        <translation>卡号未知</translation>
    </message>
    <message>
        <source>NPU %1</source>
        <translation>NPU %1</translation>
    </message>
    <message>
        <source>Raw data</source>
        <translation>原始数据</translation>
    </message>
    <message>
        <source>Host log</source>
        <translation>主机日志</translation>
    </message>
    <message>
        <source>Data pipeline</source>
        <translation>数据流水线</translation>
    </message>
    <message>
        <source>Static memory</source>
        <translation>静态内存</translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation>内存带宽</translation>
    </message>
    <message>
        <source>LLC</source>
        <translation>LLC</translation>
    </message>
    <message>
        <source>AI CPU</source>
        <translation>AI CPU</translation>
    </message>
    <message>
        <source>SoC PMU</source>
        <translation>SoC PMU</translation>
    </message>
    <message>
        <source>Communication statistics</source>
        <translation>通信统计</translation>
    </message>
    <message>
        <source>Core utilization</source>
        <translation>核利用率</translation>
    </message>
    <message>
        <source>Step trace</source>
        <translation>迭代轨迹</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>System load</source>
        <translation>系统负载</translation>
    </message>
    <message>
        <source>Process memory</source>
        <translation>进程内存</translation>
    </message>
    <message>
        <source>Page faults</source>
        <translation>缺页</translation>
    </message>
    <message>
        <source>Operator fusion</source>
        <translation>算子融合</translation>
    </message>
    <message>
        <source>DVPP</source>
        <translation>DVPP</translation>
    </message>
    <message>
        <source>Unified Bus</source>
        <translation>灵衢总线（UB）</translation>
    </message>
    <message>
        <source>CCU</source>
        <translation>CCU</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>打点</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>rank · its folder</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Floating-point operations</source>
        <translation>浮点运算量</translation>
    </message>
    <message>
        <source>Types and shapes of operators</source>
        <translation>算子的类型与形状</translation>
    </message>
    <message>
        <source>Clock of the device</source>
        <translation>设备时钟</translation>
    </message>
</context>
<context>
    <name>altiscope::DelayPanel</name>
    <message>
        <source>No collective of two ranks is in the capture, or none within the filter.</source>
        <translation>采集中（或筛选范围内）没有两张卡共同参与的集合通信。</translation>
    </message>
    <message>
        <source>Nothing stands out.</source>
        <translation>没有突出之处。</translation>
    </message>
    <message>
        <source>A matrix is made of %1 ranks at most; this group has %2.</source>
        <translation>矩阵最多显示 %1 张卡；该通信域有 %2 张。</translation>
    </message>
    <message>
        <source>Links have no times: choose steps in place of a range.</source>
        <translation>链路没有时间戳：请改选步，而不是时间范围。</translation>
    </message>
    <message>
        <source>No link between ranks of this group is recorded with its bandwidth.</source>
        <translation>未记录该通信域内各卡之间的链路带宽。</translation>
    </message>
    <message>
        <source>Late arrivals</source>
        <translation>迟到</translation>
    </message>
    <message>
        <source>Slow links</source>
        <translation>慢链路</translation>
    </message>
    <message>
        <source>What the matrix shows</source>
        <translation>矩阵所示内容</translation>
    </message>
    <message>
        <source>Groups and their pace</source>
        <translation>各通信域及其快慢</translation>
    </message>
</context>
<context>
    <name>altiscope::DelayTables</name>
    <message>
        <source>Rank %1 comes late; of two ranks nothing tells a rank from a link</source>
        <translation>卡 %1 迟到；只有两张卡时无法区分是卡还是链路的问题</translation>
    </message>
    <message>
        <source>Rank %1 comes late</source>
        <translation>卡 %1 迟到</translation>
    </message>
    <message>
        <source>Rank %1 comes early</source>
        <translation>卡 %1 早到</translation>
    </message>
    <message>
        <source>Late for single ranks: %1</source>
        <translation>仅对个别卡迟到：%1</translation>
    </message>
    <message>
        <source>Rank %1 sends slowly</source>
        <translation>卡 %1 发送慢</translation>
    </message>
    <message>
        <source>Rank %1 receives slowly</source>
        <translation>卡 %1 接收慢</translation>
    </message>
    <message>
        <source>Slow link %1</source>
        <translation>慢链路 %1</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>What the group is for, where the capture states it.</source>
        <translation>通信域的用途（采集中有说明时）。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Ranks of the group that are here.</source>
        <translation>该通信域中在本采集内的卡。</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Those to which two ranks or more came.</source>
        <translation>至少有两张卡参与的集合通信。</translation>
    </message>
    <message>
        <source>Stands out</source>
        <translation>突出之处</translation>
    </message>
    <message>
        <source>In the matrices of the group: a cell 3.5 robust deviations above the median and 0.5 % of a step at least. Three quarters of a row: its rank comes late, or sends slowly. Of a column: it comes early, or receives slowly. Other cells: a link.</source>
        <translation>在该通信域的矩阵中：高于中位数 3.5 个稳健偏差、且至少为一步的 0.5% 的格。一行的四分之三：该卡迟到或发送慢；一列的四分之三：该卡早到或接收慢；其余的格：链路。</translation>
    </message>
    <message>
        <source>Skew</source>
        <translation>偏斜</translation>
    </message>
    <message>
        <source>From the first arrival to the last: longest - shortest time in the collective. Median.</source>
        <translation>从最先到达到最后到达：集合通信中最长时间 - 最短时间；中位数。</translation>
    </message>
    <message>
        <source>Largest skew</source>
        <translation>最大偏斜</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>From the last arrival to the end, where all ranks of the group are here. Median.</source>
        <translation>从最后到达到结束（该通信域的卡全部在本采集内时）；中位数。</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>Mean volume of a collective, by the count and data type of its arguments; of all-gather, reduce-scatter and all-to-all times the ranks of the group.</source>
        <translation>一次集合通信的平均数据量，由其参数中的元素个数和数据类型得出；AllGather、ReduceScatter 和 AllToAll 再乘以通信域的卡数。</translation>
    </message>
    <message>
        <source>Algorithm bandwidth</source>
        <translation>算法带宽</translation>
    </message>
    <message>
        <source>bytes / transfer, over all of them</source>
        <translation>字节数 / 传输，按全部合计</translation>
    </message>
    <message>
        <source>Bus bandwidth</source>
        <translation>总线带宽</translation>
    </message>
    <message>
        <source>algorithm bandwidth * 2 (n - 1) / n of an all-reduce, (n - 1) / n of all-gather, reduce-scatter, scatter and all-to-all, 1 of all others, with n ranks: as nccl-tests has it. It can be compared between groups of any size.</source>
        <translation>算法带宽乘以系数（n 张卡）：AllReduce 为 2 (n - 1) / n，AllGather、ReduceScatter、Scatter 和 AllToAll 为 (n - 1) / n，其他为 1；与 nccl-tests 的定义相同。不同大小的通信域可以相互比较。</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>通信域</translation>
    </message>
    <message>
        <source>Rank that waits</source>
        <translation>等待的卡</translation>
    </message>
    <message>
        <source>Rank that receives</source>
        <translation>接收的卡</translation>
    </message>
    <message>
        <source>Rank that comes late</source>
        <translation>迟到的卡</translation>
    </message>
    <message>
        <source>Rank that sends</source>
        <translation>发送的卡</translation>
    </message>
    <message>
        <source>Wait per step</source>
        <translation>每步等待</translation>
    </message>
    <message>
        <source>Lost per step</source>
        <translation>每步损失</translation>
    </message>
    <message>
        <source>Ranks %1 and %2 were in no collective together</source>
        <translation>卡 %1 和卡 %2 没有共同参与的集合通信</translation>
    </message>
    <message>
        <source>No link from rank %1 to rank %2 is recorded</source>
        <translation>未记录从卡 %1 到卡 %2 的链路</translation>
    </message>
    <message>
        <source>Rank %2 waited %3 a step for rank %1</source>
        <translation>卡 %2 每步等待卡 %1 %3</translation>
    </message>
    <message>
        <source>Data from rank %1 to rank %2 took %3 a step longer than at the median bandwidth of the group&apos;s links</source>
        <translation>从卡 %1 到卡 %2 的数据，每步比按该通信域链路的中位带宽多用 %3</translation>
    </message>
</context>
<context>
    <name>altiscope::DeliverablesDialog</name>
    <message>
        <source>&amp;Text (CSV and JSON)</source>
        <translation>文本 (CSV 和 JSON)(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Databases (SQLite)</source>
        <translation>数据库 (SQLite)(&amp;D)</translation>
    </message>
    <message>
        <source>Write deliverables</source>
        <translation>写出交付件</translation>
    </message>
    <message>
        <source>The same files as the profiler&apos;s own analysis of raw data writes, for each capture.</source>
        <translation>采集工具自身解析原始数据所得的结果，对其中每份采集数据分别写出。</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>选择(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Folder, new or empty:</source>
        <translation>文件夹（新建或空）(&amp;F)：</translation>
    </message>
    <message>
        <source>&amp;Write</source>
        <translation>写出(&amp;W)</translation>
    </message>
    <message>
        <source>Folder for deliverables</source>
        <translation>交付件的文件夹</translation>
    </message>
    <message>
        <source>Not written: %1</source>
        <translation>未写出：%1</translation>
    </message>
    <message>
        <source>Deliverables in %1: %2 complete, %3 with lost data, %4 failed</source>
        <translation>交付件位于 %1：完整 %2，有数据丢失 %3，失败 %4</translation>
    </message>
    <message>
        <source>Cancelled. Deliverables in %1: %2 complete, %3 with lost data, %4 failed; not written: %5</source>
        <translation>已取消。交付件位于 %1：完整 %2，有数据丢失 %3，失败 %4；未写出 %5</translation>
    </message>
</context>
<context>
    <name>altiscope::DemoTour</name>
    <message>
        <source>Where the time of a step goes</source>
        <translation>每步的时间用在哪里</translation>
    </message>
    <message>
        <source>One bar for each rank: computing, communication, and time in which the device is free. One rank of this demo computes longer than the others, and they wait for it.</source>
        <translation>每张卡一根柱：计算、通信和设备空闲时间。本演示中有一张卡计算较慢，其他卡都在等它。</translation>
    </message>
    <message>
        <source>What is suspicious</source>
        <translation>可疑之处</translation>
    </message>
    <message>
        <source>Rules look at every capture. A finding says what it costs a step and what to look at; the worst is first. Enter or a click leads to its evidence, as Next does now.</source>
        <translation>规则会检查每份采集数据。每条结论说明它使每步多花多少时间、应查看什么；最严重的排在最前。按 Enter 或单击可查看证据，现在按“下一步”也会前往。</translation>
    </message>
    <message>
        <source>The evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>The finding stays here while you look at what it rests on. Of the slow rank and its peers the same stream is pinned below, so that the longer kernels can be seen; the arrows lead to the other steps.</source>
        <translation>查看依据时，结论一直显示在这里。慢卡与同组各卡的同一条流固定在下方，便于看出哪些算子更长；箭头可切换到其他步。</translation>
    </message>
    <message>
        <source>The timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>W and S zoom at the pointer, A and D move. A click selects a slice, a drag marks a time, and the panel below says what is in it. F finds slices, ? lists the shortcuts.</source>
        <translation>W、S 以指针为中心缩放，A、D 平移。单击选中切片，拖动标记时间，下方面板显示其内容。F 查找切片，? 列出所有按键。</translation>
    </message>
    <message>
        <source>Where to go on</source>
        <translation>接下来</translation>
    </message>
    <message>
        <source>Commands (Ctrl+Shift+P) finds pages, ranks, slices and everything in the menus. F1 is the manual of the page at hand. Your own captures: File, Open folder. This tour is in the menu Help.</source>
        <translation>“命令”（Ctrl+Shift+P）可查找页面、卡、切片和所有菜单项。F1 打开当前页面的手册。打开自己的采集数据：文件 &gt; 打开文件夹。本导览可从“帮助”菜单再次打开。</translation>
    </message>
</context>
<context>
    <name>altiscope::DetailsPanel</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Marked time: %1</source>
        <translation>标记时间：%1</translation>
    </message>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>The selected slice is not read yet.</source>
        <translation>所选切片尚未读取。</translation>
    </message>
    <message>
        <source>Everything about a slice: times, arguments, call stack and what it is linked to. Nothing is selected.</source>
        <translation>切片的全部信息：时间、参数、调用栈及关联切片。当前未选中任何内容。</translation>
    </message>
    <message>
        <source>Click a slice in the timeline.</source>
        <translation>请在时间线中单击一个切片。</translation>
    </message>
    <message>
        <source>Marked time: %1 (%2)</source>
        <translation>标记时间：%1（%2）</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Call stack, innermost first</source>
        <translation>调用栈（最内层在前）</translation>
    </message>
    <message>
        <source>Argument</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Call stack</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>&amp;Copy as text</source>
        <translation>复制为文本(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation>复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>Kernel, as recorded</source>
        <translation>NPU 算子（采集值）</translation>
    </message>
    <message>
        <source>Kernel and arguments</source>
        <translation>NPU 算子与参数</translation>
    </message>
    <message>
        <source>Launch chain and flows</source>
        <translation>下发链与连线</translation>
    </message>
    <message>
        <source>Copy &amp;link</source>
        <translation>复制链接(&amp;L)</translation>
    </message>
    <message>
        <source>Opens this slice for anyone who has the capture</source>
        <translation>供同样拥有该采集数据的人打开此切片</translation>
    </message>
</context>
<context>
    <name>altiscope::DifferencePanel</name>
    <message>
        <source>&amp;List its blocks</source>
        <translation>列出其块(&amp;L)</translation>
    </message>
    <message>
        <source>Of this snapshot</source>
        <translation>本快照内</translation>
    </message>
    <message>
        <source>With the end of: %1</source>
        <translation>与其末尾相比：%1</translation>
    </message>
    <message>
        <source>From the &amp;selected event</source>
        <translation>以所选事件为起点(&amp;S)</translation>
    </message>
    <message>
        <source>Compares later selections with the event that is selected now.</source>
        <translation>之后的选择与现在所选的事件相比。</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Difference by call stack</source>
        <translation>按调用栈的差异</translation>
    </message>
    <message>
        <source>%1 (%2) to %3 (%4): %5%6</source>
        <translation>%1（%2）至 %3（%4）：%5%6</translation>
    </message>
    <message>
        <source>Call stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Blocks of one side</source>
        <translation>仅一侧的块</translation>
    </message>
    <message>
        <source>Totals</source>
        <translation>总量</translation>
    </message>
    <message>
        <source>What is listed</source>
        <translation>列出的内容</translation>
    </message>
    <message>
        <source>Totals of both sides</source>
        <translation>两侧的总量</translation>
    </message>
</context>
<context>
    <name>altiscope::Differences</name>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Exposed communication</source>
        <translation>未掩盖通信</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>流水线空泡</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>Peak allocated</source>
        <translation>已分配峰值</translation>
    </message>
    <message>
        <source>Peak reserved</source>
        <translation>预留峰值</translation>
    </message>
    <message>
        <source>Growth of allocated</source>
        <translation>已分配增量</translation>
    </message>
    <message>
        <source>Growth of reserved</source>
        <translation>预留增量</translation>
    </message>
    <message>
        <source>All times</source>
        <translation>所有时间</translation>
    </message>
    <message>
        <source>Parts of a step</source>
        <translation>步的组成</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>NPU 算子</translation>
    </message>
    <message>
        <source>CANN calls</source>
        <translation>CANN 调用</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>诊断结论</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>only in base</source>
        <translation>仅在基准中</translation>
    </message>
    <message>
        <source>only in current</source>
        <translation>仅在当前中</translation>
    </message>
    <message>
        <source>Per step: the mean over the steps of the side, each the mean over its ranks.</source>
        <translation>每步的值：该侧各步的均值，每步取各卡的均值。</translation>
    </message>
    <message>
        <source>Significant</source>
        <translation>显著</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>What changed.</source>
        <translation>发生变化的内容。</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Shapes of the inputs.</source>
        <translation>输入的形状。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>What kind of quantity it is.</source>
        <translation>量的种类。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Empty: the mean of the ranks.</source>
        <translation>为空表示各卡的均值。</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>current - base</source>
        <translation>当前 - 基准</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>(current - base) / base</source>
        <translation>(当前 - 基准) / 基准</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>High</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Occurs</source>
        <translation>出现于</translation>
    </message>
    <message>
        <source>Where it occurs, if on one side only; on the other it is 0, though it is recorded there.</source>
        <translation>仅一侧出现时为该侧；另一侧虽有记录，但值为 0。</translation>
    </message>
    <message>
        <source>Base count</source>
        <translation>基准数量</translation>
    </message>
    <message>
        <source>How many findings.</source>
        <translation>诊断结论的数量。</translation>
    </message>
    <message>
        <source>Current count</source>
        <translation>当前数量</translation>
    </message>
    <message>
        <source>Difference of counts</source>
        <translation>数量差值</translation>
    </message>
    <message>
        <source>%1, rank %2</source>
        <translation>%1，卡 %2</translation>
    </message>
    <message>
        <source>Follows from</source>
        <translation>源于</translation>
    </message>
    <message>
        <source>What explains this change: other ranks wait for it, or it takes this time. It is not significant by itself.</source>
        <translation>引起这一变化的差异：其他卡在等待它，或时间由它占去。自身不算显著。</translation>
    </message>
    <message>
        <source>Types of kernels</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>follows</source>
        <translation>派生</translation>
    </message>
    <message>
        <source>perhaps</source>
        <translation>可能</translation>
    </message>
    <message>
        <source>The change lies between low and high with 95 %, by how the steps of each side vary (t test; of pairs of equal steps where both sides vary together). Empty where a side has a single step.</source>
        <translation>变化以 95% 的置信度介于下限与上限之间，依据各方各步的波动（t 检验；两侧同步波动时按相同步配对）。有一方只有一步时为空。</translation>
    </message>
    <message>
        <source>More than noise, with regard to how many differences were looked at (Benjamini-Hochberg, 2 % in all). Follows: explained by another difference, below which it stands. Perhaps: beyond its own noise, as some of many differences are by chance. Empty where a side has a single step.</source>
        <translation>超出波动，并已考虑所查看差异的数量（Benjamini-Hochberg，合计 2%）。派生：由另一差异解释，列于其下。可能：超出自身波动，但众多差异中总有一些出于偶然。有一方只有一步时为空。</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>采集</translation>
    </message>
    <message>
        <source>Allocated at the end</source>
        <translation>结束时已分配</translation>
    </message>
    <message>
        <source>Reserved at the end</source>
        <translation>结束时已预留</translation>
    </message>
</context>
<context>
    <name>altiscope::DispatchList</name>
    <message>
        <source>Go to &amp;Python&apos;s call</source>
        <translation>转到 Python 调用(&amp;P)</translation>
    </message>
    <message>
        <source>Go to the &amp;operator</source>
        <translation>转到算子(&amp;O)</translation>
    </message>
    <message>
        <source>Go to the &amp;enqueuing</source>
        <translation>转到入队(&amp;E)</translation>
    </message>
    <message>
        <source>Go to the &amp;dequeuing</source>
        <translation>转到出队(&amp;D)</translation>
    </message>
    <message>
        <source>Go to the &amp;launch</source>
        <translation>转到下发(&amp;L)</translation>
    </message>
    <message>
        <source>Go to the first &amp;kernel</source>
        <translation>转到首个 NPU 算子(&amp;K)</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s): %1 complete, %2 without launch, %3 incomplete</source>
        <translation>
            <numerusform>%n 个任务：%1 个完整，%2 个无下发，%3 个不完整</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>whose tasks, what they are</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>How each operator came from Python over the framework&apos;s queue to the device. This capture shows no queue: it needs host events, recorded with a task queue (TASK_QUEUE_ENABLE 1 or 2).</source>
        <translation>各算子如何从 Python 经框架队列到达设备。此采集数据中没有队列：需要主机侧事件，且启用任务队列（TASK_QUEUE_ENABLE 为 1 或 2）。</translation>
    </message>
    <message>
        <source>No queue task within the filter.</source>
        <translation>当前显示范围内没有队列任务。</translation>
    </message>
    <message>
        <source>%1: nothing leads from the framework&apos;s queue to these kernels. That takes the calls of CANN (profiler_level Level1) and the flows from them to the device.</source>
        <translation>%1：框架队列与这些 NPU 算子之间没有关联。需要 CANN 调用（profiler_level 为 Level1）及其到设备的连线。</translation>
    </message>
    <message>
        <source>Launch chain</source>
        <translation>下发链</translation>
    </message>
    <message>
        <source>&amp;All groups</source>
        <translation>所有分组(&amp;A)</translation>
    </message>
</context>
<context>
    <name>altiscope::DispatchPanel</name>
    <message>
        <source>Only the &amp;marked time</source>
        <translation>仅标记时间(&amp;M)</translation>
    </message>
</context>
<context>
    <name>altiscope::DispatchRows</name>
    <message>
        <source>complete</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>without launch</source>
        <translation>无下发</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>The outermost operator of a library around the enqueuing.</source>
        <translation>包含入队的最外层库算子。</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>ACLNN: compiled before. ACLOP: compiled when it is called.</source>
        <translation>ACLNN：预先编译。ACLOP：调用时编译。</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Without launch: the end of the dequeuing stands for that of the launch. Incomplete: Python&apos;s call or the dequeuing was not recorded.</source>
        <translation>无下发：以出队结束代替下发结束。不完整：未记录 Python 调用或出队。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>On the trace&apos;s own clock, since the start of the run.</source>
        <translation>按 trace 自身的时钟，自运行开始起计。</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>End of the last launch, else of the dequeuing, - start of Python&apos;s call</source>
        <translation>最后一次下发（无则出队）的结束 - Python 调用的开始</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>Start of the enqueuing - start of Python&apos;s call</source>
        <translation>入队的开始 - Python 调用的开始</translation>
    </message>
    <message>
        <source>Python API</source>
        <translation>Python 接口</translation>
    </message>
    <message>
        <source>Duration of Python&apos;s call: the built-in function, or where no stacks were recorded the outermost operator of a library.</source>
        <translation>Python 调用的时长：内置函数；未记录调用栈时为最外层库算子。</translation>
    </message>
    <message>
        <source>Enqueue</source>
        <translation>入队</translation>
    </message>
    <message>
        <source>Duration of the enqueuing</source>
        <translation>入队的时长</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>Start of the dequeuing - end of the enqueuing</source>
        <translation>出队的开始 - 入队的结束</translation>
    </message>
    <message>
        <source>Pipeline 2</source>
        <translation>流水 2</translation>
    </message>
    <message>
        <source>End of the last launch, else of the dequeuing, - start of the dequeuing</source>
        <translation>最后一次下发（无则出队）的结束 - 出队的开始</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>下发</translation>
    </message>
    <message>
        <source>Sum of the durations of the launches</source>
        <translation>各次下发时长之和</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>下发次数</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>NPU 算子</translation>
    </message>
    <message>
        <source>Tasks of the device that flows lead to from the calls within the dequeuing.</source>
        <translation>出队期间的调用经连线到达的设备任务。</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>CANN call</source>
        <translation>CANN 调用</translation>
    </message>
    <message>
        <source>First kernel</source>
        <translation>首个 NPU 算子</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Of the enqueuing.</source>
        <translation>入队所在的线程。</translation>
    </message>
</context>
<context>
    <name>altiscope::DurationBoxes</name>
    <message>
        <source>Groups with the most time, all ranks together</source>
        <translation>耗时最多的分组，所有卡合计</translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s): %1 to %2, half of them %3 to %4, median %5</source>
        <translation>
            <numerusform>%n 个 NPU 算子：%1 到 %2，其中一半在 %3 到 %4，中位数 %5</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::DurationHistogram</name>
    <message>
        <source>Durations of the slices</source>
        <translation>切片时长分布</translation>
    </message>
    <message>
        <source>at most %1 in a bar</source>
        <translation>单柱最多 %1 个</translation>
    </message>
    <message>
        <source>%1 to %2: %3 slices (%4)</source>
        <translation>%1 至 %2：%3 个切片（%4）</translation>
    </message>
</context>
<context>
    <name>altiscope::EditMenu</name>
    <message>
        <source>Nothing is selected that could be copied.</source>
        <translation>没有可复制的选中内容。</translation>
    </message>
    <message>
        <source>Save the table as CSV or JSON…</source>
        <translation>将表格保存为 CSV 或 JSON…</translation>
    </message>
    <message>
        <source>Save “%1” as CSV or JSON…</source>
        <translation>将“%1”保存为 CSV 或 JSON…</translation>
    </message>
    <message>
        <source>Save a picture of the page…</source>
        <translation>保存页面图片…</translation>
    </message>
    <message>
        <source>Nothing is open</source>
        <translation>没有打开的数据</translation>
    </message>
</context>
<context>
    <name>altiscope::EditorTabs</name>
    <message>
        <source>&amp;Rename…</source>
        <translation>重命名(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>No more than %1 tabs can be open: close one.</source>
        <translation>最多可打开 %1 个标签页：请先关闭一个。</translation>
    </message>
    <message>
        <source>Rename the tab</source>
        <translation>重命名标签页</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <source>Open queries</source>
        <translation>打开的查询</translation>
    </message>
    <message>
        <source>New tab (Ctrl+T)</source>
        <translation>新标签页 (Ctrl+T)</translation>
    </message>
    <message>
        <source>New tab</source>
        <translation>新标签页</translation>
    </message>
    <message>
        <source>SQL statements</source>
        <translation>SQL 语句</translation>
    </message>
    <message>
        <source>SELECT … FROM slice …    Ctrl+Space: tables, columns and functions. Ctrl+Enter: run.</source>
        <translation>SELECT … FROM slice …    Ctrl+Space：表、列和函数。Ctrl+Enter：运行。</translation>
    </message>
    <message>
        <source>Close (Ctrl+F4)</source>
        <translation>关闭 (Ctrl+F4)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>altiscope::EvidenceBar</name>
    <message>
        <source>There is nothing to go to.</source>
        <translation>没有可前往的位置。</translation>
    </message>
    <message>
        <source>%1 at %2, %3</source>
        <comment>how long, when, rank</comment>
        <translation>%2 处的 %1，%3</translation>
    </message>
    <message>
        <source>Rows of %1 in which %2</source>
        <translation>%1 中满足 %2 的行</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>evidence</comment>
        <translation>第 %1 个，共 %2 个</translation>
    </message>
    <message>
        <source>Previous evidence</source>
        <translation>上一处证据</translation>
    </message>
    <message>
        <source>Next evidence</source>
        <translation>下一处证据</translation>
    </message>
    <message>
        <source>Close this finding, with what is marked for it</source>
        <translation>关闭此结论及其标记</translation>
    </message>
    <message>
        <source>In f&amp;ull</source>
        <translation>完整结论(&amp;U)</translation>
    </message>
    <message>
        <source>The finding on the page Findings</source>
        <translation>在“诊断结论”页面中查看</translation>
    </message>
    <message>
        <source>Evidence of the finding</source>
        <translation>结论的证据</translation>
    </message>
</context>
<context>
    <name>altiscope::EvidenceView</name>
    <message>
        <source>Clocks are aligned.</source>
        <translation>时钟已对齐。</translation>
    </message>
    <message numerus="yes">
        <source>%n gap(s) of the device, %1 in all, are hatched.</source>
        <translation>
            <numerusform>设备有 %n 段空隙，共 %1，以斜线标出。</numerusform>
        </translation>
    </message>
    <message>
        <source>These are the %1 longest.</source>
        <translation>标出的是最长的 %1 段。</translation>
    </message>
    <message numerus="yes">
        <source>%n gap(s) are hatched.</source>
        <translation>
            <numerusform>%n 段空隙以斜线标出。</numerusform>
        </translation>
    </message>
    <message>
        <source>Pinned above: %1, on %2 of %3 ranks.</source>
        <comment>stream, number, number</comment>
        <translation>已固定在上方：%1，共 %3 张卡中的 %2 张。</translation>
    </message>
    <message>
        <source>Pinned above: %1, on all %2 ranks.</source>
        <comment>stream, number</comment>
        <translation>已固定在上方：%1，全部 %2 张卡。</translation>
    </message>
    <message>
        <source>Pinned above: %1.</source>
        <comment>streams</comment>
        <translation>已固定在上方：%1。</translation>
    </message>
    <message>
        <source>Beside it: %1.</source>
        <comment>streams</comment>
        <translation>旁边：%1。</translation>
    </message>
</context>
<context>
    <name>altiscope::FieldEditor</name>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
</context>
<context>
    <name>altiscope::FieldForm</name>
    <message>
        <source>Undo the change</source>
        <translation>撤销修改</translation>
    </message>
    <message>
        <source>Undo the change of %1</source>
        <translation>撤销对 %1 的修改</translation>
    </message>
</context>
<context>
    <name>altiscope::FilterBar</name>
    <message>
        <source>Remove: %1</source>
        <translation>移除：%1</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter: %1</source>
        <translation>筛选：%1</translation>
    </message>
    <message>
        <source>Compare columns with = != &lt; &lt;= &gt; &gt;=, ~ (regular expression), in (a, b), = none; join with and, or, not.
Units: ns us ms s min h, B kB MB GB TB (powers of ten), KiB MiB GiB TiB (of two), %. Other words, and texts in quotes, are looked for in all columns of text.
Down or Ctrl+Space shows completions, Enter leads to the rows.</source>
        <translation>用 = != &lt; &lt;= &gt; &gt;=、~（正则表达式）、in (a, b)、= none 比较列；用 and、or、not 连接。
单位：ns us ms s min h，B kB MB GB TB（10 的幂），KiB MiB GiB TiB（2 的幂），%。其他词以及引号中的文本会在所有文本列中查找。
按向下键或 Ctrl+Space 显示补全，按 Enter 转到行。</translation>
    </message>
</context>
<context>
    <name>altiscope::FindBar</name>
    <message>
        <source>Write a duration as 100us, 100us..2ms or ..5ms</source>
        <translation>时长请写作 100us、100us..2ms 或 ..5ms</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>目前 %1 个</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 个，共 %2 个</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>找到 %1 个</translation>
    </message>
    <message>
        <source>matching this pattern takes too long for some texts</source>
        <translation>部分文本匹配此模式耗时过长</translation>
    </message>
    <message>
        <source>the arguments of %1 slices could not be read</source>
        <translation>%1 个切片的参数无法读取</translation>
    </message>
    <message>
        <source>Find slices</source>
        <translation>查找切片</translation>
    </message>
    <message>
        <source>Duration: 100us..2ms</source>
        <translation>时长：100us..2ms</translation>
    </message>
    <message>
        <source>Duration of the slices</source>
        <translation>切片时长</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>全词匹配</translation>
    </message>
    <message>
        <source>Regular expression (Perl)</source>
        <translation>正则表达式（Perl）</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>上一个（Shift+Enter）</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>下一个（Enter）</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>查找位置</translation>
    </message>
    <message>
        <source>In &amp;names</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>In names of &amp;tracks</source>
        <translation>泳道名称(&amp;T)</translation>
    </message>
    <message>
        <source>In &amp;shapes</source>
        <translation>形状(&amp;S)</translation>
    </message>
    <message>
        <source>In &amp;arguments (reads the source)</source>
        <translation>参数（需读取源文件）(&amp;A)</translation>
    </message>
    <message>
        <source>Only in the selection</source>
        <translation>仅在选中范围</translation>
    </message>
    <message>
        <source>In the chosen tracks and the marked time alone.</source>
        <translation>仅在所选泳道与标记时间内查找。</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Aa</source>
        <translation>Aa</translation>
    </message>
    <message>
        <source>“ab”</source>
        <translation>“ab”</translation>
    </message>
    <message>
        <source>End the search (Esc, twice)</source>
        <translation>结束查找（按两次 Esc）</translation>
    </message>
</context>
<context>
    <name>altiscope::FindingDetails</name>
    <message>
        <source>(default %1)</source>
        <translation>（默认 %1）</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>Copy the statement</source>
        <translation>复制语句</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>Recoverable time</source>
        <translation>可节省时间的计算</translation>
    </message>
    <message>
        <source>Thresholds used</source>
        <translation>判定所用阈值</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>Show the rows</source>
        <translation>查看这些行</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
</context>
<context>
    <name>altiscope::FindingTab</name>
    <message>
        <source>Show it &amp;here</source>
        <translation>在此页显示(&amp;H)</translation>
    </message>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Recoverable</source>
        <translation>可节省</translation>
    </message>
    <message>
        <source>Recoverable time of a step; the formula is below.</source>
        <translation>每步可节省的时间；公式见下方。</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>No findings about communication.</source>
        <translation>没有规则发现通信方面的问题。</translation>
    </message>
</context>
<context>
    <name>altiscope::FindingWeights</name>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Not recorded</source>
        <translation>未采集</translation>
    </message>
    <message>
        <source>Thresholds used: %1</source>
        <translation>判定所用阈值：%1</translation>
    </message>
    <message>
        <source>%1 in one step</source>
        <translation>仅一步，%1</translation>
    </message>
    <message>
        <source>%1 of all steps is recoverable, in one of them: medium from %2 on, and no more.</source>
        <translation>仅在其中一步可节省，占所有步的 %1：达到 %2 为中，最高为中。</translation>
    </message>
    <message>
        <source>%1 per step</source>
        <translation>每步 %1</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>采集</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Not rated: what is not recorded is not a fault.</source>
        <translation>不评级：未采集不是问题。</translation>
    </message>
    <message>
        <source>Rated without a time: it is not known what it costs a step.</source>
        <translation>不按时间评级：无法得知它使每步多花多少时间。</translation>
    </message>
    <message>
        <source>%1 of a step is recoverable. High from %2 on, medium from %3 on.</source>
        <translation>每步可节省 %1。达到 %2 为高，达到 %3 为中。</translation>
    </message>
    <message numerus="yes">
        <source>%n kind(s) of data not recorded</source>
        <translation>
            <numerusform>%n 类数据未采集</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of the recording, which has no steps: medium at most.</source>
        <translation>占采集的 %1，该采集没有训练步信息：最多评为中级。</translation>
    </message>
    <message>
        <source>%1 of the recording</source>
        <translation>采集中共 %1</translation>
    </message>
</context>
<context>
    <name>altiscope::FindingsList</name>
    <message>
        <source>Show the evidence</source>
        <translation>查看证据</translation>
    </message>
    <message>
        <source>Show this again</source>
        <translation>恢复显示</translation>
    </message>
    <message>
        <source>Do not show this again</source>
        <translation>不再显示</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Show what is hidden (%1)</source>
        <translation>显示已隐藏的（%1）</translation>
    </message>
</context>
<context>
    <name>altiscope::FindingsPage</name>
    <message>
        <source>Nothing found</source>
        <translation>未发现问题</translation>
    </message>
    <message>
        <source>Analysing</source>
        <translation>正在分析</translation>
    </message>
    <message>
        <source>No rule found anything that slows a step down. The thresholds of the rules are listed below.</source>
        <translation>没有规则发现拖慢训练步的问题。各规则判定所用的数值见下方的阈值。</translation>
    </message>
    <message>
        <source>The rules run as soon as a capture is read.</source>
        <translation>采集数据读取完成后即运行各规则。</translation>
    </message>
    <message numerus="yes">
        <source>%n of high severity</source>
        <translation>
            <numerusform>%n 条高</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of medium</source>
        <translation>
            <numerusform>%n 条中</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of low</source>
        <translation>
            <numerusform>%n 条低</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n threshold(s) changed</source>
        <translation>
            <numerusform>已修改 %n 个阈值</numerusform>
        </translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>诊断结论</translation>
    </message>
    <message>
        <source>&amp;Show what is hidden (%1)</source>
        <translation>显示已隐藏的（%1）(&amp;S)</translation>
    </message>
    <message>
        <source>Select a finding to see its evidence.</source>
        <translation>选择一条结论以查看其依据。</translation>
    </message>
    <message>
        <source>Show the evidence</source>
        <translation>查看证据</translation>
    </message>
    <message>
        <source>Show this again</source>
        <translation>恢复显示</translation>
    </message>
    <message>
        <source>Do not show this again</source>
        <translation>不再显示</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Details of the finding</source>
        <translation>结论详情</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Findings: %1</source>
        <translation>诊断结论：%1</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>within the filter of all pages</source>
        <translation>所有页面的筛选范围内</translation>
    </message>
    <message>
        <source>No data to analyse</source>
        <translation>没有可诊断的数据</translation>
    </message>
    <message>
        <source>Nothing within the filter</source>
        <translation>筛选范围内没有结论</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s) outside of the filter.</source>
        <translation>
            <numerusform>筛选范围之外有 %n 条结论。</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose other ranks, steps or times above, or all of them.</source>
        <translation>请在上方选择其他卡、步或时间，或全部选择。</translation>
    </message>
    <message numerus="yes">
        <source>%n outside of the filter</source>
        <translation>
            <numerusform>筛选范围之外 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy &amp;link to the evidence</source>
        <translation>复制指向证据的链接(&amp;L)</translation>
    </message>
</context>
<context>
    <name>altiscope::FindingsTable</name>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>By the recoverable time as a share of the step; see the thresholds high_share and medium_share.</source>
        <translation>按可节省时间占步时间的比例划分，见阈值 high_share 和 medium_share。</translation>
    </message>
    <message>
        <source>Recoverable</source>
        <translation>可节省</translation>
    </message>
    <message>
        <source>Recoverable time of a step: the mean over the steps in which the cause occurs. The formula of each rule is in the details.</source>
        <translation>每步可节省的时间：取出现该原因的各步的平均值。各规则的公式见详情。</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Number of the process in the job.</source>
        <translation>作业中的进程编号。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>If it concerns a single step.</source>
        <translation>仅涉及某一步时给出。</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>First occurrence, since the start of the capture.</source>
        <translation>首次出现的位置，从采集数据的开头算起。</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Of the slice or range of its first occurrence.</source>
        <translation>首次出现的切片或范围的时长。</translation>
    </message>
</context>
<context>
    <name>altiscope::FlameFrames</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>%1, %2 of all</source>
        <translation>%1，占全部的 %2</translation>
    </message>
    <message>
        <source>%1 of the function that it calls</source>
        <translation>占它所调用函数的 %1</translation>
    </message>
    <message>
        <source>%1 of its caller</source>
        <translation>占其调用者的 %1</translation>
    </message>
    <message>
        <source>In the base: %1, %2 of all; change of the share: %3</source>
        <translation>基准中：%1，占全部的 %2；占比变化：%3</translation>
    </message>
    <message numerus="yes">
        <source>%n call(s)</source>
        <translation>
            <numerusform>%n 次调用</numerusform>
        </translation>
    </message>
    <message>
        <source>Host time: itself %1 (its time without what it called)</source>
        <translation>主机时间：自身 %1（不含它所调用的）</translation>
    </message>
    <message>
        <source>Host time: %1, of it itself %2 (its time without what it called)</source>
        <translation>主机时间：%1，其中自身 %2（不含它所调用的）</translation>
    </message>
    <message numerus="yes">
        <source>Device time of %n task(s) that it launched: %1</source>
        <translation>
            <numerusform>它下发的 %n 个任务的设备时间：%1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::FlamePanel</name>
    <message>
        <source>Show the &amp;longest call in the timeline</source>
        <translation>在时间线中显示最长的调用(&amp;L)</translation>
    </message>
    <message>
        <source>Collecting calls…</source>
        <translation>正在汇总调用……</translation>
    </message>
    <message>
        <source>No CANN calls within the filter. They are recorded with activities CPU, from profiler_level Level0 on.</source>
        <translation>所示范围内没有 CANN 调用。activities 含 CPU 且 profiler_level 为 Level0 及以上时会采集。</translation>
    </message>
    <message>
        <source>No host calls within the filter. Operators are recorded with activities CPU, lines of Python with with_stack.</source>
        <translation>所示范围内没有主机调用。算子需 activities 含 CPU，Python 代码行需 with_stack。</translation>
    </message>
    <message>
        <source>No flow leads from these calls to a task of the device. Flows are recorded with activities CPU and NPU.</source>
        <translation>没有连线从这些调用通向设备任务。连线需 activities 含 CPU 和 NPU。</translation>
    </message>
    <message>
        <source>These calls took no time.</source>
        <translation>这些调用没有耗时。</translation>
    </message>
    <message numerus="yes">
        <source>Found: %n frame(s), %1, %2 of all.</source>
        <translation>
            <numerusform>找到 %n 帧，%1，占全部的 %2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %2 calls of %n thread(s); they launched %3 tasks of %4 on the device.</source>
        <translation>
            <numerusform>%n 个线程的 %2 次调用共 %1；在设备上下发了 %3 个任务，共 %4。</numerusform>
        </translation>
    </message>
    <message>
        <source>Difference of the shares: red has grown compared with the base, blue has shrunk.</source>
        <translation>占比之差：与基准相比，红色增长，蓝色减少。</translation>
    </message>
    <message>
        <source>The redder a frame, the more of the time is its own.</source>
        <translation>帧越红，自身耗时越多。</translation>
    </message>
    <message>
        <source>Lines of Python were not recorded (with_stack).</source>
        <translation>未采集 Python 代码行（with_stack）。</translation>
    </message>
    <message>
        <source>%1 calls are counted with what called them, as they are too deep or too many.</source>
        <translation>%1 次调用过深或过多，计入其调用者。</translation>
    </message>
    <message>
        <source>Callers of light functions are omitted.</source>
        <translation>省略了轻量函数的调用者。</translation>
    </message>
    <message>
        <source>Top-down, icicle</source>
        <translation>自顶向下，冰柱图</translation>
    </message>
    <message>
        <source>Top-down, flame</source>
        <translation>自顶向下，火焰图</translation>
    </message>
    <message>
        <source>Bottom-up, callers below</source>
        <translation>自底向上，调用者在下</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>图形</translation>
    </message>
    <message>
        <source>Top-down: what each function called. Bottom-up: who called each function.</source>
        <translation>自顶向下：每个函数调用了什么。自底向上：谁调用了每个函数。</translation>
    </message>
    <message>
        <source>Host time</source>
        <translation>主机时间</translation>
    </message>
    <message>
        <source>Self time</source>
        <translation>自身耗时</translation>
    </message>
    <message>
        <source>Device time launched</source>
        <translation>所下发的设备时间</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Host time: of the calls with what they called. Self time: without it. Device time: of the tasks that they and what they called launched.</source>
        <translation>主机时间：含被调用函数的调用时间。自身耗时：不含被调用函数。设备时间：函数及其调用所下发任务的时间。</translation>
    </message>
    <message>
        <source>Python, operators, CANN</source>
        <translation>Python、算子与 CANN</translation>
    </message>
    <message>
        <source>Python and operators</source>
        <translation>Python 与算子</translation>
    </message>
    <message>
        <source>CANN alone</source>
        <translation>仅 CANN</translation>
    </message>
    <message>
        <source>Which calls</source>
        <translation>哪些调用</translation>
    </message>
    <message>
        <source>All threads together</source>
        <translation>合并所有线程</translation>
    </message>
    <message>
        <source>Ranks apart</source>
        <translation>按卡分开</translation>
    </message>
    <message>
        <source>Threads apart</source>
        <translation>按线程分开</translation>
    </message>
    <message>
        <source>Ranks and threads</source>
        <translation>卡与线程</translation>
    </message>
    <message>
        <source>&amp;Difference to the base</source>
        <translation>与基准之差(&amp;D)</translation>
    </message>
    <message>
        <source>Find functions</source>
        <translation>查找函数</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>火焰图</translation>
    </message>
</context>
<context>
    <name>altiscope::FlowButton</name>
    <message>
        <source>%1  (%2)</source>
        <comment>category of flows, their number</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 more have an end outside of any slice: they are not drawn.</source>
        <translation>另有 %1 条的一端不在任何切片内：未绘制。</translation>
    </message>
    <message>
        <source>No flows were recorded</source>
        <translation>没有记录连线</translation>
    </message>
    <message>
        <source>Flows are being counted</source>
        <translation>正在统计连线</translation>
    </message>
    <message numerus="yes">
        <source>Flows of %n categories are drawn: choose which</source>
        <translation>
            <numerusform>正在绘制 %n 类连线：选择类别</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose which flows are drawn</source>
        <translation>选择绘制哪些连线</translation>
    </message>
    <message>
        <source>Flows that are drawn</source>
        <translation>绘制的连线</translation>
    </message>
    <message>
        <source>Show all flows</source>
        <translation>显示全部连线</translation>
    </message>
    <message>
        <source>Show no flows</source>
        <translation>不显示连线</translation>
    </message>
    <message>
        <source>Only categories with this text</source>
        <translation>仅含此文本的类别</translation>
    </message>
    <message>
        <source>Only with an end in the &amp;marked time</source>
        <translation>仅一端位于标记时间内的连线(&amp;M)</translation>
    </message>
</context>
<context>
    <name>altiscope::FlowLayer</name>
    <message>
        <source>Flow: %1</source>
        <translation>连线：%1</translation>
    </message>
    <message>
        <source>%1 flows: %2</source>
        <translation>%1 条连线：%2</translation>
    </message>
</context>
<context>
    <name>altiscope::FrameCanvas</name>
    <message>
        <source>&amp;Copy the frame</source>
        <translation>复制此帧(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the call &amp;stack</source>
        <translation>复制调用栈(&amp;S)</translation>
    </message>
    <message>
        <source>Show at full &amp;width</source>
        <translation>占满宽度(&amp;W)</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>altiscope::GoTo</name>
    <message>
        <source>Go to</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>&amp;Time since the start (1.25 s, 350 ms), absolute time in ns, #slice id, or a link:</source>
        <translation>自开始起的时间（1.25 s、350 ms）、以 ns 为单位的绝对时间、#切片 ID 或链接(&amp;T)：</translation>
    </message>
    <message>
        <source>This is neither a time nor a slice nor a link.</source>
        <translation>这既不是时间，也不是切片或链接。</translation>
    </message>
</context>
<context>
    <name>altiscope::GrowthPanel</name>
    <message>
        <source>&amp;List its blocks</source>
        <translation>列出其块(&amp;L)</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), by the timeline of the rank.</source>
        <translation>
            <numerusform>%n 个训练步，依据该卡的时间线。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), as the program counts them in its annotations.</source>
        <translation>
            <numerusform>%n 个训练步，依据程序在标注中的计数。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), by how the history repeats itself.</source>
        <translation>
            <numerusform>%n 个训练步，依据历史的重复规律。</numerusform>
        </translation>
    </message>
    <message>
        <source>No call stack keeps growing.</source>
        <translation>没有调用栈占用的内存不断增加。</translation>
    </message>
    <message>
        <source>Growth by call stack</source>
        <translation>各调用栈的增长</translation>
    </message>
    <message>
        <source>The history has fewer than %1 whole steps: growth is per 1,000 events, of blocks that were kept for longer than those that the same stack released.</source>
        <translation>历史中的完整训练步少于 %1 个：增长按每 1,000 个事件计算，只计存在时间长于同一调用栈已释放块的内存块。</translation>
    </message>
</context>
<context>
    <name>altiscope::HeadingTexts</name>
    <message>
        <source>In filters: %1</source>
        <translation>筛选中的名称：%1</translation>
    </message>
</context>
<context>
    <name>altiscope::Help</name>
    <message>
        <source>%1 (%2)</source>
        <comment>kind of data, switch that records it</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>any capture</source>
        <translation>任意采集数据</translation>
    </message>
    <message>
        <source>or</source>
        <comment>one or the other</comment>
        <translation>或</translation>
    </message>
    <message>
        <source>Supported files and required data</source>
        <translation>支持的文件与所需数据</translation>
    </message>
    <message>
        <source>Drop a folder, a file or an archive on the window, or open it from the File menu. Nothing in it is changed, and nothing is written beside it.</source>
        <translation>将文件夹、文件或压缩包拖到窗口上，或从“文件”菜单打开。其中的内容不会被更改，旁边也不会写入任何文件。</translation>
    </message>
    <message>
        <source>What opens</source>
        <translation>支持的文件</translation>
    </message>
    <message>
        <source>Folder or file</source>
        <translation>文件夹或文件</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>What each page needs</source>
        <translation>各页面所需数据</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>显示内容</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>所需数据</translation>
    </message>
    <message>
        <source>Which switch records what</source>
        <translation>各采集开关对应的数据</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>开关</translation>
    </message>
    <message>
        <source>Without it</source>
        <translation>未采集时</translation>
    </message>
    <message>
        <source>Which files fill which tables</source>
        <translation>各文件对应的表</translation>
    </message>
    <message>
        <source>SQL tables beside those of the timeline. A profiler&apos;s database fills most of them too; of two files with the same content only one is read, and the import report says which.</source>
        <translation>时间线之外的 SQL 表。采集工具的数据库也会填充其中大部分；内容相同的两个文件只读取一个，导入报告会说明是哪一个。</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>altiscope::HistoryModel</name>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>采集方式</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>altiscope::HistoryPanel</name>
    <message>
        <source>Histor&amp;y</source>
        <translation>历史(&amp;Y)</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>&amp;Repeat</source>
        <translation>重复(&amp;R)</translation>
    </message>
    <message>
        <source>Puts the settings of the chosen capture into the form, to be changed and started</source>
        <translation>将所选采集的设置填入表单，修改后可再次开始</translation>
    </message>
    <message>
        <source>Histor&amp;y: %1 of %2</source>
        <translation>历史(&amp;Y)：%1 / %2</translation>
    </message>
    <message>
        <source>Captures with this in method, target, note or settings</source>
        <translation>在采集方式、目标、备注或设置中查找采集</translation>
    </message>
    <message>
        <source>Filter of the history</source>
        <translation>历史筛选</translation>
    </message>
</context>
<context>
    <name>altiscope::HistoryTexts</name>
    <message>
        <source>The same settings as the capture before.</source>
        <translation>设置与上一次采集相同。</translation>
    </message>
    <message>
        <source>Changed since the capture before:</source>
        <translation>与上一次采集相比的变化：</translation>
    </message>
</context>
<context>
    <name>altiscope::HolderPanel</name>
    <message>
        <source>List its &amp;allocations</source>
        <translation>列出其分配记录(&amp;A)</translation>
    </message>
    <message>
        <source>Which operators have the memory is unknown without samples or allocations.</source>
        <translation>没有采样也没有分配记录，无法得知内存由谁占用。</translation>
    </message>
    <message>
        <source>Peak at %1: %2 has %3 allocated.</source>
        <translation>峰值在 %1：%2 已分配 %3。</translation>
    </message>
    <message>
        <source>Peak at %1: %2 has %3 reserved.</source>
        <translation>峰值在 %1：%2 已预留 %3。</translation>
    </message>
    <message>
        <source>At %1: %2 has %3 allocated.</source>
        <translation>%1 时：%2 已分配 %3。</translation>
    </message>
    <message>
        <source>At %1.</source>
        <translation>%1 时。</translation>
    </message>
    <message>
        <source>%1 are reserved, %2 of it unused.</source>
        <translation>已预留 %1，其中 %2 未使用。</translation>
    </message>
    <message numerus="yes">
        <source>%n recorded allocation(s) are alive and hold %1.</source>
        <translation>
            <numerusform>%n 条有记录的分配存活，占用 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>The other %1 were allocated before the recording.</source>
        <translation>其余 %1 在采集开始前分配。</translation>
    </message>
    <message>
        <source>Back to the &amp;peak</source>
        <translation>回到峰值(&amp;P)</translation>
    </message>
    <message>
        <source>Memory by operator</source>
        <translation>各算子占用的内存</translation>
    </message>
    <message>
        <source>When the peak was is unknown without samples. Click a moment in the plot: the recorded allocations that were alive then are listed here.</source>
        <translation>没有采样，无法得知峰值何时出现。请点击图中某一时刻：此处将列出当时存活的已记录分配。</translation>
    </message>
</context>
<context>
    <name>altiscope::HostTexts</name>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
</context>
<context>
    <name>altiscope::HoverText</name>
    <message>
        <source>%1 slices share this pixel; this is the longest. Zoom in to see them.</source>
        <translation>%1 个切片共用此像素，当前为最长者。放大可查看全部。</translation>
    </message>
    <message>
        <source>%1 long (%2)</source>
        <translation>时长 %1（%2）</translation>
    </message>
    <message>
        <source>starts at %1</source>
        <translation>开始于 %1</translation>
    </message>
    <message>
        <source>%1 of its own</source>
        <translation>自身耗时 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: not measured yet</source>
        <translation>%1：尚无采样</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>task of %1</source>
        <translation>属于 %1</translation>
    </message>
</context>
<context>
    <name>altiscope::IdleBar</name>
    <message>
        <source>Only &amp;badly used</source>
        <translation>仅低效使用(&amp;B)</translation>
    </message>
    <message>
        <source>Allocations that exceed one of the limits: each as a time, or as a share of release_ts - alloc_ts. An empty time and 0 % switch a limit off.</source>
        <translation>超过任一阈值的分配：阈值为时间，或占 release_ts - alloc_ts 的比例。时间为空且比例为 0 % 时不作限制。</translation>
    </message>
    <message>
        <source>Early:</source>
        <translation>过早：</translation>
    </message>
    <message>
        <source>Late:</source>
        <translation>过晚：</translation>
    </message>
    <message>
        <source>Idle:</source>
        <translation>闲置：</translation>
    </message>
    <message>
        <source>Unused before the first use</source>
        <translation>首次使用前未使用</translation>
    </message>
    <message>
        <source>Unused after the last use</source>
        <translation>最后一次使用后未使用</translation>
    </message>
    <message>
        <source>Unused between two uses</source>
        <translation>两次使用之间未使用</translation>
    </message>
    <message>
        <source>or</source>
        <comment>a time or a share</comment>
        <translation>或</translation>
    </message>
    <message>
        <source>time, 5 ms</source>
        <translation>时间，5 ms</translation>
    </message>
    <message>
        <source> % of life</source>
        <translation> % 存续时间</translation>
    </message>
    <message>
        <source>%1, share of its life</source>
        <translation>%1，占存续时间的比例</translation>
    </message>
    <message>
        <source>%1: %2 &gt; this time</source>
        <translation>%1：%2 &gt; 此时间</translation>
    </message>
    <message>
        <source>%1: %2 &gt; this share of (release_ts - alloc_ts)</source>
        <translation>%1：%2 &gt; (release_ts - alloc_ts) 的此比例</translation>
    </message>
</context>
<context>
    <name>altiscope::JobBar</name>
    <message>
        <source>Show all jobs</source>
        <translation>显示所有任务</translation>
    </message>
    <message>
        <source>Stop this job</source>
        <translation>停止此任务</translation>
    </message>
    <message>
        <source>Stop %1</source>
        <translation>停止 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n job(s)</source>
        <translation>
            <numerusform>%n 个任务</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::JobForm</name>
    <message>
        <source>Choose the configuration</source>
        <translation>选择配置文件</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Configurat&amp;ion file</source>
        <translation>配置文件(&amp;I)</translation>
    </message>
    <message>
        <source>Wor&amp;king directory</source>
        <translation>工作目录(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Launch command</source>
        <translation>启动命令(&amp;L)</translation>
    </message>
    <message>
        <source>Folder for res&amp;ults</source>
        <translation>结果文件夹(&amp;U)</translation>
    </message>
    <message>
        <source>path on the target</source>
        <translation>目标上的路径</translation>
    </message>
    <message>
        <source>start directory of commands on the target</source>
        <translation>目标上命令的起始目录</translation>
    </message>
    <message>
        <source>for example: python3 train.py</source>
        <translation>例如：python3 train.py</translation>
    </message>
    <message>
        <source>empty: the job runs already, or you start it</source>
        <translation>留空：作业已在运行，或由您启动</translation>
    </message>
    <message>
        <source>from the settings</source>
        <translation>由设置决定</translation>
    </message>
    <message>
        <source>Run by sh in the working directory. Options replace &quot;$@&quot;, or else are appended.</source>
        <translation>由 sh 在工作目录中运行。选项位于命令中的 &quot;$@&quot; 处，否则位于末尾。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>选择：%1</translation>
    </message>
    <message>
        <source>Find running &amp;jobs…</source>
        <translation>查找正在运行的作业(&amp;J)…</translation>
    </message>
    <message>
        <source>Shows the jobs running on the targets, and fills in what a method needs to record one</source>
        <translation>显示目标上正在运行的作业，并填入采集该作业所需的内容</translation>
    </message>
</context>
<context>
    <name>altiscope::JobTexts</name>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>looking for files</source>
        <translation>正在查找文件</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>indexing</source>
        <translation>正在建立索引</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>unpacking</source>
        <translation>正在解包</translation>
    </message>
    <message>
        <source>querying</source>
        <translation>正在查询</translation>
    </message>
    <message>
        <source>finishing</source>
        <translation>即将完成</translation>
    </message>
    <message>
        <source>%1: stopping</source>
        <translation>%1：正在停止</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>job, phase</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
</context>
<context>
    <name>altiscope::JobsDialog</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Configuration: %1</source>
        <translation>配置：%1</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>使用(&amp;U)</translation>
    </message>
    <message>
        <source>Search &amp;again</source>
        <translation>重新查找(&amp;A)</translation>
    </message>
    <message>
        <source>Running jobs</source>
        <translation>正在运行的作业</translation>
    </message>
    <message>
        <source>The other methods act only when a job starts.</source>
        <translation>其他采集方式仅在作业启动时生效。</translation>
    </message>
    <message>
        <source>Puts the method with this job into the form; nothing is started</source>
        <translation>将该采集方式和作业填入表单；不会启动任何操作</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>采集方式</translation>
    </message>
    <message>
        <source>Input, or why it cannot</source>
        <translation>输入，或无法使用的原因</translation>
    </message>
    <message>
        <source>Methods for this job</source>
        <translation>适用于该作业的采集方式</translation>
    </message>
    <message>
        <source>Looking for running jobs; nothing is changed there…</source>
        <translation>正在查找运行中的作业；不会更改任何内容…</translation>
    </message>
    <message numerus="yes">
        <source>%n running job(s) found.</source>
        <translation>
            <numerusform>找到 %n 个正在运行的作业。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::KernelList</name>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Show its &amp;caller in the timeline</source>
        <translation>在时间线中显示其调用处(&amp;C)</translation>
    </message>
    <message>
        <source>Called from: %1</source>
        <translation>调用来源：%1</translation>
    </message>
    <message>
        <source>Kernels of all groups</source>
        <translation>所有分组的 NPU 算子</translation>
    </message>
    <message>
        <source>&amp;All groups</source>
        <translation>所有分组(&amp;A)</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>NPU 算子</translation>
    </message>
    <message>
        <source>La&amp;unch chain</source>
        <translation>下发链(&amp;U)</translation>
    </message>
    <message>
        <source>Copy &amp;link</source>
        <translation>复制链接(&amp;L)</translation>
    </message>
</context>
<context>
    <name>altiscope::KernelPanel</name>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Slice id</source>
        <translation>切片 ID</translation>
    </message>
    <message>
        <source>The slice of the kernel in the timeline.</source>
        <translation>该 NPU 算子在时间线中的切片。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>compute or communication</source>
        <translation>compute（计算）或 communication（通信）</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>核类型</translation>
    </message>
    <message>
        <source>Which kind of core it ran on.</source>
        <translation>在哪种核上运行。</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>From the end of the previous task to the start of this one, as recorded.</source>
        <translation>从前一任务结束到本任务开始的时间，按记录。</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Number of blocks (block dim), as recorded.</source>
        <translation>块的数量（block dim），按记录。</translation>
    </message>
    <message>
        <source>Input shapes</source>
        <translation>输入形状</translation>
    </message>
    <message>
        <source>Input types</source>
        <translation>输入类型</translation>
    </message>
    <message>
        <source>Input formats</source>
        <translation>输入格式</translation>
    </message>
    <message>
        <source>Output shapes</source>
        <translation>输出形状</translation>
    </message>
    <message>
        <source>Output types</source>
        <translation>输出类型</translation>
    </message>
    <message>
        <source>Output formats</source>
        <translation>输出格式</translation>
    </message>
    <message>
        <source>Operator&apos;s slice id</source>
        <translation>算子的切片 ID</translation>
    </message>
    <message>
        <source>The slice of the framework&apos;s operator that launched it.</source>
        <translation>下发它的框架算子的切片。</translation>
    </message>
    <message>
        <source>As recorded, see kernel_metric in SQL.</source>
        <translation>按记录，见 SQL 表 kernel_metric。</translation>
    </message>
    <message>
        <source>From kernel_details.csv, op_summary or COMPUTE_TASK_INFO.</source>
        <translation>来自 kernel_details.csv、op_summary 或 COMPUTE_TASK_INFO。</translation>
    </message>
    <message>
        <source>Only the &amp;marked time</source>
        <translation>仅标记时间(&amp;M)</translation>
    </message>
    <message>
        <source>No kernels within the filter. They come from kernel_details.csv, op_summary or COMPUTE_TASK_INFO.</source>
        <translation>筛选范围内没有 NPU 算子。数据来自 kernel_details.csv、op_summary 或 COMPUTE_TASK_INFO。</translation>
    </message>
    <message>
        <source>On the trace&apos;s own clock, since the start of the run; of a capture without a timeline, since its first kernel.</source>
        <translation>按 trace 自身的时钟，自运行开始起计；没有时间线的采集数据自首个算子起计。</translation>
    </message>
    <message>
        <source>NPU</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>Number of the NPU on its host.</source>
        <translation>所在主机上的 NPU 编号。</translation>
    </message>
</context>
<context>
    <name>altiscope::KeyEditor</name>
    <message>
        <source>&amp;New key for: %1</source>
        <translation>新的快捷键(&amp;N)：%1</translation>
    </message>
    <message>
        <source>Gestures of the mouse stay as they are.</source>
        <translation>鼠标操作不可更改。</translation>
    </message>
    <message>
        <source>Key or gesture</source>
        <translation>快捷键或鼠标操作</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Filter by command or key</source>
        <translation>按命令或快捷键筛选</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>新的快捷键</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>重置(&amp;R)</translation>
    </message>
    <message>
        <source>Gives the chosen command the key of a fresh installation</source>
        <translation>恢复所选命令的初始快捷键</translation>
    </message>
    <message>
        <source>Reset &amp;all</source>
        <translation>全部重置(&amp;A)</translation>
    </message>
</context>
<context>
    <name>altiscope::KeysDialog</name>
    <message>
        <source>Timeline shortcuts</source>
        <translation>时间线快捷键</translation>
    </message>
</context>
<context>
    <name>altiscope::Language</name>
    <message>
        <source>en</source>
        <extracomment>Not shown: the language of this translation as the catalogue of sentences calls it, &quot;zh_CN&quot; for Chinese.</extracomment>
        <translation>zh_CN</translation>
    </message>
</context>
<context>
    <name>altiscope::LayerPanel</name>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Only the &amp;marked time</source>
        <translation>仅标记时间(&amp;M)</translation>
    </message>
    <message>
        <source>Memory copies</source>
        <translation>内存拷贝</translation>
    </message>
    <message>
        <source>No slices within the filter.</source>
        <translation>筛选范围内没有切片。</translation>
    </message>
    <message>
        <source>No copies (MEMCPY_ASYNC) within the filter.</source>
        <translation>筛选范围内没有拷贝（MEMCPY_ASYNC）。</translation>
    </message>
    <message>
        <source>Choose a row: its slices are listed here, and lead to the timeline.</source>
        <translation>选择一行：此处列出其切片，并可跳转到时间线。</translation>
    </message>
    <message>
        <source>Directions and sizes of copies are not recorded: that takes profiler_level Level2.</source>
        <translation>未记录拷贝的方向和大小：需要 profiler_level Level2。</translation>
    </message>
</context>
<context>
    <name>altiscope::LayerTables</name>
    <message>
        <source>Python and framework</source>
        <translation>Python 与框架</translation>
    </message>
    <message>
        <source>Call stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>CANN</source>
        <translation>CANN</translation>
    </message>
    <message>
        <source>Streams of the NPU</source>
        <translation>NPU 流</translation>
    </message>
    <message>
        <source>Communication: collectives</source>
        <translation>通信：集合通信</translation>
    </message>
    <message>
        <source>Communication: tasks on planes</source>
        <translation>通信：平面上的任务</translation>
    </message>
    <message>
        <source>Overlap Analysis</source>
        <translation>重叠分析</translation>
    </message>
    <message>
        <source>Program marks (mstx)</source>
        <translation>程序打点（mstx）</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>Garbage collection</source>
        <translation>垃圾回收</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>%1 names</source>
        <translation>%1 个名称</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 个切片</translation>
    </message>
    <message>
        <source>total %1</source>
        <translation>总计 %1</translation>
    </message>
    <message>
        <source>self %1</source>
        <translation>自身 %1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Total / sum of the totals of all names. A slice and its children both count, so that shares of nested slices overlap. The sum excludes &quot;Communication&quot; of the overlap analysis, which includes &quot;Communication(Not Overlapped)&quot;.</source>
        <translation>总计 / 所有名称总计之和。切片及其子切片都计入，因此嵌套切片的占比互有重叠。总和不含重叠分析的“Communication”，因其包含“Communication(Not Overlapped)”。</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Sum of the whole durations of the slices, over all ranks and tracks; including their children.</source>
        <translation>各切片完整时长之和，跨所有卡与泳道；包含其子切片。</translation>
    </message>
    <message>
        <source>Share of self</source>
        <translation>自身占比</translation>
    </message>
    <message>
        <source>Self / sum of self of all names: each moment of a track counts once.</source>
        <translation>自身 / 所有名称自身之和：泳道的每一时刻只计一次。</translation>
    </message>
    <message>
        <source>Self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Total without the time of direct children.</source>
        <translation>总计减去直接子切片的时间。</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>Slices that touch the times that are shown; each counts whole.</source>
        <translation>触及所示时间的切片；各按完整时长计。</translation>
    </message>
    <message>
        <source>Average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Total / slices</source>
        <translation>总计 / 切片数</translation>
    </message>
    <message>
        <source>Shortest</source>
        <translation>最短</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>From the arguments of MEMCPY_ASYNC, or MEMCPY_INFO; recorded at Level2.</source>
        <translation>来自 MEMCPY_ASYNC 的参数或 MEMCPY_INFO；Level2 时记录。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>拷贝次数</translation>
    </message>
    <message>
        <source>Slices MEMCPY_ASYNC that touch the times that are shown; each counts whole.</source>
        <translation>触及所示时间的 MEMCPY_ASYNC 切片；各按完整时长计。</translation>
    </message>
    <message>
        <source>Sum of their durations.</source>
        <translation>时长之和。</translation>
    </message>
    <message>
        <source>Total / copies</source>
        <translation>总计 / 拷贝次数</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Average size</source>
        <translation>平均大小</translation>
    </message>
    <message>
        <source>Size / copies whose size is recorded</source>
        <translation>大小 / 记录了大小的拷贝次数</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>Size / total time of the copies whose size is recorded</source>
        <translation>大小 / 记录了大小的拷贝的总时间</translation>
    </message>
</context>
<context>
    <name>altiscope::LimitBox</name>
    <message>
        <source>at any speed</source>
        <translation>不限速</translation>
    </message>
    <message>
        <source>at most </source>
        <translation>不超过 </translation>
    </message>
    <message>
        <source>Limit of fetching</source>
        <translation>取回限速</translation>
    </message>
    <message>
        <source>How fast results are copied at most, all hosts together; 0: as fast as the network lets them</source>
        <translation>复制结果的最高速度，所有主机合计；0 表示不限速</translation>
    </message>
</context>
<context>
    <name>altiscope::LinkCallTexts</name>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Matrix files list individual calls: of each type the fastest, the median and the slowest three, by bandwidth. Old files list all.</source>
        <translation>矩阵文件只列出个别调用：每种类型按带宽取最快、居中和最慢的三次。旧文件列出全部调用。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>通信域</translation>
    </message>
    <message>
        <source>size / transit; 10^9 bytes per second are 1 GB/s.</source>
        <translation>大小 / 传输时间；每秒 10^9 字节为 1 GB/s。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Start of the operator on this rank, on the rank&apos;s own clock.</source>
        <translation>该算子在此卡上的开始时间，按该卡自身的时钟。</translation>
    </message>
    <message>
        <source>Rank whose file or timeline has it.</source>
        <translation>记录这一行的文件或时间线所属的卡。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Recorded by the profiler in its matrix file, or computed by Altiscope from the tasks on the planes of the timeline where that is missing.</source>
        <translation>由采集工具记录在矩阵文件中；缺少该文件时由本程序根据时间线各 Plane 上的任务计算得出。</translation>
    </message>
</context>
<context>
    <name>altiscope::LinkHeadings</name>
    <message>
        <source>Rank; [2] is an index in a group whose rank is unknown.</source>
        <translation>卡；[2] 表示通信域内所属卡未知的位置。</translation>
    </message>
    <message>
        <source>From</source>
        <translation>源</translation>
    </message>
    <message>
        <source>To</source>
        <translation>目的</translation>
    </message>
    <message>
        <source>As the files name it.</source>
        <translation>文件中的名称。</translation>
    </message>
    <message>
        <source>size / transit; 10^9 bytes per second are 1 GB/s.</source>
        <translation>大小 / 传输时间；每秒 10^9 字节为 1 GB/s。</translation>
    </message>
    <message>
        <source>Sum over the chosen steps, groups and operators.</source>
        <translation>所选步、通信域和算子的合计。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Recorded by the profiler in its matrix file, or computed by Altiscope from the tasks on the planes of the timeline where that is missing.</source>
        <translation>由采集工具记录在矩阵文件中；缺少该文件时由本程序根据时间线各 Plane 上的任务计算得出。</translation>
    </message>
    <message>
        <source>Bandwidth, too small</source>
        <translation>带宽（传输过小）</translation>
    </message>
    <message>
        <source>size / transit of links that come last by bandwidth: %1</source>
        <translation>按带宽排在最后的链路的大小 / 传输时间：%1</translation>
    </message>
    <message>
        <source>transit / number of steps, so that sides of different length compare.</source>
        <translation>传输时间 / 步数，使长度不同的两侧可以比较。</translation>
    </message>
    <message>
        <source>Transit per step</source>
        <translation>每步传输时间</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Bandwidth of the same link in the base.</source>
        <translation>基准中同一链路的带宽。</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Of the same link in the base: %1</source>
        <translation>基准中同一链路的值：%1</translation>
    </message>
</context>
<context>
    <name>altiscope::LinkOpener</name>
    <message>
        <source>The link is copied as soon as the capture&apos;s checksum is known.</source>
        <translation>得到采集数据的校验和后将复制链接。</translation>
    </message>
    <message>
        <source>Not a link: %1 was found, altiscope:CAPTURE/rank/R/slice/S or …/range/A-B was expected.</source>
        <translation>不是链接：得到的是 %1，应为 altiscope:CAPTURE/rank/R/slice/S 或 …/range/A-B。</translation>
    </message>
    <message>
        <source>No link: the capture&apos;s files cannot be read.</source>
        <translation>无法生成链接：采集数据的文件不可读。</translation>
    </message>
    <message>
        <source>In the clipboard: %1</source>
        <translation>已复制到剪贴板：%1</translation>
    </message>
    <message>
        <source>The capture of this link is neither open nor among the recent ones. Open its folder, then follow the link again.</source>
        <translation>该链接的采集数据未打开，最近打开过的也都不是它。请打开其文件夹，然后再次打开链接。</translation>
    </message>
    <message>
        <source>The capture of this link is not open. It was recently opened from %1.</source>
        <translation>该链接的采集数据未打开。最近曾从 %1 打开。</translation>
    </message>
    <message>
        <source>&amp;Open it</source>
        <translation>打开(&amp;O)</translation>
    </message>
</context>
<context>
    <name>altiscope::LinkTexts</name>
    <message>
        <source>Rank %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>Index %1 in the group %2, rank unknown</source>
        <translation>通信域 %2 内的位置 %1，所属卡未记录</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Transit time</source>
        <translation>传输时间</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>Operators of the type that the rank recorded in the group; of single calls their number. Where several links share a pixel the largest is shown.</source>
        <translation>该卡在通信域内记录的此类算子数；对单次调用为调用次数。多条链路共用一个像素时显示最大值。</translation>
    </message>
    <message>
        <source>How the ranks are connected. Of several on a link, and where several links share a pixel, the slowest is shown.</source>
        <translation>卡之间的连接方式。一条链路有多种方式、或多条链路共用一个像素时，显示最慢的一种。</translation>
    </message>
    <message>
        <source>From: %1</source>
        <translation>源：%1</translation>
    </message>
    <message>
        <source>To: %1</source>
        <translation>目的：%1</translation>
    </message>
    <message>
        <source>Transport: %1</source>
        <translation>传输方式：%1</translation>
    </message>
    <message>
        <source>Bandwidth: %1</source>
        <translation>带宽：%1</translation>
    </message>
    <message>
        <source>Size: %1 (%2)</source>
        <translation>大小：%1（%2）</translation>
    </message>
    <message>
        <source>Transit time: %1 (%2)</source>
        <translation>传输时间：%1（%2）</translation>
    </message>
    <message>
        <source>Calls: %1</source>
        <translation>调用次数：%1</translation>
    </message>
    <message>
        <source>Sum of what was transferred, from the communication matrix files, or computed from the timeline where these are missing. Where several links share a pixel the largest is shown.</source>
        <translation>传输量之和，取自通信矩阵文件；缺少该文件时由时间线计算得出。多条链路共用一个像素时显示最大值。</translation>
    </message>
    <message>
        <source>Sum of transit times, from the communication matrix files, or computed from the timeline where these are missing. Where several links share a pixel the largest is shown.</source>
        <translation>传输时间之和，取自通信矩阵文件；缺少该文件时由时间线计算得出。多条链路共用一个像素时显示最大值。</translation>
    </message>
    <message>
        <source>Transit time: unknown, as it went by RDMA, at least in part</source>
        <translation>传输时间：未知，因为至少有一部分经由 RDMA</translation>
    </message>
    <message>
        <source>Computed from the timeline.</source>
        <translation>由时间线计算得出。</translation>
    </message>
    <message>
        <source>Sum of sizes / sum of transit times, from the communication matrix files, or computed from the timeline where these are missing. Where several links share a pixel the lowest is shown. Grey: %1</source>
        <translation>大小之和 / 传输时间之和，取自通信矩阵文件；缺少该文件时由时间线计算得出。多条链路共用一个像素时显示最低值。灰色：%1</translation>
    </message>
    <message>
        <source>a call moves less than %1 on average (by RDMA %2), so that its time is mostly the fixed cost of each transfer and does not show how fast the link is.</source>
        <translation>平均每次调用传输不足 %1（RDMA 为 %2），其时间主要是每次传输的固定开销，不能反映链路快慢。</translation>
    </message>
    <message>
        <source>Too small for a bandwidth: %1 per call on average</source>
        <translation>传输过小，不能反映带宽：平均每次调用 %1</translation>
    </message>
    <message>
        <source>Transit time: not recorded</source>
        <translation>传输时间：未记录</translation>
    </message>
    <message>
        <source>Base: not known on both sides, so that there is no difference</source>
        <translation>基准：并非双方都已知，因此没有差异</translation>
    </message>
    <message>
        <source>%1 per step: %2</source>
        <translation>每步%1：%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Base: %1</source>
        <translation>基准：%1</translation>
    </message>
    <message>
        <source>Difference: %1</source>
        <translation>差值：%1</translation>
    </message>
</context>
<context>
    <name>altiscope::LocateDialog</name>
    <message>
        <source>Where is the data?</source>
        <translation>数据在哪里？</translation>
    </message>
    <message>
        <source>The workspace uses this capture, which was not found:</source>
        <translation>工作区使用的以下采集数据不在原处：</translation>
    </message>
    <message numerus="yes">
        <source>%n more were not found either; those near it are found with it.</source>
        <translation>
            <numerusform>另有 %n 个也不在原处；位于其附近的会一并找到。</numerusform>
        </translation>
    </message>
    <message>
        <source>New locat&amp;ion (folder, file or archive):</source>
        <translation>新位置（文件夹、文件或压缩包）(&amp;I)：</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Open &amp;without it</source>
        <translation>不打开它，继续(&amp;W)</translation>
    </message>
    <message>
        <source>No such file or folder.</source>
        <translation>文件或文件夹不存在。</translation>
    </message>
    <message>
        <source>The same data: its checksum matches the workspace.</source>
        <translation>相同的数据：校验和与工作区一致。</translation>
    </message>
    <message>
        <source>Different data: its checksum does not match the workspace. Times and slices may differ.</source>
        <translation>不同的数据：校验和与工作区不一致，时间和切片可能不同。</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
</context>
<context>
    <name>altiscope::LookPage</name>
    <message>
        <source>&amp;Text size</source>
        <translation>文字大小(&amp;T)</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>主题(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>100 % is the size of the desktop</source>
        <translation>100% 为桌面的字号</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
</context>
<context>
    <name>altiscope::MainWindow</name>
    <message>
        <source>Open a capture folder</source>
        <translation>打开采集数据文件夹</translation>
    </message>
    <message>
        <source>Open trace files</source>
        <translation>打开 trace 文件</translation>
    </message>
    <message>
        <source>No slice of the open captures has the requested id.</source>
        <translation>已打开的采集数据中没有指定 ID 的切片。</translation>
    </message>
    <message>
        <source>About Altiscope</source>
        <translation>关于 Altiscope</translation>
    </message>
    <message>
        <source>Altiscope %1

Viewer and analyser for Ascend NPU profiles.
Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Altiscope %1

昇腾 NPU 性能数据的查看与分析工具。
遵循 GNU 通用公共许可证第 3 版或更高版本的自由软件。</translation>
    </message>
    <message>
        <source>%1 could not be opened</source>
        <translation>无法打开 %1</translation>
    </message>
    <message>
        <source>Captures</source>
        <translation>采集数据</translation>
    </message>
    <message>
        <source>Details and report</source>
        <translation>详情与报告</translation>
    </message>
    <message>
        <source>Open a capture</source>
        <translation>打开采集数据</translation>
    </message>
    <message>
        <source>A folder as the profiler wrote it, one trace file, or an archive. Or drop it here.</source>
        <translation>采集工具生成的文件夹、单个 trace 文件或压缩包；也可拖放到此处。</translation>
    </message>
    <message>
        <source>Opened read-only: nothing in or beside it changes.</source>
        <translation>只读打开：不会改动其中或其旁边的任何内容。</translation>
    </message>
    <message>
        <source>Marks are not kept: %1 cannot be written.</source>
        <translation>标记无法保存：不能写入 %1。</translation>
    </message>
    <message>
        <source>Traces, archives and workspaces (%1);;All files (*)</source>
        <translation>trace 文件、压缩包和工作区 (%1);;所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>altiscope::ManualWindow</name>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>%1 – Manual</source>
        <comment>page</comment>
        <translation>%1 – 手册</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>查找手册</translation>
    </message>
    <message>
        <source>Lists the pages that have all these words; Enter goes from place to place (Ctrl+F)</source>
        <translation>列出含有所有这些词的页面；按 Enter 逐处查看（Ctrl+F）</translation>
    </message>
    <message>
        <source>Pages of the manual</source>
        <translation>手册目录</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>手册页面</translation>
    </message>
    <message>
        <source>Back (%1)</source>
        <translation>后退（%1）</translation>
    </message>
    <message>
        <source>Forward (%1)</source>
        <translation>前进（%1）</translation>
    </message>
</context>
<context>
    <name>altiscope::MarksPanel</name>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>重命名(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Colour</source>
        <translation>颜色(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;opy all as text</source>
        <translation>全部复制为文本(&amp;O)</translation>
    </message>
    <message>
        <source>R&amp;emove</source>
        <translation>移除(&amp;E)</translation>
    </message>
    <message>
        <source>Remove all of this capture</source>
        <translation>移除此采集数据的所有标记</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>标记</translation>
    </message>
    <message numerus="yes">
        <source>Remove %n mark(s) of this capture?</source>
        <translation>
            <numerusform>移除此采集数据的 %n 个标记？</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::MatrixCanvas</name>
    <message>
        <source>To rank</source>
        <translation>目的卡</translation>
    </message>
    <message>
        <source>From rank</source>
        <translation>源卡</translation>
    </message>
    <message>
        <source>Sums</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>无数据</translation>
    </message>
    <message>
        <source>From %1 to all: %2</source>
        <translation>从%1到全部：%2</translation>
    </message>
    <message>
        <source>From all to %1: %2</source>
        <translation>从全部到%1：%2</translation>
    </message>
    <message>
        <source>Several links share this pixel: this is the one that matters most.</source>
        <translation>多条链路共用此像素：这是其中最值得关注的一条。</translation>
    </message>
    <message>
        <source>From: %1</source>
        <translation>源：%1</translation>
    </message>
    <message>
        <source>To: %1</source>
        <translation>目的：%1</translation>
    </message>
    <message>
        <source>No data: no file has such a link.</source>
        <translation>无数据：没有文件记录这样的链路。</translation>
    </message>
    <message>
        <source>too small</source>
        <translation>过小</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>not from 0</source>
        <translation>不从 0 开始</translation>
    </message>
    <message>
        <source>Overall</source>
        <translation>总体</translation>
    </message>
</context>
<context>
    <name>altiscope::MatrixView</name>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>two ranks</comment>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>List its &amp;calls</source>
        <translation>列出其调用(&amp;C)</translation>
    </message>
    <message>
        <source>Show it in the table of &amp;links</source>
        <translation>在链路表中显示(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Colour</source>
        <translation>颜色(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Within ranks</source>
        <translation>卡内通信(&amp;W)</translation>
    </message>
    <message>
        <source>Shows what ranks send to themselves, too.</source>
        <translation>同时显示卡发送给自身的数据。</translation>
    </message>
    <message>
        <source>&amp;Logarithmic</source>
        <translation>对数(&amp;L)</translation>
    </message>
    <message>
        <source>Colour r&amp;ange</source>
        <translation>颜色范围(&amp;A)</translation>
    </message>
    <message>
        <source>Lower end of the colour range</source>
        <translation>颜色范围的下限</translation>
    </message>
    <message>
        <source>Upper end of the colour range</source>
        <translation>颜色范围的上限</translation>
    </message>
    <message>
        <source>Empty: the ends of the values.</source>
        <translation>留空：取数据的两端。</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Calls of the link</source>
        <translation>链路的调用</translation>
    </message>
    <message>
        <source>Matrix of links</source>
        <translation>通信矩阵</translation>
    </message>
    <message>
        <source>too many links to compare</source>
        <translation>链路过多，无法比较</translation>
    </message>
    <message>
        <source>beside the base, %1</source>
        <translation>与基准 %1 并列</translation>
    </message>
    <message>
        <source>&amp;Difference from the base</source>
        <translation>与基准的差异(&amp;D)</translation>
    </message>
    <message>
        <source>Colours show how much a link changed: blue is less than in the base, red is more. Sizes, times and calls are per step.</source>
        <translation>颜色表示链路的变化：蓝色少于基准，红色多于基准。大小、时间和次数均为每步的值。</translation>
    </message>
    <message>
        <source>Show its slowest call in the &amp;timeline</source>
        <translation>在时间线中显示其最慢的调用(&amp;T)</translation>
    </message>
    <message>
        <source>Transports</source>
        <translation>传输方式</translation>
    </message>
</context>
<context>
    <name>altiscope::MemoryBar</name>
    <message>
        <source>%1 (%2)</source>
        <comment>rank, host</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>&amp;Rank</source>
        <translation>卡(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Curves</source>
        <translation>曲线(&amp;C)</translation>
    </message>
    <message>
        <source>Overall</source>
        <translation>总体</translation>
    </message>
    <message>
        <source>By component</source>
        <translation>按组件</translation>
    </message>
    <message>
        <source>By stream</source>
        <translation>按流</translation>
    </message>
    <message>
        <source>Values are those of the whole pool, at the samples of each stream.</source>
        <translation>数值为整个内存池在各流采样时刻的值。</translation>
    </message>
    <message>
        <source>From &amp;0</source>
        <translation>从 &amp;0 起</translation>
    </message>
    <message>
        <source>The vertical axis starts at 0; otherwise it fits what is visible.</source>
        <translation>纵轴从 0 开始；否则适应可见内容。</translation>
    </message>
    <message>
        <source>Linked with the time&amp;line</source>
        <translation>与时间线联动(&amp;L)</translation>
    </message>
    <message>
        <source>The curves and the timeline show the same time: where one goes, the other follows.</source>
        <translation>曲线与时间线显示同一时段：一处移动，另一处跟随。</translation>
    </message>
    <message>
        <source>As in the timeline: %1</source>
        <translation>与时间线相同：%1</translation>
    </message>
    <message>
        <source>Shown: %1</source>
        <translation>当前显示：%1</translation>
    </message>
    <message>
        <source>Show &amp;all</source>
        <translation>显示全部(&amp;A)</translation>
    </message>
</context>
<context>
    <name>altiscope::MemoryBase</name>
    <message>
        <source>%1, base</source>
        <comment>a curve of memory</comment>
        <translation>%1，基准</translation>
    </message>
    <message>
        <source>Dashed: the base, %1, drawn so that its first sample lies at the first one here.</source>
        <translation>虚线：基准 %1，其首个采样与此处的首个采样对齐。</translation>
    </message>
    <message>
        <source>Dashed: the base, %1, drawn so that its step %2 begins with step %3 here.</source>
        <translation>虚线：基准 %1，其步 %2 与此处的步 %3 同时开始。</translation>
    </message>
</context>
<context>
    <name>altiscope::MemoryCurves</name>
    <message>
        <source>Unused share of what is reserved: (reserved - allocated) / reserved</source>
        <translation>预留内存中未使用的比例：(预留 - 已分配) / 预留</translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation>内存随时间变化</translation>
    </message>
    <message>
        <source>Unused share over time</source>
        <translation>未使用比例随时间变化</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
</context>
<context>
    <name>altiscope::MemoryGaps</name>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 等另外 %2 个</translation>
    </message>
    <message>
        <source>No memory data: %1.</source>
        <translation>没有内存数据：%1。</translation>
    </message>
    <message>
        <source>One sample only: %1. It shows a level, not a trend.</source>
        <translation>只有一个采样：%1。它只说明水平，不说明变化过程。</translation>
    </message>
    <message>
        <source>No active memory: this version of the profiler does not record it.</source>
        <translation>没有活跃内存：该版本的采集工具不记录。</translation>
    </message>
    <message numerus="yes">
        <source>%n further curve(s) with fewer samples are not shown.</source>
        <translation>
            <numerusform>另有 %n 条采样较少的曲线未列出。</numerusform>
        </translation>
    </message>
    <message>
        <source>Neither memory_record nor operator_memory is among the files, which profile_memory would have recorded.</source>
        <translation>文件中没有 memory_record，也没有 operator_memory；它们由 profile_memory 采集。</translation>
    </message>
    <message>
        <source>The results of a cluster analysis have no memory data: open the folders of the ranks.</source>
        <translation>集群分析结果不含内存信息：请打开各卡的文件夹。</translation>
    </message>
    <message>
        <source>All samples have the same time: their stamps are damaged, perhaps by a spreadsheet. Levels can be trusted, times cannot.</source>
        <translation>所有采样的时间相同：时间戳已损坏，可能由电子表格造成。数值可信，时间不可信。</translation>
    </message>
    <message>
        <source>No samples over time: memory_record (MEMORY_RECORD) is missing. profile_memory records it beside operator_memory.</source>
        <translation>没有随时间的采样：缺少 memory_record（MEMORY_RECORD）。由 profile_memory 与 operator_memory 一同采集。</translation>
    </message>
    <message>
        <source>No individual allocations: operator_memory (OP_MEMORY) is missing. profile_memory records it beside memory_record.</source>
        <translation>没有单次分配：缺少 operator_memory（OP_MEMORY）。由 profile_memory 与 memory_record 一同采集。</translation>
    </message>
    <message>
        <source>No module memory: npu_module_mem (NPU_MODULE_MEM) is missing. profile_memory records it with the activity NPU, from profiler_level Level0 on.</source>
        <translation>没有组件内存：缺少 npu_module_mem（NPU_MODULE_MEM）。由 profile_memory 采集，需 NPU 活动，profiler_level 为 Level0 及以上。</translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) cannot be of the same clock as the others, or were never set: the plot opens without them.</source>
        <translation>
            <numerusform>%n 个时间与其他时间不可能出自同一时钟，或从未设置：曲线打开时不包含它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>The memory is from a different recording than the timeline: its times count from its own start, and the two are not linked.</source>
        <translation>内存数据与时间线来自不同的采集：其时间从自身的起点开始计，两者不联动。</translation>
    </message>
</context>
<context>
    <name>altiscope::MemoryOverlay</name>
    <message>
        <source>Step %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>Peak of %1: %2 at %3</source>
        <translation>%1 的峰值：%2，在 %3</translation>
    </message>
</context>
<context>
    <name>altiscope::MemoryPage</name>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Memory by &amp;operator at that time</source>
        <translation>当时各算子占用的内存(&amp;O)</translation>
    </message>
    <message>
        <source>within the filter of all pages</source>
        <translation>所有页面的筛选范围内</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Allocated, reserved and active memory over time, and every allocation with the operator that made it.</source>
        <translation>已分配、已预留和活跃内存随时间的变化，以及每次分配及其对应的算子。</translation>
    </message>
    <message>
        <source>No memory data</source>
        <translation>没有内存数据</translation>
    </message>
    <message>
        <source>The capture is being read. Memory is shown when reading is complete.</source>
        <translation>正在读取采集数据。全部读完后显示内存。</translation>
    </message>
    <message>
        <source>Memory by &amp;operator at this time</source>
        <translation>此刻各算子占用的内存(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Zoom to the marked time</source>
        <translation>缩放到标记时间(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;Allocated or released in the marked time</source>
        <translation>在标记时间内分配或释放(&amp;A)</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Allocations</source>
        <translation>分配记录</translation>
    </message>
    <message>
        <source>Peaks of components</source>
        <translation>组件峰值</translation>
    </message>
    <message>
        <source>Static memory</source>
        <translation>静态内存</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>times</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>归属</translation>
    </message>
</context>
<context>
    <name>altiscope::MemoryTables</name>
    <message>
        <source>pool</source>
        <translation>内存池</translation>
    </message>
    <message>
        <source>module</source>
        <translation>组件</translation>
    </message>
    <message>
        <source>Of the first sample that has it.</source>
        <translation>取首个达到该值的采样。</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>组件</translation>
    </message>
    <message>
        <source>What the memory belongs to: the framework&apos;s pool (PTA), GE, the whole process (APP), or a module of the system.</source>
        <translation>内存由谁占用：框架内存池（PTA）、GE、整个进程（APP）或系统组件。</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>pool: memory_record; module: npu_module_mem.</source>
        <translation>内存池：memory_record；组件：npu_module_mem。</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样数</translation>
    </message>
    <message>
        <source>Peak reserved</source>
        <translation>预留峰值</translation>
    </message>
    <message>
        <source>Reserved at</source>
        <translation>预留峰值时刻</translation>
    </message>
    <message>
        <source>Allocated then</source>
        <translation>当时已分配</translation>
    </message>
    <message>
        <source>allocated of the same sample</source>
        <translation>同一采样点的 allocated</translation>
    </message>
    <message>
        <source>Peak allocated</source>
        <translation>已分配峰值</translation>
    </message>
    <message>
        <source>Allocated at</source>
        <translation>分配时刻</translation>
    </message>
    <message>
        <source>Peak active</source>
        <translation>活跃峰值</translation>
    </message>
    <message>
        <source>Active at</source>
        <translation>活跃峰值时刻</translation>
    </message>
    <message>
        <source>Most unused</source>
        <translation>最大未使用比例</translation>
    </message>
    <message>
        <source>Unused at</source>
        <translation>未使用比例最大时刻</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Allocations are grouped by the name under which they were recorded.</source>
        <translation>按记录的名称对分配归类。</translation>
    </message>
    <message>
        <source>Alive</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>Sum of the sizes of its allocations that are alive: allocated at or before the moment, and not released until then.</source>
        <translation>其存活分配的大小之和：在该时刻或之前分配，且到那时尚未释放。</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of all that is alive.</source>
        <translation>占全部存活分配的比例。</translation>
    </message>
    <message>
        <source>Allocations</source>
        <translation>分配记录</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Not released</source>
        <translation>未释放</translation>
    </message>
    <message>
        <source>How many of them the recording never sees released.</source>
        <translation>其中在采集期间始终未见释放的数量。</translation>
    </message>
    <message>
        <source>Oldest</source>
        <translation>最早</translation>
    </message>
    <message>
        <source>When the first of them was allocated.</source>
        <translation>其中最早一次分配的时刻。</translation>
    </message>
    <message>
        <source>First node</source>
        <translation>起始节点</translation>
    </message>
    <message>
        <source>Last node</source>
        <translation>结束节点</translation>
    </message>
    <message>
        <source>Empty: to the end of the graph.</source>
        <translation>空：直到图结束。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Of the pool at that moment, as the framework counts it.</source>
        <translation>框架统计的内存池在该时刻的值。</translation>
    </message>
    <message>
        <source>Empty: before the recording.</source>
        <translation>空：在采集开始前。</translation>
    </message>
    <message>
        <source>Released at</source>
        <translation>释放时刻</translation>
    </message>
    <message>
        <source>Empty: not while it was recorded.</source>
        <translation>空：采集期间未释放。</translation>
    </message>
    <message>
        <source>Free at</source>
        <translation>空闲时刻</translation>
    </message>
    <message>
        <source>When the last stream stopped using the block; may be before or after its release on the host.</source>
        <translation>最后一个流停止使用该块的时刻；可能早于或晚于主机侧释放。</translation>
    </message>
    <message>
        <source>Lifetime</source>
        <translation>存活时长</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>使用时长</translation>
    </message>
    <message>
        <source>Allocated, at allocation</source>
        <translation>分配时已分配</translation>
    </message>
    <message>
        <source>Reserved, at allocation</source>
        <translation>分配时预留</translation>
    </message>
    <message>
        <source>Active, at allocation</source>
        <translation>分配时活跃</translation>
    </message>
    <message>
        <source>Allocated, at release</source>
        <translation>释放时已分配</translation>
    </message>
    <message>
        <source>Reserved, at release</source>
        <translation>释放时预留</translation>
    </message>
    <message>
        <source>Active, at release</source>
        <translation>释放时活跃</translation>
    </message>
    <message>
        <source>The stream&apos;s number or pointer, as recorded.</source>
        <translation>所记录的流编号或指针。</translation>
    </message>
    <message>
        <source>NPU</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>Number of the NPU on its host.</source>
        <translation>所在主机上的 NPU 编号。</translation>
    </message>
    <message>
        <source>Unused then</source>
        <translation>当时未使用</translation>
    </message>
    <message>
        <source>(reserved - allocated) / reserved at the peak of reserved</source>
        <translation>预留峰值时的 (预留 - 已分配) / 预留</translation>
    </message>
    <message>
        <source>Unused before first use</source>
        <translation>首次使用前闲置</translation>
    </message>
    <message>
        <source>first_use: from the allocation to the first use of the memory.</source>
        <translation>first_use：从分配到首次使用该内存。</translation>
    </message>
    <message>
        <source>Longest idle</source>
        <translation>最长闲置</translation>
    </message>
    <message>
        <source>longest_idle: the longest time between two uses.</source>
        <translation>longest_idle：两次使用之间的最长时间。</translation>
    </message>
    <message>
        <source>Unused after last use</source>
        <translation>最后使用后闲置</translation>
    </message>
    <message>
        <source>unused_end: from the last use to the release.</source>
        <translation>unused_end：从最后一次使用到释放。</translation>
    </message>
</context>
<context>
    <name>altiscope::MemoryTexts</name>
    <message>
        <source>no component</source>
        <translation>无组件名</translation>
    </message>
    <message>
        <source>%1, stream %2</source>
        <translation>%1，流 %2</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>已预留</translation>
    </message>
    <message>
        <source>active</source>
        <translation>活跃</translation>
    </message>
    <message>
        <source>unused share</source>
        <translation>未使用比例</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>component, then allocated or reserved</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, NPU %2</source>
        <translation>%1，NPU %2</translation>
    </message>
</context>
<context>
    <name>altiscope::MethodTexts</name>
    <message>
        <source>MindSpeed-MM: chosen steps</source>
        <translation>MindSpeed-MM：指定步</translation>
    </message>
    <message>
        <source>MindSpeed-MM: memory snapshot</source>
        <translation>MindSpeed-MM：内存快照</translation>
    </message>
    <message>
        <source>MindSpeed-MM: SoRA features</source>
        <translation>MindSpeed-MM：SoRA 特征</translation>
    </message>
    <message>
        <source>MindSpeed-LLM: options of the command</source>
        <translation>MindSpeed-LLM：命令选项</translation>
    </message>
    <message>
        <source>MindSpeed-RL: YAML file</source>
        <translation>MindSpeed-RL：YAML 文件</translation>
    </message>
    <message>
        <source>MindSpore: lines for your program</source>
        <translation>MindSpore：程序代码</translation>
    </message>
    <message>
        <source>MindSpore: running job</source>
        <translation>MindSpore：运行中的作业</translation>
    </message>
    <message>
        <source>MindSpore: environment variable</source>
        <translation>MindSpore：环境变量</translation>
    </message>
    <message>
        <source>PyTorch (torch_npu): running job</source>
        <translation>PyTorch（torch_npu）：运行中的作业</translation>
    </message>
    <message>
        <source>msprof: launch a program</source>
        <translation>msprof：启动程序</translation>
    </message>
    <message>
        <source>msprof: attach to a process</source>
        <translation>msprof：附加到进程</translation>
    </message>
    <message>
        <source>Changes tools.json, which the job reads when it starts: it records from one step to another.</source>
        <translation>修改作业启动时读取的 tools.json：采集指定的步区间。</translation>
    </message>
    <message>
        <source>Changes tools.json: the history of the allocator is written at the end step.</source>
        <translation>修改 tools.json：在结束步写出分配器的历史。</translation>
    </message>
    <message>
        <source>Changes tools.json for a run that extracts features.</source>
        <translation>修改 tools.json，用于提取特征的运行。</translation>
    </message>
    <message>
        <source>Adds --profile options to the job&apos;s command.</source>
        <translation>为作业命令添加 --profile 选项。</translation>
    </message>
    <message>
        <source>Changes profiler_config in the training&apos;s YAML file, which the job reads when it starts.</source>
        <translation>修改训练 YAML 文件中的 profiler_config，作业启动时读取。</translation>
    </message>
    <message>
        <source>Lines of Python for your own program. Nothing is changed; a job that is launched here is watched.</source>
        <translation>供您的程序使用的 Python 代码。不修改任何内容；在此启动的作业会被监视。</translation>
    </message>
    <message>
        <source>Changes profiler_config.json, at which a running job with DynamicProfilerMonitor looks every few seconds.</source>
        <translation>修改 profiler_config.json，使用 DynamicProfilerMonitor 的运行中作业每隔几秒读取一次。</translation>
    </message>
    <message>
        <source>Starts the job with MS_PROFILER_OPTIONS; its program stays as it is.</source>
        <translation>以 MS_PROFILER_OPTIONS 启动作业；程序保持不变。</translation>
    </message>
    <message>
        <source>Changes profiler_config.json, at which a running job looks every few seconds (dynamic_profile, or PROF_CONFIG_PATH in its environment).</source>
        <translation>修改 profiler_config.json，运行中的作业每隔几秒读取一次（dynamic_profile，或其环境中的 PROF_CONFIG_PATH）。</translation>
    </message>
    <message>
        <source>msprof runs the job&apos;s command and records all of it.</source>
        <translation>由 msprof 运行作业命令并全程采集。</translation>
    </message>
    <message>
        <source>msprof records some seconds of a process that was started with PROFILING_MODE=dynamic.</source>
        <translation>msprof 采集以 PROFILING_MODE=dynamic 启动的进程若干秒。</translation>
    </message>
    <message>
        <source>As the tool has it</source>
        <translation>工具默认</translation>
    </message>
    <message>
        <source>First look</source>
        <translation>初步了解</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Operator metrics</source>
        <translation>算子指标</translation>
    </message>
    <message>
        <source>Light marks</source>
        <translation>轻量打点</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>armed</source>
        <translation>已就绪</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>采集中</translation>
    </message>
    <message>
        <source>analysing</source>
        <translation>解析中</translation>
    </message>
    <message>
        <source>fetching</source>
        <translation>获取中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Type: %1</source>
        <translation>类型：%1</translation>
    </message>
    <message>
        <source>Values: %1</source>
        <translation>取值：%1</translation>
    </message>
    <message>
        <source>Unit: %1</source>
        <translation>单位：%1</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认值：%1</translation>
    </message>
    <message>
        <source>Has an effect if: %1</source>
        <translation>生效条件：%1</translation>
    </message>
    <message>
        <source>Versions: %1</source>
        <translation>版本：%1</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>entries</source>
        <translation>条</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>msMonitor: trace of a running job</source>
        <translation>msMonitor：采集运行中作业的 trace</translation>
    </message>
    <message>
        <source>msMonitor: figures of a running job</source>
        <translation>msMonitor：运行中作业的指标</translation>
    </message>
    <message>
        <source>Sends the daemon of msMonitor (dynolog) a request; a job that was started with MSMONITOR_USE_DAEMON=1 records some steps.</source>
        <translation>向 msMonitor 的守护进程（dynolog）发送请求；以 MSMONITOR_USE_DAEMON=1 启动的作业会采集若干步。</translation>
    </message>
    <message>
        <source>Sends the daemon of msMonitor (dynolog) a request; a job that was started with MSMONITOR_USE_DAEMON=1 writes figures of its kernels and calls.</source>
        <translation>向 msMonitor 的守护进程（dynolog）发送请求；以 MSMONITOR_USE_DAEMON=1 启动的作业会写出 NPU 算子和调用的指标。</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>个 token</translation>
    </message>
    <message>
        <source>verl: overrides or YAML file</source>
        <translation>verl：覆盖项或 YAML 文件</translation>
    </message>
    <message>
        <source>vLLM on Ascend: service</source>
        <translation>昇腾上的 vLLM：服务</translation>
    </message>
    <message>
        <source>SGLang: service</source>
        <translation>SGLang：服务</translation>
    </message>
    <message>
        <source>MindIE: service (msServiceProfiler)</source>
        <translation>MindIE：服务（msServiceProfiler）</translation>
    </message>
    <message>
        <source>Sets global_profiler and the profiler of each role, in the training&apos;s command or in its YAML file: chosen steps are recorded.</source>
        <translation>在训练命令或其 YAML 文件中设置 global_profiler 和各角色的 profiler：采集选定的步。</translation>
    </message>
    <message>
        <source>Calls a running service on its host to begin and to end; it must have been started with --profiler-config. Or starts one with that option, and calls it once it answers.</source>
        <translation>在服务所在主机上调用运行中的服务以开始和结束采集；服务必须以 --profiler-config 启动。也可以该选项启动服务，并在其应答后调用。</translation>
    </message>
    <message>
        <source>Calls a running service on its host: it records some seconds, or a number of steps.</source>
        <translation>在服务所在主机上调用运行中的服务：采集若干秒或指定步数。</translation>
    </message>
    <message>
        <source>Changes the file that SERVICE_PROF_CONFIG_PATH of a running service names: it records requests, batches and operators, and ends by itself.</source>
        <translation>修改运行中服务的 SERVICE_PROF_CONFIG_PATH 所指的文件：采集请求、批次和算子，并自行结束。</translation>
    </message>
    <message>
        <source>MindSpeed-MM: started, then recorded</source>
        <translation>MindSpeed-MM：启动后采集</translation>
    </message>
    <message>
        <source>Changes tools.json so that the job can be recorded at any time, waits until the job has started and looks at its profiler_config.json, and then changes that.</source>
        <translation>修改 tools.json 以便随时采集作业，等作业启动并开始监视其 profiler_config.json 后，再修改该文件。</translation>
    </message>
    <message>
        <source>PyTorch (torch_npu): lines for your program</source>
        <translation>PyTorch (torch_npu)：加入程序的代码</translation>
    </message>
    <message>
        <source>Lines of Python for your own program, with a schedule; with mstx on, also ranges around a function (decorator) and around lines. Nothing is changed; a job that is launched here is watched.</source>
        <translation>供您自己的程序使用的 Python 代码，含 schedule；打开 mstx 时还包含函数（装饰器）和代码段的打点区间。不更改任何内容；在此启动的作业会被跟踪。</translation>
    </message>
</context>
<context>
    <name>altiscope::NoticeBar</name>
    <message>
        <source>Close this notice</source>
        <translation>关闭此提示</translation>
    </message>
</context>
<context>
    <name>altiscope::OperatorBar</name>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Operator type</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>Operator and input shape</source>
        <translation>算子与输入形状</translation>
    </message>
    <message>
        <source>Accelerator core</source>
        <translation>加速核</translation>
    </message>
    <message>
        <source>Communication operator</source>
        <translation>通信算子</translation>
    </message>
    <message>
        <source>Communication operator type</source>
        <translation>通信算子类型</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>rank, host</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>&amp;Rank</source>
        <translation>卡(&amp;R)</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>所有卡</translation>
    </message>
    <message>
        <source>Group b&amp;y</source>
        <translation>分组(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;then by</source>
        <translation>再按(&amp;T)</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>不再分</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>&amp;Draw</source>
        <translation>绘制(&amp;D)</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>top </source>
        <comment>before the number of groups that are drawn</comment>
        <translation>前 </translation>
    </message>
    <message>
        <source>How many groups bars, pie and boxes show; what the others amount to is drawn as one. The table has them all.</source>
        <translation>条形图、饼图和箱线图显示多少个分组；其余的合计画成一项。表格包含全部分组。</translation>
    </message>
    <message>
        <source>Only the &amp;marked time</source>
        <translation>仅标记时间(&amp;M)</translation>
    </message>
</context>
<context>
    <name>altiscope::OperatorGaps</name>
    <message>
        <source>The results of a cluster analysis have no individual kernels: open the folders of the ranks.</source>
        <translation>集群分析结果不含单个 NPU 算子：请打开各卡的文件夹。</translation>
    </message>
    <message>
        <source>Neither kernel_details nor op_summary is among the files, nor COMPUTE_TASK_INFO in a database; activities with NPU records them.</source>
        <translation>文件中没有 kernel_details 或 op_summary，数据库中也没有 COMPUTE_TASK_INFO；activities 含 NPU 时会记录。</translation>
    </message>
    <message>
        <source>No shapes of kernels: record_shapes records them, and profiler_level Level1.</source>
        <translation>没有 NPU 算子的形状：由 record_shapes 和 profiler_level Level1 记录。</translation>
    </message>
    <message>
        <source>No AI Core metrics of kernels: aic_metrics (PipeUtilization) with profiler_level Level1 or Level2 records them.</source>
        <translation>没有 NPU 算子的 AI Core 指标：由 aic_metrics（PipeUtilization）与 profiler_level Level1 或 Level2 记录。</translation>
    </message>
    <message numerus="yes">
        <source>Kernel counts differ between ranks in %n group(s): from %1 on %2 to %3 on %4.</source>
        <translation>
            <numerusform>有 %n 个分组在各卡上的 NPU 算子数不一致：从 %2 的 %1 个到 %4 的 %3 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>No kernels: %1.</source>
        <translation>没有 NPU 算子：%1。</translation>
    </message>
    <message>
        <source>No types and cores of kernels: kernel_details has them from profiler_level Level1 on.</source>
        <translation>没有 NPU 算子的类型和加速核：profiler_level 为 Level1 及以上时 kernel_details 才包含。</translation>
    </message>
    <message>
        <source>Names are known: group by operator.</source>
        <translation>名称已知：可按算子分组。</translation>
    </message>
    <message>
        <source>Sums are those of the others.</source>
        <translation>统计仅包含其余各卡。</translation>
    </message>
</context>
<context>
    <name>altiscope::OperatorTables</name>
    <message>
        <source>From kernel_details.csv, op_summary or COMPUTE_TASK_INFO; SQL: kernel.</source>
        <translation>来自 kernel_details.csv、op_summary 或 COMPUTE_TASK_INFO；SQL：kernel。</translation>
    </message>
    <message>
        <source>Nearest rank: of n durations the ceil(n * p / 100)-th smallest.</source>
        <translation>最近秩：n 个时长中第 ceil(n * p / 100) 小的。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>核类型</translation>
    </message>
    <message>
        <source>Which kind of core it ran on.</source>
        <translation>在哪种核上运行。</translation>
    </message>
    <message>
        <source>Input shapes</source>
        <translation>输入形状</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>How many kernels of the group have a duration.</source>
        <translation>分组中有时长的 NPU 算子个数。</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总时长</translation>
    </message>
    <message>
        <source>Sum of their durations. Kernels of several streams may run at once: sums are work, not time that has passed.</source>
        <translation>时长之和。多个流的 NPU 算子可能同时运行：总和是工作量，不是经过的时间。</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>total / sum of the totals of all groups of this table, before any filter; collectives and other kernels are never in one table.</source>
        <translation>总时长 / 本表所有分组（筛选前）的总时长之和；通信算子和其他 NPU 算子不在同一表中。</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最短</translation>
    </message>
    <message>
        <source>P50</source>
        <translation>P50</translation>
    </message>
    <message>
        <source>Avg</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>P95</source>
        <translation>P95</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Standard deviation of all durations: sqrt(sum((duration - avg)^2) / count).</source>
        <translation>所有时长的标准差：sqrt(sum((duration - avg)^2) / count)。</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Sum of the waits as recorded (Wait Time): from the end of the previous task on the device to the kernel&apos;s start. What it waited for was not recorded: the host, another stream, or another rank.</source>
        <translation>记录的等待时间（Wait Time）之和：从设备上前一个任务结束到该 NPU 算子开始。它在等什么并未记录：可能是主机、另一个流或另一张卡。</translation>
    </message>
    <message>
        <source>Avg wait</source>
        <translation>平均等待</translation>
    </message>
    <message>
        <source>wait / number of kernels whose wait is recorded</source>
        <translation>wait / 记录了等待时间的 NPU 算子个数</translation>
    </message>
    <message>
        <source>Line of Python</source>
        <translation>Python 代码行</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>The framework&apos;s operator around the launch of the kernel, over the flows between host and device.</source>
        <translation>沿主机与设备之间的连线找到的、包围 NPU 算子下发的框架算子。</translation>
    </message>
    <message>
        <source>Called by</source>
        <translation>被其调用</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>The innermost nn.Module. Recorded with with_modules or with_stack.</source>
        <translation>最内层的 nn.Module。由 with_modules 或 with_stack 记录。</translation>
    </message>
    <message>
        <source>How many kernels came from there.</source>
        <translation>来自该处的 NPU 算子个数。</translation>
    </message>
    <message>
        <source>Sum of the durations of these kernels.</source>
        <translation>这些 NPU 算子的时长之和。</translation>
    </message>
    <message>
        <source>Of the kernels that were followed.</source>
        <translation>占所追溯的 NPU 算子。</translation>
    </message>
    <message>
        <source>(not recorded)</source>
        <translation>（未记录）</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>without step</source>
        <translation>无步</translation>
    </message>
    <message>
        <source>Line of the program</source>
        <translation>程序代码行</translation>
    </message>
    <message>
        <source>The innermost line that is not the framework&apos;s own; empty if it is the same.</source>
        <translation>不属于框架自身的最内层代码行；相同时为空。</translation>
    </message>
    <message>
        <source>The outermost operator of a library around that one; empty if it is the same.</source>
        <translation>包围该算子的最外层库算子；相同时为空。</translation>
    </message>
    <message>
        <source>Where the program called the operator: the innermost frame that is neither a module nor a built-in; of the backward pass that of the forward operator. Recorded with with_stack.</source>
        <translation>程序调用算子的位置：既不是模块也不是内建函数的最内层栈帧；反向算子取其前向算子的位置。由 with_stack 记录。</translation>
    </message>
    <message>
        <source>NPU</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>Number of the NPU on its host.</source>
        <translation>所在主机上的 NPU 编号。</translation>
    </message>
    <message>
        <source>%1, NPU %2</source>
        <comment>rank</comment>
        <translation>%1，NPU %2</translation>
    </message>
    <message>
        <source>Per step</source>
        <translation>每步</translation>
    </message>
    <message>
        <source>Time in a step: of each step the mean over the ranks that recorded kernels in it, of these the mean over the steps; as on the page Compare.</source>
        <translation>每步的时间：每一步先对采集到算子的各卡取平均，再对各步取平均；与“对比”页面相同。</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>The same of the base, 0 if it does not occur there.</source>
        <translation>基准的同一数值；基准中没有时为 0。</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>difference / base; empty where the base has none of it.</source>
        <translation>差异 / 基准；基准中没有时为空。</translation>
    </message>
</context>
<context>
    <name>altiscope::OperatorsPage</name>
    <message>
        <source>&amp;Kernels of this group</source>
        <translation>该分组的 NPU 算子(&amp;K)</translation>
    </message>
    <message>
        <source>Where they were &amp;called from</source>
        <translation>它们的调用来源(&amp;C)</translation>
    </message>
    <message>
        <source>Distribution of the &amp;durations</source>
        <translation>时长分布(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;All groups</source>
        <translation>所有分组(&amp;A)</translation>
    </message>
    <message>
        <source>No kernels</source>
        <translation>没有 NPU 算子</translation>
    </message>
    <message numerus="yes">
        <source>%n kernel(s), %1 in all, in %2 groups; a group&apos;s row leads to its kernels and to where they were called from.</source>
        <translation>
            <numerusform>%n 个 NPU 算子，共 %1，分为 %2 组；选择一行可查看其 NPU 算子和调用来源。</numerusform>
        </translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Which operators cost most, how their durations are distributed, and where they were called from.</source>
        <translation>哪些算子耗时最多、时长如何分布、从何处调用。</translation>
    </message>
    <message>
        <source>The capture is being read. Operators are shown when reading is complete.</source>
        <translation>正在读取采集数据。全部读完后显示算子。</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>条形图</translation>
    </message>
    <message>
        <source>Pies</source>
        <translation>饼图</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>NPU 算子</translation>
    </message>
    <message>
        <source>Called from</source>
        <translation>调用来源</translation>
    </message>
    <message>
        <source>AI CPU</source>
        <translation>AI CPU</translation>
    </message>
    <message>
        <source>Layers and copies</source>
        <translation>分层与拷贝</translation>
    </message>
    <message>
        <source>Operators in groups</source>
        <translation>算子分组</translation>
    </message>
    <message>
        <source>Shares of the groups</source>
        <translation>分组占比</translation>
    </message>
    <message>
        <source>Distribution of the durations</source>
        <translation>时长分布</translation>
    </message>
    <message>
        <source>Operators on the AI CPU</source>
        <translation>AI CPU 上的算子</translation>
    </message>
    <message>
        <source>La&amp;unch chains</source>
        <translation>下发链(&amp;U)</translation>
    </message>
    <message>
        <source>Launch chain</source>
        <translation>下发链</translation>
    </message>
    <message>
        <source>Only the base has these kernels.</source>
        <translation>这些算子只在基准中出现。</translation>
    </message>
    <message>
        <source>Only in the base</source>
        <translation>仅在基准中</translation>
    </message>
    <message>
        <source>Beside the base, %1: means over ranks and steps, of %2 here, of %3 there.</source>
        <translation>与基准 %1 并列：对卡和步取平均，此处 %2，基准 %3。</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Overall metrics</source>
        <translation>总体指标</translation>
    </message>
</context>
<context>
    <name>altiscope::OrderPanel</name>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>reshaped</source>
        <translation>形状改变</translation>
    </message>
    <message>
        <source>replaced</source>
        <translation>被替换</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Time of all of them in the step that was aligned.</source>
        <translation>所对齐的步中它们的总时间。</translation>
    </message>
    <message>
        <source>How many kernels of the step precede the first of them on its stream.</source>
        <translation>该步同一流上排在首个之前的算子数。</translation>
    </message>
    <message>
        <source>What</source>
        <translation>变化类别</translation>
    </message>
    <message>
        <source>What changed, by the order of the kernels on each stream.</source>
        <translation>按各流上的顺序，算子发生了什么。</translation>
    </message>
    <message>
        <source>In the base</source>
        <translation>在基准中</translation>
    </message>
    <message>
        <source>Name, type and shapes; of several all.</source>
        <translation>名称、类型和形状；多个时全部列出。</translation>
    </message>
    <message>
        <source>In the current side</source>
        <translation>在当前侧</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>How often in the step.</source>
        <translation>该步中的次数。</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Position in the base</source>
        <translation>在基准中的序号</translation>
    </message>
    <message>
        <source>Position in the current side</source>
        <translation>在当前侧的序号</translation>
    </message>
    <message>
        <source>Show the &amp;current side in the timeline</source>
        <translation>在时间线中显示当前侧(&amp;C)</translation>
    </message>
    <message>
        <source>Show the &amp;base in the timeline</source>
        <translation>在时间线中显示基准(&amp;B)</translation>
    </message>
    <message>
        <source>One side has no kernels in its steps: nothing can be aligned.</source>
        <translation>有一侧的步中没有 NPU 算子：无法对齐。</translation>
    </message>
    <message>
        <source>%1 of the base beside %2 of the current side: %3 kernels are the same in the same order, of %4 and %5. Collectives do not count.</source>
        <translation>基准的%1与当前侧的%2：%3 个算子及其顺序相同，双方各有 %4 和 %5 个。集合通信不计。</translation>
    </message>
    <message>
        <source>Nothing was added, removed, moved or changed.</source>
        <translation>没有新增、删除、移动或改变。</translation>
    </message>
    <message>
        <source>Only the first %1 kernels of a step are aligned.</source>
        <translation>每步只对齐前 %1 个算子。</translation>
    </message>
    <message>
        <source>They differ so much that other alignments may keep more of them.</source>
        <translation>两者差异过大，其他对齐方式可能保留更多算子。</translation>
    </message>
    <message>
        <source>%1 smaller ones are only counted</source>
        <translation>另有 %1 项较小的只计数</translation>
    </message>
    <message>
        <source>Kernels whose order differs</source>
        <translation>顺序不一致的算子</translation>
    </message>
</context>
<context>
    <name>altiscope::OverallPanel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Empty: a gap.</source>
        <translation>为空表示空隙。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>On the trace&apos;s own clock, since the start of the run.</source>
        <translation>按 trace 自身的时钟，自运行开始起计。</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Counted</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>What of it counts in the chosen line.</source>
        <translation>其中计入所选行的部分。</translation>
    </message>
    <message>
        <source>&amp;Copy the metrics</source>
        <translation>复制指标(&amp;C)</translation>
    </message>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Neither kernels nor collectives within the filter. Activities with NPU record them.</source>
        <translation>所示范围内没有设备上的算子和集合通信。采集需 activities 含 NPU。</translation>
    </message>
    <message numerus="yes">
        <source>Sums over %n rank(s).</source>
        <translation>
            <numerusform>%n 张卡之和。</numerusform>
        </translation>
    </message>
    <message>
        <source>What computing was for is not known: neither kernel_details nor op_summary is there (profiler_level Level1).</source>
        <translation>计算用途未知：没有 kernel_details，也没有 op_summary（profiler_level Level1）。</translation>
    </message>
    <message>
        <source>Waits of collectives are not known: their tasks are recorded from profiler_level Level1 on.</source>
        <translation>集合通信的等待未知：其任务需 profiler_level Level1 及以上。</translation>
    </message>
    <message>
        <source>Of the chosen line the longest %1 of %2 are listed.</source>
        <translation>所选行列出 %2 项中最长的 %1 项。</translation>
    </message>
    <message>
        <source>A line lists what it consists of; from there it goes on to the timeline.</source>
        <translation>选择一行可列出其组成，并由此转到时间线。</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Avg</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Overall metrics</source>
        <translation>总体指标</translation>
    </message>
    <message>
        <source>What the chosen line consists of</source>
        <translation>所选行的组成</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash Attention</translation>
    </message>
    <message>
        <source>Paged attention</source>
        <translation>Paged Attention</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Matrix multiplication</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>Other cube kernels</source>
        <translation>其他 Cube 算子</translation>
    </message>
    <message>
        <source>Other vector kernels</source>
        <translation>其他 Vector 算子</translation>
    </message>
    <message>
        <source>SDMA (tensor move)</source>
        <translation>SDMA（TensorMove）</translation>
    </message>
    <message>
        <source>Other kernels</source>
        <translation>其他算子</translation>
    </message>
    <message>
        <source>Kernels launched within an operator of flash or fused attention (flash_attention, fusion_attention, ...), or of such a type.</source>
        <translation>在 Flash 或融合注意力算子（flash_attention、fusion_attention 等）内下发，或类型属于此类的算子。</translation>
    </message>
    <message>
        <source>Kernels whose type contains PagedAttention.</source>
        <translation>类型含 PagedAttention 的算子。</translation>
    </message>
    <message>
        <source>Kernels launched within a convolution (aten::convolution, ...), or whose type begins with Conv.</source>
        <translation>在卷积（aten::convolution 等）内下发，或类型以 Conv 开头的算子。</translation>
    </message>
    <message>
        <source>Kernels launched within a product of matrices (exactly aten::mm, bmm, addmm, matmul, linear, ...), or whose type contains MatMul.</source>
        <translation>在矩阵乘（恰为 aten::mm、bmm、addmm、matmul、linear 等）内下发，或类型含 MatMul 的算子。</translation>
    </message>
    <message>
        <source>Kernels that keep the cube busy (mac metrics above 0; without metrics: on AI_CORE or MIX_AIC), for none of the above.</source>
        <translation>使用 Cube 的其余算子（mac 指标大于 0；无指标时看是否在 AI_CORE 或 MIX_AIC 上）。</translation>
    </message>
    <message>
        <source>Kernels without a busy cube (mac metrics 0; without metrics: on AI_VECTOR_CORE or MIX_AIV), for none of the above.</source>
        <translation>不使用 Cube 的其余算子（mac 指标为 0；无指标时看是否在 AI_VECTOR_CORE 或 MIX_AIV 上）。</translation>
    </message>
    <message>
        <source>TensorMove within aclnnInplaceCopy: copies on the device.</source>
        <translation>aclnnInplaceCopy 中的 TensorMove：设备内复制。</translation>
    </message>
    <message>
        <source>Kernels of which neither core nor metrics are known, or on the AI CPU.</source>
        <translation>核与指标均未知，或在 AI CPU 上的算子。</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Cube</source>
        <translation>Cube</translation>
    </message>
    <message>
        <source>Cast and layout (Cast, TransData, Transpose)</source>
        <translation>类型与格式转换（Cast、TransData、Transpose）</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Vector</source>
        <translation>Vector</translation>
    </message>
    <message>
        <source>Exposed communication</source>
        <translation>未掩盖通信</translation>
    </message>
    <message>
        <source>Group not recorded</source>
        <translation>通信域未记录</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Transit</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Computing + exposed communication + free, summed over the ranks; shares are parts of it. Of a rank with several devices the busiest one counts.</source>
        <translation>计算 + 未掩盖通信 + 空闲，各卡之和；占比以此为基准。一张卡有多个设备时取最忙的设备。</translation>
    </message>
    <message>
        <source>U(C): time in which any kernel runs. Where several do, a moment belongs to the one that began first: so the lines below add up to this one, which plain sums of durations do not.</source>
        <translation>U(C)：有算子运行的时间。多个算子同时运行时，该时刻归最先开始的算子，因此下级各行之和等于本行；直接累加时长则不然。</translation>
    </message>
    <message>
        <source>Backward: an operator around the launch is of the backward pass by its name (backward, Backprop, Grad as words), or a flow from the forward pass leads to it. Forward again for checkpoints within it counts as backward.</source>
        <translation>反向：下发处外层的某个算子按名称属于反向（单词 backward、Backprop、Grad），或有来自前向的连线。其中为检查点重算的前向也计入反向。</translation>
    </message>
    <message>
        <source>Vector kernels whose type begins with Cast, TransData or Transpose.</source>
        <translation>类型以 Cast、TransData 或 Transpose 开头的 Vector 算子。</translation>
    </message>
    <message>
        <source>Cube: mac metrics above 0; without metrics by the accelerator core.</source>
        <translation>Cube：mac 指标大于 0；无指标时按加速核判断。</translation>
    </message>
    <message>
        <source>U(M \ C): time in which collectives run and no kernel does. Where several run, a moment belongs to the one that began first.</source>
        <translation>U(M \ C)：有集合通信而无算子运行的时间。多个同时运行时，该时刻归最先开始的。</translation>
    </message>
    <message>
        <source>Exposed communication of this group&apos;s collectives.</source>
        <translation>该通信域的未掩盖通信。</translation>
    </message>
    <message>
        <source>The part of it in Notify_Wait on each collective&apos;s main plane, the lowest on which it waits; with RDMA that holds the handshakes of transfers, too.</source>
        <translation>其中处于各集合通信主 Plane（有等待的最低平面）Notify_Wait 的部分；使用 RDMA 时也含传输的握手。</translation>
    </message>
    <message>
        <source>The rest of the group&apos;s exposed time.</source>
        <translation>该组未掩盖时间的其余部分。</translation>
    </message>
    <message>
        <source>Between the first and the last kernel or collective, neither runs.</source>
        <translation>首个与最后一个算子或集合通信之间，两者都不运行的时间。</translation>
    </message>
    <message>
        <source>Kernels, collectives or gaps; the next three are of their durations.</source>
        <translation>算子、集合通信或空隙的个数；后三列为其时长。</translation>
    </message>
</context>
<context>
    <name>altiscope::OverviewPage</name>
    <message>
        <source>Ranks</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Recording settings</source>
        <translation>采集配置</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>all ranks and steps</source>
        <translation>全部卡和步</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>Import report</source>
        <translation>导入报告</translation>
    </message>
    <message>
        <source>Fi&amp;ndings</source>
        <translation>诊断结论(&amp;N)</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>诊断结论</translation>
    </message>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Show how long its &amp;kernels take</source>
        <translation>显示其各次执行的耗时分布(&amp;K)</translation>
    </message>
    <message>
        <source>%1 hidden</source>
        <translation>已隐藏 %1 条</translation>
    </message>
    <message numerus="yes">
        <source>%n threshold(s) changed</source>
        <translation>
            <numerusform>已修改 %n 个阈值</numerusform>
        </translation>
    </message>
    <message>
        <source>Fi&amp;ndings (%1)</source>
        <translation>诊断结论（%1）(&amp;N)</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>，</translation>
    </message>
    <message numerus="yes">
        <source>%n outside of the filter</source>
        <translation>
            <numerusform>筛选范围之外 %n 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::OverviewStrip</name>
    <message>
        <source>Overview of the whole run</source>
        <translation>整个运行的概览</translation>
    </message>
    <message>
        <source>The whole run. Drag the frame to move it, its edges to resize it; drag elsewhere to look at a part.</source>
        <translation>整个运行。拖动方框可移动，拖动边缘可调整大小；在其他位置拖动可查看局部。</translation>
    </message>
</context>
<context>
    <name>altiscope::OverviewTables</name>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Number of the process in the job.</source>
        <translation>作业中的进程编号。</translation>
    </message>
    <message>
        <source>NPU</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>Number of the NPU on its host.</source>
        <translation>所在主机上的 NPU 编号。</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>Computing alone</source>
        <translation>仅计算</translation>
    </message>
    <message>
        <source>Overlapped</source>
        <translation>计算通信重叠</translation>
    </message>
    <message>
        <source>overlapped: computing and communication at the same time</source>
        <translation>overlapped：计算与通信同时进行</translation>
    </message>
    <message>
        <source>Exposed</source>
        <translation>未掩盖通信</translation>
    </message>
    <message>
        <source>not_overlapped_excl_receive: communication alone, without waiting for other pipeline stages</source>
        <translation>not_overlapped_excl_receive：仅通信，不含等待其他流水线阶段</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>流水线空泡</translation>
    </message>
    <message>
        <source>not_overlapped - not_overlapped_excl_receive: waiting for other pipeline stages</source>
        <translation>not_overlapped - not_overlapped_excl_receive：等待其他流水线阶段</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>free: neither computing nor communication</source>
        <translation>free：既无计算也无通信</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Over all ranks. SQL: SELECT name, core_type, sum(count), sum(total), max(max) FROM op_stat GROUP BY name, core_type, origin</source>
        <translation>所有卡合计。SQL：SELECT name, core_type, sum(count), sum(total), max(max) FROM op_stat GROUP BY name, core_type, origin</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>核类型</translation>
    </message>
    <message>
        <source>recorded: from op_statistic.csv; computed: by Altiscope from the kernels.</source>
        <translation>recorded：来自 op_statistic.csv；computed：由本程序根据 NPU 算子计算。</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of the time of all operators of the same origin.</source>
        <translation>占同一来源全部算子耗时的比例。</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>How many ranks have it.</source>
        <translation>有该算子的卡数。</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>组件</translation>
    </message>
    <message>
        <source>What the memory belongs to: the framework&apos;s pool (PTA), GE, or the whole process (APP).</source>
        <translation>内存的归属：框架内存池（PTA）、GE 或整个进程（APP）。</translation>
    </message>
    <message>
        <source>Peak reserved</source>
        <translation>预留峰值</translation>
    </message>
    <message>
        <source>Allocated then</source>
        <translation>当时已分配</translation>
    </message>
    <message>
        <source>allocated of the same sample</source>
        <translation>同一采样点的 allocated</translation>
    </message>
    <message>
        <source>At</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>Time of the sample on the trace&apos;s own clock, ns.</source>
        <translation>采样点在 trace 时钟上的时间，单位 ns。</translation>
    </message>
    <message>
        <source>Of the total and its parts. recorded: from step_trace_time.csv, StepTraceTime or step_trace_raw; computed: by Altiscope from the events; host: the time between the host&apos;s marks of the step, since no work of a device is recorded.</source>
        <translation>总计及其各部分的来源。recorded：来自 step_trace_time.csv、StepTraceTime 或 step_trace_raw；computed：由本程序根据事件计算；host：未采集设备工作时，为主机上该步标记之间的时间。</translation>
    </message>
    <message>
        <source>Computed total</source>
        <translation>计算总计</translation>
    </message>
    <message>
        <source>The same sum, computed by Altiscope from the events.</source>
        <translation>同样的总和，由本程序根据事件计算。</translation>
    </message>
    <message>
        <source>%1, computed</source>
        <translation>%1（计算）</translation>
    </message>
    <message>
        <source>computing + not_overlapped + free, of step_breakdown: computing alone + overlapped + exposed + bubble + free</source>
        <translation>step_breakdown 的 computing + not_overlapped + free：仅计算 + 重叠 + 未掩盖 + 气泡 + 空闲</translation>
    </message>
    <message>
        <source>Computed - recorded: of the total, computing, exposed, bubble and free the one that differs most. The profiler counts with doubles and by task start; Altiscope counts events to the nanosecond, so that small differences are its rounding. More than 1 % of the total has a mark.</source>
        <translation>计算值 - 采集值：取总计、计算、未掩盖、气泡和空闲中相差最大的一项。采集工具使用双精度浮点数并按任务开始时间统计，Altiscope 按纳秒统计事件，因此小的差异是其舍入误差。超过总计 1% 时有标记。</translation>
    </message>
    <message>
        <source>preparing: from the step&apos;s start on the host to the first work on the device. No part of the total: the device works on the step before meanwhile, or is free, which counts there.</source>
        <translation>preparing：从主机上步开始到设备上首个任务开始。不计入总计：其间设备仍在执行上一步，或处于空闲，已计入上一步。</translation>
    </message>
</context>
<context>
    <name>altiscope::OverviewTexts</name>
    <message>
        <source>step %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>steps %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>%1 steps, %2 to %3</source>
        <translation>%1 步，%2 至 %3</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n 张卡</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> on %n host(s)</source>
        <translation>
            <numerusform>（%n 台主机）</numerusform>
        </translation>
    </message>
    <message>
        <source>at most %1 reserved</source>
        <translation>预留峰值 %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>NPU %1</source>
        <translation>NPU %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>times</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 of %2 ranks are here</source>
        <translation>此处有 %2 张卡中的 %1 张</translation>
    </message>
    <message>
        <source>Not here: rank %1. What others wait for them cannot be explained.</source>
        <translation>不在此处：卡 %1。其他卡等待它们的时间无法解释。</translation>
    </message>
</context>
<context>
    <name>altiscope::OwnerMap</name>
    <message>
        <source>All memory</source>
        <translation>全部内存</translation>
    </message>
    <message>
        <source>not given out</source>
        <translation>未分配出去</translation>
    </message>
    <message>
        <source>no label</source>
        <translation>无标签</translation>
    </message>
    <message numerus="yes">
        <source>%n smaller owner(s) within %1</source>
        <translation>
            <numerusform>%1 中 %n 个较小的归属</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of all memory</source>
        <translation>占全部内存的 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>占 %2 的 %1</translation>
    </message>
    <message>
        <source>Reserved by the pool, in use by nobody.</source>
        <translation>内存池已预留，无人使用。</translation>
    </message>
    <message numerus="yes">
        <source>%n allocation(s)</source>
        <translation>
            <numerusform>%n 次分配</numerusform>
        </translation>
    </message>
    <message>
        <source>other (%1)</source>
        <translation>其他（%1）</translation>
    </message>
    <message>
        <source>No allocation is alive at this time.</source>
        <translation>此时没有存活的分配。</translation>
    </message>
    <message>
        <source>List its &amp;allocations</source>
        <translation>列出其各次分配(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Show it alone</source>
        <translation>单独显示(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Back to what it is a part of</source>
        <translation>返回上一级(&amp;B)</translation>
    </message>
    <message>
        <source>Show all &amp;memory</source>
        <translation>显示全部内存(&amp;M)</translation>
    </message>
</context>
<context>
    <name>altiscope::OwnerPanel</name>
    <message numerus="yes">
        <source>At %1: %2 in %n allocation(s)</source>
        <translation>
            <numerusform>%1：%2，共 %n 次分配</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory by owner</source>
        <translation>按归属的内存</translation>
    </message>
    <message>
        <source>As SQL: the size of what is allocated at a time T (ns), by owner:
SELECT name, sum(size) FROM allocation WHERE alloc_ts &lt;= T AND (release_ts &gt; T OR release_ts IS NULL) GROUP BY name</source>
        <translation>用 SQL 表示：时刻 T（ns）已分配的大小，按归属：
SELECT name, sum(size) FROM allocation WHERE alloc_ts &lt;= T AND (release_ts &gt; T OR release_ts IS NULL) GROUP BY name</translation>
    </message>
    <message>
        <source>Click a moment in the plot: the owners of the memory at that time are shown here.</source>
        <translation>请在图中单击一个时刻：此处将显示当时的内存归属。</translation>
    </message>
</context>
<context>
    <name>altiscope::PageBase</name>
    <message>
        <source>rank %1</source>
        <comment>part of a base: 3, or 0-3, 8</comment>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <comment>part of a base: 5, or 5-7</comment>
        <translation>步 %1</translation>
    </message>
</context>
<context>
    <name>altiscope::PageFrame</name>
    <message>
        <source>No rank within the filter of all pages has any.</source>
        <translation>所有页面所显示的卡都没有此类数据。</translation>
    </message>
    <message>
        <source>No rank of this capture has any.</source>
        <translation>该采集数据中的所有卡都没有此类数据。</translation>
    </message>
</context>
<context>
    <name>altiscope::PaletteSearch</name>
    <message>
        <source>Ranks › %1</source>
        <translation>卡 › %1</translation>
    </message>
    <message>
        <source>show it in the timeline</source>
        <translation>在时间线中显示</translation>
    </message>
    <message>
        <source>only this rank on all pages</source>
        <translation>所有页面仅显示该卡</translation>
    </message>
    <message>
        <source>all its recordings, on all pages</source>
        <translation>所有页面仅显示该卡的全部采集</translation>
    </message>
    <message>
        <source>%1 times, %2</source>
        <translation>%1 次，%2</translation>
    </message>
    <message>
        <source>Slices › %1</source>
        <translation>切片 › %1</translation>
    </message>
    <message>
        <source>Findings › %1</source>
        <translation>诊断结论 › %1</translation>
    </message>
    <message>
        <source>Tracks › %1</source>
        <translation>泳道 › %1</translation>
    </message>
</context>
<context>
    <name>altiscope::PanelScope</name>
    <message>
        <source>%1 of %2 ranks</source>
        <translation>%2 张卡中的 %1 张</translation>
    </message>
    <message>
        <source>in the steps and time that all pages show</source>
        <translation>在所有页面所示的步与时间内</translation>
    </message>
    <message>
        <source>in the marked %1</source>
        <translation>在标记的 %1 内</translation>
    </message>
</context>
<context>
    <name>altiscope::ParameterBar</name>
    <message>
        <source>Value of %1</source>
        <translation>%1 的值</translation>
    </message>
    <message>
        <source>Value of %1 in the statement: a number, or a text (&apos;12&apos; in quotes is one too). Empty is NULL. Enter runs the statement.</source>
        <translation>语句中 %1 的值：数字或文本（带引号的 &apos;12&apos; 也是文本）。留空为 NULL。按 Enter 运行语句。</translation>
    </message>
</context>
<context>
    <name>altiscope::PeerList</name>
    <message>
        <source>What a collective is on all ranks of its group, and how long each waited there. Select one on a group&apos;s track.</source>
        <translation>某次集合通信在通信域各卡上的情况及各卡的等待时间。请在通信域泳道上选中一个。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Each rank numbers its collectives by itself.</source>
        <translation>各卡各自为集合通信编号。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>On the rank&apos;s own clock, since the start of the run.</source>
        <translation>按该卡自身的时钟，自运行开始起计。</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Until the last rank came: its duration - the shortest of all ranks. All ranks leave a collective together.</source>
        <translation>等到最后一张卡到达：自身时长 - 各卡最短时长。各卡同时结束集合通信。</translation>
    </message>
    <message numerus="yes">
        <source>Group %1, found on %n rank(s)</source>
        <translation>
            <numerusform>通信域 %1，在 %n 张卡上找到</numerusform>
        </translation>
    </message>
    <message>
        <source>the partner of sends and receives is known in groups of two ranks only</source>
        <translation>仅在两卡通信域中可知收发的对端</translation>
    </message>
    <message numerus="yes">
        <source>not found on %n more that share the group</source>
        <translation>
            <numerusform>同一通信域的另外 %n 张卡上未找到</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::PictureFile</name>
    <message>
        <source>Save the picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>the picture is too large</source>
        <translation>图片过大</translation>
    </message>
</context>
<context>
    <name>altiscope::PictureList</name>
    <message>
        <source>Title of the picture</source>
        <translation>图片标题</translation>
    </message>
    <message>
        <source>What it shows</source>
        <translation>图片说明</translation>
    </message>
    <message>
        <source>Note on the picture</source>
        <translation>图片备注</translation>
    </message>
    <message>
        <source>Move the picture up</source>
        <translation>上移图片</translation>
    </message>
    <message>
        <source>Remove the picture from the report</source>
        <translation>从报告中移除图片</translation>
    </message>
    <message>
        <source>None yet. File &gt; Add page to report adds what a page shows.</source>
        <translation>尚无图片。使用“文件 &gt; 将页面加入报告”可加入页面当前显示的内容。</translation>
    </message>
</context>
<context>
    <name>altiscope::PipelineCanvas</name>
    <message>
        <source>%1: backward pass of micro-batch %2</source>
        <translation>%1：微批 %2 的反向</translation>
    </message>
    <message>
        <source>%1: forward pass of micro-batch %2</source>
        <translation>%1：微批 %2 的前向</translation>
    </message>
    <message>
        <source>From %1 of the step&apos;s first pass on</source>
        <translation>自该步首个前反向开始后 %1</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
</context>
<context>
    <name>altiscope::PipelinePanel</name>
    <message>
        <source>Ranks %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Without a step</source>
        <translation>不属于任何步</translation>
    </message>
    <message>
        <source>The job has no pipeline, or the capture does not state one.</source>
        <translation>该任务没有流水线，或采集中没有说明。</translation>
    </message>
    <message>
        <source>Which kernels are one micro-batch is not recorded: it follows from operators of the host whose backward passes are linked, and from sends and receives. Record the host&apos;s activities, too.</source>
        <translation>未记录哪些 NPU 算子属于同一微批：这由前反向相关联的主机算子以及收发通信得出。请同时采集主机侧活动。</translation>
    </message>
    <message>
        <source>Stage %1, rank %2</source>
        <translation>阶段 %1，卡 %2</translation>
    </message>
    <message>
        <source>Bubble: %1 of the time from the first pass to the last</source>
        <translation>空泡：占首个前反向到最后一个之间时间的 %1</translation>
    </message>
    <message numerus="yes">
        <source>; with %n micro-batch(es) GPipe and 1F1B have %1</source>
        <translation>
            <numerusform>；有 %n 个微批时，GPipe 和 1F1B 为 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>; the stages have different numbers of passes, so that no arrows join them</source>
        <translation>；各阶段的前反向次数不同，因此没有箭头相连</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Micro-batches along the time</source>
        <translation>沿时间的各微批</translation>
    </message>
</context>
<context>
    <name>altiscope::Places</name>
    <message>
        <source>byte %1</source>
        <translation>第 %1 字节</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>第 %1 行</translation>
    </message>
</context>
<context>
    <name>altiscope::PlotCanvas</name>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Back to the previous view</source>
        <translation>返回上一视图</translation>
    </message>
    <message>
        <source>Copy the picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Save the picture…</source>
        <translation>保存图片…</translation>
    </message>
</context>
<context>
    <name>altiscope::PlotView</name>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Back to the previous view</source>
        <translation>返回上一视图</translation>
    </message>
    <message>
        <source>Copy the picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Save the picture…</source>
        <translation>保存图片…</translation>
    </message>
</context>
<context>
    <name>altiscope::PoolCanvas</name>
    <message>
        <source>No segment is reserved in this state.</source>
        <translation>此时没有预留任何段。</translation>
    </message>
    <message>
        <source>Free: %1</source>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>%1 requested, %2 used</source>
        <translation>请求 %1，占用 %2</translation>
    </message>
    <message>
        <source>Released; waits for its streams</source>
        <translation>已释放；等待流完成</translation>
    </message>
    <message>
        <source>In an expandable segment of %1: used %2 (blocks: %3), free %4 (holes: %5)</source>
        <translation>位于 %1 的可扩展段：占用 %2（%3 块），空闲 %4（%5 个空洞）</translation>
    </message>
    <message>
        <source>In a segment of %1: used %2 (blocks: %3), free %4 (holes: %5)</source>
        <translation>位于 %1 的段：占用 %2（%3 块），空闲 %4（%5 个空洞）</translation>
    </message>
    <message>
        <source>Annotation: %1</source>
        <translation>标注：%1</translation>
    </message>
</context>
<context>
    <name>altiscope::PresetBox</name>
    <message>
        <source>Save as a preset</source>
        <translation>保存为预设</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>预设名称</translation>
    </message>
    <message>
        <source>Import a preset</source>
        <translation>导入预设</translation>
    </message>
    <message>
        <source>Presets (*.json);;All files (*)</source>
        <translation>预设 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 is not a preset of the method %2.</source>
        <translation>%1 不是采集方式 %2 的预设。</translation>
    </message>
    <message>
        <source>Export the settings</source>
        <translation>导出设置</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>预设 (*.json)</translation>
    </message>
    <message>
        <source>%1 has been written.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Save, remove, import or export presets</source>
        <translation>保存、删除、导入或导出预设</translation>
    </message>
    <message>
        <source>&amp;Save as a preset…</source>
        <translation>保存为预设(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Remove this preset</source>
        <translation>删除此预设(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Import a preset…</source>
        <translation>导入预设(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Export these settings…</source>
        <translation>导出这些设置(&amp;E)…</translation>
    </message>
</context>
<context>
    <name>altiscope::PreviewPanel</name>
    <message>
        <source>Read the file on %1</source>
        <translation>读取 %1 上的文件</translation>
    </message>
    <message>
        <source>Save the configuration</source>
        <translation>保存配置</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>S&amp;ave…</source>
        <translation>保存(&amp;A)…</translation>
    </message>
    <message>
        <source>Writes the whole configuration to a file of yours</source>
        <translation>将完整配置写入您指定的文件</translation>
    </message>
    <message>
        <source>Run &amp;manually</source>
        <translation>手动运行(&amp;M)</translation>
    </message>
    <message>
        <source>For machines that cannot be reached from here: what to do, and where to open the results</source>
        <translation>用于无法从此处访问的机器：说明如何操作以及在何处打开结果</translation>
    </message>
</context>
<context>
    <name>altiscope::ProfileBar</name>
    <message>
        <source>Go to &amp;operator</source>
        <translation>转到算子(&amp;O)</translation>
    </message>
    <message>
        <source>The slice of the timeline in which the selected block was allocated (Ctrl+J)</source>
        <translation>时间线上分配所选块的切片（Ctrl+J）</translation>
    </message>
    <message>
        <source>C&amp;lock</source>
        <translation>时钟(&amp;L)</translation>
    </message>
    <message>
        <source>Set the time of an event by hand where the recordings cannot be joined automatically</source>
        <translation>两份记录无法自行关联时，手动指定某个事件的时间</translation>
    </message>
    <message>
        <source>This event: %1</source>
        <translation>此事件：%1</translation>
    </message>
    <message>
        <source>The selected event was when the time &amp;marked on the timeline begins</source>
        <translation>所选事件发生在时间线上标记时间的起点(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Reset the times set by hand</source>
        <translation>清除手动设定的时间(&amp;R)</translation>
    </message>
</context>
<context>
    <name>altiscope::ProfileLink</name>
    <message>
        <source>Joined by allocations that both recorded, of equal sizes in the same order: %1 of %2 in the history, %3 in the profile.</source>
        <translation>按双方都记录的分配关联（大小相同、顺序相同）：历史 %2 次中的 %1 次，性能数据共 %3 次。</translation>
    </message>
    <message>
        <source>%1 between them are known to one side only.</source>
        <translation>其间有 %1 次只有一方记录。</translation>
    </message>
    <message>
        <source>%1 lie outside of the time of the slices: do not rely on these.</source>
        <translation>有 %1 次位于切片的时间之外：请勿依据它们。</translation>
    </message>
    <message>
        <source>No timeline of this rank is open: open its profile too to see when this was, and what ran.</source>
        <translation>未打开该卡的时间线：同时打开其性能数据，即可查看发生的时间以及当时运行的内容。</translation>
    </message>
    <message>
        <source>The times set by hand contradict the order of the events: reset them.</source>
        <translation>手动设定的时间与事件的顺序矛盾：请清除。</translation>
    </message>
    <message>
        <source>One event has a time set by hand: set that of another to know those between.</source>
        <translation>已手动设定一个事件的时间：再设定另一个，即可得知其间各事件的时间。</translation>
    </message>
    <message>
        <source>Joined by %1 times set by hand; between them by the number of the event.</source>
        <translation>按手动设定的 %1 个时间关联；其间按事件序号。</translation>
    </message>
    <message>
        <source>Timeline: %1. %2</source>
        <comment>name, how the clocks are joined</comment>
        <translation>时间线：%1。%2</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>Snapshot: %1</source>
        <translation>快照：%1</translation>
    </message>
    <message>
        <source>This block was allocated before the history.</source>
        <translation>该块在历史之前分配。</translation>
    </message>
    <message>
        <source>When this block was allocated is not known: it lies outside of what both recordings have.</source>
        <translation>不知道该块何时分配：它位于两份记录共有的部分之外。</translation>
    </message>
    <message>
        <source>Which operator allocated it was not recorded: the time of the allocation is marked.</source>
        <translation>未记录由哪个算子分配：已标记其所在的时间。</translation>
    </message>
    <message>
        <source>The timeline has no slice of %1 there: its time is marked.</source>
        <translation>时间线上该处没有 %1 的切片：已标记该时间。</translation>
    </message>
    <message>
        <source>the operator</source>
        <translation>该算子</translation>
    </message>
    <message>
        <source>The file does not say of which rank it is: put it into the folder of its rank, or open the profile of that rank alone.</source>
        <translation>文件未说明属于哪张卡：请将其放入该卡的文件夹，或单独打开该卡的性能数据。</translation>
    </message>
    <message>
        <source>The history&apos;s own times (time_us) are not used: they fit %1 of %2 of these.</source>
        <translation>未使用历史自身的时间（time_us）：其中 %2 次分配里只有 %1 次与之相符。</translation>
    </message>
    <message>
        <source>They fit at several places, as steps are alike; at this one the history&apos;s own times fit too.</source>
        <translation>各步相同，多处吻合；仅此处历史自身的时间也相符。</translation>
    </message>
    <message>
        <source>All other events have their own times (time_us), which fit %1 of %2 of these.</source>
        <translation>其余事件使用其自身的时间（time_us），该时间与其中 %2 次分配里的 %1 次相符。</translation>
    </message>
    <message>
        <source>The profile&apos;s clock is ahead by %1; that is subtracted.</source>
        <translation>性能数据的时钟快 %1，已扣除。</translation>
    </message>
    <message>
        <source>The history&apos;s clock is ahead by %1; that is subtracted.</source>
        <translation>历史的时钟快 %1，已扣除。</translation>
    </message>
    <message>
        <source>The clocks cannot be joined: the history has no allocations.</source>
        <translation>无法关联时钟：历史中没有分配。</translation>
    </message>
    <message>
        <source>The clocks cannot be joined: the profile has no allocations to find those of the history by (profile_memory).</source>
        <translation>无法关联时钟：性能数据中没有可据以查找历史中分配的记录（profile_memory）。</translation>
    </message>
    <message>
        <source>The clocks cannot be joined: the sizes of the history&apos;s %1 allocations are not those of the profile&apos;s %2. Was it another run?</source>
        <translation>无法关联时钟：历史中 %1 次分配的大小与性能数据中 %2 次的大小不符。是否为另一次运行？</translation>
    </message>
    <message>
        <source>The clocks cannot be joined: the history&apos;s allocations fit at several places of the profile, as steps are alike, and it has no times that say at which. Set the time of two events.</source>
        <translation>无法关联时钟：各步相同，历史中的分配与性能数据的多处吻合，且没有时间能说明是哪一处。请设定两个事件的时间。</translation>
    </message>
    <message>
        <source>Joined by %1 of %2 ranges (record_function) that both recorded; events have their own times (time_us).</source>
        <translation>按双方都记录的区间（record_function）关联：%2 个中的 %1 个吻合；各事件采用自身的时间（time_us）。</translation>
    </message>
</context>
<context>
    <name>altiscope::QueryPanel</name>
    <message>
        <source>None yet: Ctrl+S keeps a statement</source>
        <translation>暂无：按 Ctrl+S 保存语句</translation>
    </message>
    <message>
        <source>Rename the query</source>
        <translation>重命名查询</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <source>Another query has this name, or it is empty or too long.</source>
        <translation>已有同名查询，或名称为空或过长。</translation>
    </message>
    <message>
        <source>Delete the query</source>
        <translation>删除查询</translation>
    </message>
    <message>
        <source>Delete “%1”? This cannot be undone.</source>
        <translation>删除“%1”？此操作无法撤销。</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>重命名(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Delete…</source>
        <translation>删除(&amp;D)…</translation>
    </message>
    <message>
        <source>Executed statements are listed here</source>
        <translation>运行过的语句显示在此处</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Own</source>
        <translation>我的</translation>
    </message>
    <message>
        <source>Shipped</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>Executed statements</source>
        <translation>运行过的语句</translation>
    </message>
    <message>
        <source>Tables and columns</source>
        <translation>表和列</translation>
    </message>
</context>
<context>
    <name>altiscope::QueryTabs</name>
    <message>
        <source>Query %1</source>
        <translation>查询 %1</translation>
    </message>
</context>
<context>
    <name>altiscope::RankCanvas</name>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>filtered</source>
        <translation>已筛除</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>缺失</translation>
    </message>
</context>
<context>
    <name>altiscope::RankModel</name>
    <message>
        <source>Capture</source>
        <translation>采集数据</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>NPU</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Tracks</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>Flows</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Number of the process in the job, from profiler_info_*.json, the file&apos;s name or its metadata.</source>
        <translation>进程在作业中的编号，取自 profiler_info_*.json 的文件名或其内容。</translation>
    </message>
    <message>
        <source>Number of the NPU on its host. It differs from the rank.</source>
        <translation>NPU 在其主机上的编号，与卡号（rank）不同。</translation>
    </message>
    <message>
        <source>Name of the machine, from the metadata or the folder&apos;s name.</source>
        <translation>机器名称，取自元数据或文件夹名。</translation>
    </message>
    <message>
        <source>How much of the rank&apos;s files was read.</source>
        <translation>该卡的文件已读取的程度。</translation>
    </message>
    <message>
        <source>Where the numbers come from: text files, a database, raw data, or results for a cluster.</source>
        <translation>数值来源：文本文件、数据库、原始数据或集群分析结果。</translation>
    </message>
    <message>
        <source>From the first event to the end of the last one, without events that lie far from all others.</source>
        <translation>从首个事件到最后一个事件结束，不含远离其他事件的离群事件。</translation>
    </message>
    <message>
        <source>Numbers of the steps, from slices named ProfilerStep#N.</source>
        <translation>步的编号，取自名为 ProfilerStep#N 的切片。</translation>
    </message>
    <message>
        <source>Threads, streams and counters with at least one event.</source>
        <translation>至少含一个事件的线程、流和计数器。</translation>
    </message>
    <message>
        <source>Complete events and pairs of begin and end in the timeline file.</source>
        <translation>时间线文件中的完整事件以及成对的开始与结束事件。</translation>
    </message>
    <message>
        <source>Arrows from one slice to another whose start and finish were both found.</source>
        <translation>起点和终点均已找到的切片间连线。</translation>
    </message>
    <message>
        <source>What was not recorded. The tooltip of a cell names the switches.</source>
        <translation>未采集的数据。单元格提示中列出对应的采集开关。</translation>
    </message>
    <message>
        <source>First event since the start of the capture, without events that lie far from all others.</source>
        <translation>首个事件距采集数据开头的时间，不含远离其他所有事件的事件。</translation>
    </message>
</context>
<context>
    <name>altiscope::RankPictures</name>
    <message>
        <source>Not in this capture. What others wait for it cannot be explained.</source>
        <translation>不在此采集数据中。其他卡对它的等待无法解释。</translation>
    </message>
    <message>
        <source>Outside of the filter of all pages.</source>
        <translation>在所有页面的筛选范围之外。</translation>
    </message>
    <message>
        <source>%1: not recorded</source>
        <translation>%1：未采集</translation>
    </message>
    <message>
        <source>Median of its stage: %1</source>
        <translation>同阶段中位数：%1</translation>
    </message>
    <message>
        <source>Median of all ranks: %1</source>
        <translation>所有卡中位数：%1</translation>
    </message>
    <message>
        <source>, robust z %1</source>
        <translation>，稳健 z 值 %1</translation>
    </message>
    <message>
        <source>Came last in %1 of %2 collectives</source>
        <translation>在 %2 次集合通信中最后到达 %1 次</translation>
    </message>
    <message>
        <source>%1: not known</source>
        <translation>%1：未知</translation>
    </message>
    <message>
        <source>%1, the largest of them: %2</source>
        <translation>%1，其中最大值：%2</translation>
    </message>
    <message>
        <source>%1, their mean: %2</source>
        <translation>%1，平均：%2</translation>
    </message>
    <message>
        <source>Lowest: %1, %2</source>
        <translation>最低：%1，%2</translation>
    </message>
    <message>
        <source>Highest: %1, %2</source>
        <translation>最高：%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s): %1</source>
        <translation>
            <numerusform>%n 张卡：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, the largest of each cell</source>
        <translation>%1，每格的最大值</translation>
    </message>
    <message>
        <source>%1, mean of each cell</source>
        <translation>%1，每格的平均</translation>
    </message>
    <message>
        <source>%1 per step</source>
        <translation>每步%1</translation>
    </message>
    <message>
        <source>%1, difference from the base</source>
        <translation>%1，与基准的差异</translation>
    </message>
    <message>
        <source>Ranks by number</source>
        <translation>按编号排列的卡</translation>
    </message>
    <message>
        <source>Difference from the base: %1</source>
        <translation>与基准的差异：%1</translation>
    </message>
</context>
<context>
    <name>altiscope::RankShifts</name>
    <message>
        <source>The clocks of the other ranks are aligned to this one.</source>
        <translation>其他卡的时钟已对齐到此卡。</translation>
    </message>
    <message>
        <source>Clock moved by %1 (it drifts by %2 ppm): by %3 collectives, within %4</source>
        <translation>时钟移动了 %1（漂移 %2 ppm）：依据 %3 个集合通信，误差不超过 %4</translation>
    </message>
    <message>
        <source>Clock as recorded: no collective in common with the ranks that are aligned</source>
        <translation>时钟保持原样：与已对齐的卡没有共同的集合通信</translation>
    </message>
    <message>
        <source>Clock as recorded: there are no collectives to align it by</source>
        <translation>时钟保持原样：没有可用于对齐的集合通信</translation>
    </message>
    <message>
        <source>by collectives</source>
        <translation>按集合通信</translation>
    </message>
    <message>
        <source>by operator %1</source>
        <translation>按算子 %1</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>Clock as recorded</source>
        <translation>时钟保持原样</translation>
    </message>
    <message>
        <source>Drawn %1 later than recorded, %2</source>
        <translation>显示得比采集时间晚 %1，%2</translation>
    </message>
    <message>
        <source>Drawn %1 earlier than recorded, %2</source>
        <translation>显示得比采集时间早 %1，%2</translation>
    </message>
    <message>
        <source>Drawn %1 later than its rank, by hand</source>
        <translation>比所在卡晚 %1 绘制，手动</translation>
    </message>
    <message>
        <source>Drawn %1 earlier than its rank, by hand</source>
        <translation>比所在卡早 %1 绘制，手动</translation>
    </message>
</context>
<context>
    <name>altiscope::RankTexts</name>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>rank %1 in %2</source>
        <translation>%2 中的卡 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>There is only raw data, which has to be analysed first.</source>
        <translation>只有原始数据，需要先解析。</translation>
    </message>
    <message>
        <source>The files are not read.</source>
        <translation>文件尚未读取。</translation>
    </message>
    <message>
        <source>Not in this capture: rank %1 of %2.</source>
        <translation>此采集数据中缺少：卡 %1（共 %2 张）。</translation>
    </message>
    <message>
        <source>Not in this capture: ranks %1 of %2.</source>
        <translation>此采集数据中缺少：卡 %1（共 %2 张）。</translation>
    </message>
</context>
<context>
    <name>altiscope::ReadRangeDialog</name>
    <message>
        <source>Read a range of time</source>
        <translation>读取时间范围</translation>
    </message>
    <message>
        <source>%1 s to %2 s</source>
        <comment>time</comment>
        <translation>%1 s至 %2 s</translation>
    </message>
    <message>
        <source>The ranks that were read run from %1, as the timeline shows it.</source>
        <translation>已读取的卡的运行时间为 %1（与时间线显示一致）。</translation>
    </message>
    <message>
        <source>It runs from %1, as the timeline shows it.</source>
        <translation>其运行时间为 %1（与时间线显示一致）。</translation>
    </message>
    <message>
        <source>Nothing of it has been read yet, so times are on the trace&apos;s own clock.</source>
        <translation>尚未读取任何内容，因此时间为 trace 自身的时钟。</translation>
    </message>
    <message>
        <source>None</source>
        <comment>step</comment>
        <translation>无</translation>
    </message>
    <message>
        <source>&amp;Step:</source>
        <translation>步(&amp;S)：</translation>
    </message>
    <message>
        <source>&amp;From, s:</source>
        <translation>起始，秒(&amp;F)：</translation>
    </message>
    <message>
        <source>&amp;To, s:</source>
        <translation>结束，秒(&amp;T)：</translation>
    </message>
    <message>
        <source>&amp;Read the range</source>
        <translation>读取该范围(&amp;R)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>From and To are seconds, such as 12.5, and From is the smaller one.</source>
        <translation>起始和结束以秒为单位，如 12.5，且起始应小于结束。</translation>
    </message>
    <message>
        <source>Reading the range: %1. All of it: %2.</source>
        <translation>读取该范围：%1。全部读取：%2。</translation>
    </message>
</context>
<context>
    <name>altiscope::RemoteDialog</name>
    <message>
        <source>Fetch the &amp;files only: nothing is put or run on the host</source>
        <translation>仅获取文件(&amp;F)：不在主机上放置或运行任何程序</translation>
    </message>
    <message>
        <source>Open a capture on a host</source>
        <translation>打开主机上的采集数据</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>主机(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Path</source>
        <translation>路径(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Ranks</source>
        <translation>卡(&amp;R)</translation>
    </message>
    <message>
        <source>a name that ssh knows, or user@host:port</source>
        <translation>ssh 已知的名称，或 user@host:port</translation>
    </message>
    <message>
        <source>folder or file there; a relative one counts from the home</source>
        <translation>该主机上的文件夹或文件；相对路径从主目录算起</translation>
    </message>
    <message>
        <source>all, or as in 0,2,4-7</source>
        <translation>全部，或如 0,2,4-7</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&quot;%1&quot; names no capture on a host.</source>
        <translation>“%1”不是主机上的采集数据。</translation>
    </message>
    <message>
        <source>Ranks are numbers as in 0,2,4-7.</source>
        <translation>卡应为编号，例如 0,2,4-7。</translation>
    </message>
    <message>
        <source>Looking at the host…</source>
        <translation>正在查看主机…</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Run altiscope-cli on %1?</source>
        <translation>在 %1 上运行 altiscope-cli？</translation>
    </message>
    <message>
        <source>%1 is run there. %2</source>
        <translation>将在该主机上运行 %1。%2</translation>
    </message>
    <message>
        <source>Put altiscope-cli on %1 and run it?</source>
        <translation>在 %1 上放置并运行 altiscope-cli？</translation>
    </message>
    <message>
        <source>altiscope-cli (%1) is put into %2. %3</source>
        <translation>altiscope-cli（%1）将放入 %2。%3</translation>
    </message>
    <message>
        <source>Fetch the files from %1?</source>
        <translation>从 %1 获取文件？</translation>
    </message>
    <message>
        <source>The files of %1 are fetched: %2. Nothing is put or run on the host.</source>
        <translation>将获取 %1 的文件：%2。不会在主机上放置或运行任何程序。</translation>
    </message>
    <message>
        <source>This holds for the host until &quot;altiscope-cli remote remove %1&quot;.</source>
        <translation>对该主机一直有效，直到执行“altiscope-cli remote remove %1”。</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s), %1</source>
        <translation>
            <numerusform>%n 个文件，%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A pack of %1 (%2) is made in %3 there, on %n core(s) at the lowest priority.</source>
        <translation>
            <numerusform>将在该主机的 %3 中为 %1（%2）制作 pack，最多使用 %n 个核，优先级最低。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::RepeatDialog</name>
    <message>
        <source>Start each only once a step takes &amp;longer than</source>
        <translation>仅当某一步耗时超过以下值时才启动(&amp;L)</translation>
    </message>
    <message>
        <source>Series of captures</source>
        <translation>连续采集</translation>
    </message>
    <message>
        <source>The running job is recorded again and again, with the settings of the form. The window waits between the captures: when it closes, no more are started.</source>
        <translation>按表单中的设置反复采集运行中的作业。各次采集之间由本窗口等待：窗口关闭后不再启动新的采集。</translation>
    </message>
    <message>
        <source>&amp;Captures</source>
        <translation>采集次数(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Pause after each</source>
        <translation>每次之后暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Output of the job</source>
        <translation>作业的输出(&amp;O)</translation>
    </message>
    <message>
        <source>Time of a slow step</source>
        <translation>慢步的耗时</translation>
    </message>
    <message>
        <source>path on the target</source>
        <translation>目标上的路径</translation>
    </message>
    <message>
        <source>A file with the times of the steps as Megatron, MindSpore or MindFormers print them; a relative path counts from the working directory. Only new lines count.</source>
        <translation>含有各步耗时的文件，格式同 Megatron、MindSpore 或 MindFormers 的输出；相对路径从工作目录算起。只看新增的行。</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> 毫秒</translation>
    </message>
</context>
<context>
    <name>altiscope::RepeatRunner</name>
    <message>
        <source>Capture %1 of %2: %3</source>
        <translation>第 %1 次采集（共 %2 次）：%3</translation>
    </message>
    <message>
        <source>it runs, see below.</source>
        <translation>正在进行，见下方。</translation>
    </message>
    <message>
        <source>it is about to start.</source>
        <translation>即将启动。</translation>
    </message>
    <message>
        <source>it failed or was cancelled, so no more are started.</source>
        <translation>失败或已取消，不再启动新的采集。</translation>
    </message>
    <message>
        <source>done.</source>
        <translation>已完成。</translation>
    </message>
</context>
<context>
    <name>altiscope::ReportForm</name>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Open another capture to compare with it</source>
        <translation>打开另一份采集数据后可与之对比</translation>
    </message>
    <message>
        <source>Adds what changed since this capture, and what of it is more than noise</source>
        <translation>加入与该采集数据相比的变化，并标出超出波动的部分</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>标题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Notes</source>
        <translation>备注(&amp;N)</translation>
    </message>
    <message>
        <source>What the reader should know first</source>
        <translation>读者首先需要了解的内容</translation>
    </message>
    <message>
        <source>Ranks and steps</source>
        <translation>卡与步</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>Compared &amp;with</source>
        <translation>对比基准(&amp;W)</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
</context>
<context>
    <name>altiscope::ReportModel</name>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Repaired</source>
        <translation>已修复</translation>
    </message>
    <message>
        <source>Data lost</source>
        <translation>数据丢失</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>采集数据</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Note: nothing changed. Repaired: a record was kept in a changed form. Data lost: one or more records are not in the tables.</source>
        <translation>提示：无改动。已修复：记录以修正后的形式保留。数据丢失：有记录未进入数据表。</translation>
    </message>
    <message>
        <source>How many records of the file this concerns.</source>
        <translation>涉及该文件中的记录数。</translation>
    </message>
    <message>
        <source>Where it was found first: the byte or row of the file, up to five of them.</source>
        <translation>首次出现的位置：文件的字节或行，最多五处。</translation>
    </message>
    <message>
        <source>The same in every language; altiscope-cli --diagnostics prints it as well.</source>
        <translation>在任何语言下都相同；altiscope-cli --diagnostics 也会打印。</translation>
    </message>
</context>
<context>
    <name>altiscope::ReportPage</name>
    <message>
        <source>All of the capture. The bar above chooses ranks, NPUs and steps.</source>
        <translation>全部采集数据。可在上方栏中选择卡、NPU 和步。</translation>
    </message>
    <message>
        <source>Not added: a report takes %1 pictures.</source>
        <translation>未加入：报告最多包含 %1 张图片。</translation>
    </message>
    <message>
        <source>In the report: %1</source>
        <translation>已加入报告：%1</translation>
    </message>
    <message>
        <source>Write the report</source>
        <translation>写出报告</translation>
    </message>
    <message>
        <source>Not written: the name of a report must end with .html, .pdf or .json.</source>
        <translation>未写入：报告文件名须以 .html、.pdf 或 .json 结尾。</translation>
    </message>
    <message>
        <source>Cancelled: nothing was written.</source>
        <translation>已取消：未写入任何内容。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>file, size</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写入…</translation>
    </message>
    <message>
        <source>Generating…</source>
        <translation>正在生成…</translation>
    </message>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n 页</numerusform>
        </translation>
    </message>
    <message>
        <source>The capture is being read.</source>
        <translation>正在读取采集数据。</translation>
    </message>
    <message>
        <source>Nothing to report</source>
        <translation>没有可写入报告的内容</translation>
    </message>
    <message>
        <source>For&amp;mat</source>
        <translation>格式(&amp;M)</translation>
    </message>
    <message>
        <source>HTML: one page that opens anywhere. PDF: for paper. JSON: for programs. All have the same content</source>
        <translation>HTML：可随处打开的单个页面。PDF：用于打印。JSON：供程序读取。内容相同</translation>
    </message>
    <message>
        <source>&amp;Write report…</source>
        <translation>写出报告(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Opens the written file</source>
        <translation>打开写出的文件</translation>
    </message>
    <message>
        <source>Fol&amp;der</source>
        <translation>文件夹(&amp;D)</translation>
    </message>
    <message>
        <source>Shows the folder of the written file</source>
        <translation>打开文件所在的文件夹</translation>
    </message>
    <message>
        <source>Pages of the report</source>
        <translation>报告页面</translation>
    </message>
    <message>
        <source>Report: %1</source>
        <translation>报告：%1</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>In the report: %1. With it the pictures are too large to be kept in a workspace.</source>
        <translation>已加入报告：%1。加上它，图片过大，工作区不再全部保存。</translation>
    </message>
</context>
<context>
    <name>altiscope::ReportView</name>
    <message>
        <source>Nothing to report</source>
        <translation>没有需要报告的内容</translation>
    </message>
    <message>
        <source>Everything that was read so far could be used as it is. What is repaired, ignored or lost is listed here with its file and place.</source>
        <translation>目前读取的内容均可直接使用。被修复、忽略或丢失的内容会连同文件和位置列在此处。</translation>
    </message>
    <message>
        <source>Import report</source>
        <translation>导入报告</translation>
    </message>
</context>
<context>
    <name>altiscope::ResultPanel</name>
    <message>
        <source>Show in the timeline</source>
        <translation>在时间线中显示</translation>
    </message>
    <message>
        <source>No statement has run yet</source>
        <translation>尚未运行语句</translation>
    </message>
    <message>
        <source>Write one above, or choose a query on the right. It is only read: no statement changes anything.</source>
        <translation>请在上方编写语句，或在右侧选择查询。语句只读取数据，不会修改任何内容。</translation>
    </message>
    <message>
        <source>Ctrl+Enter runs the statement at the cursor. Or begin with one of these:</source>
        <translation>按 Ctrl+Enter 运行光标处的语句。也可以从以下查询开始：</translation>
    </message>
    <message>
        <source>Enter leads to the timeline</source>
        <translation>按 Enter 跳转到时间线</translation>
    </message>
    <message>
        <source>The rows are no longer kept</source>
        <translation>结果行已不再保留</translation>
    </message>
    <message>
        <source>Results of other tabs needed the memory. Run the statement again to see them.</source>
        <translation>内存已用于其他标签页的结果。请重新运行语句以查看。</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Rows appear as soon as there are any.</source>
        <translation>一有结果行就会显示。</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>No rows had been found by then.</source>
        <translation>当时还没有结果行。</translation>
    </message>
    <message>
        <source>Copy &amp;link</source>
        <translation>复制链接(&amp;L)</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>图</translation>
    </message>
</context>
<context>
    <name>altiscope::ResultPictures</name>
    <message>
        <source>Row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>%1 rows that share this pixel
Mean: %2
Min: %3
Max: %4</source>
        <translation>此处共有 %1 行
平均：%2
最小：%3
最大：%4</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>%1 of %2 rows (%3)
from %4 to %5</source>
        <translation>%2 行中的 %1 行（%3）
从 %4 到 %5</translation>
    </message>
</context>
<context>
    <name>altiscope::ResultPlot</name>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Values: %1</source>
        <translation>数值：%1</translation>
    </message>
    <message>
        <source>No rows</source>
        <translation>没有行</translation>
    </message>
    <message>
        <source>No column of the result has numbers.</source>
        <translation>结果中没有数值列。</translation>
    </message>
    <message>
        <source>The chosen columns have no values.</source>
        <translation>所选列没有数值。</translation>
    </message>
    <message>
        <source>&amp;Plot</source>
        <translation>图(&amp;P)</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>柱图</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>折线</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>&amp;over</source>
        <translation>横轴(&amp;O)</translation>
    </message>
    <message>
        <source>Values of the horizontal axis</source>
        <translation>横轴上的内容</translation>
    </message>
    <message>
        <source>Which columns of numbers are drawn; lines take several</source>
        <translation>绘制哪些数值列；折线可选多列</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Save the picture as PNG or SVG</source>
        <translation>将图片保存为 PNG 或 SVG</translation>
    </message>
    <message>
        <source>Plot of the result</source>
        <translation>结果的图</translation>
    </message>
</context>
<context>
    <name>altiscope::RowTitles</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation>模型 %1</translation>
    </message>
    <message>
        <source>unknown host</source>
        <translation>未知主机</translation>
    </message>
    <message numerus="yes">
        <source>%1 + %n more</source>
        <translation>
            <numerusform>%1 等（另外 %n 个）</numerusform>
        </translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>allocated, reserved, active</source>
        <translation>已分配、已预留、活跃</translation>
    </message>
    <message numerus="yes">
        <source>%n stream(s)</source>
        <translation>
            <numerusform>%n 条流</numerusform>
        </translation>
    </message>
    <message>
        <source>moved to a common start</source>
        <translation>已平移到共同起点</translation>
    </message>
    <message>
        <source>raw data only</source>
        <translation>仅有原始数据</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message>
        <source>no timeline</source>
        <translation>无时间线</translation>
    </message>
    <message>
        <source>stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>aligned by step</source>
        <translation>按步对齐</translation>
    </message>
    <message>
        <source>computed by your statement</source>
        <translation>由语句计算</translation>
    </message>
</context>
<context>
    <name>altiscope::RunModel</name>
    <message>
        <source>Host and rank</source>
        <translation>主机与卡</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>altiscope::RunPanel</name>
    <message>
        <source>%1, started %2: %3</source>
        <translation>%1，开始于 %2：%3</translation>
    </message>
    <message>
        <source>States</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation>监视(&amp;W)</translation>
    </message>
    <message>
        <source>Resumes watching this capture</source>
        <translation>继续此次无人监视的采集</translation>
    </message>
    <message>
        <source>Ca&amp;ncel</source>
        <translation>取消(&amp;N)</translation>
    </message>
    <message>
        <source>Ends jobs that were started here and restores every changed file</source>
        <translation>结束在此启动的作业并恢复所有修改过的文件</translation>
    </message>
    <message>
        <source>Copies the results to this machine; resumes where it was interrupted</source>
        <translation>将结果复制到本机；可从中断处继续</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Opens the results in this window</source>
        <translation>在此窗口中打开结果</translation>
    </message>
    <message>
        <source>&amp;Analyse there</source>
        <translation>在目标上解析(&amp;Z)</translation>
    </message>
    <message>
        <source>Analyses raw data with the tools on the targets, then copies the results. Otherwise raw data is analysed here when it is opened</source>
        <translation>由目标上的工具解析原始数据，然后复制结果。否则原始数据在本机打开时解析</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>获取</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Opens the results beside those of the capture before with the same method, and compares them</source>
        <translation>打开其结果以及同一采集方式上一次采集的结果并进行对比</translation>
    </message>
    <message>
        <source>Note: what it was for, or what it showed</source>
        <translation>备注：用途，或得出的结论</translation>
    </message>
    <message>
        <source>1. Choose where the job runs, and how it is made to record.
2. Look at the preview: only that is changed or run. Start.
3. Watch each rank here; the results open by themselves.</source>
        <translation>1. 选择作业运行的位置和采集方式。
2. 查看预览：只会更改或运行其中的内容。然后开始。
3. 在此查看各卡的状态；结果会自动打开。</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Waits for nothing more and goes on with what is there: restores every changed file, lets jobs run, and copies what was recorded</source>
        <translation>不再等待，直接使用已有的结果：恢复所有更改过的文件，作业继续运行，并复制已采集的数据</translation>
    </message>
</context>
<context>
    <name>altiscope::RunTexts</name>
    <message>
        <source>rank %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>Running for %1: %2 so far; Esc cancels</source>
        <translation>已运行 %1：目前 %2；按 Esc 取消</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <comment>rows, time</comment>
        <translation>%1，用时 %2</translation>
    </message>
    <message>
        <source>first rows after %1</source>
        <translation>首批结果用时 %1</translation>
    </message>
    <message>
        <source>The first %1 in %2</source>
        <comment>rows, time</comment>
        <translation>前 %1，用时 %2</translation>
    </message>
    <message>
        <source>Cancelled after %1</source>
        <translation>运行 %1 后取消</translation>
    </message>
    <message>
        <source>Cancelled after %1; the first %2 are shown</source>
        <translation>运行 %1 后取消；显示前 %2</translation>
    </message>
    <message>
        <source>Failed after %1</source>
        <translation>运行 %1 后失败</translation>
    </message>
    <message>
        <source>“Write all rows” writes all of them to a file; WHERE, LIMIT or sums show fewer.</source>
        <translation>“写出全部行”可将全部行写入文件；使用 WHERE、LIMIT 或求和可减少行数。</translation>
    </message>
    <message>
        <source>There are more rows: a table keeps %1.</source>
        <translation>还有更多行：表格最多保留 %1 行。</translation>
    </message>
    <message>
        <source>There are more rows: a table keeps %1 of memory.</source>
        <translation>还有更多行：表格最多占用 %1 内存。</translation>
    </message>
    <message>
        <source>The time limit has ended the statement: there may be more rows. Choose a longer one above.</source>
        <translation>语句因时间限制而结束：可能还有更多行。可在上方选择更长的时间限制。</translation>
    </message>
</context>
<context>
    <name>altiscope::Screenshot</name>
    <message>
        <source>%1: %2</source>
        <comment>file, reason</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>altiscope::SelectionPanel</name>
    <message>
        <source>&amp;List these slices</source>
        <translation>列出这些切片(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Find all like this</source>
        <translation>查找所有同名切片(&amp;F)</translation>
    </message>
    <message>
        <source>Only the &amp;depths in the box</source>
        <translation>仅统计框内的层(&amp;D)</translation>
    </message>
    <message>
        <source>Otherwise the whole tracks that the box touches count, in its time.</source>
        <translation>否则统计框所触及的整条泳道在该时间内的切片。</translation>
    </message>
    <message>
        <source>&amp;All tracks</source>
        <translation>全部泳道(&amp;A)</translation>
    </message>
    <message>
        <source>Drag a box over tracks and time, drag over the ruler for all tracks, or add tracks in the menu of their names: their statistics are shown here.</source>
        <translation>在泳道与时间上拖出一个框，或在标尺上拖动以选择全部泳道，或在泳道名称的菜单中选择泳道：此处显示其统计。</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>By track</source>
        <translation>按泳道</translation>
    </message>
    <message>
        <source>By rank</source>
        <translation>按卡</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>切片</translation>
    </message>
</context>
<context>
    <name>altiscope::SelectionTables</name>
    <message>
        <source>Slices</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>Slices that touch the range: they start before its end, and end after its start or start within it.</source>
        <translation>触及该范围的切片：开始于范围结束之前，且结束于范围开始之后或开始于范围之内。</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>总和</translation>
    </message>
    <message>
        <source>Time within the range, slice by slice: nested and parallel slices count twice.</source>
        <translation>各切片在范围内的时间逐个相加：嵌套与并行的切片重复计入。</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Sum / sum of all selected slices</source>
        <translation>总和 / 所有选中切片的总和</translation>
    </message>
    <message>
        <source>Union</source>
        <translation>并集</translation>
    </message>
    <message>
        <source>Time within the range in which at least one of them runs: their union.</source>
        <translation>范围内至少有一个切片在运行的时间：即并集。</translation>
    </message>
    <message>
        <source>Self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>Sum without the time of direct children, selected or not.</source>
        <translation>总和减去直接子切片的时间，无论子切片是否选中。</translation>
    </message>
    <message>
        <source>Average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Whole durations / slices, also of slices that reach beyond the range.</source>
        <translation>完整时长 / 切片数，超出范围的切片也按完整时长计。</translation>
    </message>
    <message>
        <source>Shortest</source>
        <translation>最短</translation>
    </message>
    <message>
        <source>By whole duration.</source>
        <translation>按完整时长。</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>By whole duration; of n slices the ceil(0.50 n)-th shortest.</source>
        <translation>按完整时长；n 个切片中第 ceil(0.50 n) 短者。</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95%</translation>
    </message>
    <message>
        <source>By whole duration; of n slices the ceil(0.95 n)-th shortest.</source>
        <translation>按完整时长；n 个切片中第 ceil(0.95 n) 短者。</translation>
    </message>
    <message>
        <source>99 %</source>
        <translation>99%</translation>
    </message>
    <message>
        <source>By whole duration; of n slices the ceil(0.99 n)-th shortest.</source>
        <translation>按完整时长；n 个切片中第 ceil(0.99 n) 短者。</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Clipped</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>Slices that reach beyond the range.</source>
        <translation>超出范围的切片。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>On the trace&apos;s own clock, since the start of the run.</source>
        <translation>按 trace 自身的时钟，自运行开始起计。</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Duration without the time of direct children.</source>
        <translation>时长减去直接子切片的时间。</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>No slices</source>
        <translation>没有切片</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 个切片</translation>
    </message>
    <message>
        <source>(%1 reach beyond the range)</source>
        <translation>（%1 个超出范围）</translation>
    </message>
    <message>
        <source>union %1</source>
        <translation>并集 %1</translation>
    </message>
    <message>
        <source>sum %1</source>
        <translation>总和 %1</translation>
    </message>
    <message>
        <source>self %1</source>
        <translation>自身 %1</translation>
    </message>
    <message>
        <source>shortest %1</source>
        <translation>最短 %1</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>中位数 %1</translation>
    </message>
    <message>
        <source>average %1</source>
        <translation>平均 %1</translation>
    </message>
    <message>
        <source>95 %: %1</source>
        <translation>95%：%1</translation>
    </message>
    <message>
        <source>99 %: %1</source>
        <translation>99%：%1</translation>
    </message>
    <message>
        <source>longest %1</source>
        <translation>最长 %1</translation>
    </message>
    <message>
        <source>%1, within %2</source>
        <translation>%1，范围 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <comment>behind a number of tracks</comment>
        <translation>
            <numerusform>%n 张卡</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n track(s) of %1</source>
        <translation>
            <numerusform>%1的 %n 条泳道</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; shifted tracks count as they are drawn</source>
        <translation>%1；已平移的泳道按绘制位置计入</translation>
    </message>
</context>
<context>
    <name>altiscope::SettingsBar</name>
    <message>
        <source>fastest call of each link</source>
        <translation>每条链路最快的调用</translation>
    </message>
    <message>
        <source>median call of each link</source>
        <translation>每条链路居中的调用</translation>
    </message>
    <message>
        <source>slowest call of each link</source>
        <translation>每条链路最慢的调用</translation>
    </message>
    <message>
        <source>second slowest call of each link</source>
        <translation>每条链路第二慢的调用</translation>
    </message>
    <message>
        <source>third slowest call of each link</source>
        <translation>每条链路第三慢的调用</translation>
    </message>
    <message>
        <source>All steps</source>
        <translation>所有步</translation>
    </message>
    <message>
        <source>All groups</source>
        <translation>所有通信域</translation>
    </message>
    <message>
        <source>all %1 (%2 groups)</source>
        <translation>全部 %1（%2 个通信域）</translation>
    </message>
    <message>
        <source>All operators, in total</source>
        <translation>所有算子合计</translation>
    </message>
    <message>
        <source>%1, in total</source>
        <comment>a type of operators</comment>
        <translation>%1 合计</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a type of operators, and which of its calls</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 more: see the tables below</source>
        <translation>另有 %1 个：见下方表格</translation>
    </message>
    <message>
        <source>&amp;Matrix</source>
        <translation>矩阵(&amp;M)</translation>
    </message>
    <message>
        <source>How much and how fast each rank sends to each other.</source>
        <translation>每张卡向其他卡发送的数据量与速度。</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>时间(&amp;T)</translation>
    </message>
    <message>
        <source>When collectives ran on each rank, and how long they moved data and waited.</source>
        <translation>各卡的集合通信何时运行，传输数据和等待了多久。</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>步(&amp;S)</translation>
    </message>
    <message>
        <source>Grou&amp;p</source>
        <translation>通信域(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Operators</source>
        <translation>算子(&amp;O)</translation>
    </message>
</context>
<context>
    <name>altiscope::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Subjects</source>
        <translation>分类</translation>
    </message>
</context>
<context>
    <name>altiscope::SettingsWindow</name>
    <message>
        <source>Look and language</source>
        <translation>外观与语言</translation>
    </message>
    <message>
        <source>Cache and memory</source>
        <translation>缓存与内存</translation>
    </message>
    <message>
        <source>Keys of the window</source>
        <translation>窗口快捷键</translation>
    </message>
    <message>
        <source>Keys of the timeline</source>
        <translation>时间线快捷键</translation>
    </message>
    <message>
        <source>Thresholds of findings</source>
        <translation>结论的阈值</translation>
    </message>
    <message>
        <source>Colours by rule</source>
        <translation>按规则着色</translation>
    </message>
</context>
<context>
    <name>altiscope::Shares</name>
    <message numerus="yes">
        <source>%n other(s)</source>
        <translation>
            <numerusform>其余 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>core not recorded</source>
        <translation>未记录核类型</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, %3, %n kernel(s)</source>
        <translation>
            <numerusform>%1：%2，%3，%n 个 NPU 算子</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::ShiftDialog</name>
    <message>
        <source>Shift in time: %1</source>
        <translation>时间平移：%1</translation>
    </message>
    <message>
        <source>By how much this rank is drawn later (positive) or earlier (negative) than it was recorded.</source>
        <translation>此卡比采集时晚（正）或早（负）多少绘制。</translation>
    </message>
    <message>
        <source>By how much these tracks are drawn later (positive) or earlier (negative) than their rank.</source>
        <translation>这些泳道比所在卡晚（正）或早（负）多少绘制。</translation>
    </message>
    <message>
        <source>Only the picture moves, and with it what is measured in the marked time. Data, tables, findings and exports keep the recorded times.</source>
        <translation>只移动图形以及在标记时间内的测量；数据、表格、诊断结论和导出保持采集时的时间。</translation>
    </message>
    <message>
        <source>ns, or with a unit: -1.5 ms</source>
        <translation>ns，或带单位：-1.5 ms</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>%1, at %2</source>
        <comment>slice or mark, time</comment>
        <translation>%1，位于 %2</translation>
    </message>
    <message>
        <source>Draws the first event at the begin of the selected slice, the marked time or a mark</source>
        <translation>把首个事件绘制在所选切片、标记时间或某个标记的起点</translation>
    </message>
    <message>
        <source>&amp;Later by:</source>
        <translation>延后(&amp;L)：</translation>
    </message>
    <message>
        <source>&amp;Align start with:</source>
        <translation>起点对齐到(&amp;A)：</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>重置(&amp;R)</translation>
    </message>
    <message>
        <source>This is not a time.</source>
        <translation>这不是时间。</translation>
    </message>
    <message>
        <source>First event at %1</source>
        <translation>首个事件位于 %1</translation>
    </message>
    <message>
        <source>In ns, or with a unit: -1.5 ms, 20 us.</source>
        <translation>以 ns 为单位，或带单位：-1.5 ms、20 us。</translation>
    </message>
</context>
<context>
    <name>altiscope::ShortagePanel</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n 块</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n further call stack(s): the tab Stacks has them all.</source>
        <translation>
            <numerusform>另有 %n 个调用栈：全部见“调用栈”标签页。</numerusform>
        </translation>
    </message>
    <message>
        <source>A request of %1 failed</source>
        <translation>请求 %1 失败</translation>
    </message>
    <message>
        <source>%1 were allocated</source>
        <translation>已分配 %1</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已预留</translation>
    </message>
    <message>
        <source>Released, waits for streams</source>
        <translation>已释放，等待流完成</translation>
    </message>
    <message>
        <source>Lost by rounding</source>
        <translation>因取整损失</translation>
    </message>
    <message>
        <source>Free in segments</source>
        <translation>段内空闲</translation>
    </message>
    <message>
        <source>Largest hole</source>
        <translation>最大空洞</translation>
    </message>
    <message>
        <source>What would have been enough</source>
        <translation>怎样才足够</translation>
    </message>
    <message numerus="yes">
        <source>The pool has %n hole(s) of that size: they belong to other streams or the other pool, or the request failed for another reason. The pool shows no remedy.</source>
        <translation>
            <numerusform>内存池中有 %n 个这样大小的空洞：属于其他流或另一个池，或者请求因其他原因失败。内存池不能证明任何办法有效。</numerusform>
        </translation>
    </message>
    <message>
        <source>Neither joining the holes nor releasing a single call stack would have made room: the program needs less memory at this point, or more devices.</source>
        <translation>无论合并空洞还是释放单个调用栈的内存都不够：程序此处需要减少内存用量，或使用更多设备。</translation>
    </message>
    <message>
        <source>%1: a request of %2 failed</source>
        <translation>%1：请求 %2 失败</translation>
    </message>
    <message>
        <source>The peak: %1</source>
        <translation>峰值：%1</translation>
    </message>
    <message>
        <source>The selected event</source>
        <translation>所选事件</translation>
    </message>
    <message>
        <source>Which event</source>
        <translation>哪个事件</translation>
    </message>
    <message>
        <source>Why out of memory</source>
        <translation>内存不足的原因</translation>
    </message>
    <message>
        <source>&lt;b&gt;A lower max_split_size_mb&lt;/b&gt; (below %1): the segment %2 of %3 would have been large enough; it is taken up by small blocks (%4) that have room in holes of other segments.</source>
        <translation>&lt;b&gt;更小的 max_split_size_mb&lt;/b&gt;（小于 %1）：段 %2 大小为 %3，本来足够；它被 %4 个小块占用，而这些小块可放入其他段的空洞。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Releasing what this call stack has&lt;/b&gt;: %1 (blocks: %2) of %3.</source>
        <translation>&lt;b&gt;释放此调用栈占用的内存&lt;/b&gt;：%1（%2 块），来自 %3。</translation>
    </message>
    <message>
        <source>Who had how much of it</source>
        <translation>由谁占用多少</translation>
    </message>
    <message>
        <source>%1 (segments: %2)</source>
        <translation>%1（%2 个段）</translation>
    </message>
    <message>
        <source>Allocated by the program</source>
        <translation>程序已分配</translation>
    </message>
    <message>
        <source>%1 (holes: %2)</source>
        <translation>%1（%2 个空洞）</translation>
    </message>
    <message>
        <source>&lt;b&gt;expandable_segments:True&lt;/b&gt; in PYTORCH_NPU_ALLOC_CONF (PYTORCH_CUDA_ALLOC_CONF on GPUs): the segments of this stream have %1 free, in %2 holes. Segments that grow would have them, and what is left of the device, in one piece.</source>
        <translation>在 PYTORCH_NPU_ALLOC_CONF（GPU 上为 PYTORCH_CUDA_ALLOC_CONF）中设置 &lt;b&gt;expandable_segments:True&lt;/b&gt;：此流的段共有 %1 空闲，分散在 %2 个空洞中。可扩展的段能把它们和设备剩余的内存连成一片。</translation>
    </message>
    <message>
        <source>Left of the device (device_free)</source>
        <translation>设备剩余（device_free）</translation>
    </message>
</context>
<context>
    <name>altiscope::SideChoice</name>
    <message>
        <source>Numbers as in 0, 2, 4-7 are expected</source>
        <translation>应为 0, 2, 4-7 形式的数字</translation>
    </message>
    <message>
        <source>Numbers as in 0, 2, 4-7; empty: all</source>
        <translation>0, 2, 4-7 形式的数字；为空表示全部</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>altiscope::SliceFacts</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Self time</source>
        <translation>自身耗时</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation>绝对时间</translation>
    </message>
    <message>
        <source>Absolute, ns</source>
        <translation>绝对时间（ns）</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Within</source>
        <translation>所属切片</translation>
    </message>
    <message>
        <source>Recorded at</source>
        <translation>记录位置</translation>
    </message>
    <message>
        <source>Slice id</source>
        <translation>切片 ID</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Call stack</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Linked slices</source>
        <translation>关联切片</translation>
    </message>
    <message>
        <source>to %1 (%2)</source>
        <translation>去往 %1（%2）</translation>
    </message>
    <message>
        <source>from %1 (%2)</source>
        <translation>来自 %1（%2）</translation>
    </message>
    <message>
        <source>no slice</source>
        <translation>无切片</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>file or folder, place in it</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Arguments and call stack are not read yet: they appear once the trace is read to its end.</source>
        <translation>参数和调用栈尚未读取：trace 读取完成后显示。</translation>
    </message>
    <message>
        <source>Launched by</source>
        <translation>下发来源</translation>
    </message>
    <message>
        <source>Followed by</source>
        <translation>后续执行</translation>
    </message>
    <message>
        <source>recorded %1, shown at %2</source>
        <translation>采集于 %1，显示于 %2</translation>
    </message>
    <message>
        <source>Clock moved</source>
        <translation>时钟移动</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>amount, reason: -5 ns by hand</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>%1, task of %2</source>
        <translation>%1，属于 %2</translation>
    </message>
    <message>
        <source>Kernel, as recorded</source>
        <translation>NPU 算子（采集值）</translation>
    </message>
</context>
<context>
    <name>altiscope::SliceKernel</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>核类型</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>Output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>altiscope::SnapshotBar</name>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>Co&amp;lour by</source>
        <translation>颜色依据(&amp;L)</translation>
    </message>
    <message>
        <source>Call stack</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>时间先后</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Dark: 512 bytes and less; light: 16 GiB and more</source>
        <translation>深色：512 字节及以下；浅色：16 GiB 及以上</translation>
    </message>
    <message>
        <source>Dark: allocated first; light: allocated last</source>
        <translation>深色：最先分配；浅色：最后分配</translation>
    </message>
    <message>
        <source>Eve&amp;nt</source>
        <translation>事件(&amp;N)</translation>
    </message>
    <message>
        <source>Before</source>
        <comment>state before the history</comment>
        <translation>之前</translation>
    </message>
    <message>
        <source>The previous event ( , )</source>
        <translation>上一个事件（,）</translation>
    </message>
    <message>
        <source>The next event ( . )</source>
        <translation>下一个事件（.）</translation>
    </message>
    <message>
        <source>Play the history, or stop (Space)</source>
        <translation>播放历史或停止（Space）</translation>
    </message>
    <message>
        <source>To the peak (P)</source>
        <translation>转到峰值（P）</translation>
    </message>
    <message>
        <source>%1 ×</source>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>Events per step of playing, ten steps a second</source>
        <translation>播放时每次前进的事件数，每秒十次</translation>
    </message>
    <message>
        <source>Playback speed</source>
        <translation>播放速度</translation>
    </message>
    <message>
        <source>Annotation</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>What the program set as user_metadata; grey: nothing</source>
        <translation>程序设置的 user_metadata；灰色：未设置</translation>
    </message>
</context>
<context>
    <name>altiscope::SnapshotPage</name>
    <message>
        <source>&amp;Zoom to its lifetime</source>
        <translation>缩放到其生命周期(&amp;Z)</translation>
    </message>
    <message>
        <source>All blocks of this call &amp;stack</source>
        <translation>此调用栈的全部块(&amp;S)</translation>
    </message>
    <message>
        <source>No history: the snapshot shows its last state only. Recording begins with _record_memory_history().</source>
        <translation>没有历史：快照只显示最后的状态。记录从 _record_memory_history() 开始。</translation>
    </message>
    <message numerus="yes">
        <source>The history starts late: %n block(s) were allocated before it (max_entries, or recording was switched on later).</source>
        <translation>
            <numerusform>历史不完整：有 %n 块在此之前分配（达到 max_entries，或较晚才开始记录）。</numerusform>
        </translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Every block of the device memory over its life, with the call stacks that allocated and released it, the segments and their holes after any event, and why a request failed.</source>
        <translation>设备内存中每个块的生命周期，分配与释放它的调用栈，任一事件之后的段及其空洞，以及请求失败的原因。</translation>
    </message>
    <message>
        <source>The capture is being read. Its snapshot is shown when reading is complete.</source>
        <translation>正在读取采集数据。全部读完后显示其快照。</translation>
    </message>
    <message>
        <source>No memory snapshot</source>
        <translation>没有内存快照</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>内存池</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>段</translation>
    </message>
    <message>
        <source>Stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Why out of memory</source>
        <translation>内存不足的原因</translation>
    </message>
    <message>
        <source>Blocks over the history</source>
        <translation>历史中的块</translation>
    </message>
    <message>
        <source>Memory pool</source>
        <translation>内存池</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) are in no segment or overlap: the file contradicts itself.</source>
        <translation>
            <numerusform>%n 块不在任何段内或彼此重叠：文件自相矛盾。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: reserved %2 (segments: %3), in use %4, with rounding %5 (blocks: %6), free %7 (holes: %8, the largest %9)</source>
        <translation>%1：已预留 %2（%3 个段），使用中 %4，取整后 %5（%6 块），空闲 %7（%8 个空洞，最大 %9）</translation>
    </message>
    <message>
        <source>Go to &amp;operator</source>
        <translation>转到算子(&amp;O)</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>增长</translation>
    </message>
</context>
<context>
    <name>altiscope::SnapshotTables</name>
    <message>
        <source>Released</source>
        <translation>已释放</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Waits for streams</source>
        <translation>等待流完成</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作空间</translation>
    </message>
    <message>
        <source>Expandable</source>
        <translation>可扩展</translation>
    </message>
    <message>
        <source>Fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Call stack</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>FILE(LINE): FUNCTION of each frame, the innermost first. Search with: stack ~ &quot;forward&quot;</source>
        <translation>每帧为 文件(行): 函数，最内层在前。查找示例：stack ~ &quot;forward&quot;</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Requested</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Bytes that the program wanted (size of alloc, requested_size).</source>
        <translation>程序请求的字节数（alloc 的 size、requested_size）。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>With rounding; recorded only for blocks that are alive at the end.</source>
        <translation>取整后；仅对末尾仍存活的块有记录。</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>At the end of the snapshot.</source>
        <translation>快照末尾的状态。</translation>
    </message>
    <message>
        <source>Allocated by event</source>
        <translation>分配事件</translation>
    </message>
    <message>
        <source>Empty: before the history.</source>
        <translation>空：在历史之前。</translation>
    </message>
    <message>
        <source>Released by event</source>
        <translation>释放事件</translation>
    </message>
    <message>
        <source>free_completed. Empty: alive at the end.</source>
        <translation>free_completed。空：末尾仍存活。</translation>
    </message>
    <message>
        <source>Lifetime</source>
        <translation>生命周期</translation>
    </message>
    <message>
        <source>Events from allocation to release.</source>
        <translation>从分配到释放的事件数。</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>段</translation>
    </message>
    <message>
        <source>Address of its segment.</source>
        <translation>所在段的地址。</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Index of the entry in the device&apos;s list.</source>
        <translation>记录在设备列表中的序号。</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>动作</translation>
    </message>
    <message>
        <source>Of blocks as requested, of segments as reserved.</source>
        <translation>块为请求大小，段为预留大小。</translation>
    </message>
    <message>
        <source>Requested bytes that the program has after the event.</source>
        <translation>事件之后程序占用的请求字节数。</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>活跃</translation>
    </message>
    <message>
        <source>Allocated, and released blocks that wait for their streams.</source>
        <translation>已分配的，以及已释放但仍等待流完成的块。</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>已预留</translation>
    </message>
    <message>
        <source>Bytes of all segments after the event.</source>
        <translation>事件之后所有段的字节数。</translation>
    </message>
    <message>
        <source>Bytes reserved.</source>
        <translation>预留的字节数。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Bytes that the program wanted of it.</source>
        <translation>程序在其中请求的字节数。</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>The same with rounding. Of past blocks the rounding is computed: up to a multiple of 512.</source>
        <translation>取整后的同一数值。较早块的取整由计算得出：向上取整到 512 的倍数。</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Holes</source>
        <translation>空洞</translation>
    </message>
    <message>
        <source>Parts that nothing uses.</source>
        <translation>无人使用的部分。</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Bytes of the holes.</source>
        <translation>空洞的字节数。</translation>
    </message>
    <message>
        <source>Largest hole</source>
        <translation>最大空洞</translation>
    </message>
    <message>
        <source>Scattered</source>
        <translation>分散程度</translation>
    </message>
    <message>
        <source>1 - largest hole / free: the share of the free bytes that is in smaller holes.</source>
        <translation>1 - 最大空洞 / 空闲：空闲字节中位于较小空洞的比例。</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Requested bytes of its blocks in the first state.</source>
        <translation>第一个状态下其块的请求字节数。</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>The same in the second one.</source>
        <translation>第二个状态下的同一数值。</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Blocks before</source>
        <translation>之前的块数</translation>
    </message>
    <message>
        <source>Blocks after</source>
        <translation>之后的块数</translation>
    </message>
    <message>
        <source>Annotation</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>user_metadata: what the program set with _set_memory_metadata or _annotate_tensor. Search with: annotation ~ &quot;forward&quot;</source>
        <translation>user_metadata：程序通过 _set_memory_metadata 或 _annotate_tensor 设置的内容。查找：annotation ~ &quot;forward&quot;</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>time_us, since the first event that has one.</source>
        <translation>time_us，从第一个有时间的事件起算。</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>内存池</translation>
    </message>
    <message>
        <source>segment_pool_id: (0, 0) is the common pool, any other one of a graph or of the program, whose holes nothing else can use.</source>
        <translation>segment_pool_id：(0, 0) 为公共内存池，其他为图或程序自有的内存池，其空洞不能为别处所用。</translation>
    </message>
    <message>
        <source>Expandable: the file says so, or parts of it were mapped within the history.</source>
        <translation>可扩展：文件如此记录，或其中一部分在历史中被映射过。</translation>
    </message>
    <message>
        <source>Growth per step</source>
        <translation>每步增长</translation>
    </message>
    <message>
        <source>Growth per 1,000 events</source>
        <translation>每 1,000 个事件增长</translation>
    </message>
    <message>
        <source>Slope of a straight line through the bytes of the stack at the ends of the steps.</source>
        <translation>该调用栈在各步结束时占用量的拟合直线斜率。</translation>
    </message>
    <message>
        <source>Slope of a straight line through the sum of the bytes that remain.</source>
        <translation>该调用栈保留量累计值的拟合直线斜率。</translation>
    </message>
    <message>
        <source>Half of the slope&apos;s 95 % interval (Student).</source>
        <translation>斜率 95% 置信区间的一半（学生 t 分布）。</translation>
    </message>
    <message>
        <source>How well the line fits: 100 % if all points lie on it.</source>
        <translation>直线的拟合程度：所有点都在直线上时为 100%。</translation>
    </message>
    <message>
        <source>Remaining</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Bytes of its blocks that are there at the end; of a stack that also releases blocks, the growth from the start of the first step to the end of the last one.</source>
        <translation>末尾仍存在的块的字节数；若该调用栈也释放内存块，则为最后一步结束时比第一步开始时多占用的部分。</translation>
    </message>
    <message>
        <source>Allocated within the history, and there at its end.</source>
        <translation>在历史中分配，且末尾仍存在。</translation>
    </message>
    <message>
        <source>Size of one</source>
        <translation>单块大小</translation>
    </message>
    <message>
        <source>The median.</source>
        <translation>中位数。</translation>
    </message>
    <message>
        <source>Blocks that it allocated and released.</source>
        <translation>该调用栈分配后又释放的块数。</translation>
    </message>
    <message>
        <source>Steady</source>
        <translation>持续增长</translation>
    </message>
    <message>
        <source>Yes: at the end of a step it never has fewer bytes than before it. Without steps: what remains was allocated over at least half of the history.</source>
        <translation>是：每步结束时的占用量从不少于该步之前。无法识别训练步时：其保留的块的分配至少跨越半个历史。</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>消失</translation>
    </message>
    <message>
        <source>Allocated by the program</source>
        <translation>程序已分配</translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>取整</translation>
    </message>
    <message>
        <source>Reserved in all</source>
        <translation>预留合计</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>New: it is there in the second state only. Gone: in the first one only. In two snapshots a block is the same if address, size, call stack and, where it is recorded, the time of its allocation are.</source>
        <translation>新增：仅在第二个状态中存在。消失：仅在第一个状态中存在。在两个快照中，地址、大小、调用栈以及（有记录时）分配时间均相同的块视为同一个块。</translation>
    </message>
    <message>
        <source>Bytes that the program wanted.</source>
        <translation>程序请求的字节数。</translation>
    </message>
    <message>
        <source>In the history of its own snapshot. Empty: before the history.</source>
        <translation>在其自身快照的历史中。为空：早于历史。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>What the pool&apos;s memory is: the parts add up to what is reserved. Of past blocks the rounding is computed: up to a multiple of 512.</source>
        <translation>内存池中的内存构成：各部分合计为已预留内存。过去的块其取整由计算得出：向上取整到 512 的倍数。</translation>
    </message>
    <message>
        <source>Bytes in the first state.</source>
        <translation>第一个状态中的字节数。</translation>
    </message>
    <message>
        <source>(no call stack)</source>
        <translation>（无调用栈）</translation>
    </message>
</context>
<context>
    <name>altiscope::SnapshotTexts</name>
    <message>
        <source>%1, host memory</source>
        <comment>rank</comment>
        <translation>%1，主机内存</translation>
    </message>
    <message>
        <source>%1, NPU %2</source>
        <comment>rank, device</comment>
        <translation>%1，NPU %2</translation>
    </message>
    <message>
        <source>No memory snapshot: %1.</source>
        <translation>没有内存快照：%1。</translation>
    </message>
    <message>
        <source>torch_npu writes one with torch.npu.memory._record_memory_history() at the start of the program and torch.npu.memory._dump_snapshot(&quot;snapshot.pickle&quot;) later (on GPUs torch.cuda.memory), MindSpeed-MM with memory_profile in tool.json. Open the file, or put it into the folder of its rank.</source>
        <translation>torch_npu：在程序开头调用 torch.npu.memory._record_memory_history()，之后调用 torch.npu.memory._dump_snapshot(&quot;snapshot.pickle&quot;)（GPU 上为 torch.cuda.memory）；MindSpeed-MM：在 tool.json 中启用 memory_profile。请打开该文件，或把它放入其卡的文件夹。</translation>
    </message>
    <message>
        <source>Before the history</source>
        <translation>历史之前</translation>
    </message>
    <message>
        <source>Event %1</source>
        <translation>事件 %1</translation>
    </message>
    <message>
        <source>no call stack</source>
        <translation>无调用栈</translation>
    </message>
</context>
<context>
    <name>altiscope::SqlHints</name>
    <message>
        <source>Table %1: %2</source>
        <comment>name, meaning</comment>
        <translation>表 %1：%2</translation>
    </message>
    <message>
        <source>%1: function of SQLite</source>
        <translation>%1：SQLite 函数</translation>
    </message>
</context>
<context>
    <name>altiscope::SqlPage</name>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>Statements over all tables of a capture, and their rows.</source>
        <translation>对采集数据的所有表执行语句，并查看结果行。</translation>
    </message>
    <message>
        <source>The capture is being read. Statements can run when reading is complete.</source>
        <translation>正在读取采集数据。全部读取后即可运行语句。</translation>
    </message>
    <message>
        <source>No tables</source>
        <translation>没有表</translation>
    </message>
    <message>
        <source>Not read, and so without events in the tables: %1.</source>
        <translation>未读取，因此表中没有其事件：%1。</translation>
    </message>
    <message>
        <source>There is no statement at the cursor.</source>
        <translation>光标处没有语句。</translation>
    </message>
    <message>
        <source>The statement has failed</source>
        <translation>语句执行失败</translation>
    </message>
    <message>
        <source>There was not enough memory for its rows.</source>
        <translation>内存不足以保存其结果行。</translation>
    </message>
    <message>
        <source>The statement cannot run</source>
        <translation>语句无法运行</translation>
    </message>
    <message>
        <source>This row has no slice_id, nor a time with a rank or track.</source>
        <translation>此行没有 slice_id，也没有带卡或泳道的时间。</translation>
    </message>
    <message>
        <source>Save the query</source>
        <translation>保存查询</translation>
    </message>
    <message>
        <source>Name (one of the same name is replaced):</source>
        <translation>名称（同名查询将被替换）：</translation>
    </message>
    <message>
        <source>Not saved: without a name, too long, or too many queries.</source>
        <translation>未保存：没有名称、过长或查询过多。</translation>
    </message>
    <message>
        <source>Write all rows</source>
        <translation>写出全部行</translation>
    </message>
    <message>
        <source>Cancelled; %1 is not written.</source>
        <translation>已取消；未写出 %1。</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>1 row written to %1</source>
        <translation>已将 1 行写入 %1</translation>
    </message>
    <message>
        <source>%1 rows written to %2</source>
        <translation>已将 %1 行写入 %2</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Run the statement at the cursor, or the selected one (Ctrl+Enter, F5)</source>
        <translation>运行光标处或选中的语句 (Ctrl+Enter, F5)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stop the statement that is running (Esc)</source>
        <translation>停止正在运行的语句 (Esc)</translation>
    </message>
    <message>
        <source>New tab</source>
        <translation>新标签页</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>关闭标签页</translation>
    </message>
    <message>
        <source>Next tab</source>
        <translation>下一个标签页</translation>
    </message>
    <message>
        <source>Previous tab</source>
        <translation>上一个标签页</translation>
    </message>
    <message>
        <source>Rename tab…</source>
        <translation>重命名标签页…</translation>
    </message>
    <message>
        <source>&amp;Save query…</source>
        <translation>保存查询(&amp;S)…</translation>
    </message>
    <message>
        <source>Keep the statement at the cursor under a name (Ctrl+S)</source>
        <translation>为光标处的语句命名并保存 (Ctrl+S)</translation>
    </message>
    <message>
        <source>&amp;Write all rows…</source>
        <translation>写出全部行(&amp;W)…</translation>
    </message>
    <message>
        <source>Run the statement again and write all of its rows to a file, however many (Ctrl+Shift+S)</source>
        <translation>重新运行语句，并将其全部行写入文件，行数不限 (Ctrl+Shift+S)</translation>
    </message>
    <message>
        <source>Show executed statements</source>
        <translation>显示运行过的语句</translation>
    </message>
    <message>
        <source>Show queries</source>
        <translation>显示查询</translation>
    </message>
    <message>
        <source>&amp;Time limit</source>
        <translation>时间限制(&amp;T)</translation>
    </message>
    <message>
        <source>A statement that takes longer ends, with the rows that it has found</source>
        <translation>超过此时间的语句会结束，并显示已找到的行</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>Parameters of the statement</source>
        <translation>语句的参数</translation>
    </message>
    <message>
        <source>Go to the rows</source>
        <translation>转到结果行</translation>
    </message>
    <message>
        <source>Go to the statements</source>
        <translation>转到语句</translation>
    </message>
    <message>
        <source>A track needs the columns ts and dur, or start_ts and end_ts, as whole ns.</source>
        <translation>泳道需要列 ts 和 dur，或 start_ts 和 end_ts，且为整数 ns。</translation>
    </message>
    <message>
        <source>Query: %1</source>
        <comment>a track of the timeline</comment>
        <translation>查询：%1</translation>
    </message>
    <message>
        <source>No row has a time and a rank of the capture: there is nothing to show.</source>
        <translation>没有一行含有时间和该采集数据中的卡：没有可显示的内容。</translation>
    </message>
    <message>
        <source>%1 rows are shown in the timeline as &quot;%2&quot;.</source>
        <translation>%1 行已作为“%2”显示在时间线中。</translation>
    </message>
    <message>
        <source>%1 have no time or rank.</source>
        <translation>%1 行没有时间或卡。</translation>
    </message>
    <message>
        <source>%1 more exceed the limit.</source>
        <translation>另有 %1 行超出上限。</translation>
    </message>
    <message>
        <source>As &amp;track</source>
        <translation>作为泳道(&amp;T)</translation>
    </message>
    <message>
        <source>Show the rows as a track of the timeline, by their columns ts and dur, rank_id or track_id, and name (Ctrl+Shift+T)</source>
        <translation>按列 ts 和 dur、rank_id 或 track_id 以及 name 把行显示为时间线的泳道（Ctrl+Shift+T）</translation>
    </message>
    <message>
        <source>&quot;%1&quot; of the workspace could not be computed again.</source>
        <translation>工作区中的“%1”未能重新计算。</translation>
    </message>
</context>
<context>
    <name>altiscope::StackPanel</name>
    <message numerus="yes">
        <source>%1 in %n block(s)</source>
        <translation>
            <numerusform>%1，共 %n 块</numerusform>
        </translation>
    </message>
    <message>
        <source>Found: %1</source>
        <translation>找到：%1</translation>
    </message>
    <message>
        <source>Allocated in the history and never released</source>
        <translation>历史中分配且从未释放</translation>
    </message>
    <message>
        <source>All allocations (of the marked events)</source>
        <translation>全部分配（标记的事件内）</translation>
    </message>
    <message>
        <source>Which blocks</source>
        <translation>哪些块</translation>
    </message>
    <message>
        <source>Find frames: file or function</source>
        <translation>查找帧：文件或函数</translation>
    </message>
    <message>
        <source>Find frames</source>
        <translation>查找帧</translation>
    </message>
    <message>
        <source>Call stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>In use at the selected event</source>
        <translation>所选事件时使用中</translation>
    </message>
    <message>
        <source>In use at the peak</source>
        <translation>峰值时使用中</translation>
    </message>
    <message>
        <source>&amp;List the blocks of this frame</source>
        <translation>列出此帧的块(&amp;L)</translation>
    </message>
    <message numerus="yes">
        <source>%n frame(s), %1</source>
        <translation>
            <numerusform>%n 帧，%1</numerusform>
        </translation>
    </message>
    <message>
        <source>No block is there.</source>
        <translation>没有块。</translation>
    </message>
</context>
<context>
    <name>altiscope::StackSource</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation>
            <numerusform>%n 块</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::StartPage</name>
    <message>
        <source>&amp;Recent captures</source>
        <translation>最近打开的采集数据(&amp;R)</translation>
    </message>
    <message>
        <source>Recent captures</source>
        <translation>最近打开的采集数据</translation>
    </message>
    <message>
        <source>%1   %2</source>
        <comment>name, folder</comment>
        <translation>%1   %2</translation>
    </message>
</context>
<context>
    <name>altiscope::StartTexts</name>
    <message>
        <source>Choose at least one target on the left.</source>
        <translation>请在左侧至少选择一个目标。</translation>
    </message>
    <message>
        <source>%1 is not a target.</source>
        <translation>%1 不是有效目标。</translation>
    </message>
    <message>
        <source>Give the configuration file as the job uses it, on the target.</source>
        <translation>请给出作业在目标上使用的配置文件。</translation>
    </message>
    <message>
        <source>Give the command that starts the job.</source>
        <translation>请给出启动作业的命令。</translation>
    </message>
    <message>
        <source>Put the lines into your program. To have it watched, give the command that starts it.</source>
        <translation>请将这些代码写入您的程序。若要监视它，请给出启动它的命令。</translation>
    </message>
    <message>
        <source>Give the folder for results: the settings do not name it, or only relative to where the job runs.</source>
        <translation>请给出结果文件夹：设置未指定，或仅相对于作业的运行目录。</translation>
    </message>
    <message>
        <source>The configuration cannot be used; see the preview.</source>
        <translation>配置不可用；详见预览。</translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) to correct: %1</source>
        <translation>
            <numerusform>有 %n 项设置需要更正：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <comment>between settings</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more target(s)</source>
        <translation>
            <numerusform>%1 及另外 %n 个目标</numerusform>
        </translation>
    </message>
    <message>
        <source>On %1: %2 is changed as shown, the command is started, and the file is restored after recording.</source>
        <translation>在 %1 上：按所示修改 %2 并启动命令，全部采集完成后恢复该文件。</translation>
    </message>
    <message>
        <source>On %1: %2 is changed as shown; the running job takes it up by itself, and the file is restored after recording.</source>
        <translation>在 %1 上：按所示修改 %2；运行中的作业会自行读取，全部采集完成后恢复该文件。</translation>
    </message>
    <message>
        <source>On %1: %2 is changed as shown; then you start the job, and the file is restored after recording.</source>
        <translation>在 %1 上：按所示修改 %2；随后由您启动作业，全部采集完成后恢复该文件。</translation>
    </message>
    <message>
        <source>On %1: the command is started with the options shown.</source>
        <translation>在 %1 上：以所示选项启动命令。</translation>
    </message>
    <message>
        <source>On %1: the command is started with the variable shown.</source>
        <translation>在 %1 上：以所示环境变量启动命令。</translation>
    </message>
    <message>
        <source>On %1: the command is started and watched; its program has the lines shown.</source>
        <translation>在 %1 上：启动并监视命令；其程序含有所示代码。</translation>
    </message>
    <message>
        <source>On %1: msprof attaches to the process and records it; the process goes on.</source>
        <translation>在 %1 上：msprof 附加到进程并采集；进程继续运行。</translation>
    </message>
    <message>
        <source>On %1: msprof runs the command and records it.</source>
        <translation>在 %1 上：由 msprof 运行命令并采集。</translation>
    </message>
    <message>
        <source>Then its results are copied here.</source>
        <translation>随后将结果复制到本机。</translation>
    </message>
    <message>
        <source>Then its results are copied here and opened.</source>
        <translation>随后将结果复制到本机并打开。</translation>
    </message>
    <message>
        <source>Its results stay there until you fetch them.</source>
        <translation>结果保留在原处，直到您获取。</translation>
    </message>
    <message>
        <source>On %1: the daemon of msMonitor is sent the message shown; the running job records.</source>
        <translation>在 %1 上：向 msMonitor 守护进程发送所示消息；运行中的作业进行采集。</translation>
    </message>
    <message>
        <source>On %1: the service is called as shown; it goes on after its recording.</source>
        <translation>在 %1 上：按所示方式调用服务；采集后服务继续运行。</translation>
    </message>
</context>
<context>
    <name>altiscope::StaticPanel</name>
    <message numerus="yes">
        <source>%n operator(s), at most %1 in use at a node.</source>
        <translation>
            <numerusform>%n 个算子，单个节点最多占用 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>The file says %1 in total.</source>
        <translation>文件记录的总量为 %1。</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>Graph without a name</source>
        <translation>无名图</translation>
    </message>
    <message>
        <source>Graph %1</source>
        <translation>图 %1</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Static memory by node</source>
        <translation>各节点的静态内存</translation>
    </message>
    <message>
        <source>Static memory</source>
        <translation>静态内存</translation>
    </message>
</context>
<context>
    <name>altiscope::StatusFacts</name>
    <message>
        <source>%1 slices so far</source>
        <translation>已读取 %1 个切片</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 个切片</translation>
    </message>
    <message>
        <source>%1 slices in all open captures</source>
        <translation>所有已打开的采集数据共 %1 个切片</translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 条警告</numerusform>
        </translation>
    </message>
    <message>
        <source>Show the import report</source>
        <translation>显示导入报告</translation>
    </message>
    <message>
        <source>source: %1</source>
        <translation>来源：%1</translation>
    </message>
    <message>
        <source>Where the numbers come from: text files, a database, raw data, or results for a cluster.</source>
        <translation>数值来源：文本文件、数据库、原始数据或集群分析结果。</translation>
    </message>
</context>
<context>
    <name>altiscope::StepBand</name>
    <message>
        <source>Step %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>from %1, %2 long</source>
        <translation>起于 %1，时长 %2</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>Step 5 of Rank 3</comment>
        <translation>%2 的%1</translation>
    </message>
    <message>
        <source>Click: show this step only, on all pages. Double click: zoom to it, too.</source>
        <translation>单击：所有页面仅显示该步。双击：同时缩放到该步。</translation>
    </message>
</context>
<context>
    <name>altiscope::StepBars</name>
    <message>
        <source>Base: %1</source>
        <translation>基准：%1</translation>
    </message>
    <message>
        <source>Current: %1</source>
        <translation>当前：%1</translation>
    </message>
    <message>
        <source>Parts of a step on both sides</source>
        <translation>两侧 步的组成</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>当前</translation>
    </message>
</context>
<context>
    <name>altiscope::StepMarks</name>
    <message>
        <source>%1: at %2</source>
        <translation>%1：位于 %2</translation>
    </message>
    <message>
        <source>%1: from %2, %3 long</source>
        <translation>%1：自 %2 起，长 %3</translation>
    </message>
    <message>
        <source>Marked time: from %1, %2 long</source>
        <translation>标记时间：自 %1 起，长 %2</translation>
    </message>
</context>
<context>
    <name>altiscope::StepPlotPanel</name>
    <message>
        <source>By rank</source>
        <translation>按卡</translation>
    </message>
    <message>
        <source>By step</source>
        <translation>按步</translation>
    </message>
    <message>
        <source>Variation over steps</source>
        <translation>随步变化</translation>
    </message>
    <message>
        <source>Ranks and steps</source>
        <translation>卡 × 步</translation>
    </message>
    <message>
        <source>Distribution by rank</source>
        <translation>按卡的分布</translation>
    </message>
    <message>
        <source>Distribution of step times</source>
        <translation>步时间分布</translation>
    </message>
    <message>
        <source>Kernels of %1</source>
        <translation>%1 的各次执行</translation>
    </message>
    <message>
        <source>&amp;Kernel time</source>
        <translation>NPU 算子耗时(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Step time</source>
        <translation>步时间(&amp;S)</translation>
    </message>
    <message>
        <source>No individual kernels of this type are recorded within the filter of all pages.</source>
        <translation>所有页面的筛选范围内没有采集到该类型的单次执行。</translation>
    </message>
    <message>
        <source>No step times are recorded or computed.</source>
        <translation>没有采集到或计算出步时间。</translation>
    </message>
    <message>
        <source>Nothing is within the filter of all pages.</source>
        <translation>所有页面的筛选范围内没有数据。</translation>
    </message>
    <message>
        <source>What the plot shows</source>
        <translation>图表内容</translation>
    </message>
    <message>
        <source>The capture is being read.</source>
        <translation>正在读取采集数据。</translation>
    </message>
    <message>
        <source>By step, beside the base</source>
        <translation>按步，与基准并列</translation>
    </message>
    <message>
        <source>By rank, beside the base</source>
        <translation>按卡，与基准并列</translation>
    </message>
    <message>
        <source>See the pages: %1</source>
        <translation>请查看页面：%1</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a list</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Phases of the steps</source>
        <translation>各步的阶段</translation>
    </message>
</context>
<context>
    <name>altiscope::StepPlots</name>
    <message>
        <source>Computing alone</source>
        <translation>仅计算</translation>
    </message>
    <message>
        <source>Overlapped</source>
        <translation>计算通信重叠</translation>
    </message>
    <message>
        <source>Exposed communication</source>
        <translation>未掩盖通信</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>流水线空泡</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Total: %1</source>
        <translation>总计：%1</translation>
    </message>
    <message>
        <source>Mean of %1 bars that share this pixel; the line spans minimum to maximum.</source>
        <translation>此处 %1 个柱的平均值；竖线从最小到最大。</translation>
    </message>
    <message>
        <source>Rank (mean of its steps)</source>
        <translation>卡（各步平均）</translation>
    </message>
    <message>
        <source>Step, its parts are not recorded</source>
        <translation>整步，未采集其组成</translation>
    </message>
    <message>
        <source>%1; left out, as their events are not whole: %2</source>
        <translation>%1；因事件不完整而未计入：%2</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>Step of rank %1</source>
        <translation>卡 %1 的步</translation>
    </message>
    <message>
        <source>Step (mean of the ranks)</source>
        <translation>步（各卡平均）</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>步 %1</translation>
    </message>
    <message>
        <source>Mean of the ranks</source>
        <translation>各卡平均</translation>
    </message>
    <message>
        <source>Step (line: mean of the ranks; band: fastest to slowest)</source>
        <translation>步（线：各卡平均；带：最快至最慢）</translation>
    </message>
    <message>
        <source>Step %1
Mean: %2
Fastest: %3
Slowest: %4</source>
        <translation>步 %1
平均：%2
最快：%3
最慢：%4</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步时间</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>Rank %1, step %2: %3</source>
        <translation>卡 %1，步 %2：%3</translation>
    </message>
    <message>
        <source>%1 of %2 (%3)
from %4 to %5</source>
        <translation>%1 / %2（%3）
从 %4 到 %5</translation>
    </message>
    <message>
        <source>Rank (box: middle half of its steps; line: median; ends: fastest and slowest)</source>
        <translation>卡（箱：中间一半的步；线：中位数；两端：最快和最慢）</translation>
    </message>
    <message numerus="yes">
        <source>Rank %1: %n step(s)
Fastest: %2
Lower quartile: %3
Median: %4
Upper quartile: %5
Slowest: %6</source>
        <translation>
            <numerusform>卡 %1：%n 步
最快：%2
下四分位：%3
中位数：%4
上四分位：%5
最慢：%6</numerusform>
        </translation>
    </message>
    <message>
        <source>Of %1 ranks that share this pixel it has the largest median.</source>
        <translation>在共用此处的 %1 张卡中，其中位数最大。</translation>
    </message>
    <message>
        <source>Steps of all ranks</source>
        <translation>所有卡的步数</translation>
    </message>
    <message>
        <source>Duration of %1</source>
        <translation>%1 的耗时</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>NPU 算子</translation>
    </message>
    <message>
        <source>Difference from the base:</source>
        <translation>与基准的差异：</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Mean of the steps</source>
        <translation>各步的平均</translation>
    </message>
    <message>
        <source>Base, %1: %2</source>
        <translation>基准 %1：%2</translation>
    </message>
    <message>
        <source>Rank (mean of its steps); right: the base</source>
        <translation>卡（各步平均），右侧为基准</translation>
    </message>
    <message>
        <source>Step (mean of the ranks); right: the base</source>
        <translation>步（各卡平均），右侧为基准</translation>
    </message>
    <message>
        <source>Iteration interval</source>
        <translation>迭代间隔</translation>
    </message>
    <message>
        <source>Forward and backward</source>
        <translation>前向与反向</translation>
    </message>
    <message>
        <source>Tail</source>
        <translation>拖尾</translation>
    </message>
    <message>
        <source>Reduces</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>Step (mean of the ranks); right: its reduces, which run meanwhile</source>
        <translation>步（各卡平均），右侧为与之同时进行的归约</translation>
    </message>
</context>
<context>
    <name>altiscope::StoragePage</name>
    <message>
        <source>Folder of the cache</source>
        <translation>缓存文件夹</translation>
    </message>
    <message>
        <source>Enter the whole path of a folder.</source>
        <translation>请输入文件夹的完整路径。</translation>
    </message>
    <message>
        <source>This folder lies in a capture, in which nothing is written. The cache stays where it was.</source>
        <translation>该文件夹位于采集数据中，其中不会写入任何内容。缓存位置未改变。</translation>
    </message>
    <message>
        <source>This folder is another user&apos;s, or others may write into it: what lies there could be anybody&apos;s. The cache stays where it was.</source>
        <translation>该文件夹属于其他用户，或其他用户可以写入：其中的内容可能来自任何人。缓存位置未改变。</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>空</translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n entry(ies)</source>
        <translation>
            <numerusform>%1，共 %n 个条目</numerusform>
        </translation>
    </message>
    <message>
        <source>The cache keeps what was read, so that a capture opens faster the next time.</source>
        <translation>缓存保存已读取的内容，再次打开采集数据时更快。</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <source>Li&amp;mit</source>
        <translation>上限(&amp;M)</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>The entries that were not used for longest go first, with the next capture that is read</source>
        <translation>下次读取采集数据时，先删除最久未使用的条目</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>清空(&amp;C)</translation>
    </message>
    <message>
        <source>Removes all entries: captures are read anew</source>
        <translation>删除全部条目：采集数据将重新读取</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Read &amp;up to</source>
        <translation>读取上限(&amp;U)</translation>
    </message>
    <message>
        <source>Automatic (%1)</source>
        <translation>自动（%1）</translation>
    </message>
    <message>
        <source>A capture that takes more opens with its first ranks; the others are read on request. Counts for captures that open from now on.</source>
        <translation>超过该内存的采集数据只打开前几张卡，其余按需读取。对此后打开的采集数据生效。</translation>
    </message>
</context>
<context>
    <name>altiscope::TablePanel</name>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>the first %1 rows; the others follow</source>
        <translation>前 %1 行，其余随后显示</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 of %2 rows</source>
        <translation>%1 / %2 行</translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>已选 %1 行</translation>
    </message>
    <message>
        <source>matching this pattern takes too long for some texts, which do not match</source>
        <translation>部分文本匹配此表达式耗时过长，按不匹配处理</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
</context>
<context>
    <name>altiscope::TargetList</name>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Jobs of this machine, without ssh</source>
        <translation>本机上的作业，不使用 ssh</translation>
    </message>
    <message>
        <source>%1, an alias of your ssh configuration</source>
        <translation>%1，您的 ssh 配置中的别名</translation>
    </message>
    <message>
        <source>%1, added here</source>
        <translation>%1，在此添加</translation>
    </message>
    <message>
        <source>Give an alias of your ssh configuration, or [user@]host[:port].</source>
        <translation>请给出 ssh 配置中的别名，或 [user@]host[:port]。</translation>
    </message>
    <message>
        <source>&amp;Targets</source>
        <translation>目标(&amp;T)</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Host to add</source>
        <translation>要添加的主机</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Adds a host and chooses it</source>
        <translation>添加主机并选中</translation>
    </message>
    <message>
        <source>Removes the host that was added here</source>
        <translation>移除在此添加的主机</translation>
    </message>
    <message>
        <source>Remove the host</source>
        <translation>移除主机</translation>
    </message>
    <message>
        <source>user@host</source>
        <translation>user@host</translation>
    </message>
    <message>
        <source>An alias of your ssh configuration, or [user@]host[:port]</source>
        <translation>ssh 配置中的别名，或 [user@]host[:port]</translation>
    </message>
    <message>
        <source>Choose a host file</source>
        <translation>选择主机文件</translation>
    </message>
    <message>
        <source>Hosts of a file</source>
        <translation>文件中的主机</translation>
    </message>
    <message>
        <source>Chooses the hosts of a file, one per line, as DeepSpeed and Open MPI read it: HOST slots=8</source>
        <translation>选择文件中的主机，每行一个，格式同 DeepSpeed 和 Open MPI：HOST slots=8</translation>
    </message>
</context>
<context>
    <name>altiscope::ThresholdModel</name>
    <message>
        <source>%1 %2
F2 or a double click changes it.</source>
        <comment>value, unit</comment>
        <translation>%1 %2
按 F2 或双击修改。</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>What it decides</source>
        <translation>作用</translation>
    </message>
</context>
<context>
    <name>altiscope::ThresholdsPanel</name>
    <message>
        <source>&quot;%1&quot; is not accepted: enter a number above 0, a share of at most 100 %; units are ns µs ms s, B KiB MiB, GB/s, %.</source>
        <translation>无法接受“%1”：须为大于 0 的数，比例至多 100%；单位为 ns µs ms s、B KiB MiB、GB/s、%。</translation>
    </message>
    <message>
        <source>The rules use these thresholds. A double click or F2 changes one; it takes effect at once, here and on the overview.</source>
        <translation>各规则按这些数值判定。双击或按 F2 修改，在此页和概览中立即生效。</translation>
    </message>
    <message numerus="yes">
        <source>%n threshold(s) differ from the default. altiscope-cli goes by the defaults.</source>
        <translation>
            <numerusform>%n 个阈值与默认值不同。altiscope-cli 使用默认值。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>重置(&amp;R)</translation>
    </message>
    <message>
        <source>Resets the chosen thresholds to their defaults</source>
        <translation>将所选阈值恢复为默认值</translation>
    </message>
    <message>
        <source>Reset &amp;all</source>
        <translation>全部重置(&amp;A)</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>阈值</translation>
    </message>
</context>
<context>
    <name>altiscope::TimeRuler</name>
    <message>
        <source>Time axis</source>
        <translation>时间轴</translation>
    </message>
    <message>
        <source>Time since the start of the run. Drag to mark a range, double click to show the whole run. Double click a mark to rename it.</source>
        <translation>自运行开始起的时间。拖动可标记范围，双击显示全部。双击标记可重命名。</translation>
    </message>
</context>
<context>
    <name>altiscope::TimeTables</name>
    <message>
        <source>From the first to the last task of the main stream; from communication files, or the collective&apos;s slice where it is computed.</source>
        <translation>主流上从首个任务到最后一个任务的时间；取自通信文件，计算得出时取集合通信的切片。</translation>
    </message>
    <message>
        <source>Moving data on the main stream. Computed where no file has it, but not where RDMA was used: its bursts cannot be identified from events.</source>
        <translation>主流上传输数据的时间。没有文件时由计算得出，但使用 RDMA 时除外：无法从事件分辨其传输段。</translation>
    </message>
    <message>
        <source>Sum of Notify_Wait on the main stream.</source>
        <translation>主流上 Notify_Wait 之和。</translation>
    </message>
    <message>
        <source>The part of the wait before the first data moved.</source>
        <translation>首次传输数据之前的等待部分。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>总耗时</translation>
    </message>
    <message>
        <source>Transit</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Synchronization</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Synchronization ratio</source>
        <translation>同步占比</translation>
    </message>
    <message>
        <source>Wait ratio</source>
        <translation>等待占比</translation>
    </message>
    <message>
        <source>Came last</source>
        <translation>最后到达</translation>
    </message>
    <message>
        <source>Collectives in which this rank was clearly the last to come: in them for the shortest time of all ranks of the group, by the median of absolute distances (0.6745 * (median - shortest) / MAD &gt; 3.5) and by 5 % of the median; of fewer than four ranks by 20 % of it. Sends and receives do not count.</source>
        <translation>此卡明显最后到达的集合通信数：在其中停留的时间为通信域各卡最短，按绝对偏差中位数判断（0.6745 * (中位数 - 最短) / MAD &gt; 3.5）且相差超过中位数的 5%；少于四张卡时为 20%。不含发送和接收。</translation>
    </message>
    <message>
        <source>Others waited</source>
        <translation>他卡等待</translation>
    </message>
    <message>
        <source>In these, the sum over the other ranks of their elapsed time - that of this rank.</source>
        <translation>在这些集合通信中，其他各卡总耗时减去此卡总耗时之和。</translation>
    </message>
    <message>
        <source>Size / transit time over all planes; SDMA is HCCS, PCIE and SIO together.</source>
        <translation>所有 Plane 的大小 / 传输时间；SDMA 为 HCCS、PCIE 与 SIO 之和。</translation>
    </message>
    <message>
        <source>Size / transit time over all planes.</source>
        <translation>所有 Plane 的大小 / 传输时间。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>By its name, as the profiler sorts operators: a reduceScatter is a reduce.</source>
        <translation>按名称，与采集工具的分类一致：reduceScatter 归为 reduce。</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>通信域</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>On the rank&apos;s own clock.</source>
        <translation>按该卡自身的时钟。</translation>
    </message>
    <message>
        <source>Packet size</source>
        <translation>数据包大小</translation>
    </message>
    <message>
        <source>Packets</source>
        <translation>数据包</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Of all these packets, over all planes.</source>
        <translation>所有 Plane 上这些数据包的时间之和。</translation>
    </message>
    <message>
        <source>packet size * packets / time</source>
        <translation>数据包大小 * 数据包数 / 时间</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of the time of all packets of the transport.</source>
        <translation>占该传输方式所有数据包时间的比例。</translation>
    </message>
    <message>
        <source>On the common clock, where it could be aligned.</source>
        <translation>能够对齐时为公共时钟。</translation>
    </message>
    <message>
        <source>After the first</source>
        <translation>晚于最先者</translation>
    </message>
    <message>
        <source>Start - start on the rank that came first.</source>
        <translation>开始时间 - 最先到达的卡的开始时间。</translation>
    </message>
    <message>
        <source>Before the last</source>
        <translation>早于最后者</translation>
    </message>
    <message>
        <source>How long it was in it before the last rank came: elapsed - the shortest elapsed.</source>
        <translation>最后一张卡到达之前的停留时间：总耗时 - 最短总耗时。</translation>
    </message>
    <message>
        <source>Its name on that rank; numbers in names differ where ranks began to record at different times.</source>
        <translation>该卡上的名称；各卡开始采集的时刻不同时，名称中的编号会不同。</translation>
    </message>
    <message>
        <source>Of one packet: from the size distribution of communication.json, or computed from the tasks on the planes of the timeline where that is missing.</source>
        <translation>单个数据包的大小：取自 communication.json 的大小分布；缺少该文件时由时间线各 Plane 上的任务计算得出。</translation>
    </message>
    <message>
        <source>recorded; bandwidths computed</source>
        <translation>采集；带宽为计算</translation>
    </message>
    <message>
        <source>Recorded by the profiler in communication files, or computed by Altiscope from the timeline where these are missing, or where a part of a step is wanted.</source>
        <translation>由采集工具记录在通信文件中；缺少这些文件或只取步的一部分时，由时间线计算。</translation>
    </message>
</context>
<context>
    <name>altiscope::TimeView</name>
    <message>
        <source>Show in the &amp;timeline</source>
        <translation>在时间线中显示(&amp;T)</translation>
    </message>
    <message>
        <source>Show it on &amp;all ranks</source>
        <translation>在所有卡上显示(&amp;A)</translation>
    </message>
    <message>
        <source>Transit</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Synchronization</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>Other waits</source>
        <translation>其他等待</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Transit not recorded</source>
        <translation>传输未记录</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>%1 ranks: the bar is their mean</source>
        <translation>%1 张卡：柱为其平均值</translation>
    </message>
    <message>
        <source>Elapsed: %1</source>
        <translation>总耗时：%1</translation>
    </message>
    <message>
        <source>Transit: %1</source>
        <translation>传输：%1</translation>
    </message>
    <message>
        <source>Wait: %1, of which synchronization: %2</source>
        <translation>等待：%1，其中同步：%2</translation>
    </message>
    <message>
        <source>Wait ratio: %1</source>
        <translation>等待占比：%1</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>所有卡</translation>
    </message>
    <message>
        <source>Time of packets of a size</source>
        <translation>各大小数据包的时间</translation>
    </message>
    <message>
        <source>Packet size</source>
        <translation>数据包大小</translation>
    </message>
    <message>
        <source>%1 packets of %2 by %3: %4</source>
        <translation>%1 个 %2 的数据包，经 %3：%4</translation>
    </message>
    <message>
        <source>paired by step, group, type and order, as there are no events to compare</source>
        <translation>没有可比较的事件，按步、通信域、类型和顺序配对</translation>
    </message>
    <message>
        <source>&amp;Colour</source>
        <translation>颜色(&amp;C)</translation>
    </message>
    <message>
        <source>Type of operator</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>Share of waiting</source>
        <translation>等待占比</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Packets</source>
        <translation>数据包</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>One collective on all ranks</source>
        <translation>单个集合通信（所有卡）</translation>
    </message>
    <message>
        <source>Collectives over time</source>
        <translation>集合通信时间图</translation>
    </message>
    <message>
        <source>computed from the timeline</source>
        <translation>由时间线计算得出</translation>
    </message>
    <message>
        <source>No packet sizes: communication.json, analysis.db and the tasks on the planes of the timeline record them.</source>
        <translation>没有数据包大小：它们记录在 communication.json、analysis.db 以及时间线各 Plane 的任务中。</translation>
    </message>
    <message>
        <source>times %1; bandwidths %2</source>
        <comment>in a marked time; of whole steps</comment>
        <translation>时间：%1；带宽：%2</translation>
    </message>
    <message>
        <source>No time of it is recorded.</source>
        <translation>未记录它的时间。</translation>
    </message>
    <message>
        <source>Ranks aligned by the end of %1</source>
        <translation>各卡按 %1 的结束对齐</translation>
    </message>
    <message>
        <source>Ranks aligned by the start of %1</source>
        <translation>各卡按 %1 的开始对齐</translation>
    </message>
    <message>
        <source>Align all ranks by its &amp;end</source>
        <translation>各卡按其结束对齐(&amp;E)</translation>
    </message>
    <message>
        <source>Align all ranks by its &amp;start</source>
        <translation>各卡按其开始对齐(&amp;S)</translation>
    </message>
    <message>
        <source>Ranks by their o&amp;wn clocks</source>
        <translation>各卡按自身时钟(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Reset alignment</source>
        <translation>重置对齐(&amp;R)</translation>
    </message>
    <message>
        <source>Ranks by their own clocks (Shift+0)</source>
        <translation>各卡按自身时钟 (Shift+0)</translation>
    </message>
    <message>
        <source>On clocks of their own, which could not be aligned: %1. Start times of different ranks must not be compared; durations may.</source>
        <translation>使用各自的时钟、无法对齐：%1。不同卡的开始时间不可比较，时长可以。</translation>
    </message>
    <message>
        <source>%1 was found on no other rank that is shown and has its time recorded.</source>
        <translation>在其他已显示且记录了其时间的卡上没有找到 %1。</translation>
    </message>
    <message numerus="yes">
        <source>not found, or not among what is shown, on %n rank(s) of the group</source>
        <translation>
            <numerusform>在组内 %n 张卡上没有找到，或不在所显示的内容中</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineBindings</name>
    <message>
        <source>%1 no longer does: %2</source>
        <translation>%1 不再用于：%2</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineCanvas</name>
    <message>
        <source>Still loading, %1: the picture is not complete yet</source>
        <translation>仍在加载（%1）：画面尚不完整</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Tracks over time. Press the question mark for all shortcuts.</source>
        <translation>随时间变化的泳道。按问号键查看所有快捷键。</translation>
    </message>
    <message>
        <source>Reading was stopped: the picture is not complete</source>
        <translation>读取已停止：图片不完整</translation>
    </message>
    <message>
        <source>No rank is within the filter of all pages</source>
        <translation>没有卡在所有页面的筛选范围内</translation>
    </message>
    <message>
        <source>Flows</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Later slices</source>
        <translation>之后的切片</translation>
    </message>
    <message>
        <source>Earlier slices</source>
        <translation>之前的切片</translation>
    </message>
    <message>
        <source>No slice of this track is visible. Click: go to the nearest slice.</source>
        <translation>该泳道在可见范围内没有内容。单击：转到最近的切片。</translation>
    </message>
    <message>
        <source>Click: expand</source>
        <translation>单击：展开</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineClocks</name>
    <message>
        <source>The clocks of ranks are as recorded.</source>
        <translation>各卡时钟为采集时的原样。</translation>
    </message>
    <message>
        <source>No two ranks have collectives in common: their clocks are as recorded.</source>
        <translation>没有两张卡有共同的集合通信：时钟保持原样。</translation>
    </message>
    <message>
        <source>Clocks of %1 of %2 ranks are aligned, within %3.</source>
        <translation>已对齐 %2 张卡中 %1 张的时钟，误差不超过 %3。</translation>
    </message>
    <message>
        <source>Select a slice first: it becomes the base that others are aligned to.</source>
        <translation>请先选择一个切片：它将成为其他切片对齐的基准。</translation>
    </message>
    <message>
        <source>There is no base slice any more.</source>
        <translation>已取消基准切片。</translation>
    </message>
    <message>
        <source>This is the base slice. Select one of another rank: %1 aligns its start to the base&apos;s, %2 its end.</source>
        <translation>已设为基准切片。请选择另一张卡上的切片：%1 使其起点与基准对齐，%2 使其终点与基准对齐。</translation>
    </message>
    <message>
        <source>There is no base slice: select the slice that is to stay, and press %1 or choose &quot;Set as base slice&quot; in its menu.</source>
        <translation>没有基准切片：请选择保持不动的切片，按 %1 或在其菜单中选择“设为基准切片”。</translation>
    </message>
    <message>
        <source>Select the slice that is to be aligned to the base slice.</source>
        <translation>请选择要与基准切片对齐的切片。</translation>
    </message>
    <message>
        <source>The selected slice is on the rank of the base slice: all of a rank has one clock.</source>
        <translation>所选切片与基准切片在同一张卡上：一张卡只有一个时钟。</translation>
    </message>
    <message>
        <source>These slices are too far apart.</source>
        <translation>这两个切片相距过远。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>rank: by how much it was moved</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Select a slice first: all ranks are aligned by the same one of theirs.</source>
        <translation>请先选择一个切片：所有卡将按各自对应的切片对齐。</translation>
    </message>
    <message>
        <source>%1 of %2 ranks are aligned by occurrence %3 of %4. Ranks without it, which stay: %5</source>
        <translation>已按 %4 的第 %3 次出现对齐 %2 张卡中的 %1 张。没有该算子而保持不动的卡：%5</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineCompanions</name>
    <message>
        <source>Base: %1</source>
        <translation>基准：%1</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineDialogs</name>
    <message>
        <source>&amp;Linked slices</source>
        <translation>关联切片(&amp;L)</translation>
    </message>
    <message>
        <source>no slice</source>
        <translation>无切片</translation>
    </message>
    <message>
        <source>To %1 (%2)</source>
        <translation>去往 %1（%2）</translation>
    </message>
    <message>
        <source>From %1 (%2)</source>
        <translation>来自 %1（%2）</translation>
    </message>
    <message>
        <source>%1 more: see the details</source>
        <translation>另有 %1 个：请查看详情</translation>
    </message>
    <message>
        <source>&amp;Zoom to the slice</source>
        <translation>缩放到该切片(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;Mark its time</source>
        <translation>将其时间设为标记时间(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Copy name</source>
        <translation>复制名称(&amp;C)</translation>
    </message>
    <message>
        <source>Copy &amp;details as text</source>
        <translation>复制详情为文本(&amp;D)</translation>
    </message>
    <message>
        <source>Zoom to the &amp;selection</source>
        <translation>缩放到选区(&amp;S)</translation>
    </message>
    <message>
        <source>Show the &amp;whole run</source>
        <translation>显示整个运行(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Back to the previous view</source>
        <translation>返回上一视图(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Expand all tracks</source>
        <translation>展开所有泳道(&amp;E)</translation>
    </message>
    <message>
        <source>C&amp;ollapse all tracks</source>
        <translation>折叠所有泳道(&amp;O)</translation>
    </message>
    <message>
        <source>All &amp;keys</source>
        <translation>所有快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Only the marked &amp;time on all pages</source>
        <translation>所有页面仅显示标记时间(&amp;T)</translation>
    </message>
    <message>
        <source>By &amp;name</source>
        <translation>按名称(&amp;N)</translation>
    </message>
    <message>
        <source>By &amp;category</source>
        <translation>按类别(&amp;C)</translation>
    </message>
    <message>
        <source>By &amp;duration, short blue to long red</source>
        <translation>按时长(&amp;D)：短为蓝，长为红</translation>
    </message>
    <message>
        <source>By &amp;thread or stream</source>
        <translation>按线程或流(&amp;T)</translation>
    </message>
    <message>
        <source>By &amp;rank</source>
        <translation>按卡(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Colours of slices</source>
        <translation>切片颜色(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Find all like this</source>
        <translation>查找所有同名切片(&amp;F)</translation>
    </message>
    <message>
        <source>Add &amp;track to selection</source>
        <translation>将此泳道加入选中统计(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Align clocks of ranks</source>
        <translation>对齐各卡时钟(&amp;A)</translation>
    </message>
    <message>
        <source>Same collective on all &amp;ranks</source>
        <translation>各卡上的同一集合通信(&amp;R)</translation>
    </message>
    <message>
        <source>Copy details as &amp;JSON</source>
        <translation>将详情复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>&amp;List all slices of this track</source>
        <translation>列出此泳道的所有切片(&amp;L)</translation>
    </message>
    <message>
        <source>Set a mar&amp;k</source>
        <translation>添加标记(&amp;K)</translation>
    </message>
    <message>
        <source>By &amp;collectives</source>
        <translation>按集合通信(&amp;C)</translation>
    </message>
    <message>
        <source>This rank: start of the slice to the &amp;base&apos;s</source>
        <translation>本卡：切片起点对齐基准起点(&amp;B)</translation>
    </message>
    <message>
        <source>This rank: end of the slice to the base&apos;s</source>
        <translation>本卡：切片终点对齐基准终点</translation>
    </message>
    <message>
        <source>All ranks by the &amp;start of this operator</source>
        <translation>所有卡：按此算子的起点(&amp;S)</translation>
    </message>
    <message>
        <source>All ranks by the &amp;end of this operator</source>
        <translation>所有卡：按此算子的终点(&amp;E)</translation>
    </message>
    <message>
        <source>By &amp;hand…</source>
        <translation>手动(&amp;H)…</translation>
    </message>
    <message>
        <source>All as &amp;recorded</source>
        <translation>全部保持原样(&amp;R)</translation>
    </message>
    <message>
        <source>No longer the &amp;base slice</source>
        <translation>取消基准切片(&amp;B)</translation>
    </message>
    <message>
        <source>Set as &amp;base slice</source>
        <translation>设为基准切片(&amp;B)</translation>
    </message>
    <message>
        <source>Find in Commun&amp;ication</source>
        <translation>在“通信”页中查找(&amp;I)</translation>
    </message>
    <message>
        <source>Copy lin&amp;k to the marked time</source>
        <translation>复制指向标记时间的链接(&amp;K)</translation>
    </message>
    <message>
        <source>Copy &amp;link to the slice</source>
        <translation>复制指向切片的链接(&amp;L)</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineKeys</name>
    <message>
        <source>Zoom in at the pointer</source>
        <translation>以指针为中心放大</translation>
    </message>
    <message>
        <source>Zoom out at the pointer</source>
        <translation>以指针为中心缩小</translation>
    </message>
    <message>
        <source>Move to earlier times</source>
        <translation>向更早时间移动</translation>
    </message>
    <message>
        <source>Move to later times</source>
        <translation>向更晚时间移动</translation>
    </message>
    <message>
        <source>Scroll up</source>
        <translation>向上滚动</translation>
    </message>
    <message>
        <source>Scroll down</source>
        <translation>向下滚动</translation>
    </message>
    <message>
        <source>Scroll up by a page</source>
        <translation>向上翻页</translation>
    </message>
    <message>
        <source>Scroll down by a page</source>
        <translation>向下翻页</translation>
    </message>
    <message>
        <source>Scroll to the first track</source>
        <translation>滚动到第一条泳道</translation>
    </message>
    <message>
        <source>Scroll to the last track</source>
        <translation>滚动到最后一条泳道</translation>
    </message>
    <message>
        <source>Zoom to the marked time or selected slice</source>
        <translation>缩放到标记时间或所选切片</translation>
    </message>
    <message>
        <source>Show the whole run</source>
        <translation>显示整个运行</translation>
    </message>
    <message>
        <source>Back to the previous view</source>
        <translation>返回上一视图</translation>
    </message>
    <message>
        <source>Forward to the next view</source>
        <translation>前进到下一视图</translation>
    </message>
    <message>
        <source>Take the selected slice&apos;s time as the marked time, or remove the mark</source>
        <translation>将所选切片的时间设为标记时间，或取消标记</translation>
    </message>
    <message>
        <source>Go back along a flow</source>
        <translation>沿连线返回</translation>
    </message>
    <message>
        <source>Go forward along a flow</source>
        <translation>沿连线前进</translation>
    </message>
    <message>
        <source>Select the previous slice in the same row</source>
        <translation>选择同一行的上一个切片</translation>
    </message>
    <message>
        <source>Select the next slice in the same row</source>
        <translation>选择同一行的下一个切片</translation>
    </message>
    <message>
        <source>Select the parent slice</source>
        <translation>选择父切片</translation>
    </message>
    <message>
        <source>Select the first child slice</source>
        <translation>选择第一个子切片</translation>
    </message>
    <message>
        <source>Expand all tracks</source>
        <translation>展开所有泳道</translation>
    </message>
    <message>
        <source>Collapse all tracks</source>
        <translation>折叠所有泳道</translation>
    </message>
    <message>
        <source>Show this list</source>
        <translation>显示此列表</translation>
    </message>
    <message>
        <source>Ctrl+Wheel</source>
        <translation>Ctrl+滚轮</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>以指针为中心缩放</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Scroll</source>
        <translation>滚动</translation>
    </message>
    <message>
        <source>Shift+Wheel</source>
        <translation>Shift+滚轮</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>沿时间移动</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>单击</translation>
    </message>
    <message>
        <source>Select a slice</source>
        <translation>选择切片</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>双击</translation>
    </message>
    <message>
        <source>Zoom to a slice</source>
        <translation>缩放到切片</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>Alt+Drag or Shift+Drag</source>
        <translation>Alt+拖动或 Shift+拖动</translation>
    </message>
    <message>
        <source>Zoom to a box</source>
        <translation>框选放大</translation>
    </message>
    <message>
        <source>Ctrl+Drag or middle button</source>
        <translation>Ctrl+拖动或鼠标中键</translation>
    </message>
    <message>
        <source>Move the view</source>
        <translation>移动视图</translation>
    </message>
    <message>
        <source>Right click</source>
        <translation>右键单击</translation>
    </message>
    <message>
        <source>What can be done with a slice</source>
        <translation>可对切片进行的操作</translation>
    </message>
    <message>
        <source>Choose which tracks are shown</source>
        <translation>选择要显示的泳道</translation>
    </message>
    <message>
        <source>Set a mark at the marked time, else at the pointer</source>
        <translation>在标记时间处设置标记，否则在指针处</translation>
    </message>
    <message>
        <source>Mark a box over tracks and time; over the ruler, a range of all tracks</source>
        <translation>在泳道与时间上标记一个框；在标尺上则标记全部泳道的范围</translation>
    </message>
    <message>
        <source>Go to a time or a slice</source>
        <translation>转到某一时间或切片</translation>
    </message>
    <message>
        <source>Find slices</source>
        <translation>查找切片</translation>
    </message>
    <message>
        <source>Next slice that was found</source>
        <translation>下一个找到的切片</translation>
    </message>
    <message>
        <source>Previous slice that was found</source>
        <translation>上一个找到的切片</translation>
    </message>
    <message>
        <source>Align the clocks of ranks by their collectives, or leave them as recorded</source>
        <translation>按集合通信对齐各卡时钟，或保持原样</translation>
    </message>
    <message>
        <source>Names: drag a row, Alt+Up, Alt+Down</source>
        <translation>名称栏：拖动一行，Alt+Up、Alt+Down</translation>
    </message>
    <message>
        <source>Move it among its siblings</source>
        <translation>在同级之间移动</translation>
    </message>
    <message>
        <source>Names: drag a lower edge, Alt+Plus, Alt+Minus</source>
        <translation>名称栏：拖动下边缘，Alt+Plus、Alt+Minus</translation>
    </message>
    <message>
        <source>Change the height of a row; double click: automatic</source>
        <translation>改变一行的高度；双击：自动</translation>
    </message>
    <message>
        <source>Names: the pin, P</source>
        <translation>名称栏：图钉，P</translation>
    </message>
    <message>
        <source>Keep a row at the top</source>
        <translation>把一行固定在顶部</translation>
    </message>
    <message>
        <source>Names: Ctrl+Click, Shift+Click</source>
        <translation>名称栏：Ctrl+单击、Shift+单击</translation>
    </message>
    <message>
        <source>Choose several rows, to pin or merge them by the menu</source>
        <translation>选择多行，以便通过菜单固定或合并</translation>
    </message>
    <message>
        <source>Names: U, Shift+U</source>
        <translation>名称栏：U、Shift+U</translation>
    </message>
    <message>
        <source>Undo and redo what was pinned, moved, merged or hidden</source>
        <translation>撤销和重做固定、移动、合并或隐藏</translation>
    </message>
    <message>
        <source>Make the selected slice the base slice, or no longer</source>
        <translation>把所选切片设为基准切片，或取消</translation>
    </message>
    <message>
        <source>Move a rank: the selected slice begins with the base slice</source>
        <translation>移动一张卡：所选切片与基准切片起点对齐</translation>
    </message>
    <message>
        <source>Move a rank: the selected slice ends with the base slice</source>
        <translation>移动一张卡：所选切片与基准切片终点对齐</translation>
    </message>
    <message>
        <source>Move all ranks: their slices of this name begin with the selected one</source>
        <translation>移动所有卡：各卡同名切片与所选切片起点对齐</translation>
    </message>
    <message>
        <source>Move all ranks: their slices of this name end with the selected one</source>
        <translation>移动所有卡：各卡同名切片与所选切片终点对齐</translation>
    </message>
    <message>
        <source>Move the clocks of ranks by hand</source>
        <translation>手动移动各卡时钟</translation>
    </message>
    <message>
        <source>Leave the clocks of all ranks as recorded</source>
        <translation>所有卡的时钟保持原样</translation>
    </message>
    <message>
        <source>End the search, then remove the marked time, then the selection</source>
        <translation>先结束查找，再取消标记时间，再取消选择</translation>
    </message>
    <message>
        <source>Copy the details of the selected slice</source>
        <translation>复制所选切片的详情</translation>
    </message>
    <message>
        <source>Go to the next slice that starts beyond the right edge</source>
        <translation>转到右边缘之外的下一个切片</translation>
    </message>
    <message>
        <source>Go to the last slice that ends before the left edge</source>
        <translation>转到左边缘之外的上一个切片</translation>
    </message>
    <message>
        <source>Show the next step only</source>
        <translation>仅显示下一步</translation>
    </message>
    <message>
        <source>Show the previous step only</source>
        <translation>仅显示上一步</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineLayout</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineMarks</name>
    <message>
        <source>Selected on the page Snapshot: a double click leads there.</source>
        <translation>在快照页中所选：双击可转到该处。</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelinePage</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>All ranks, processes and streams over time. Nothing is open yet.</source>
        <translation>随时间显示所有卡、进程和流。尚未打开任何数据。</translation>
    </message>
    <message>
        <source>Open a capture with Ctrl+O, or drop its folder here.</source>
        <translation>按 Ctrl+O 打开采集数据，或将其文件夹拖放到此处。</translation>
    </message>
    <message>
        <source>The capture is being read. The first tracks appear as soon as they are known.</source>
        <translation>正在读取采集数据，泳道一经识别即会显示。</translation>
    </message>
    <message>
        <source>No open capture has a timeline.</source>
        <translation>已打开的采集数据均不含时间线。</translation>
    </message>
    <message>
        <source>The tree of captures lists what is missing, and which switch would have recorded it.</source>
        <translation>采集数据树中列出了缺失的内容以及对应的采集开关。</translation>
    </message>
    <message>
        <source>The slice&apos;s details are in the clipboard.</source>
        <translation>切片详情已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Import report</source>
        <translation>导入报告</translation>
    </message>
    <message>
        <source>Point at a time, or mark a range: the mark is set there.</source>
        <translation>请指向某一时间或标记一个范围，标记将设在该处。</translation>
    </message>
    <message>
        <source>&amp;Layouts of rows</source>
        <translation>行的布局(&amp;L)</translation>
    </message>
    <message>
        <source>Nothing is selected: click a slice to copy its details.</source>
        <translation>未选中任何内容：单击切片后可复制其详情。</translation>
    </message>
    <message>
        <source>The track is hidden, empty or on a rank that is not shown: show all tracks and ranks to see it.</source>
        <translation>该泳道已隐藏、为空，或所在的卡未显示：显示所有泳道和卡后即可看到。</translation>
    </message>
    <message>
        <source>the selected slice</source>
        <translation>所选切片</translation>
    </message>
    <message>
        <source>the marked time</source>
        <translation>标记时间</translation>
    </message>
    <message>
        <source>a mark</source>
        <translation>标记</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineSaving</name>
    <message>
        <source>Save this part as Chrome &amp;JSON…</source>
        <translation>将此部分另存为 Chrome JSON(&amp;J)…</translation>
    </message>
    <message>
        <source>Save the &amp;picture of this part…</source>
        <translation>保存此部分的图片(&amp;P)…</translation>
    </message>
    <message>
        <source>%1: from %2, %3 long</source>
        <translation>%1：自 %2 起，长 %3</translation>
    </message>
    <message>
        <source>Save this part as Chrome JSON</source>
        <translation>将此部分另存为 Chrome JSON</translation>
    </message>
    <message>
        <source>Chrome JSON (*.json)</source>
        <translation>Chrome JSON (*.json)</translation>
    </message>
    <message>
        <source>Save the picture of this part</source>
        <translation>保存此部分的图片</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>%1: %2 slices, %3 counter samples, %4 flows</source>
        <translation>%1：%2 个切片，%3 个计数器采样，%4 条流</translation>
    </message>
    <message>
        <source>; some arguments could not be read any more</source>
        <translation>；部分参数已无法读取</translation>
    </message>
    <message>
        <source>; %1 further rows do not fit</source>
        <translation>；另有 %1 行放不下</translation>
    </message>
    <message>
        <source>%1 is written</source>
        <translation>%1 已写入</translation>
    </message>
    <message>
        <source>Save the picture of &amp;all tracks…</source>
        <translation>保存所有泳道的图片(&amp;A)…</translation>
    </message>
</context>
<context>
    <name>altiscope::TimelineSelection</name>
    <message>
        <source>Select a slice first: its time becomes the marked time.</source>
        <translation>请先选择切片：其时间将成为标记时间。</translation>
    </message>
    <message>
        <source>Nothing is selected: click a slice, or drag over the ruler to mark a range.</source>
        <translation>未选择任何内容：请单击切片，或在标尺上拖动以标记时间。</translation>
    </message>
    <message>
        <source>Select a slice first.</source>
        <translation>请先选择切片。</translation>
    </message>
    <message>
        <source>This is the last slice of its row.</source>
        <translation>这是该行的最后一个切片。</translation>
    </message>
    <message>
        <source>This is the first slice of its row.</source>
        <translation>这是该行的第一个切片。</translation>
    </message>
    <message>
        <source>This slice has no parent.</source>
        <translation>此切片没有父切片。</translation>
    </message>
    <message>
        <source>This slice has no children.</source>
        <translation>此切片没有子切片。</translation>
    </message>
    <message>
        <source>No flow leads on from this slice.</source>
        <translation>没有从此切片出发的连线。</translation>
    </message>
    <message>
        <source>No flow leads to this slice.</source>
        <translation>没有到达此切片的连线。</translation>
    </message>
    <message>
        <source>The slice is on a rank that is not shown now: show everything to see it.</source>
        <translation>该切片所在的卡当前未显示：请选择“显示全部”。</translation>
    </message>
    <message>
        <source>The slice is on a track that is hidden now: show all tracks to see it.</source>
        <translation>该切片所在的泳道已隐藏：请显示所有泳道。</translation>
    </message>
    <message>
        <source>No step times were recorded.</source>
        <translation>未采集步时间。</translation>
    </message>
    <message>
        <source>This is the last step.</source>
        <translation>已是最后一步。</translation>
    </message>
    <message>
        <source>This is the first step.</source>
        <translation>已是第一步。</translation>
    </message>
    <message>
        <source>No slice of these tracks starts later.</source>
        <translation>这些泳道之后没有切片。</translation>
    </message>
    <message>
        <source>No slice of these tracks ends earlier.</source>
        <translation>这些泳道之前没有切片。</translation>
    </message>
    <message>
        <source>%1, computed by your statement: %2</source>
        <translation>%1，由语句计算：%2</translation>
    </message>
    <message>
        <source>These rows show the base: choose the rows of its own capture.</source>
        <translation>这些行显示的是基准：请选择该采集数据自己的行。</translation>
    </message>
    <message>
        <source>No slice is in sight.</source>
        <translation>可见范围内没有切片。</translation>
    </message>
</context>
<context>
    <name>altiscope::TourBubble</name>
    <message>
        <source>%1 of %2</source>
        <comment>stop of the tour</comment>
        <translation>第 %1 个，共 %2 个</translation>
    </message>
    <message>
        <source>&amp;Skip</source>
        <translation>跳过(&amp;S)</translation>
    </message>
    <message>
        <source>Leaves the tour (Esc)</source>
        <translation>离开导览（Esc）</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>上一步(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>完成(&amp;D)</translation>
    </message>
</context>
<context>
    <name>altiscope::TrackFilterButton</name>
    <message numerus="yes">
        <source>%n track(s) are hidden: choose which are shown (T)</source>
        <translation>
            <numerusform>已隐藏 %n 条泳道：选择要显示的泳道 (T)</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose which tracks are shown (T)</source>
        <translation>选择要显示的泳道 (T)</translation>
    </message>
    <message>
        <source>Tracks that are shown</source>
        <translation>显示的泳道</translation>
    </message>
    <message>
        <source>Show all tracks</source>
        <translation>显示所有泳道</translation>
    </message>
    <message>
        <source>Only tracks with this text</source>
        <translation>仅含此文本的泳道</translation>
    </message>
    <message numerus="yes">
        <source>%1, on %n rank(s)</source>
        <translation>
            <numerusform>%1，共 %n 张卡</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>altiscope::TrackHeader</name>
    <message>
        <source>Tracks</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>最大 %1</translation>
    </message>
    <message>
        <source>loading, %1</source>
        <translation>加载中，%1</translation>
    </message>
    <message>
        <source>Its times do not overlap with those of the first capture, so it is drawn %1 %2, for a common start.</source>
        <translation>其时间与第一份采集数据不重叠，因此绘制时%2移动 %1，以对齐起点。</translation>
    </message>
    <message>
        <source>earlier</source>
        <translation>提前</translation>
    </message>
    <message>
        <source>later</source>
        <translation>推后</translation>
    </message>
    <message>
        <source>%1 slices, %2 deep</source>
        <translation>%1 个切片，深度 %2</translation>
    </message>
    <message>
        <source>%1 series</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>Computed from recorded events</source>
        <translation>由采集的事件计算得出</translation>
    </message>
    <message>
        <source>&amp;Copy name</source>
        <translation>复制名称(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Expand all</source>
        <translation>全部展开(&amp;E)</translation>
    </message>
    <message>
        <source>C&amp;ollapse all</source>
        <translation>全部折叠(&amp;O)</translation>
    </message>
    <message>
        <source>not complete</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>Only &amp;rank %1 on all pages</source>
        <translation>所有页面仅显示卡 %1(&amp;R)</translation>
    </message>
    <message>
        <source>Only &amp;rank %1 on all pages, all its recordings</source>
        <translation>所有页面仅显示卡 %1（含其全部采集）(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Hide</source>
        <translation>隐藏(&amp;H)</translation>
    </message>
    <message>
        <source>Hide on &amp;all ranks</source>
        <translation>在所有卡上隐藏(&amp;A)</translation>
    </message>
    <message>
        <source>Add to &amp;selection</source>
        <translation>加入选中统计(&amp;S)</translation>
    </message>
    <message>
        <source>Merged for this view from: %1</source>
        <translation>为本视图合并自：%1</translation>
    </message>
    <message>
        <source>&amp;List all slices</source>
        <translation>列出所有切片(&amp;L)</translation>
    </message>
    <message>
        <source>Clocks of ranks by &amp;hand…</source>
        <translation>手动移动各卡时钟(&amp;H)…</translation>
    </message>
    <message>
        <source>Shift in &amp;time…</source>
        <translation>时间平移(&amp;T)…</translation>
    </message>
</context>
<context>
    <name>altiscope::TrackKinds</name>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Call stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>CANN</source>
        <translation>CANN</translation>
    </message>
    <message>
        <source>Streams of the NPU</source>
        <translation>NPU 流</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Overlap Analysis</source>
        <translation>重叠分析</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>Program marks (mstx)</source>
        <translation>程序打点（mstx）</translation>
    </message>
    <message>
        <source>Scopes</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>Garbage collection</source>
        <translation>垃圾回收</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
</context>
<context>
    <name>altiscope::TrackLayouts</name>
    <message>
        <source>Name of the layout:</source>
        <translation>布局的名称：</translation>
    </message>
    <message>
        <source>&amp;Save as a layout…</source>
        <translation>保存为布局(&amp;S)…</translation>
    </message>
    <message>
        <source>Save as a layout</source>
        <translation>保存为布局</translation>
    </message>
    <message>
        <source>Layout %1</source>
        <translation>布局 %1</translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation>重命名(&amp;N)</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>删除(&amp;M)</translation>
    </message>
    <message>
        <source>Rename a layout</source>
        <translation>重命名布局</translation>
    </message>
    <message>
        <source>All rows as &amp;recorded</source>
        <translation>所有行恢复为记录的样子(&amp;R)</translation>
    </message>
</context>
<context>
    <name>altiscope::TrackList</name>
    <message>
        <source>Only the &amp;marked time</source>
        <translation>仅标记时间(&amp;M)</translation>
    </message>
    <message>
        <source>&quot;List all slices&quot; in the menu of a track, or of its name, shows them here.</source>
        <translation>在泳道或其名称的菜单中选择“列出所有切片”，即在此显示。</translation>
    </message>
</context>
<context>
    <name>altiscope::TrackMenu</name>
    <message numerus="yes">
        <source>&amp;Pin %n row(s)</source>
        <translation>
            <numerusform>固定 %n 行(&amp;P)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Un&amp;pin %n row(s)</source>
        <translation>
            <numerusform>取消固定 %n 行(&amp;P)</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Pin at the top	P</source>
        <translation>固定在顶部(&amp;P)	P</translation>
    </message>
    <message>
        <source>Un&amp;pin	P</source>
        <translation>取消固定(&amp;P)	P</translation>
    </message>
    <message>
        <source>Pin the same on all ran&amp;ks</source>
        <translation>在所有卡上固定同名行(&amp;K)</translation>
    </message>
    <message>
        <source>Unpin the same on all ran&amp;ks</source>
        <translation>在所有卡上取消固定同名行(&amp;K)</translation>
    </message>
    <message>
        <source>Unpin e&amp;verything</source>
        <translation>全部取消固定(&amp;V)</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Merge %n thread(s) into one row</source>
        <translation>
            <numerusform>把 %n 个线程合并为一行(&amp;M)</numerusform>
        </translation>
    </message>
    <message>
        <source>Merge them on all ranks</source>
        <translation>在所有卡上合并</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Merge all %n stream(s) of the process into one row</source>
        <translation>
            <numerusform>把该进程的全部 %n 条流合并为一行(&amp;M)</numerusform>
        </translation>
    </message>
    <message>
        <source>Unme&amp;rge</source>
        <translation>取消合并(&amp;R)</translation>
    </message>
    <message>
        <source>Move &amp;up	Alt+Up</source>
        <translation>上移(&amp;U)	Alt+Up</translation>
    </message>
    <message>
        <source>Move &amp;down	Alt+Down</source>
        <translation>下移(&amp;D)	Alt+Down</translation>
    </message>
    <message>
        <source>Back to the &amp;recorded order</source>
        <translation>恢复记录的顺序(&amp;R)</translation>
    </message>
    <message>
        <source>The same order on all ranks</source>
        <translation>所有卡采用此顺序</translation>
    </message>
    <message>
        <source>&amp;Automatic height</source>
        <translation>自动高度(&amp;A)</translation>
    </message>
    <message>
        <source>U&amp;ndo the change of rows	U</source>
        <translation>撤销行的更改(&amp;N)	U</translation>
    </message>
    <message>
        <source>Redo the change of ro&amp;ws	Shift+U</source>
        <translation>重做行的更改(&amp;W)	Shift+U</translation>
    </message>
    <message>
        <source>Remo&amp;ve the rows of this statement</source>
        <translation>移除该语句的行(&amp;V)</translation>
    </message>
</context>
<context>
    <name>altiscope::TransportTable</name>
    <message>
        <source>large packets, by the vendor&apos;s advisor</source>
        <translation>大包，据厂商专家建议</translation>
    </message>
    <message>
        <source>depends on the machine</source>
        <translation>取决于机器</translation>
    </message>
    <message>
        <source>Of the links of this transport, each counted once; bandwidth = size / transit.</source>
        <translation>此传输方式的各链路各计一次；带宽 = 大小 / 传输时间。</translation>
    </message>
    <message>
        <source>As the files name it.</source>
        <translation>文件中的名称。</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Number of links of this transport.</source>
        <translation>此传输方式的链路数。</translation>
    </message>
    <message>
        <source>Lowest</source>
        <translation>最低</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Highest</source>
        <translation>最高</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考值</translation>
    </message>
    <message>
        <source>What large packets reach on one generation of chips: 18 GB/s on HCCS, SIO, SDMA and PCIe, 20 GB/s on RDMA, as the vendor&apos;s advisor has it. It is no nominal value: that depends on the machine, and the capture does not state it.</source>
        <translation>大包在某一代芯片上达到的带宽：HCCS、SIO、SDMA 和 PCIe 为 18 GB/s，RDMA 为 20 GB/s，取自厂商专家建议。它不是标称值：标称值取决于机器，采集数据中没有。</translation>
    </message>
    <message>
        <source>Mean / reference</source>
        <translation>平均 / 参考值</translation>
    </message>
    <message>
        <source>Reference from</source>
        <translation>参考来源</translation>
    </message>
    <message>
        <source>Where the reference comes from.</source>
        <translation>参考值的来源。</translation>
    </message>
    <message>
        <source>Without bandwidth</source>
        <translation>无带宽</translation>
    </message>
    <message>
        <source>Links without a time, or too small for a bandwidth: %1</source>
        <translation>没有时间或过小而无带宽的链路：%1</translation>
    </message>
</context>
<context>
    <name>altiscope::TypedSizes</name>
    <message>
        <source>&quot;%1&quot; is not understood: type sizes as tp=2 dp=4, and order=megatron, megatron-pp-dp, mindspeed, mindie or vllm.</source>
        <translation>无法理解“%1”：请按 tp=2 dp=4 的形式输入，并可加 order=megatron、megatron-pp-dp、mindspeed、mindie 或 vllm。</translation>
    </message>
</context>
<context>
    <name>altiscope::Usage</name>
    <message>
        <source>Opens on this page.</source>
        <translation>打开时显示此页面。</translation>
    </message>
    <message>
        <source>Shows this part of the timeline, in nanoseconds of the trace&apos;s clock.</source>
        <translation>显示时间线的此部分，单位为 trace 时钟的纳秒。</translation>
    </message>
    <message>
        <source>Selects the slice with this id.</source>
        <translation>选择具有此 ID 的切片。</translation>
    </message>
    <message>
        <source>Look of the window: light, dark or system.</source>
        <translation>窗口外观：light、dark 或 system。</translation>
    </message>
    <message>
        <source>Language of the window: en or zh_CN.</source>
        <translation>窗口语言：en 或 zh_CN。</translation>
    </message>
    <message>
        <source>Saves a picture of the window when everything is loaded, and exits.</source>
        <translation>全部加载完成后保存窗口截图并退出。</translation>
    </message>
    <message>
        <source>Size of the window, e.g. 1600x1000.</source>
        <translation>窗口大小，例如 1600x1000。</translation>
    </message>
    <message>
        <source>--%1: &quot;%2&quot; is not possible. Expected: %3</source>
        <translation>--%1：不支持“%2”。应为：%3</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>Viewer and analyser for Ascend NPU profiles.</source>
        <translation>昇腾 NPU 性能数据的查看与分析工具。</translation>
    </message>
    <message>
        <source>Folders or files to open.</source>
        <translation>要打开的文件夹或文件。</translation>
    </message>
    <message>
        <source>altiscope: %1
See altiscope --help.</source>
        <translation>altiscope：%1
参见 altiscope --help。</translation>
    </message>
    <message>
        <source>Shows this help.</source>
        <translation>显示此帮助。</translation>
    </message>
    <message>
        <source>Writes the report of a capture, without a window, and exits.</source>
        <translation>写出采集数据的报告（不显示窗口）后退出。</translation>
    </message>
    <message>
        <source>--report takes a name that ends with .pdf or .html</source>
        <translation>--report 的文件名须以 .pdf 或 .html 结尾</translation>
    </message>
    <message>
        <source>--report takes one capture</source>
        <translation>--report 只接受一份采集数据</translation>
    </message>
    <message>
        <source>--report and --screenshot exclude each other</source>
        <translation>--report 与 --screenshot 不能同时使用</translation>
    </message>
    <message>
        <source>--screenshot and --report need the capture here: altiscope-cli pack %1 --out FILE.altipack fetches it</source>
        <translation>--screenshot 和 --report 需要本机上的采集数据：可用 altiscope-cli pack %1 --out FILE.altipack 获取</translation>
    </message>
</context>
<context>
    <name>altiscope::Views</name>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>诊断结论</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>采集</translation>
    </message>
    <message>
        <source>What each capture contains, and what happened while it was read.</source>
        <translation>每份采集数据包含的内容，以及读取过程中发生的情况。</translation>
    </message>
    <message>
        <source>Everything that ran, by rank, process and thread or stream, over time.</source>
        <translation>按卡、进程、线程或流随时间显示运行的全部内容。</translation>
    </message>
    <message>
        <source>Allocated, reserved and active memory over time, and every allocation with the operator that made it.</source>
        <translation>已分配、已预留和活跃内存随时间的变化，以及每次分配及其对应的算子。</translation>
    </message>
    <message>
        <source>The allocator&apos;s own history: segments and blocks of the device memory, their call stacks, and what fragments it.</source>
        <translation>分配器自身的历史：设备内存的段与块、其调用栈以及造成碎片的原因。</translation>
    </message>
    <message>
        <source>Operators and kernels by name, type, shape and step: how often, how long, and what the AI Core did meanwhile.</source>
        <translation>按名称、类型、形状和步统计框架算子与 NPU 算子：次数、耗时以及期间 AI Core 的工作情况。</translation>
    </message>
    <message>
        <source>Collectives by step and group, the matrix of links between ranks, and the bandwidth of each transport.</source>
        <translation>按步和通信域统计集合通信，卡间通信矩阵，以及各传输方式的带宽。</translation>
    </message>
    <message>
        <source>What slows a step down, by recoverable time: what was found, the evidence, and what to try.</source>
        <translation>按可节省时间排列拖慢单步的因素：发现、证据与建议。</translation>
    </message>
    <message>
        <source>Two runs, ranks or steps side by side, with their differences ranked by time.</source>
        <translation>并列对比两次运行、两张卡或两个步，差异按时间排序。</translation>
    </message>
    <message>
        <source>One read-only SQL statement over all tables of the capture, with the schema beside it.</source>
        <translation>对采集数据的所有表执行一条只读 SQL 语句，旁边附表结构。</translation>
    </message>
    <message>
        <source>The results of a capture as one HTML, PDF or JSON file to hand on.</source>
        <translation>将采集数据的分析结果导出为一个 HTML、PDF 或 JSON 文件。</translation>
    </message>
    <message>
        <source>Starting a recording, here or over SSH, watching it, and fetching its result.</source>
        <translation>在本机或通过 SSH 启动采集、查看进度并取回结果。</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>The job as a whole: what a step could win back and by what, and how its ranks differ, by tensor, pipeline and data parallelism.</source>
        <translation>从整个作业看：一步可以节省多少时间、原因是什么，以及各卡按张量、流水线和数据并行有何差异。</translation>
    </message>
</context>
<context>
    <name>altiscope::WindowActions</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open folder…</source>
        <translation>打开文件夹(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;file…</source>
        <translation>打开文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开的采集数据(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Clear this list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <source>R&amp;ead again</source>
        <translation>重新读取(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Close capture</source>
        <translation>关闭采集数据(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Import report</source>
        <translation>导入报告(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Previous selection</source>
        <translation>上一个选择(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next selection</source>
        <translation>下一个选择(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Timeline shortcut&amp;s</source>
        <translation>时间线快捷键(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;About Altiscope</source>
        <translation>关于 Altiscope(&amp;A)</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 Qt(&amp;Q)</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Light, dark, or as the desktop</source>
        <translation>浅色、深色或跟随桌面</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Language of the window</source>
        <translation>窗口语言</translation>
    </message>
    <message>
        <source>Open &amp;demo</source>
        <translation>打开演示数据(&amp;D)</translation>
    </message>
    <message>
        <source>Makes a small synthetic capture and opens it</source>
        <translation>生成一份小型合成采集数据并打开</translation>
    </message>
    <message>
        <source>&amp;Supported files and required data</source>
        <translation>支持的文件与所需数据(&amp;S)</translation>
    </message>
    <message>
        <source>Record a &amp;job…</source>
        <translation>采集作业(&amp;J)…</translation>
    </message>
    <message>
        <source>Starts a recording, here or over SSH, and opens its result</source>
        <translation>在本机或通过 SSH 开始采集，并打开其结果</translation>
    </message>
    <message>
        <source>&amp;Manual: this page</source>
        <translation>手册：当前页面(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Tutorial</source>
        <translation>教程(&amp;T)</translation>
    </message>
    <message>
        <source>Add &amp;page to report</source>
        <translation>将页面加入报告(&amp;P)</translation>
    </message>
    <message>
        <source>Adds a picture of the page to the report</source>
        <translation>将页面当前显示内容的图片加入报告</translation>
    </message>
    <message>
        <source>Write deliverab&amp;les…</source>
        <translation>写出交付件(&amp;L)…</translation>
    </message>
    <message>
        <source>Writes the same files as the profiler&apos;s own analysis of raw data</source>
        <translation>写出采集工具自身解析原始数据所得的结果</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>Find commands, pages, ranks and slices by their names (%1)</source>
        <translation>按名称查找命令、页面、卡和切片（%1）</translation>
    </message>
    <message>
        <source>Open &amp;workspace…</source>
        <translation>打开工作区(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Save workspace</source>
        <translation>保存工作区(&amp;S)</translation>
    </message>
    <message>
        <source>Saves what is open and how it is viewed to a file that others can open</source>
        <translation>将已打开的内容和查看方式保存到他人也能打开的文件</translation>
    </message>
    <message>
        <source>Save workspace &amp;as…</source>
        <translation>工作区另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Copy link</source>
        <translation>复制链接(&amp;C)</translation>
    </message>
    <message>
        <source>A link to the selected slice, the marked time or the capture, for anyone who has the capture</source>
        <translation>指向选中的切片、标记时间或采集数据的链接，供同样拥有该采集数据的人使用</translation>
    </message>
    <message>
        <source>Follow a &amp;link…</source>
        <translation>打开链接(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Guided tour</source>
        <translation>入门导览(&amp;G)</translation>
    </message>
    <message>
        <source>Leads through the window in five steps, over the demo</source>
        <translation>用演示数据分五步介绍窗口</translation>
    </message>
    <message>
        <source>Open on a &amp;host…</source>
        <translation>打开主机上的数据(&amp;H)…</translation>
    </message>
    <message>
        <source>Opens a capture on another machine by your own ssh: a pack of it is fetched</source>
        <translation>通过您自己的 ssh 打开另一台机器上的采集数据：取回其 pack</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>设置(&amp;T)…</translation>
    </message>
    <message>
        <source>Text size, cache, memory, keys, thresholds, colours</source>
        <translation>文字大小、缓存、内存、快捷键、阈值、颜色</translation>
    </message>
</context>
<context>
    <name>altiscope::WindowBindings</name>
    <message>
        <source>%1 stays the key of: %2</source>
        <translation>%1 仍是以下命令的快捷键：%2</translation>
    </message>
    <message>
        <source>%1 no longer does: %2</source>
        <translation>%1 不再用于：%2</translation>
    </message>
    <message>
        <source>On the timeline %1 still does: %2</source>
        <translation>在时间线上，%1 仍用于：%2</translation>
    </message>
</context>
<context>
    <name>altiscope::WindowPages</name>
    <message>
        <source>All pages</source>
        <translation>所有页面</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
</context>
<context>
    <name>altiscope::WorkspaceController</name>
    <message>
        <source>Open a workspace</source>
        <translation>打开工作区</translation>
    </message>
    <message>
        <source>Workspaces (*.altiscope);;All files (*)</source>
        <translation>工作区 (*.altiscope);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Follow a link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>Link (altiscope:…):</source>
        <translation>链接（altiscope:…）：</translation>
    </message>
    <message>
        <source>Rank %1 of the link has no timeline here, or is not read.</source>
        <translation>链接中的卡 %1 在此没有时间线，或尚未读取。</translation>
    </message>
    <message>
        <source>The slice of the link is not there: perhaps its rank is not read.</source>
        <translation>链接中的切片不存在：可能其所在的卡尚未读取。</translation>
    </message>
</context>
<context>
    <name>altiscope::WorkspaceKeeper</name>
    <message>
        <source>Opened without what was not found: %1.</source>
        <translation>已打开，但不含不存在的内容：%1。</translation>
    </message>
    <message>
        <source>%1 is not the data of this workspace: its checksum differs. Times, slices and marks may not match.</source>
        <translation>%1 不是该工作区所用的数据：校验和不同。时间、切片和标记的位置可能不同。</translation>
    </message>
    <message>
        <source>%1 has moved; it is the same data: its checksum matches the workspace.</source>
        <translation>%1 已移至别处，但数据相同：校验和与工作区一致。</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Save the workspace</source>
        <translation>保存工作区</translation>
    </message>
    <message>
        <source>Workspaces (*.altiscope)</source>
        <translation>工作区 (*.altiscope)</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>已保存：%1</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>The workspace %1 has changes that are not saved.</source>
        <translation>工作区 %1 有未保存的更改。</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>放弃(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>The program ended unexpectedly (%1). What was open then can be opened again.</source>
        <translation>程序曾意外结束（%1）。可以重新打开当时的内容。</translation>
    </message>
    <message>
        <source>&amp;Open again</source>
        <translation>重新打开(&amp;O)</translation>
    </message>
</context>
</TS>
