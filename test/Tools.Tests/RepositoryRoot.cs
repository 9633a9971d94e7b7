using System.Runtime.CompilerServices;

namespace Tools.Tests;

/// <summary>The folder of the solution, found from where this file was compiled.</summary>
internal static class RepositoryRoot
{
    public static string FullPath { get; } = Find();

    private static string Find([CallerFilePath] string thisFile = "")
    {
        string? folder = Path.GetDirectoryName(thisFile);
        while (folder is not null && !File.Exists(Path.Combine(folder, "PerfTools.sln")))
            folder = Path.GetDirectoryName(folder);
        return folder ?? throw new InvalidOperationException($"no PerfTools.sln above {thisFile}");
    }
}
