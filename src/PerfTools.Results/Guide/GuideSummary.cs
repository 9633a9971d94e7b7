using PerfCommon;
using PerfTools.Results.Files;

namespace PerfTools.Results.Guide;

/// <summary>Reads a summary of one of the guide's programs, of any edition, unchanged: sections with their lines "label: value".</summary>
internal static class GuideSummary
{
    private const string Head = "--- TEST INPUTS ---";
    private const string Mark = "---";
    private const string Extension = ".out";
    private const int MaxBytes = 16 * 1024 * 1024;
    private const int MaxLineChars = 64 * 1024;

    /// <summary>Reads a file; null for one that does not begin like a summary.</summary>
    /// <exception cref="SetupException">It cannot be read, and its name is that of a summary (exit code 3).</exception>
    public static IReadOnlyList<GuideSection>? TryRead(string path)
    {
        if (!BeginsLikeOne(path))
            return null;
        string file = Path.GetFileName(path);
        List<GuideSection> sections = [];
        string title = $"{file}: inputs";
        List<(string Label, string Value)> rows = [];
        foreach (string line in ResultFile.ReadLines(path, isWhole: false, MaxBytes, MaxLineChars).Skip(1))
        {
            if (line.StartsWith(Mark, StringComparison.Ordinal))
            {
                sections.Add(new(title, rows));
                (title, rows) = ($"{file}: {line.Trim('-', ' ')}", []);
            }
            else if (line.Trim().Length > 0)
            {
                rows.Add(line.Split(": ", 2) is [var label, var value] ? (label.Trim(), value.Trim()) : (line.Trim(), ""));
            }
        }

        return [.. sections, new(title, rows)];
    }

    // Anything else in the folder, a pipe or a link, does not belong to the results.
    private static bool BeginsLikeOne(string path)
    {
        try
        {
            using StreamReader text = new(RegularFile.OpenRead(path));
            char[] begin = new char[Head.Length + 1];
            return text.ReadBlock(begin) > Head.Length && new string(begin).TrimEnd('\r', '\n') == Head;
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return Path.GetExtension(path) == Extension ? throw FileErrors.Unreadable(path, cause) : false;
        }
    }
}

/// <summary>A section of a summary.</summary>
/// <param name="Title">The file and the section.</param>
/// <param name="Rows">Its lines; a line without a value has an empty one.</param>
internal sealed record GuideSection(string Title, IReadOnlyList<(string Label, string Value)> Rows);
