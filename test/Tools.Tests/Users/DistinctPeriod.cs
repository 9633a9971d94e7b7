using System.Text;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Merging;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios.Users;
using Tools.Tests.Reports;
using UsersPerf;

namespace Tools.Tests.Users;

/// <summary>
/// A period of users in which no figure equals another, from the lines of UsersPerf to the row that perftools creates from them and from those of a
/// hub and a source.
/// </summary>
internal static class DistinctPeriod
{
    private const int Seconds = 5;

    public static void Write(TextWriter writer)
    {
        MeasuredStep measured = Measure();
        using StringWriter console = new();
        using PeriodLog log = new(histogramBase: null);
        log.Write(new RunConsole(console), measured);
        string line = Json(log.DequeueJsonLines().Single());
        writer.Write($"# console\n{console.ToString().ReplaceLineEndings("\n")}# line of a period\n{line}# figures that -until names\n");
        foreach (string metric in UsersPerfOptions.UntilMetrics)
        {
            writer.Write(measured.FindMiss(
                Threshold.TryParseList($"{metric.TrimEnd('%')}<0{(metric.EndsWith('%') ? "%" : "")}", UsersPerfOptions.UntilMetrics)!, 123_000_000) + "\n");
        }

        UsersVariant variant = new(UsersLoad.All[2], "base", UsersLoad.All[2].Base, StepList.TryParse("500")!);
        StepRow row = new StepReader(variant, [17.5]).Read(
            [new UsersPart([new JsonView(Parse(line))], [measured.Period.Latencies], IsWhole: true)],
            [Collection(WrittenReports.Hub)], [[Collection(WrittenReports.Publisher)]]).Single().Row;
        writer.Write("# row\n");
        foreach ((string name, Func<StepRow, string> show) in StepRow.Columns)
            writer.Write($"{name}: {show(row)}\n");
        writer.Write($"{row.Describe()}\n{row.DescribePart()}\n");
    }

    private static MeasuredStep Measure()
    {
        Period period = new() { Updates = 20_007, UsersIn = 497, LoginRetries = 31, Counts = new(11, 12, 13, 14) };
        for (int i = 1; i <= 20_000; i++)
            period.Record(1_000 + i);
        for (int i = 1; i <= 15; i++)
            period.RecordPost(700 + i);
        period.CpuPerThread.AddRange([21.5, 43.25]);
        return new(new UserStep(2, 250, 500, 0, 0, 0, Seconds * Clock.NanosPerSecond), period, ReportSamples.Utc.AddSeconds(-Seconds),
            Asked: 501, DueRate: 4_321.5);
    }

    private static RoleInterval Collection(PerfTools.Hosting.Reporting.Report report) =>
        RoleInterval.TryRead(Parse(Json(stream => report.WriteInterval(stream, DistinctFigures.Run, [DistinctFigures.Run]))))!;

    private static JsonElement Parse(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.Clone();
    }

    private static string Json(Action<Stream> write)
    {
        using MemoryStream stream = new();
        write(stream);
        return Encoding.UTF8.GetString(stream.ToArray());
    }
}
