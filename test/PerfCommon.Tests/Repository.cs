using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace PerfCommon.Tests;

/// <summary>The files of the repository, for tests that read their text.</summary>
internal static partial class Repository
{
    /// <summary>Its folder, found from the path under which this file was compiled.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>Lists the C# files of a folder and its subfolders, without build output.</summary>
    /// <param name="folder">Path within the repository.</param>
    public static IEnumerable<string> SourceFiles(string folder) =>
        Directory.EnumerateFiles(Path.Combine(Root, folder), "*.cs",
            SearchOption.AllDirectories).Where(path => !BuildOutput().IsMatch(path));

    private static string FindRoot([CallerFilePath] string thisFile = "")
    {
        string? folder = Path.GetDirectoryName(thisFile);
        while (folder is not null && !File.Exists(Path.Combine(folder, "PerfTools.sln")))
            folder = Path.GetDirectoryName(folder);
        return folder ?? throw new InvalidOperationException($"no PerfTools.sln above {thisFile}");
    }

    [GeneratedRegex(@"[\\/](bin|obj)[\\/]")]
    private static partial Regex BuildOutput();
}
