using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports;
using PerfTools.Results.Comparison;
using PerfTools.Results.Files;
using PerfTools.Screen;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary><c>perftools compare A B</c>: reports what is better or worse in one run, or set of repeated runs, than in another.</summary>
internal sealed class CompareVerb(TextWriter error)
{
    public const string Name = "compare";
    public const string Summary =
        "Compares two runs, two sets of repeated runs, or two searches, figure by figure: better, worse, same, or not comparable";

    private const string CapacityLimit = "rate";

    public static OptionTable<CompareOptions> Options { get; } = CompareOptions.CreateTable();

    public RunOutcome Run(string folderA, string folderB, CompareOptions options, RunHost host)
    {
        if (SearchFile.IsIn(folderA) && SearchFile.IsIn(folderB))
            return RunSearches(folderA, folderB, options, host);
        RunComparison comparison = ResultLog.Combine([folderA, folderB],
            () => RunComparison.Of(RunSet.Read("A", folderA), RunSet.Read("B", folderB),
                [.. options.Figures, .. options.Limits.Select(limit => limit.Figure)]));
        return Report(Name, comparison, options.Limits, options.Outputs, host, error);
    }

    // Two searches have one figure that can fail: the value found, called rate as in a run.
    private RunOutcome RunSearches(string folderA, string folderB, CompareOptions options, RunHost host)
    {
        if (options.Limits.FirstOrDefault(limit => limit.Figure != CapacityLimit) is { } other)
            throw new SetupException(SetupProblem.CommandLine, $"{Name}: --fail: of searches only {CapacityLimit} can be named, not {other.Figure}");
        SearchComparison comparison = ResultLog.Combine([folderA, folderB], () => new SearchComparison(SearchFile.Read(folderA), SearchFile.Read(folderB)));
        ResultOutputs outputs = options.Outputs;
        RunConsole screen = outputs.UsesConsole ? new RunConsole(error) : host.Console;
        foreach (string line in SearchComparisonText.CreateLines(comparison))
            screen.WriteLine(line);
        (ChangeLimit Limit, string? Missed)[] results = [.. options.Limits.Select(limit => (limit, FindMissed(limit, comparison.Capacity)))];
        string? unwritten = outputs.Write(
            host.Console,
            markdown: writer => SearchComparisonText.WriteMarkdown(writer, comparison),
            junit: writer => JUnitFile.Write(writer, Name, [.. results.Select(result => new JUnitCase(result.Limit.Text, result.Missed))]),
            json: writer => SearchComparisonText.WriteJson(writer, comparison),
            html: writer => ReportPage.Write(writer, SearchComparisonText.CreatePage(comparison)));
        RunOutcome outcome = results.FirstOrDefault(result => result.Missed is not null).Missed is { } missed
            ? new(ExitCode.AssertionMissed, $"{Name}: {missed}") : RunOutcome.Success;
        return outcome.WithUnwritten(unwritten);
    }

    // Overlapping intervals never fail; values that cannot be compared do, because the change is unknown.
    private static string? FindMissed(ChangeLimit limit, SearchChange capacity)
    {
        bool isKept = capacity.Word == ChangeWord.Same
            || (capacity is { Word: not ChangeWord.NotComparable, ChangePercent: { } percent }
                && (limit.IsAbove ? percent <= limit.Percent : percent >= limit.Percent));
        return isKept ? null : $"{limit.Text}: capacity is {SearchComparisonText.Describe(capacity)}";
    }

    /// <summary>Reports the result of a comparison to all requested outputs.</summary>
    /// <param name="verb">The verb that compared.</param>
    /// <param name="comparison">The comparison.</param>
    /// <param name="limits">The changes with which it fails.</param>
    /// <param name="outputs">The outputs in addition to the console.</param>
    /// <param name="host">Its console.</param>
    /// <param name="error">The output for people when the console is a program's.</param>
    public static RunOutcome Report(string verb, RunComparison comparison, IReadOnlyList<ChangeLimit> limits, ResultOutputs outputs,
        RunHost host, TextWriter error)
    {
        ChangeLimitResult[] results = [.. limits.Select(limit => limit.Compare(comparison))];
        RunConsole screen = outputs.UsesConsole ? new RunConsole(error) : host.Console;
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
