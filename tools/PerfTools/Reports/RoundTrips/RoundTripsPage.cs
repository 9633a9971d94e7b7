using System.Globalization;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;

namespace PerfTools.Reports.RoundTrips;

/// <summary>Creates one page for round trips over several transports, whose runs are side by side in a folder.</summary>
internal static class RoundTripsPage
{
    private const string BaselineEnd = "-baseline";

    /// <summary>Creates the page of the runs below a folder; null where none is of round trips.</summary>
    /// <exception cref="PerfCommon.SetupException">A run cannot be read (exit code 3).</exception>
    public static ReportContent? TryCreate(string folder)
    {
        (string Name, RunDocument Run)[] tests = [.. FindRuns(folder).Select(run => (Path.GetRelativePath(folder, run.Folder), run.Document))];
        return tests.Length == 0 ? null : Create(tests);
    }

    private static IEnumerable<RecordedRun> FindRuns(string folder) =>
        from path in Directory.GetDirectories(folder).Order(StringComparer.Ordinal)
        where !path.EndsWith(BaselineEnd, StringComparison.Ordinal)
        from run in Directory.GetDirectories(path, RunSet.RepeatPrefix + "*").Order(StringComparer.Ordinal).Prepend(path)
        where RecordedRun.IsIn(run)
        let recorded = RecordedRun.Read(run)
        where recorded.Document is { Scenario: var scenario, Figures.RoundTrips: not null } && scenario == RoundtripScenario.Roundtrip.Name
        select recorded;

    private static ReportContent Create((string Name, RunDocument Run)[] tests)
    {
        (string Name, RunDocument Run) worst = Array.Find(tests, test => test.Run.Reason is not null);
        DateTime start = tests.Min(test => test.Run.StartUtc), end = tests.Max(test => test.Run.EndUtc);
        return new()
        {
            Title = RoundtripScenario.Roundtrip.Title,
            Subtitle = string.Create(CultureInfo.InvariantCulture,
                $"{string.Join(", ", tests.Select(test => test.Name))}, {start:yyyy-MM-dd HH:mm:ss} UTC, {(end - start).TotalSeconds:F1} s"),
            Verdict = worst.Run?.Verdict ?? RunVerdict.Ok,
            Sentence = worst.Run is null ? "Every transport did what was asked" : $"{worst.Name}: {worst.Run.Reason}",
            Figures =
            [
                .. tests.Select(test => RoundTripSizes.Create(test.Run.Figures!.RoundTrips, test.Name)),
                .. tests.Select(test => RunPage.Assertions(test.Run, test.Name)).Where(table => table.Rows.Count > 0),
            ],
            Charts = [.. RoundTripCharts.Of([.. tests.Select(test => (test.Name, test.Run.Figures!.RoundTrips!))])],
            Conditions = [.. RunConditions.Create(tests[0].Run, RoundtripScenario.Roundtrip)],
        };
    }
}
