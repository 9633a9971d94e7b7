using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Files;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary><c>perftools compare A B</c>: what became better or worse from one run, or set of repeated runs, to another.</summary>
internal sealed class CompareVerb(TextWriter error)
{
    public const string Name = "compare";
    public const string Summary =
        "Compares two runs, or two sets of repeated runs, figure by figure: better, worse, same, or not comparable";

    public static OptionTable<CompareOptions> Options { get; } = CompareOptions.CreateTable();

    public RunOutcome Run(string folderA, string folderB, CompareOptions options, RunHost host)
    {
        RunComparison comparison = ResultLog.Combine([folderA, folderB],
            () => RunComparison.Of(RunSet.Read("A", folderA), RunSet.Read("B", folderB),
                [.. options.Figures, .. options.Limits.Select(limit => limit.Figure)]));
        return Tell(Name, comparison, options.Limits, options.Outputs, host, error);
    }

    /// <summary>Says what came of a comparison, everywhere it is asked for.</summary>
    /// <param name="verb">The verb that compared.</param>
    /// <param name="comparison">The comparison.</param>
    /// <param name="limits">Changes with which it fails.</param>
    /// <param name="outputs">Where it goes beside the console.</param>
    /// <param name="host">Its console.</param>
    /// <param name="error">Where what is for people goes when the console is a program's.</param>
    public static RunOutcome Tell(string verb, RunComparison comparison, IReadOnlyList<ChangeLimit> limits, ResultOutputs outputs,
        RunHost host, TextWriter error)
    {
        ChangeLimitResult[] results = [.. limits.Select(limit => limit.Compare(comparison))];
        RunConsole screen = outputs.TakesConsole ? new RunConsole(error) : host.Console;
        foreach (string line in ComparisonText.Create(comparison, results))
            screen.WriteLine(line);
        string? unwritten = outputs.Write(
            host.Console,
            markdown: writer => ComparisonMarkdown.Write(writer, comparison, results),
            junit: writer =>
                JUnitFile.Write(writer, verb,
                    [.. results.Select(result => new JUnitCase(result.Limit.Text, result.IsKept ? null : result.Reason))]),
            json: writer => ComparisonFile.Write(writer, comparison, results),
            html: writer => ReportPage.Write(writer, ComparisonPage.Create(comparison, results)));
        RunOutcome outcome = Array.Find(results, result => !result.IsKept) is { } missed
            ? new(ExitCode.AssertionMissed, $"{verb}: {missed.Reason}") : RunOutcome.Success;
        return outcome.WithUnwritten(unwritten);
    }
}
