using PerfCommon;
using PerfTools.Results.Documents;

namespace PerfTools.Results.History;

/// <summary>Reads the runs of a folder, one run.json after the other, and keeps the figures alone.</summary>
internal static class HistoryReader
{
    /// <summary>Reads them; a run that cannot be read is left out and named.</summary>
    /// <param name="folder">The folder of runs.</param>
    /// <param name="last">Of each series only so many of the newest; null for all.</param>
    /// <exception cref="SetupException">There is no run that can be read (exit code 3).</exception>
    public static RunHistory Read(string folder, int? last = null)
    {
        List<string> problems = [];
        HistoryRun[] runs = [.. RunFolders.Read(folder, path => RunFile.Read(Path.Combine(path, RunFile.Name)), problems).Select(run => HistoryRun.Of(run.Name, run.Run))];
        return runs.Length > 0 ? RunHistory.Of(runs, last, problems)
            : throw FileTrouble.Input(folder, problems is [var first, ..] ? $"no run can be read: {first}" : "no folder with run.json is in it");
    }
}
