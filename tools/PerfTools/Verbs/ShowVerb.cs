using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary><c>perftools show folder...</c>: prints every figure of completed runs, then their closing lines as they were printed.</summary>
internal sealed class ShowVerb(int? screenColumns)
{
    public const string Summary = "Prints every figure of a run, its closing lines, and why it was not OK";

    public RunOutcome Run(IReadOnlyList<string> folders, RunHost host)
    {
        foreach (string folder in folders)
        {
            RunDocument run = RecordedRun.Read(folder).Document;
            foreach (string line in RoleFigureText.Create(run))
                host.Console.WriteLine(line);
            string? report = File.Exists(Path.Combine(folder, ReportFolder.FileName)) ? ReportFolder.FileName : null;
            new RunScreen(host.Console, screenColumns, rateUnit: "").ShowEnd(run, folder.TrimEnd('/') + "/", report);
            if (run.Reason is { } reason)
                host.Console.WriteLine(reason);
        }

        return RunOutcome.Success;
    }
}
