using System.Globalization;
using PerfCommon;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Scenarios.Users;

/// <summary>Provides the files of a part's roles in the folder of the whole: files of a part elsewhere are copied.</summary>
/// <param name="part">The part.</param>
/// <param name="number">Its number among the parts, from 1.</param>
/// <param name="into">The folder of the whole.</param>
internal sealed class PartCopy(RampPart part, int number, RunFolder into)
{
    private readonly string _inside = Path.GetRelativePath(into.FullPath, Path.GetFullPath(part.Folder));

    private bool IsInside => !_inside.StartsWith("..", StringComparison.Ordinal) && !Path.IsPathRooted(_inside);

    /// <summary>Copies a role's files where needed, and returns their names there.</summary>
    /// <exception cref="SetupException">One cannot be read (exit code 3) or written (7).</exception>
    public RoleFiles Of(RoleFiles files)
    {
        if (IsInside)
            return Within(_inside, files);
        RoleFiles copied = Within(string.Create(CultureInfo.InvariantCulture, $"part-{number}"), files);
        Copy(files.Log, copied.Log);
        Copy(files.JsonLines, copied.JsonLines);
        string begin = ResultFile.PathIn(part.Folder, files.Histograms), place = Path.GetDirectoryName(begin)!;
        foreach (string log in Directory.Exists(place) ? Directory.GetFiles(place, "*.hlog") : [])
        {
            if (log.StartsWith(begin + "-", StringComparison.Ordinal))
                Copy(Path.GetRelativePath(part.Folder, log), copied.Histograms + log[begin.Length..]);
        }

        return copied;
    }

    private static RoleFiles Within(string folder, RoleFiles files) =>
        new(Path.Combine(folder, files.Log), Path.Combine(folder, files.JsonLines), Path.Combine(folder, files.Histograms));

    private void Copy(string from, string to)
    {
        string source = ResultFile.PathIn(part.Folder, from), target = ResultFile.PathIn(into.FullPath, to);
        if (!ResultFile.IsThere(source))
            return;
        using Stream file = ResultFile.Open(source);
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Delete(target); // left by an earlier merge
            using FileStream copy = new(target, FileMode.CreateNew, FileAccess.Write);
            file.CopyTo(copy);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw new SetupException(SetupProblem.OutputFile, $"{PrintableText.From(target)}: cannot be written: {FileErrors.Describe(target, cause)}", cause);
        }
    }
}
