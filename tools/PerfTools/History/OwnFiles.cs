using PerfTools.Results.Documents;

namespace PerfTools.History;

/// <summary>The files in a run's folder that a run itself writes there (docs/run-folder.md).</summary>
internal sealed class OwnFiles
{
    private const int MaxDepth = 4;

    private static readonly string[] Names = ["run.json", "report.html", "intervals.csv", "steps.csv", "control.token", "server.pem", "server.key",
        "ca.pem", "suite.json", "hub.json", "start.json", "headline.csv", "scenarios.csv", "sweeps.csv"];

    // Stems of the files of roles and of ranks; run.json adds those of the roles that it names.
    private static readonly string[] Stems = ["Prov", "Cons", "Hub", "NIProv", "Transport", "Latency", "Users", "merged"];
    private static readonly string[] Extensions = [".json", ".jsonl", ".hlog", ".hgrm", ".csv", ".out", ".log"];
    private static readonly string[] Folders = ["rank-", "meet-"];

    private readonly List<string> _files = [];
    private readonly List<string> _folders = [];
    private readonly string[] _stems;

    private OwnFiles(RunDocument run) =>
        _stems = [.. Stems, .. run.Roles.Select(role => role.Files).OfType<RoleFiles>().Select(files => Path.GetFileName(files.Histograms))
            .Where(stem => stem.Length > 1)];

    /// <summary>The first entry that no run writes, or a link; null where all files are ours.</summary>
    public string? Foreign { get; private set; }

    /// <summary>Scans the folder of a run.</summary>
    public static OwnFiles Of(string folder, RunDocument run)
    {
        OwnFiles own = new(run);
        own.LookAt(new DirectoryInfo(folder), MaxDepth);
        return own;
    }

    /// <summary>Deletes the scanned files one by one: a file added since then keeps its folder.</summary>
    public void Delete()
    {
        foreach (string file in _files.OrderBy(file => Path.GetFileName(file) == RunFile.Name))
            File.Delete(file);
        foreach (string folder in _folders)
            Directory.Delete(folder);
    }

    // Inner folders first.
    private void LookAt(DirectoryInfo folder, int depth)
    {
        foreach (FileSystemInfo entry in folder.EnumerateFileSystemInfos())
        {
            if (entry.LinkTarget is not null)
                Foreign ??= entry.Name;
            else if (entry is DirectoryInfo inner && depth > 0 && Array.Exists(Folders, begin => inner.Name.StartsWith(begin, StringComparison.Ordinal)))
                LookAt(inner, depth - 1);
            else if (entry is FileInfo && IsOwn(entry.Name))
                _files.Add(entry.FullName);
            else
                Foreign ??= entry.Name;
        }

        _folders.Add(folder.FullName);
    }

    private bool IsOwn(string name) => Names.Contains(name)
        || (Extensions.Contains(Path.GetExtension(name)) && Array.Exists(_stems, stem => name.StartsWith(stem, StringComparison.Ordinal)));
}
