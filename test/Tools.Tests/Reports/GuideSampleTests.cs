using ConsPerf;
using NIProvPerf;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using ProvPerf;
using TransportPerf;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>The output of each tool compared with the guide's sample: equal except values, and lines of ours.</summary>
[Trait("Category", "Fast")]
public sealed class GuideSampleTests
{
    private const string Resources = """
          CPU Usage max (%): {.2}
          CPU Usage min (%): {.2}
          CPU Usage avg (%): {.2}
          Memory Usage max (MB): {.2}
          Memory Usage min (MB): {.2}
          Memory Usage avg (MB): {.2}
        """;

    private const string Latencies = """
          Latency avg (usec): {.1}
          Latency std dev (usec): {.1}
          Latency max (usec): {.1}
          Latency min (usec): {.1}
        """;

    private const string GenericColumns =
        "GenMsgs sent, GenMsg Latencies sent, GenMsgs received, GenMsg Latencies received, "
        + "GenMsg Latency avg (usec), GenMsg Latency std dev (usec), GenMsg Latency max (usec), GenMsg Latency min (usec)";

    private static readonly string[] OurPercentiles = ["Latency p", "Posting latency p", "GenMsg latency p"];
    private static readonly string[] OurSendLag = ["Send lag p", "Send lag max", "Updates not sent", "Messages not sent"];

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

    private static string Inputs<T>(OptionTable<T> table, int labelWidth)
        where T : class
    {
        using StringWriter writer = new();
        InputBlock.Write(writer, labelWidth, table.DescribeInputs(OptionLines.Accept(table, "")));
        return writer.ToString();
    }

    private static string Summary(Report report, RunSummary summary)
    {
        using StringWriter writer = new();
        report.WriteSummary(writer, summary);
        return writer.ToString();
    }

    private static string Console(Report report, Figures interval)
    {
        using StringWriter writer = new();
        report.WriteConsole(writer, interval);
        return writer.ToString();
    }

    private static (string Header, string Row) Statistics(string name) =>
        WrittenReports.Write(name).Split('\n') is [var header, var row, ..] ? (header, row) : default;

    private static string FirstLines(string name, int count) => string.Join('\n', WrittenReports.Write(name).Split('\n').Take(count));
}
