using PerfCommon;
using PerfTools.Results.Recorded;

namespace PerfTools.Results.History;

/// <summary>Finds the folders of runs below a folder: single runs, repeated ones, duels and ramps, never through a link.</summary>
internal static class RunFolders
{
    /// <summary>Maximum number of folders that are visited.</summary>
    public const int MaxLookedAt = 20_000;

    // runs/<time>-duel/a/run-1 is three deep; one more is for a folder of such folders.
    private const int MaxDepth = 4;

    /// <summary>Finds the folders of runs in the order of their names; folders inside one, as those of its ranks, do not count as runs.</summary>
    /// <exception cref="SetupException">The folder cannot be read (exit code 3).</exception>
    /// <param name="folder">The folder.</param>
    /// <param name="isWhole">True for another kind of folder that counts as one and is not searched; null for none.</param>
    public static IReadOnlyList<string> Find(string folder, Func<string, bool>? isWhole = null)
    {
        if (!Directory.Exists(folder))
            throw FileErrors.Input(folder, "no such folder");
        List<string> found = [];
        int left = MaxLookedAt;
        try
        {
            Find(folder, path => RecordedRun.IsIn(path) || isWhole?.Invoke(path) == true, MaxDepth, found, ref left);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(folder, cause);
        }

        return left > 0 ? found : throw FileErrors.Input(folder, FormattableString.Invariant($"more than {MaxLookedAt:N0} folders are in it"));
    }

    /// <summary>Reads the runs of all these folders, one after the other; one that cannot be read is left out.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="read">Reads the run of a folder.</param>
    /// <param name="leftOut">Receives the reason why a run cannot be read.</param>
    /// <param name="isWhole">As in <see cref="Find(string, Func{string, bool}?)"/>.</param>
    /// <returns>The runs, each with the name of its folder relative to the folder of all.</returns>
    /// <exception cref="SetupException">The folder itself cannot be read (exit code 3).</exception>
    public static IEnumerable<(string Name, TRun Run)> Read<TRun>(string folder, Func<string, TRun> read, ICollection<string> leftOut,
        Func<string, bool>? isWhole = null)
        where TRun : class
    {
        foreach (string path in Find(folder, isWhole))
        {
            TRun? run = null;
            try
            {
                run = read(path);
            }
            catch (SetupException unreadable)
            {
                leftOut.Add(unreadable.Message);
            }

            if (run is not null)
                yield return (Path.GetRelativePath(folder, path).Replace(Path.DirectorySeparatorChar, '/'), run);
        }
    }

    private static void Find(string folder, Func<string, bool> isRun, int depth, List<string> found, ref int left)
    {
        if (left-- <= 0)
            return;
        if (isRun(folder))
        {
            found.Add(folder);
            return;
        }

        if (depth == 0)
            return;
        foreach (DirectoryInfo inner in new DirectoryInfo(folder).EnumerateDirectories().OrderBy(one => one.Name, StringComparer.Ordinal))
        {
            if (inner.LinkTarget is null)
                Find(Path.Combine(folder, inner.Name), isRun, depth - 1, found, ref left);
        }
    }
}
