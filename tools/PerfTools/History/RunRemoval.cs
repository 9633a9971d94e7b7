using PerfCommon;
using PerfTools.Results.Documents;
using PerfTools.Results.History;
using PerfTools.Search;

namespace PerfTools.History;

/// <summary>Deletes the folders of runs that are not kept: only folders that hold nothing but our files, never through a link, each named.</summary>
internal static class RunRemoval
{
    /// <summary>Deletes the folders.</summary>
    /// <returns>A line for each folder that was deleted, or could not be deleted.</returns>
    /// <exception cref="SetupException">The folder cannot be read (exit code 3).</exception>
    public static IReadOnlyList<string> Remove(string folder, RetainedRuns keep, DateTime nowUtc)
    {
        List<(string Path, RunDocument Run)> runs = [];
        foreach (string path in RunFolders.Find(folder, SearchFile.IsIn))
        {
            // a search keeps its runs; the folder itself holds runs, or was named by mistake
            if (path != folder && TryRead(path) is { } run)
                runs.Add((path, run));
        }

        return [.. keep.FindOthers(runs, run => run.Run.StartUtc, nowUtc).Select(run => Remove(folder, run.Path, run.Run))];
    }

    private static RunDocument? TryRead(string path)
    {
        try
        {
            return RunFile.Read(Path.Combine(path, RunFile.Name));
        }
        catch (SetupException)
        {
            return null; // an unreadable folder is no run of ours
        }
    }

    private static string Remove(string root, string path, RunDocument run)
    {
        string shown = PrintableText.From(path, PrintableText.MaxLineChars);
        try
        {
            OwnFiles own = OwnFiles.Of(path, run);
            if (own.Foreign is { } foreign)
                return $"kept     {shown}: {PrintableText.From(foreign, PrintableText.MaxLineChars)} in it is no file of a run";
            own.Delete();
            DeleteEmpty(root, Path.GetDirectoryName(path));
            return $"deleted  {shown}";
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return $"kept     {shown}: cannot be deleted: {FileErrors.Describe(path, cause)}";
        }
    }

    // The folder of repeated runs is deleted after the last of them.
    private static void DeleteEmpty(string root, string? folder)
    {
        for (; folder is not null && folder.Length > root.TrimEnd(Path.DirectorySeparatorChar).Length; folder = Path.GetDirectoryName(folder))
        {
            if (Directory.EnumerateFileSystemEntries(folder).Any())
                return;
            Directory.Delete(folder);
        }
    }
}
