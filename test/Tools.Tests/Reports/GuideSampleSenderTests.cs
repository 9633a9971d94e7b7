using NIProvPerf;
using PerfTools.Hosting.Reporting;
using TransportPerf;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>The output of NIProvPerf and TransportPerf compared with the guide's samples: equal except values, and lines of ours.</summary>
[Trait("Category", "Fast")]
public sealed class GuideSampleSenderTests : GuideSampleBench
{
    [Fact]
    public void NIProvPerf_EqualsItsSamples()
    {
        GuideSample.Equal(
            """
            --- TEST INPUTS ---

                           Run Time: {d} sec
                    Connection Type: socket
                           Hostname: localhost
                               Port: {d}
                        Thread List: {d}
                     Output Buffers: {d}
                  Max Fragment Size: {d}
                   Send Buffer Size: 0(use default)
                   Recv Buffer Size: 0(use default)
                    High Water Mark: 0(use default)
                     Interface Name: (use default)
                           Username: (use system login name)
                        Tcp_NoDelay: Yes
                         Item Count: {d}
                  Common Item Count: {d}
                          Tick Rate: {d}
                  Use Direct Writes: No
                       Summary File: NIProvSummary.out
                         Stats File: NIProvStats
               Write Stats Interval: {d}
                      Display Stats: True
                        Update Rate: {d}
                Latency Update Rate: {d}
                 Refresh Burst Size: {d}
                          Item File: 350k.xml
                          Data File: MsgData.xml
                            Packing: No
                         Service ID: {d}
                       Service Name: NI_PUB


            """,
            Inputs(NIProvPerfOptionTable.Instance, InputBlock.NarrowLabels));
        GuideSample.Equal(
            $$"""

            --- OVERALL SUMMARY ---

            Overall Statistics:
              Images sent: {d}
              Updates sent: {d}
              CPU/Memory samples: {d}
            {{Resources}}


            """,
            Summary(WrittenReports.Publisher, PublisherSamples.Summary), OurSendLag);
        GuideSample.BeginsWith("UTC, Images sent, Updates sent, CPU usage (%), Memory (MB)", Statistics("NIProvStats.csv").Header);
        GuideSample.BeginsWith("{utc}, {d}, {d}, {.2}, {.2}", Statistics("NIProvStats.csv").Row);
        GuideSample.Equal(
            """
            005: UpdRate: {d}, CPU: {.2}%, Mem: {.2}MB
              - Sent {d} images (total: {d})
              - Stopped {d} updates due to lack of output buffers.
              - Approx. avg msgs per pack: {d}

            """,
            Console(WrittenReports.Publisher, ReportSamples.Interval(PublisherSamples.BusyCounts)), "Send lag", "- Updates not sent");
    }

    [Fact]
    public void TransportPerf_EqualsItsSamples()
    {
        string thousandths = Latencies.Replace("{.1}", "{.3}", StringComparison.Ordinal);
        GuideSample.Equal(
            """
            --- TEST INPUTS ---

                            Runtime: {d} sec
                    Connection Type: socket
                           Hostname: localhost
                               Port: {d}
                           App Type: server
                       Thread Count: {d}
                          Busy Read: No
                           Msg Size: {d}
                           Msg Rate: {d}
                   Latency Msg Rate: {d}
                     Output Buffers: {d}
                  Max Fragment Size: {d}
                   Send Buffer Size: 0(use default)
                   Recv Buffer Size: 0(use default)
                    High Water Mark: 0(use default)
                   Compression Type: none(0)
                  Compression Level: {d}
                     Interface Name: (use default)
                        Tcp_NoDelay: Yes
                          Tick Rate: {d}
                  Use Direct Writes: No
                   Latency Log File: (none)
                       Summary File: TransportSummary_{d}.out
                         Stats File: TransportStats
               Write Stats Interval: {d}
                      Display Stats: Yes
                            Packing: No


            """,
            Inputs(TransportPerfOptionTable.Instance, InputBlock.NarrowLabels));
        GuideSample.Equal(
            $$"""

            --- OVERALL SUMMARY ---

            Statistics:
            {{thousandths}}
              Sampling duration(sec): {.2}
              Msgs Sent: {d}
              Msgs Received: {d}
              Data Sent (MB): {.2}
              Data Received (MB): {.2}
              Avg. Msg Sent Rate: {d}
              Avg. Msg Recv Rate: {d}
              Avg. Data Sent Rate (MB): {.2}
              Avg. Data Recv Rate (MB): {.2}
              CPU/Memory samples: {d}
            {{Resources}}
              Process ID: {d}


            """,
            Summary(WrittenReports.Transport, new() { Overall = TransportSamples.BusyRun, Resources = ReportSamples.Resources() }),
            [.. OurPercentiles, .. OurSendLag, "Messages received after the end", "Latency file records dropped", "Warning:"]);
        GuideSample.BeginsWith(
            "UTC, Msgs sent, Bytes sent, Msgs received, Bytes received, Latency msgs received, Latency avg (usec), Latency std dev (usec), "
            + "Latency max (usec), Latency min (usec), CPU usage (%), Memory (MB)",
            Statistics("TransportStats.csv").Header);
        GuideSample.BeginsWith("{utc}, {d}, {d}, {d}, {d}, {d}, {.3}, {.3}, {.3}, {.3}, {.2}, {.2}", Statistics("TransportStats.csv").Row);
        GuideSample.Equal(
            """
            Send Time, Receive Time, Latency(nsec)
            {d}, {d}, {d}
            """,
            FirstLines("TransportLatency.csv", 2));
        GuideSample.Equal(
            """
            005:
              Sent: MsgRate: {8.0}, DataRate:{8.3}MBps
              Recv: MsgRate: {8.0}, DataRate:{8.3}MBps
              {d} messages not sent due to lack of output buffers.
              Latency (usec): Avg:{8.3} StdDev:{8.3} Max:{8.3} Min:{8.3}, Msgs: {d}
              CPU: {6.2}% Mem: {8.2}MB

            """,
            Console(WrittenReports.Transport, ReportSamples.Interval(TransportSamples.BusyCounts)),
            "Latency percentiles", "Send lag", "Messages not sent");
    }
}
