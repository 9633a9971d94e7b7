namespace PerfCommon.MsgData;

/// <summary>Locates an input file of the tools: first at the given path, then in the program's folder.</summary>
/// <remarks>Only a bare file name is searched in the program's folder: a path with a folder in it means exactly that file.</remarks>
internal static class InputFile
{
    /// <summary>Finds a file; a relative path starts in the working directory.</summary>
    /// <returns>The path to open; a file in the working directory keeps its given name.</returns>
    /// <exception cref="SetupException">There is no such file; the message names the folders searched.</exception>
    public static string Find(string path) => Find(path, AppContext.BaseDirectory);

    /// <summary>True when <see cref="Find(string)"/> would find the file.</summary>
    public static bool Exists(string path) => Look(path, AppContext.BaseDirectory) is not null;

    internal static string Find(string path, string programFolder)
    {
        if (Look(path, programFolder) is { } found)
            return found;
        string places = Directory.Exists(path) ? "it is a folder"
            : IsBare(path) ? $"neither in {Directory.GetCurrentDirectory()} nor in {programFolder}" : "no such file";
        throw FileErrors.Input(path, $"unable to find it, {places}");
    }

    private static string? Look(string path, string programFolder)
    {
        if (File.Exists(path))
            return path;
        string beside = Path.Combine(programFolder, path);
        return IsBare(path) && File.Exists(beside) ? beside : null;
    }

    private static bool IsBare(string path) => path.Length > 0 && Path.GetFileName(path) == path;
}
