using System.Globalization;
using PerfCommon;

namespace PerfTools.Results.Documents;

/// <summary>The folder for all files of a run.</summary>
internal sealed class RunFolder
{
    private readonly string _shown;

    private RunFolder(string path, string shown) => (FullPath, _shown) = (path, shown);

    public string FullPath { get; }

    /// <summary>Opens the folder that the user named, or a new one <c>runs/time-scenario</c> in the working directory.</summary>
    /// <param name="asked">The user's path; null for none.</param>
    /// <param name="scenario">The last part of a new folder's name.</param>
    /// <param name="startUtc">The first part of a new folder's name.</param>
    /// <param name="resultFiles">Files that the run reads back, by name or pattern; those of an earlier run are deleted.</param>
    /// <exception cref="SetupException">It cannot be created (exit code 7).</exception>
    public static RunFolder Open(string? asked, string scenario, DateTime startUtc, IEnumerable<string> resultFiles)
    {
        string shown = asked ?? FindFreeName(scenario, startUtc);
        try
        {
            string path = Directory.CreateDirectory(shown).FullName;
            foreach (string earlier in resultFiles.SelectMany(name => Directory.GetFiles(path, name)))
                File.Delete(earlier); // figures of an earlier run must not be read as this one's
            return new(path, shown);
        }
        catch (Exception error) when (FileErrors.IsMeantBy(error))
        {
            throw new SetupException(SetupProblem.OutputFile,
                $"{PrintableText.From(shown, PrintableText.MaxLineChars)}: cannot be created: {FileErrors.Describe(shown, error)}", error);
        }
    }

    public string PathOf(string fileName) => Path.Combine(FullPath, fileName);

    /// <summary>Returns the path as the user knows it, with a slash at its end.</summary>
    public override string ToString() => _shown.TrimEnd('/') + "/";

    private static string FindFreeName(string scenario, DateTime startUtc)
    {
        string time = startUtc.ToString("yyyy-MM-dd'T'HHmmss", CultureInfo.InvariantCulture);
        string name = Path.Combine("runs", $"{time}-{scenario}");
        string free = name;
        for (int i = 2; Directory.Exists(free); i++)
            free = $"{name}-{i.ToString(CultureInfo.InvariantCulture)}";
        return free;
    }
}
