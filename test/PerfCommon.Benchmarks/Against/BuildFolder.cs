namespace PerfCommon.Benchmarks.Against;

/// <summary>Finds the programs of a build: in a checkout that was built, or all in one folder.</summary>
internal sealed class BuildFolder(string path)
{
    /// <summary>The build whose programs are in this program's folder.</summary>
    public static BuildFolder Own { get; } = new(AppContext.BaseDirectory);

    /// <summary>Path of the folder.</summary>
    public string FullPath { get; } = Path.GetFullPath(path);

    /// <summary>Finds the program's file.</summary>
    /// <exception cref="SetupException">The file does not exist.</exception>
    public string Find(string program)
    {
        string file = program + ".dll";
        string[] places = [Path.Combine(FullPath, "tools", program, "bin", "Release", "net10.0", file), Path.Combine(FullPath, file)];
        return places.FirstOrDefault(File.Exists)
            ?? throw new SetupException(
                SetupProblem.InputFile, $"{FullPath}: neither a checkout built with -c Release nor a folder with {file}");
    }
}
