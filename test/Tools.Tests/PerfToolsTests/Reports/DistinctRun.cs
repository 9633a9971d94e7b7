using System.Globalization;
using System.Text.Json;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Screen;
using PerfTools.Verdicts;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>A run of which no figure equals another, and every output of perftools for it.</summary>
internal static class DistinctRun
{
    private const string Limits =
        "rate>+1%,avg<-1%,p50>+1%,p90>+1%,p99>+1%,p99.9>+1%,sendLagP99>+1%,images>+1%,memory>+1%,cpu>+1%,cpu.provider>+1%,cpu.consumer>+1%";

    private static readonly JsonElement Network = JsonElement.Parse("""
        {"network":[{"local":"192.0.2.1","peer":"192.0.2.2","card":"eth0","cardMegabits":1007,"connections":52,"minRoundTripMicros":53,"roundTripMicros":381,"pathMtuBytes":1492,
         "segmentsSent":610054,"segmentsResent":55,"bytesSent":710000056,"bytesResent":81057,"busySeconds":5.3}]}
        """);

    public static RunDocument Document { get; } = SampleFigures.Run with
    {
        Verdict = "SLOW",
        Reason = "why it is slow",
        ExitCode = (int)ExitCode.AssertionMissed,
        Figures = new()
        {
            RateAsked = 100_001,
            RateReached = 98_002.5,
            SteadySeconds = 10.125,
            LatencyMicros = Latency(0),
            SendLagMicros = Latency(1),
            Images = new(10_003, 1.375),
            RateSteps =
            [
                new() { RateAsked = 50_011, RateReached = 50_012.5, Seconds = 3.5, LatencyMicros = Latency(2) },
                new() { RateAsked = 60_013, RateReached = 55_014.5, Seconds = 4.5, LatencyMicros = Latency(3) },
            ],
        },
        Links = [Link(0, "updates", "provider", "consumer"), Link(1, "requests", "consumer", "provider"), Link(2, "refreshes", "provider", "consumer")],
        Roles =
        [
            SampleFigures.Run.Roles[0] with { ExitCode = 143, CpuCorePercent = 16.08, MemoryMegabytes = 161.4, Files = null, Final = Network,
                Figures = [Number("counts.a", "a sent", "count", null, 41_001), Number("rate.b", "b rate", "rate", "1/s", 42_002.5),
                    Number("c", "c bytes", "memory", "bytes", 43_003),
                    Number("d", "d seconds", "time", "s", 44.004), Number("e", "e share", "share", "%", 45.05),
                    Number("lag", "lag", "time", "us", null) with { Merge = "histogram", Series = "sendLag", Phase = "steady", Samples = Latency(4) }] },
            SampleFigures.Run.Roles[1] with { ExitCode = 5, CpuCorePercent = 24.96, MemoryMegabytes = 257.6, Files = null,
                Figures = [Number("p50Micros", "f of a size", "time", "us", 46.5) with { At = new("size", 64, "bytes") },
                    Number("p50Micros", "f of a size", "time", "us", 47.5) with { At = new("size", 128, "bytes") },
                    Number("rounds", "g of a size", "count", null, 48_008) with { At = new("size", 64, "bytes") }] },
        ],
        Machine = new()
        {
            Processors = 3,
            OperatingSystem = "an operating system",
            Architecture = "an architecture",
            Runtime = "a runtime",
            LoadBeforePercent = 2.5,
            ForeignPercent = 3.5,
        },
    };

    /// <summary>Writes every output for it, each after its name.</summary>
    public static void Write(TextWriter writer)
    {
        IReadOnlyList<ThresholdResult> asked = Assert(Document);
        RunDocument run = Document with { Assertions = [.. asked.Select(RunAssertions.Describe)] };
        writer.Write("# run.json\n" + RunFile.CreateText(run) + "# markdown\n");
        RunMarkdown.Write(writer, [("", run)], together: null);
        writer.Write("# closing block\n");
        foreach (string line in ClosingText.Create(run, "folder/", "report.html"))
            writer.Write(line + "\n");
        writer.Write("# JUnit\n");
        JUnitFile.Write(writer, "run direct", [.. run.Assertions.Select(one => new JUnitCase(one.Assertion, one.Kept ? null : one.Line))],
            [.. run.Roles.SelectMany(role => role.Figures).SelectMany(figure => figure.Numbers())]);
        writer.Write("# figures of the roles\n");
        foreach (string line in RoleFigureText.Create(run))
            writer.Write(line + "\n");
        using TestFolder folder = new();
        File.WriteAllText(folder.PathOf(RunFile.Name), RunFile.CreateText(run));
        Write(writer, "page", RunPage.Create(RecordedRun.Read(folder.FullPath)));
    }

    /// <summary>Writes every output for the comparison of two runs that perftools made.</summary>
    public static void WriteComparison(TextWriter writer)
    {
        using TestFolder a = new(), b = new();
        GeneratedRun.Write(a.FullPath, seconds: 30, _ => Generated(a, 0));
        GeneratedRun.Write(b.FullPath, seconds: 40, _ => Generated(b, 1));
        RunComparison comparison = RunComparison.Of(RunSet.Read("A", a.FullPath), RunSet.Read("B", b.FullPath));
        ChangeLimitResult[] limits = [.. ChangeLimit.TryParseList(Limits)!.Select(limit => limit.Compare(comparison))];
        StringWriter text = new() { NewLine = "\n" };
        text.Write("# text\n");
        foreach (string line in ComparisonText.Create(comparison, limits))
            text.Write(line + "\n");
        text.Write("# markdown\n");
        ComparisonMarkdown.Write(text, comparison, limits);
        text.Write("# JSON\n");
        ComparisonFile.Write(text, comparison, limits);
        Write(text, "page", ComparisonPage.Create(comparison, limits));
        text.Write("# figures to the last digit\n");
        foreach (FigureChange change in comparison.Figures)
            text.Write(string.Create(CultureInfo.InvariantCulture, $"{change.Figure.Name} {change.A} {change.B} {change.Word}\n"));
        writer.Write(text.ToString().Replace(a.FullPath, "folder-a", StringComparison.Ordinal).Replace(b.FullPath, "folder-b", StringComparison.Ordinal));
    }

    /// <summary>Each figure that can be named: one threshold that it keeps, one that it misses.</summary>
    public static IReadOnlyList<ThresholdResult> Assert(RunDocument run) =>
        new RunAssertions(run.Figures, run.Links, run.Roles).Compare(
        [
            .. from metric in Threshold.Metrics
               from sign in (string[])[">=", "<"]
               let percent = metric.EndsWith('%') ? "%" : ""
               select Threshold.TryParseList($"{metric.TrimEnd('%')}{sign}0{percent}", Threshold.Metrics)![0],
        ]);

    private static RunDocument Generated(TestFolder folder, int number)
    {
        RunDocument run = RunFile.Read(Prepared(folder));
        return run with
        {
            Figures = run.Figures! with { Images = new(10_000, 1.5 + number) },
            Roles = [.. run.Roles.Select((role, i) =>
                role with { CpuCorePercent = 10 + (7 * i) + (3 * number), MemoryMegabytes = 100 + (70 * i) + (30 * number) })],
            Machine = Document.Machine,
        };
    }

    private static string Prepared(TestFolder folder)
    {
        GeneratedRun.Write(folder.FullPath, seconds: 1);
        return folder.PathOf(RunFile.Name);
    }

    private static void Write(TextWriter writer, string name, ReportContent page)
    {
        writer.Write($"# {name}\n{page.Title}\n{page.Subtitle}\n{page.Verdict}: {page.Sentence}\n");
        foreach (TextTable table in page.Figures.Concat(page.Conditions))
        {
            writer.Write($"## {table.Title}: {string.Join(" | ", table.Columns)}\n");
            foreach (IReadOnlyList<Cell> row in table.Rows)
            {
                writer.Write(string.Join(" | ", row.Select(cell => cell.Figure is null ? cell.Text
                    : string.Create(CultureInfo.InvariantCulture, $"{cell.Text} ({cell.Figure} {cell.Value})"))) + "\n");
            }
        }

        writer.Write($"## charts: {string.Join(" | ", page.Charts.Select(chart => chart.Title))}\n");
    }

    private static RoleFigure Number(string name, string words, string kind, string? unit, double? value) =>
        new() { Name = name, Words = words, Kind = kind, Unit = unit, Better = "lower", Merge = "sum", Value = value };

    private static LinkResult Link(int number, string what, string from, string to) => new()
    {
        From = from,
        To = to,
        What = what,
        Sent = 1_000_100 + (1_000 * number),
        Received = 1_000_060 + (1_000 * number),
        Lost = 40 + number,
        NotSent = 20 + number,
        Comparable = number != 2,
    };

    private static RunLatency Latency(int number) => new()
    {
        Count = 200_000 + number,
        Min = 10.5 + number,
        P50 = 20.5 + number,
        Average = 30.5 + number,
        Deviation = 40.5 + number,
        P90 = 50.5 + number,
        P99 = 60.5 + number,
        P999 = 70.5 + number,
        P9999 = 80.5 + number,
        Max = 90.5 + number,
    };
}
