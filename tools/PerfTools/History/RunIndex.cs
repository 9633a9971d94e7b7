using System.Globalization;
using PerfCommon;
using PerfTools.Reports;
using PerfTools.Results.Files;
using PerfTools.Results.History;
using PerfTools.Results.Recorded;

namespace PerfTools.History;

/// <summary><c>index.html</c> of a folder of runs: the newest of them, each with its verdict and a link to its report.</summary>
/// <remarks>Every run updates it. It is bounded and never a reason for a run to fail.</remarks>
internal static class RunIndex
{
    public const string FileName = "index.html";

    /// <summary>The folder of runs without <c>--out</c>.</summary>
    private const string UsualFolder = "runs";

    private const int MaxRows = 200;
    private const int MaxUpwards = 3;
    private const int MaxDepth = 3;

    /// <summary>Updates the index in the folder that holds the folder of a run: <c>runs</c>, or one that already has an index of ours.</summary>
    public static void Update(string runFolder)
    {
        string? folder = Path.GetDirectoryName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(runFolder)));
        for (int up = 0; up < MaxUpwards && folder is not null; up++, folder = Path.GetDirectoryName(folder))
        {
            if (Path.GetFileName(folder) == UsualFolder || IndexPage.IsIn(folder))
            {
                TryWrite(folder);
                return;
            }
        }
    }

    /// <summary>Writes the index of a folder, unless it has an index.html of another kind.</summary>
    /// <returns>True when it was written.</returns>
    public static bool TryWrite(string folder)
    {
        try
        {
            if (RecordedRun.IsIn(folder) || (ResultFile.IsThere(Path.Combine(folder, FileName)) && !IndexPage.IsIn(folder)))
                return false;
            (string Name, RunHead Head)[] runs = [.. Find(folder).Take(MaxRows)];
            return WholeFile.TryWrite(Path.Combine(folder, FileName), writer => IndexPage.Write(writer, folder, runs)) is null;
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return false;
        }
    }

    private static IEnumerable<(string Name, RunHead Head)> Find(string folder)
    {
        int left = RunFolders.MaxLookedAt;
        return from inner in Newest(folder, ref left)
               from path in FindRuns(inner, MaxDepth)
               let head = RunHead.TryRead(path)
               where head is not null
               select (Path.GetRelativePath(folder, path).Replace(Path.DirectorySeparatorChar, '/'), head);

        IEnumerable<string> FindRuns(DirectoryInfo inner, int depth) => RecordedRun.IsIn(inner.FullName) ? [inner.FullName]
            : depth == 0 ? [] : Newest(inner.FullName, ref left).SelectMany(next => FindRuns(next, depth - 1));
    }

    // Ordered by the time of the file system: the names are the user's.
    private static IEnumerable<DirectoryInfo> Newest(string folder, ref int left)
    {
        DirectoryInfo[] inner = [.. new DirectoryInfo(folder).EnumerateDirectories().Take(left)];
        left -= inner.Length;
        return inner.Where(one => one.LinkTarget is null).OrderByDescending(one => one.LastWriteTimeUtc).ThenBy(one => one.Name, StringComparer.Ordinal);
    }
}

/// <summary>The page of the index.</summary>
internal static class IndexPage
{
    private const string Mark = "<meta name=generator content=\"perftools index\">";
    private const string Policy = "default-src 'none'; style-src 'unsafe-inline'";
    private const string HistoryName = "history.html";
    private const int MarkBytes = 1_024;
    private const int TimeChars = 16;

    /// <summary>True where a folder has an index of ours.</summary>
    public static bool IsIn(string folder)
    {
        try
        {
            using Stream file = RegularFile.OpenRead(Path.Combine(folder, RunIndex.FileName));
            byte[] begin = new byte[MarkBytes];
            int read = file.ReadAtLeast(begin, begin.Length, throwOnEndOfStream: false);
            return System.Text.Encoding.UTF8.GetString(begin, 0, read).Contains(Mark, StringComparison.Ordinal);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return false;
        }
    }

    public static void Write(TextWriter writer, string folder, IReadOnlyList<(string Name, RunHead Head)> runs)
    {
        writer.Write(
            $"<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n{Mark}\n<meta http-equiv=Content-Security-Policy content=\"{Policy}\">\n");
        writer.Write(
            $"<meta name=viewport content=\"width=device-width,initial-scale=1\">\n<title>Runs</title>\n<style>\n{PageStyle.Css}\na{{color:var(--c0)}}\n</style>\n");
        writer.Write("</head>\n<body>\n<main>\n<h1>Runs</h1>\n");
        writer.Write(string.Create(CultureInfo.InvariantCulture, $"<p class=soft>The newest {runs.Count}"));
        writer.Write(File.Exists(Path.Combine(folder, HistoryName)) ? $"; <a href={HistoryName}>history</a></p>\n" : "</p>\n");
        writer.Write("<div class=scroll><table>\n<tr><th>UTC<th>scenario<th>verdict<th class=r>messages/s<th class=r>p50, us<th class=r>p99, us<th>folder\n");
        foreach ((string name, RunHead head) in runs.OrderByDescending(run => run.Head.Text("startUtc"), StringComparer.Ordinal))
            WriteRow(writer, folder, name, head);
        writer.Write("</table></div>\n</main>\n</body>\n</html>\n");
    }

    private static void WriteRow(TextWriter writer, string folder, string name, RunHead head)
    {
        string time = head.Text("startUtc")?.Replace('T', ' ') ?? "";
        string link = string.Join('/', name.Split('/').Append(ReportFolder.FileName).Select(Uri.EscapeDataString));
        string shown = Html.Escape(name);
        writer.Write(
            $"<tr><td>{Html.Escape(time[..Math.Min(time.Length, TimeChars)])}<td>{Html.Escape(head.Text("scenario") ?? "")}<td>{Html.Escape(head.Text("verdict") ?? "")}");
        writer.Write($"<td class=r>{Show(head.Number("figures.rateReached"))}<td class=r>{Show(head.Number("figures.latencyMicros.p50"))}<td "
            + $"class=r>{Show(head.Number("figures.latencyMicros.p99"))}");
        writer.Write(File.Exists(Path.Combine(folder, name, ReportFolder.FileName)) ? $"<td><a href=\"{link}\">{shown}</a>\n" : $"<td>{shown}\n");
    }

    private static string Show(double? value) => Screen.ComparisonText.Value(value);
}
