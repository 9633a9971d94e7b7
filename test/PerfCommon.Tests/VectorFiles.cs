namespace PerfCommon.Tests;

/// <summary>Finds the recorded vectors: in the folder that PERFTOOLS_VECTORS names, else in the copies beside the tests.</summary>
internal static class VectorFiles
{
    private const string OtherFolder = "PERFTOOLS_VECTORS";

    /// <summary>True where the vectors are not those beside the tests.</summary>
    public static bool AreOthers => Environment.GetEnvironmentVariable(OtherFolder) is { Length: > 0 };

    /// <summary>
    /// The folder of one kind of vectors (rwf, transport, sessions, histogram, lz4); null when it is absent, so tests skip.
    /// </summary>
    public static string? Folder(string kind)
    {
        string folder = Environment.GetEnvironmentVariable(OtherFolder) is { Length: > 0 } other ? Path.Combine(other, kind) : Copies(kind);
        return Directory.Exists(folder) ? folder : null;
    }

    /// <summary>The folder of the copies beside the tests, wherever the vectors are taken from.</summary>
    public static string Copies(string kind) => Path.Combine(AppContext.BaseDirectory, "Vectors", kind);

    /// <summary>The files of one kind that match a pattern, in ordinal order; none when the folder is absent.</summary>
    public static IReadOnlyList<string> Discover(string kind, string pattern = "*.json") =>
        Folder(kind) is { } folder ? [.. Directory.EnumerateFiles(folder, pattern).Order(StringComparer.Ordinal)] : [];
}
