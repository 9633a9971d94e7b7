using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PerfTools.Processes;

/// <summary>
/// A folder with programs: files that the runtime executes, native programs, or one native perftools that plays every role by its first word.
/// </summary>
internal static class ToolFolder
{
    private const string AllInOne = "perftools";
    private const string VersionOption = "--version";
    private const string OtherPlace = "PerfTools.Processes.OtherPlace"; // set by a host that starts programs of another folder than its own
    private static readonly TimeSpan VersionLimit = TimeSpan.FromSeconds(10);
    private static readonly string Ending = OperatingSystem.IsWindows() ? ".exe" : "";

    /// <summary>Finds how a program is started: the file that must exist, the file that executes it, and the words before its arguments.</summary>
    /// <param name="folder">The folder; null for that of this program.</param>
    /// <param name="program">The program's name, as its assembly has it.</param>
    public static (string File, string Starter, IReadOnlyList<string> Words) Find(string? folder, string program)
    {
        string place = folder ?? AppContext.GetData(OtherPlace) as string ?? AppContext.BaseDirectory;
        string managed = Path.Combine(place, program + ".dll");
        string native = Path.Combine(place, program + Ending), all = Path.Combine(place, AllInOne + Ending);
        bool isNative = !File.Exists(managed) && !File.Exists(Path.Combine(place, AllInOne + ".dll"));
        if (isNative && File.Exists(native))
            return (native, native, []);
        return isNative && File.Exists(all)
            ? (all, all, [RolePrograms.VerbOf(program)]) : (managed, FindHost(), ["exec", managed]);
    }

    /// <summary>Reads version and commit of its programs; null where unknown.</summary>
    /// <param name="folder">The folder; null for that of this program.</param>
    public static (string? Version, string? Commit) ReadVersion(string? folder)
    {
        if (folder is null)
            return Split(Hosting.CommandLine.ProgramVersion.WithCommit(typeof(ToolFolder).Assembly));
        (string file, string starter, IReadOnlyList<string> words) = Find(folder, AllInOne);
        if (!File.Exists(file))
            return (null, null);
        return file == starter ? (RequestVersion(file, words), null) : Split(FileVersionInfo.GetVersionInfo(file).ProductVersion);
    }

    /// <summary>Finds the file of a program that is named without a folder; null when no folder of the PATH has it.</summary>
    public static string? FindOnPath(string program) => (Environment.GetEnvironmentVariable("PATH") ?? "")
        .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries).Select(folder => Path.Combine(folder, program + Ending))
        .FirstOrDefault(File.Exists);

    /// <summary>True when there is such a program.</summary>
    public static bool IsOnPath(string program) => FindOnPath(program) is not null;

    private static (string?, string?) Split(string? version) =>
        version?.Split('+', 2) is [var number, .. var rest] ? (number, rest is [var commit] ? commit : null) : (null, null);

    // A native program has no version that others could read: it prints it, as "perftools 0.15.0".
    private static string? RequestVersion(string file, IReadOnlyList<string> words)
    {
        using Process? process = Process.Start(new ProcessStartInfo(file, [.. words, VersionOption]) { RedirectStandardOutput = true });
        string? line = process?.StandardOutput.ReadLine();
        return process?.WaitForExit(VersionLimit) == true ? line?.Split(' ')[^1] : null;
    }

    // The process's own path is no help: it is the launcher of an installed tool, dotnet, or a native program.
    private static string FindHost()
    {
        string name = "dotnet" + Ending;
        return RuntimeFeature.IsDynamicCodeSupported
            ? Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", name))
            : Environment.GetEnvironmentVariable("DOTNET_ROOT") is { Length: > 0 } root ? Path.Combine(root, name) : name;
    }
}
