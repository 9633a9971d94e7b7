using PerfCommon;
using PerfTools.Results.Documents;

namespace PerfTools.Results.History;

/// <summary>Reads the runs of a folder, one run.json after the other, and keeps the figures alone.</summary>
internal static class HistoryReader
{
    /// <summary>Reads the runs; one that cannot be read is left out and named.</summary>
    /// <param name="folder">The folder of runs.</param>
    /// <param name="last">Maximum number of the newest runs of each series; null for all.</param>
    /// <param name="searches">Reads searches, each as one point; null where folders of searches are not read.</param>
    /// <exception cref="SetupException">There is no run that can be read (exit code 3).</exception>
    public static RunHistory Read(string folder, int? last = null, OtherPoints? searches = null)
    {
        List<string> problems = [];
        HistoryRun ReadOne(string path) => searches?.IsIn(path) == true ? searches.Read(path)
            : HistoryRun.Of("", RunFile.Read(Path.Combine(path, RunFile.Name)));
        HistoryRun[] runs = [.. RunFolders.Read(folder, ReadOne, problems, searches?.IsIn).Select(run => run.Run with { Folder = run.Name })];
        return runs.Length > 0 ? RunHistory.Of(runs, last, problems)
            : throw FileErrors.Input(folder, problems is [var first, ..] ? $"no run can be read: {first}" : "no folder with run.json or search.json is in it");
    }
}

/// <summary>Folders that are a point of a history but no run, as those of searches.</summary>
/// <param name="IsIn">True for such a folder.</param>
/// <param name="Read">Reads the folder.</param>
internal sealed record OtherPoints(Func<string, bool> IsIn, Func<string, HistoryRun> Read);
