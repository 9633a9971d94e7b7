using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports;
using PerfTools.Results.History;

namespace PerfTools.History;

/// <summary><c>perftools history folder</c>: the figures of all runs in a folder over time, and where they changed.</summary>
internal static class HistoryVerb
{
    public const string Name = "history";
    public const string Summary = "Shows the figures of all runs in a folder over time and marks where they changed";

    private const string PageName = "history.html";
    private const string CsvName = "history.csv";

    public static OptionTable<HistoryOptions> Options { get; } = HistoryOptions.CreateTable();

    public static RunOutcome Run(string folder, HistoryOptions options, RunHost host) => Run(folder, options, host, DateTime.UtcNow);

    internal static RunOutcome Run(string folder, HistoryOptions options, RunHost host, DateTime nowUtc)
    {
        if (options.Keep is { } keep)
        {
            foreach (string line in RunRemoval.Remove(folder, keep, nowUtc))
                host.Console.WriteLine(line);
        }

        RunHistory history = HistoryReader.Read(folder, options.Last, SearchPoints.All);
        foreach (string line in HistoryText.Create(history))
            host.Console.WriteLine(line);
        (string page, string csv) = (options.Html ?? Path.Combine(folder, PageName), options.Csv ?? Path.Combine(folder, CsvName));
        string[] unwritten =
        [
            .. new[]
            {
                WholeFile.TryWrite(page, writer => ReportPage.Write(writer, HistoryPage.Create(history, folder))),
                WholeFile.TryWrite(csv, writer => HistoryCsv.Write(writer, history)),
                options.JUnit is null ? null : WholeFile.TryWrite(options.JUnit, writer => JUnitFile.Write(writer, Name, [.. CreateCases(history)])),
            }.OfType<string>(),
        ];
        RunIndex.TryWrite(folder);
        host.Console.WriteLine($"    files  {page}, {csv}");
        RunOutcome outcome = options.Fails && history.Changes.FirstOrDefault(change => change.IsStanding) is { } standing
            ? new(ExitCode.AssertionMissed, $"{Name}: {standing.Line}") : RunOutcome.Success;
        return outcome.WithUnwritten(unwritten is [] ? null : string.Join("; ", unwritten));
    }

    // A figure with too few runs to detect a change is a case as well: CI sees it from the first night on.
    private static IEnumerable<JUnitCase> CreateCases(RunHistory history) =>
        from series in history.Series
        from figure in series.Figures
        select new JUnitCase($"{series.Name}: {figure.Figure.Title}", figure.Changes.LastOrDefault(change => change.IsStanding)?.Line);
}
