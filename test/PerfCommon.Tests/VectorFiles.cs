namespace PerfCommon.Tests;

/// <summary>Finds the recorded vectors: in the folder that PERFTOOLS_VECTORS names, else in the copies beside the tests.</summary>
internal static class VectorFiles
{
    private const string OtherFolder = "PERFTOOLS_VECTORS";

    /// <summary>The folder of one kind of vectors (rwf, transport, sessions, histogram, lz4); null when it is absent, so tests skip.</summary>
    public static string? Folder(string kind)
    {
        string root = Environment.GetEnvironmentVariable(OtherFolder) is { Length: > 0 } other
            ? other
            : Path.Combine(AppContext.BaseDirectory, "Vectors");
        string folder = Path.Combine(root, kind);
        return Directory.Exists(folder) ? folder : null;
    }

    /// <summary>The files of one kind that match a pattern, in ordinal order; none when the folder is absent.</summary>
    public static IReadOnlyList<string> Discover(string kind, string pattern = "*.json") =>
        Folder(kind) is { } folder ? [.. Directory.EnumerateFiles(folder, pattern).Order(StringComparer.Ordinal)] : [];
}
