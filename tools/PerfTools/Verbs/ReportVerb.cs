using PerfCommon;
using PerfTools.Editions;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Scenarios;

namespace PerfTools.Verbs;

/// <summary><c>perftools report folder...</c>: writes the reports of folders with results, again or for the first time.</summary>
internal static class ReportVerb
{
    public const string Name = "report";
    public const string Summary = "Makes report.html of folders with results: of runs, or of the guide's files of any edition";

    public static OptionTable<ReportOptions> Options { get; } = ReportOptions.CreateTable();

    /// <summary>
    /// Writes the reports in order; the first failure ends it. Several folders of single programs get one more page that compares them.
    /// </summary>
    public static RunOutcome Run(IReadOnlyList<string> folders, ReportOptions options, RunHost host)
    {
        if (options.Added.Count > 0 && Add(folders, options) is { } unwritten)
            return new RunOutcome(ExitCode.OutputFile, $"report: {unwritten}");
        foreach (string folder in folders)
        {
            if (ResultLog.Combine([folder], () => ReportFolder.TryWrite(folder)) is { } problem)
                return new RunOutcome(ExitCode.OutputFile, $"report: {problem}");
            host.Console.WriteLine(Path.Combine(folder, ReportFolder.FileName));
        }

        return folders.Count < 2 ? RunOutcome.Success : Compare(folders, host);
    }

    // Why the run with the added results could not be written; null when it was written.
    private static string? Add(IReadOnlyList<string> folders, ReportOptions options)
    {
        if (folders.Count != 1)
            throw new SetupException(SetupProblem.CommandLine, "report: --add needs the folder of one run");
        RunFolder folder = RunFolder.Open(folders[0], "report", DateTime.UtcNow, []);
        foreach ((string role, string source) in options.Added)
        {
            RunDocument document = ResultLog.Combine([source], () =>
                new AddedRole(role, source, options.Editions.TryGetValue(role, out Edition edition) ? edition : null).AddTo(folder));
            if (RunFile.TryWrite(folder, document) is { } unwritten)
                return unwritten;
        }

        return null;
    }

    // Folders of single programs have no other comparison.
    private static RunOutcome Compare(IReadOnlyList<string> folders, RunHost host)
    {
        string[] made = [.. folders.Where(folder => !File.Exists(Path.Combine(folder, RunFile.Name)))];
        if (GuideComparison.TryCreate(made) is not { } content)
            return RunOutcome.Success;
        string path = Path.Combine(made[0], GuideComparison.FileName);
        if (WholeFile.TryWrite(path, writer => ReportPage.Write(writer, content)) is { } unwritten)
            return new RunOutcome(ExitCode.OutputFile, $"report: {unwritten}");
        host.Console.WriteLine(path);
        return RunOutcome.Success;
    }
}
