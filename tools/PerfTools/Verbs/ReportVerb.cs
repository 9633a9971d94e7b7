using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports;
using PerfTools.Results.Files;

namespace PerfTools.Verbs;

/// <summary><c>perftools report folder...</c>: makes the reports of folders with results, again or for the first time.</summary>
internal static class ReportVerb
{
    public const string Summary = "Makes report.html of folders with results: of runs, or of the guide's files of any edition";

    /// <summary>Makes them in order; the first that cannot be made ends it.</summary>
    public static RunOutcome Run(IReadOnlyList<string> folders, RunHost host)
    {
        foreach (string folder in folders)
        {
            if (ResultLog.Combine([folder], () => ReportFolder.TryWrite(folder)) is { } problem)
                return new RunOutcome(ExitCode.OutputFile, $"report: {problem}");
            host.Console.WriteLine(Path.Combine(folder, ReportFolder.FileName));
        }

        return RunOutcome.Success;
    }
}
