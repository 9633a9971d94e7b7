using System.Text.Json;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>The figures that the reports derive from others.</summary>
[Trait("Category", "Fast")]
public class ReportFigureTests
{
    private const long Second = 1_000_000_000;
    private const long Megabyte = 1_048_576;

    [Fact]
    public void ConsumerRun_NothingHappened_HasNoNegativeOrEndlessFigure()
    {
        JsonElement overall = Final(new()
        {
            Counts = ConsumerSamples.BusyCounts,
            Moments = ReportSamples.Moments((Moment.FirstRequest, 10), (Moment.FirstUpdate, 20), (Moment.End, 5)),
        });
        foreach (string phase in new[] { "startup", "steady", "whole" })
        {
            Assert.Equal(0, Number(overall, phase, "seconds"));
            Assert.Equal(0, Number(overall, phase, "updateRate"));
        }

        Assert.Equal(0, new ImageRetrieval(10, 0).PerSecond);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 30)]
    [InlineData(10, 3)]
    public void Users_UpdatesPerRead_AreAllUpdatesOverTheReads(int reads, double expected)
    {
        Figures figures = new() { Counts = CounterSnapshot.Of((Counter.SteadyUpdates, 23), (Counter.DrainedUpdates, 7), (UserCounter.UpdateReads, reads)) };
        using StringWriter header = new(), row = new();
        WrittenReports.Users.WriteCsvHeader(header);
        WrittenReports.Users.WriteCsvRow(row, figures);
        int column = Array.FindIndex(header.ToString().Split(','), name => name.Trim() == "Updates per read");
        Assert.Equal(expected, double.Parse(row.ToString().Split(',')[column], System.Globalization.CultureInfo.InvariantCulture));
    }

    [Fact]
    public void ConsumerRun_DrainedUpdates_AreReceivedButInNoRate()
    {
        JsonElement overall = Final(new()
        {
            Counts = CounterSnapshot.Of((Counter.StartupUpdates, 10), (Counter.SteadyUpdates, 20), (Counter.DrainedUpdates, 7)),
            Moments = ReportSamples.Moments(
                (Moment.FirstRequest, 0), (Moment.RefreshesComplete, Second), (Moment.FirstUpdate, 0), (Moment.End, 3 * Second)),
        });
        Assert.Equal((37, 37), (Number(overall, "counts", "updatesReceived"), Number(overall, "whole", "updates")));
        Assert.Equal(10, Number(overall, "whole", "updateRate"));
        Assert.Equal((10, 10), (Number(overall, "startup", "updateRate"), Number(overall, "steady", "updateRate")));
    }

    [Fact]
    public void ConsumerRun_OneOfSeveralWorkersAhead_CountsFromTheLastOnes()
    {
        Figures worker = new()
        {
            Info = new(0, default, 0, Thread: 1, Threads: 2),
            Counts = CounterSnapshot.Of((Counter.StartupUpdates, 10), (Counter.SteadyUpdates, 25), (Counter.AheadUpdates, 5)),
            Moments = ReportSamples.Moments(
                (Moment.FirstRequest, 0), (Moment.RefreshesComplete, Second / 2), (Moment.SteadyBegan, Second), (Moment.FirstUpdate, 0),
                (Moment.End, 3 * Second)),
        };
        Assert.Equal(12.5, Number(Final(worker), "steady", "updateRate"));
        JsonElement all = Final(worker with { Info = worker.Info with { Thread = 0 } });
        Assert.Equal((15, 20, 10),
            (Number(all, "startup", "updates"), Number(all, "steady", "updates"), Number(all, "steady", "updateRate")));
    }

    [Fact]
    public void SendRate_WholeTicks_IsWhatWasSentInThem()
    {
        Figures sender = new()
        {
            Counts = CounterSnapshot.Of((Counter.MessagesSent, 1_000_000), (Counter.UpdatesSent, 1_000_000)),
            Moments = ReportSamples.Moments((Moment.Connected, 0), (Moment.Disconnected, 11 * Second)),
            SendingSeconds = 10,
        };
        Assert.Equal(100_000, Final(WrittenReports.Transport, sender).GetProperty("sendRate").GetDouble());
        Assert.Equal(100_000, Final(WrittenReports.Provider, sender).GetProperty("sendRate").GetDouble());
        Assert.False(Final(WrittenReports.Provider, new()).TryGetProperty("sendRate", out _));
    }

    [Fact]
    public void ReceiveRate_PeerThatStartsLate_IsThatAfterTheRush()
    {
        Figures receiver = new()
        {
            Counts = CounterSnapshot.Of((Counter.MessagesReceived, 1_200_000), (Counter.StartupMessages, 200_000),
                (Counter.BytesReceived, 120 * Megabyte), (Counter.StartupBytes, 20 * Megabyte)),
            Moments = ReportSamples.Moments(
                (Moment.Connected, 0), (Moment.FirstMessage, Second / 2), (Moment.ReceivingSettled, Second),
                (Moment.Disconnected, 11 * Second)),
        };
        JsonElement overall = Final(WrittenReports.Transport, receiver);
        Assert.Equal((11, 10, 100_000),
            (Number(overall, "connectedSeconds"), Number(overall, "receivingSeconds"), Number(overall, "receiveRate")));
        string summary = WrittenReports.Write(stream =>
        {
            using StreamWriter writer = new(stream, leaveOpen: true);
            WrittenReports.Transport.WriteSummary(writer, new() { Overall = receiver, Resources = ReportSamples.Resources() });
        });
        Assert.Contains("Avg. Data Recv Rate (MB): 10.00\n", summary, StringComparison.Ordinal);
    }

    [Fact]
    public void CpuPerCore_Console_IsThatOfOneCore()
    {
        Report perCore = ProvPerf.ProvPerfReport.Create(new() { Run = new() { CpuPerCore = true } });
        string text = WrittenReports.Write(stream =>
        {
            using StreamWriter writer = new(stream, leaveOpen: true);
            perCore.WriteConsole(writer, ReportSamples.Interval(default));
            perCore.WriteSummary(writer, new() { Overall = new(), Resources = ReportSamples.Resources() });
        });
        Assert.Contains("CPU: 6.91%", text, StringComparison.Ordinal);
        Assert.Contains("CPU Usage avg (%): 4.46", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(7, "  Images missing: 3")]
    [InlineData(10, null)]
    public void ConsumerRun_ItemsWithoutTheirImage_AreMissing(int withImage, string? line)
    {
        Figures run = new() { Items = 10, Counts = CounterSnapshot.Of((Counter.ItemsWithRefresh, withImage)) };
        string text = WrittenReports.Write(stream =>
        {
            using StreamWriter writer = new(stream, leaveOpen: true);
            WrittenReports.Consumer.WriteSummary(writer, new() { Overall = run });
        });
        Assert.Equal(line, text.Split('\n').FirstOrDefault(one => one.Contains("Images missing", StringComparison.Ordinal))?.TrimEnd());
    }

    [Theory]
    [InlineData(7, "  Images missing: 3")]
    [InlineData(10, null)]
    [InlineData(11, null)]
    public void UsersRun_RequestsWithoutAnImage_AreMissing(int withImage, string? line)
    {
        Figures run = new() { Counts = CounterSnapshot.Of((Counter.RequestsSent, 10), (Counter.ItemsWithRefresh, withImage)) };
        string text = WrittenReports.Write(stream =>
        {
            using StreamWriter writer = new(stream, leaveOpen: true);
            WrittenReports.Users.WriteSummary(writer, new() { Overall = run });
        });
        Assert.Equal(line, text.Split('\n').FirstOrDefault(one => one.Contains("Images missing", StringComparison.Ordinal))?.TrimEnd());
    }

    [Theory]
    [InlineData(12.5)]
    [InlineData(null)] // too few samples
    public void Sample_OfARun_IsItsNumberOrNone(double? figure)
    {
        ReportRow row = new(new SampleValue(_ => figure, _ => 7));
        Assert.Equal((figure, 7L), (row.FindNumber(new Figures(), 0), row.Value.CountSamples(new Figures())));
    }

    [Theory]
    [InlineData(Threshold.Rate, 80_207.94)]
    [InlineData(Threshold.NotSent, 303)]
    [InlineData(Threshold.Memory, 61.25)]
    [InlineData("avg", 31.25)]
    [InlineData("p99.9", 410)]
    public void FindFigure_TransportRun_IsThatOfTheSummary(string metric, double expected) =>
        Assert.Equal(expected, WrittenReports.Transport.FindFigure(TransportSamples.BusySummary, metric).Value!.Value, tolerance: 0.01);

    [Fact]
    public void FindFigure_Cpu_IsThatOfOneCoreInTheSteadyState()
    {
        RunSummary summary = new() { Overall = new(), WholeCpu = new(0, Second, Second / 2), SteadyCpu = new(0, Second, Second / 4) };
        Assert.Equal(25, WrittenReports.Provider.FindFigure(summary, Threshold.Cpu).Value);
    }

    [Fact]
    public void FindFigure_NothingReceived_RateIsThatOfSending()
    {
        Figures sender = TransportSamples.BusyRun with { Counts = CounterSnapshot.Of((Counter.MessagesSent, 4987)) };
        Assert.Equal(1000, WrittenReports.Transport.FindFigure(new() { Overall = sender }, Threshold.Rate).Value);
    }

    [Fact]
    public void FindFigure_NotSent_IsMissingInTheShareOfTheRate()
    {
        Figures provider = new() { Counts = CounterSnapshot.Of((Counter.UpdatesSent, 75), (Counter.UpdatesNotSent, 25)) };
        Assert.Equal(75, WrittenReports.Provider.FindFigure(new() { Overall = provider }, Threshold.Rate + Threshold.Share).Value);
        Figures consumer = new() { Counts = CounterSnapshot.Of((Counter.RequestsSent, 10), (Counter.RefreshesReceived, 9)) };
        Assert.Equal(90, WrittenReports.Consumer.FindFigure(new() { Overall = consumer }, Threshold.Images + Threshold.Share).Value);
    }

    [Fact]
    public void FindFigure_NotSentOfAHub_LeavesOutPostsWithoutAWatcher()
    {
        Figures hub = new()
        {
            Counts = CounterSnapshot.Of((Counter.UpdatesNotSent, 5), (Counter.PostsNotReflected, 7), (Counter.PostsUnwatched, 4),
                (HubCounter.UpdatesUnwatched, 100)),
        };
        Assert.Equal(8, WrittenReports.Hub.FindFigure(new() { Overall = hub }, Threshold.NotSent).Value);
    }

    [Fact]
    public void Metrics_OfEachTool_AreThoseThatItsOptionTakes()
    {
        AssertTaken(WrittenReports.Consumer, new ConsPerf.ConsPerfOptionTable());
        AssertTaken(WrittenReports.Provider, new ProvPerf.ProvPerfOptionTable());
        AssertTaken(WrittenReports.Transport, new TransportPerf.TransportPerfOptionTable());
    }

    private static void AssertTaken<T>(Report report, PerfTools.Hosting.CommandLine.OptionTable<T> table)
        where T : class
    {
        string kind = table.Rows.Single(row => row.Name == "-assert").Kind;
        Assert.Equal(
            Threshold.ListKind([.. Threshold.Metrics.Intersect(report.Metrics)]), kind);
    }

    private static JsonElement Final(Figures overall) => Final(WrittenReports.Consumer, overall);

    private static JsonElement Final(Report report, Figures overall)
    {
        string line = WrittenReports.Write(stream => report.WriteFinal(stream, new() { Overall = overall }));
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.GetProperty("overall").Clone();
    }

    private static double Number(JsonElement overall, string name) => overall.GetProperty(name).GetDouble();

    private static double Number(JsonElement overall, string parent, string name) =>
        overall.GetProperty(parent).GetProperty(name).GetDouble();
}
