using PerfCommon;
using PerfCommon.MsgData;

namespace PerfTools.Editions;

/// <summary>The working folder of another edition's program: it holds the inputs that the program reads and the files it writes by default.</summary>
internal static class EditionFolder
{
    // Larger inputs are linked to, not copied.
    private const long MaxCopiedBytes = 1024 * 1024;
    private const string DictionaryFolder = "etc";
    private static readonly string[] Lists = ["350k.xml", "MsgData.xml"];

    /// <summary>The names of the field dictionary and the enumerations.</summary>
    public static IReadOnlyList<string> Dictionaries { get; } = ["RDMFieldDictionary", "enumtype.def"];

    /// <summary>Creates the folder and puts the inputs into it.</summary>
    /// <param name="folder">The folder, inside that of the run.</param>
    /// <param name="data">A folder whose files of these names take precedence, such as that of the vendor's packages; null for ours alone.</param>
    /// <exception cref="SetupException">An input is missing (exit code 3), or cannot be copied or linked (7).</exception>
    public static void Create(string folder, string? data)
    {
        try
        {
            Directory.CreateDirectory(Path.Combine(folder, DictionaryFolder));
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw Unwritable(folder, cause);
        }

        foreach (string name in Lists)
            Lay(Find(name, data), Path.Combine(folder, name));
        foreach (string name in Dictionaries)
        {
            // Some programs look in the working folder, some in etc below it.
            Lay(Find(name, data), Path.Combine(folder, name));
            Lay(Find(name, data), Path.Combine(folder, DictionaryFolder, name));
        }
    }

    /// <summary>Creates the exception for a file or folder in it that could not be written.</summary>
    internal static SetupException Unwritable(string path, Exception cause) => new(SetupProblem.OutputFile,
        $"{PrintableText.From(path)}: cannot be created: {FileErrors.Describe(path, cause)}", cause);

    private static string Find(string name, string? data)
    {
        if (data is not null)
        {
            string[] places = [Path.Combine(data, name), Path.Combine(data, DictionaryFolder, name)];
            if (places.FirstOrDefault(File.Exists) is { } own)
                return Path.GetFullPath(own);
        }

        return Path.GetFullPath(InputFile.Find(name));
    }

    private static void Lay(string source, string target)
    {
        try
        {
            if (new FileInfo(source).Length > MaxCopiedBytes && !OperatingSystem.IsWindows())
                File.CreateSymbolicLink(target, source);
            else
                File.Copy(source, target);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw Unwritable(target, cause);
        }
    }
}
