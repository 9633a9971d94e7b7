using System.Globalization;
using PerfTools.Results.Files;

namespace PerfTools.Editions;

/// <summary>The closing figures of a program of any edition, as it prints them: sections with lines of label and value.</summary>
/// <remarks>
/// A program with several threads prints sections for each, and for all of them last: the last of each title count. Labels are compared without
/// spaces and case, because editions write them differently.
/// </remarks>
internal sealed class EditionSummary
{
    private const string End = "Statistics:";
    private const string BeginsLine = "---", Summary = "SUMMARY";
    private const long MaxBytes = 256L * 1024 * 1024;
    private const int MaxLineChars = 64 * 1024;

    private readonly Dictionary<string, Dictionary<string, string>> _sections = [];

    private EditionSummary()
    {
    }

    /// <summary>True when the output had a summary.</summary>
    public bool Exists => _sections.Count > 0;

    /// <summary>Reads the summary from a file of the summary or of the console; without any figures when there is no such file.</summary>
    /// <exception cref="PerfCommon.SetupException">The file exists and cannot be read (exit code 3).</exception>
    public static EditionSummary Read(string path) =>
        File.Exists(path) ? Parse(ResultFile.ReadLines(path, isWhole: false, MaxBytes, MaxLineChars)) : new();

    /// <summary>Reads the summary from lines.</summary>
    public static EditionSummary Parse(IEnumerable<string> lines)
    {
        EditionSummary summary = new();
        Dictionary<string, string>? section = null;
        foreach (string line in lines)
        {
            string text = line.Trim();
            if (text.StartsWith(BeginsLine, StringComparison.Ordinal))
                section = text.Contains(Summary, StringComparison.Ordinal) ? summary.Begin(Summary) : null;
            else if (text.EndsWith(End, StringComparison.Ordinal))
                section = summary.Begin(Normalize(text));
            else if (section is not null && text.Split(':', 2) is [var label, { Length: > 0 } value])
                section[Normalize(label)] = value.Trim();
        }

        return summary;
    }

    /// <summary>Finds a number by its label, in any section; null when it is absent, or no number.</summary>
    /// <param name="labels">The label as each edition writes it.</param>
    public double? Find(params IEnumerable<string> labels) =>
        labels.SelectMany(label => _sections.Values.Select(section => Number(section, label))).FirstOrDefault(number => number is not null);

    /// <summary>Finds a number in the section whose title begins with a word; null when it is absent, or no number.</summary>
    public double? FindIn(string title, params IEnumerable<string> labels)
    {
        string begin = Normalize(title);
        return _sections.Where(section => section.Key.StartsWith(begin, StringComparison.Ordinal))
            .SelectMany(section => labels.Select(label => Number(section.Value, label))).FirstOrDefault(number => number is not null);
    }

    private static double? Number(Dictionary<string, string> section, string label) =>
        section.TryGetValue(Normalize(label), out string? text)
        && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) && double.IsFinite(number) ? number : null;

    // "CPU Usage avg (%%)" in some editions is "CPU usage avg (%)" in others
    private static string Normalize(string label) =>
        string.Concat(label.Where(letter => !char.IsWhiteSpace(letter))).Replace("%%", "%", StringComparison.Ordinal).ToUpperInvariant();

    private Dictionary<string, string> Begin(string title) => _sections[title] = [];
}
