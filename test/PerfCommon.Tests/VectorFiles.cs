namespace PerfCommon.Tests;

/// <summary>Locates the recorded vectors: in the folder that PERFTOOLS_VECTORS names, else in the copies next to the tests.</summary>
internal static class VectorFiles
{
    private const string OtherFolder = "PERFTOOLS_VECTORS";

    /// <summary>True where the vectors are not the copies next to the tests.</summary>
    public static bool AreOthers => Environment.GetEnvironmentVariable(OtherFolder) is { Length: > 0 };

    /// <summary>
    /// The folder of one kind of vectors (rwf, transport, sessions, histogram, lz4); null when it is absent, so tests skip.
    /// </summary>
    public static string? Folder(string kind)
    {
        string folder = Environment.GetEnvironmentVariable(OtherFolder) is { Length: > 0 } other ? Path.Combine(other, kind) : Copies(kind);
        return Directory.Exists(folder) ? folder : null;
    }

    /// <summary>Returns the folder of the copies next to the tests, even if other vectors are used.</summary>
    public static string Copies(string kind) => Path.Combine(AppContext.BaseDirectory, "Vectors", kind);

    /// <summary>Lists the files of one kind that match a pattern, in ordinal order; none when the folder is absent.</summary>
    public static IReadOnlyList<string> Discover(string kind, string pattern = "*.json") =>
        Folder(kind) is { } folder ? [.. Directory.EnumerateFiles(folder, pattern).Order(StringComparer.Ordinal)] : [];
}
