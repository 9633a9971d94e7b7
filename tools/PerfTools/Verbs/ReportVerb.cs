using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Verbs;

/// <summary><c>perftools report folder...</c>: makes the reports of folders with results, again or for the first time.</summary>
internal static class ReportVerb
{
    public const string Summary = "Makes report.html of folders with results: of runs, or of the guide's files of any edition";

    /// <summary>Makes them in order; the first that cannot be made ends it. Several folders of single programs get one more page that compares them.</summary>
    public static RunOutcome Run(IReadOnlyList<string> folders, RunHost host)
    {
        foreach (string folder in folders)
        {
            if (ResultLog.Combine([folder], () => ReportFolder.TryWrite(folder)) is { } problem)
                return new RunOutcome(ExitCode.OutputFile, $"report: {problem}");
            host.Console.WriteLine(Path.Combine(folder, ReportFolder.FileName));
        }

        return folders.Count < 2 ? RunOutcome.Success : Compare(folders, host);
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
