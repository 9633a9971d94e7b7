using System.Globalization;
using PerfCommon;
using PerfTools.Ranks;
using PerfTools.Reports.Charts;
using PerfTools.Results.Documents;

namespace PerfTools.Reports.Users;

/// <summary>Writes the files of a users suite that are next to the folders of its ramps: tables, graphs, report.</summary>
internal static class UsersReport
{
    private const string ChartsFolder = "charts";

    /// <summary>Writes all files.</summary>
    /// <returns>Why one could not be written; null when all were written.</returns>
    public static string? TryWrite(RunFolder folder, string name, IReadOnlyList<FinishedVariant> variants)
    {
        StepRow[] rows = [.. variants.SelectMany(done => done.Steps)];
        IReadOnlyList<UsersSweep> sweeps = UsersSweep.Find(variants);
        IReadOnlyList<(string Name, Chart Chart)> charts = [.. UsersCharts.Create(rows), .. sweeps.Select(UsersCharts.Sweep)];
        Directory.CreateDirectory(folder.PathOf(ChartsFolder));
        string?[] failures =
        [
            WholeFile.TryWrite(folder.PathOf(SuiteFile.Name), writer => writer.Write(SuiteFile.CreateText(name, variants, sweeps))),
            WholeFile.TryWrite(folder.PathOf("steps.csv"), writer => StepRow.WriteCsv(writer, rows)),
            WholeFile.TryWrite(folder.PathOf("headline.csv"), writer => UsersTables.WriteCsv(writer, UsersTables.Headline(rows))),
            WholeFile.TryWrite(folder.PathOf("scenarios.csv"), writer => UsersTables.WriteCsv(writer, [UsersTables.Scenarios(variants)])),
            WholeFile.TryWrite(folder.PathOf("sweeps.csv"), writer => UsersTables.WriteCsv(writer, sweeps.Select(UsersTables.Sweep))),
            .. charts.Select(chart =>
                WholeFile.TryWrite(Path.Combine(folder.PathOf(ChartsFolder), chart.Name + ".svg"),
                    writer => SvgFile.Write(writer, chart.Chart))),
            WholeFile.TryWrite(folder.PathOf(ReportFolder.FileName),
                writer => ReportPage.Write(writer, CreatePage(name, variants, sweeps, rows, charts))),
        ];
        return failures.FirstOrDefault(failure => failure is not null);
    }

    private static ReportContent CreatePage(string name, IReadOnlyList<FinishedVariant> variants, IReadOnlyList<UsersSweep> sweeps,
        StepRow[] rows, IReadOnlyList<(string Name, Chart Chart)> charts)
    {
        FinishedVariant? worst = variants.FirstOrDefault(done => done.Document.Reason is not null);
        DateTime start = variants.Count > 0 ? variants[0].Document.StartUtc : DateTime.UtcNow;
        return new()
        {
            Title = $"Users of a hub: {name}",
            Subtitle = string.Create(CultureInfo.InvariantCulture,
                $"{start:yyyy-MM-dd HH:mm:ss} UTC, {variants.Count} ramps, {rows.Length} steps"),
            Verdict = worst?.Document.Verdict ?? RunVerdict.Ok,
            Sentence = (worst is null
                ? "Every ramp did what was asked" : $"{worst.Variant.Load.Name} {worst.Variant.Name}: {worst.Document.Reason}")
                + DescribeDisturbed(rows),
            Figures = [.. UsersTables.Headline(rows), UsersTables.Capacities(variants), .. sweeps.Select(UsersTables.Sweep),
                .. UsersTables.Abridged(rows)],
            Charts = [.. charts.Select(chart => chart.Chart)],
            Conditions =
            [
                UsersTables.Meanings(variants.Select(done => done.Variant.Load).Distinct()),
                .. UsersTables.ScenarioParts(variants),
                UsersTables.Machines(variants.Select(done => done.Document.Ranks).FirstOrDefault(ranks => ranks is not null)
                    ?? [ThisRank.Describe(0, 1, ["all"], null)]),
                UsersTables.AllSteps(rows),
            ],
        };
    }

    private static string DescribeDisturbed(StepRow[] rows) => rows.Count(row => row.Disturbance is not null) is > 0 and var disturbed
        ? string.Create(CultureInfo.InvariantCulture,
            $"; {disturbed} of {rows.Length} steps say nothing of the hub: the machine was busy, or the simulator at its limit")
        : "";
}
