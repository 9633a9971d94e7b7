using ConsPerf;
using PerfTools.Hosting.Reporting;
using ProvPerf;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>The output of ConsPerf and ProvPerf compared with the guide's samples: equal except values, and lines of ours.</summary>
[Trait("Category", "Fast")]
public sealed class GuideSampleTests : GuideSampleBench
{
    [Fact]
    public void ConsPerf_EqualsItsSamples()
    {
        GuideSample.Equal(
            """
            --- TEST INPUTS ---

                      Steady State Time: {d}
                Delay Steady State Time: {d}
                        Connection Type: Socket
                               Hostname: localhost
                                   Port: {d}
                                Service: DIRECT_FEED
                           Thread Count: {d}
                         Output Buffers: {d}
                          Input Buffers: {d}
                       Send Buffer Size: 0(use default)
                       Recv Buffer Size: 0(use default)
                           Send Timeout: 0(use default)
                        Receive Timeout: 0(use default)
                        High Water Mark: 0(use default)
                         Interface Name: (use default)
                            Tcp_NoDelay: Yes
                               Username: (use system login name)
                             Item Count: {d}
                      Common Item Count: {d}
                           Request Rate: {d}
                      Request Snapshots: No
                           Posting Rate: {d}
                   Latency Posting Rate: {d}
                       Generic Msg Rate: {d}
               Generic Msg Latency Rate: {d}
                              Item File: 350k.xml
                              Data File: MsgData.xml
                           Summary File: ConsSummary.out
                             Stats File: ConsStats
                       Latency Log File: (none)
                              Tick Rate: {d}
                              Busy Read: No


            """,
            Inputs(ConsPerfOptionTable.Instance, InputBlock.WideLabels));
        GuideSample.Equal(
            $$"""

            --- OVERALL SUMMARY ---

            Startup State Statistics:
              Sampling duration (sec): {.3}
            {{Latencies}}
              Avg update rate: {.1}

            Steady State Statistics:
              Sampling duration (sec): {.3}
            {{Latencies}}
              Avg update rate: {.1}

            Overall Statistics:
              Sampling duration (sec): {.3}
            {{Latencies}}
              No GenMsg latency information was received.
              CPU/Memory Samples: {d}
            {{Resources}}

            Test Statistics:
              Requests sent: {d}
              Refreshes received: {d}
              Updates received: {d}
              Image retrieval time (sec): {.3}
              Avg image Rate: {.1}
              Avg update rate: {.1}


            """,
            Summary(WrittenReports.Consumer, new() { Overall = ConsumerSamples.Run, Resources = ReportSamples.Resources() }),
            [.. OurPercentiles, "Updates received after the end"]);
        GuideSample.BeginsWith(
            $$"""
            UTC, Latency updates, Latency avg (usec), Latency std dev (usec), Latency max (usec), Latency min (usec), Images, Update rate, Posting Latency updates, Posting Latency avg (usec), Posting Latency std dev (usec), Posting Latency max (usec), Posting Latency min (usec), {{GenericColumns}}, CPU usage (%), Memory(MB)
            """,
            Statistics("ConsStats.csv").Header);
        GuideSample.BeginsWith(
            "{utc}, {d}, {.1}, {.1}, {.1}, {.1}, {d}, {d}, {d}, {.1}, {.1}, {.1}, {.1}, {d}, {d}, {d}, {d}, {.1}, {.1}, {.1}, {.1}, {.2}, {.2}",
            Statistics("ConsStats.csv").Row);
        GuideSample.Equal(
            """
            Message type, Send time, Receive time, Latency (usec)
            Upd, {d}, {d}, {d}
            """,
            FirstLines("Latency.csv", 2));
        GuideSample.Equal(
            """
            {d}: Images: {d}, Posts: {d}, UpdRate: {d}, CPU: {.2}, Mem: {.2}MB
              Latency(usec): Avg:{6.1} StdDev:{6.1} Max:{6.1} Min:{6.1}, Msgs: {d}
              - {d} posts not sent due to lack of output buffers.
              PostLat(usec): Avg:{6.1} StdDev:{6.1} Max:{6.1} Min:{6.1}, Msgs: {d}
              GenMsgs: sent {d}, received {d}, latencies sent {d}, latencies received {d}
              - {d} GenMsgs not sent due to lack of output buffers.
              GenMsgLat(usec): Avg:{6.1} StdDev:{6.1} Max:{6.1} Min:{6.1}, Msgs: {d}
              - Received {d} status messages.
              - Image retrieval time for {d} images: {.3}s ({.1} images/s)

            """,
            Console(WrittenReports.Consumer, ReportSamples.Interval(ConsumerSamples.BusyCounts)),
            "Latency percentiles", "RTT", "- Items:", "- Switches to the standby server:");
    }

    [Fact]
    public void ProvPerf_EqualsItsSamples()
    {
        GuideSample.Equal(
            """
            --- TEST INPUTS ---

                      Steady State Time: {d} sec
                                   Port: {d}
                        Connection type: Socket
                           Thread Count: {d}
                         Output Buffers: {d}(effective = {d})
                     Max Output Buffers: 0(use default)(effective = {d})
                      Max Fragment Size: {d}
                       Send Buffer Size: 0(use default)
                       Recv Buffer Size: 0(use default)
                           Send Timeout: 0(use default)
                        Receive Timeout: 0(use default)
                         Interface Name: (use default)
                            Tcp_NoDelay: Yes
                              Tick Rate: {d}
                      Use Direct Writes: No
                        High Water Mark: 0(use default)
                           Latency File: (none)
                           Summary File: ProvSummary.out
                   Write Stats Interval: {d}
                             Stats File: ProvStats
                          Display Stats: True
                            Update Rate: {d}
                    Latency Update Rate: {d}
                       Generic Msg Rate: {d}
               Generic Msg Latency Rate: {d}
                     Refresh Burst Size: {d}
                              Data File: MsgData.xml
                                Packing: No
                           Service Name: DIRECT_FEED
                             Service ID: {d}
                              OpenLimit: {d}


            """,
            Inputs(ProvPerfOptionTable.Instance, InputBlock.WideLabels));
        GuideSample.Equal(
            $$"""

            --- OVERALL SUMMARY ---

            Overall Statistics:
              No GenMsg latency information was received.
              Image requests received: {d}
              Updates sent: {d}
              CPU/Memory Samples: {d}
            {{Resources}}


            """,
            Summary(WrittenReports.Provider, ProviderSamples.Summary), OurSendLag);
        GuideSample.BeginsWith(
            $"UTC, Requests received, Images sent, Updates sent, Posts reflected, {GenericColumns}, CPU usage (%), Memory(MB)",
            Statistics("ProvStats.csv").Header);
        GuideSample.BeginsWith("{utc}, {d}, {d}, {d}, {d}, {d}, {d}, {d}, {d}, {.1}, {.1}, {.1}, {.1}, {.2}, {.2}",
            Statistics("ProvStats.csv").Row);
        GuideSample.Equal(
            """
            005: UpdRate: {d}, CPU: {.2}%, Mem: {.2}MB
              - Received {d} item requests (total: {d}), sent {d} images (total: {d})
              Posting: received {d}, reflected {d}
              GenMsgs: sent {d}, received {d}, latencies sent {d}, latencies received {d}
              GenMsgLat(usec): Avg:{6.1} StdDev:{6.1} Max:{6.1} Min:{6.1}, Msgs: {d}
              - Received {d} closes.
              - Stopped {d} updates due to lack of output buffers.
              - {d} GenMsgs not sent due to lack of output buffers.
              - Approx. avg msgs per pack: {d}

            """,
            Console(WrittenReports.Provider, ReportSamples.Interval(ProviderSamples.BusyCounts)),
            "RTT", "Send lag", "- Updates not sent");
    }

    [Theory]
    [InlineData("  Msgs: {d}", "  Msgs: 12", true)]
    [InlineData("  Msgs: {d}", "  Msgs : 12", false)]
    [InlineData("Avg:{6.1} x", "Avg:  31.2 x", true)]
    [InlineData("Avg:{6.1} x", "Avg: 31.2 x", false)]
    [InlineData("Avg:{6.1} x", "Avg:12345.2 x", true)]
    [InlineData("Avg:{6.1} x", "Avg:  31.25 x", false)]
    [InlineData("a\nb", "a", false)]
    [InlineData("a", "a\nb", false)]
    public void Equal_OfAForm_TellsLabelsColumnsAndDecimals(string form, string text, bool isEqual)
    {
        Exception? difference = Record.Exception(() => GuideSample.Equal(form, text));
        Assert.Equal(isEqual, difference is null);
    }
}
