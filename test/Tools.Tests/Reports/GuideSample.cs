using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>
/// The form of a sample output of the guide: its labels unchanged, and for a value its format: <c>{d}</c> for a whole number,
/// <c>{.1}</c> for one with that number of decimals, <c>{8.3}</c> for one that is right-aligned in that number of columns, <c>{utc}</c> for a time.
/// </summary>
internal static partial class GuideSample
{
    /// <summary>Compares a text with a form, character by character except the values.</summary>
    /// <param name="form">The guide's sample.</param>
    /// <param name="text">The written text.</param>
    /// <param name="ours">The beginnings, after their spaces, of lines that the guide does not have; they may be anywhere.</param>
    public static void Equal(string form, string text, params string[] ours)
    {
        string[] lines = [.. text.Split('\n').Where(line => !ours.Any(own => line.TrimStart().StartsWith(own, StringComparison.Ordinal)))];
        Assert.Equal(Fill(form.Split('\n'), lines), string.Join('\n', lines));
    }

    /// <summary>Compares the beginning of a text with a form: our lines follow it.</summary>
    public static void BeginsWith(string form, string text)
    {
        string[] expected = form.Split('\n'), lines = text.Split('\n');
        Regex end = Pattern(expected[^1], isBeginning: true);
        Assert.Equal(Fill(expected[..^1], lines), string.Join('\n', lines.Take(expected.Length - 1)));
        Assert.Matches(end, lines[expected.Length - 1]);
    }

    // The form with the values of the lines that have it; a line that has not stays the form.
    private static string Fill(string[] form, string[] lines) => string.Join('\n',
        form.Select((line, i) => i < lines.Length && Pattern(line, isBeginning: false).IsMatch(lines[i]) ? lines[i] : line));

    private static Regex Pattern(string line, bool isBeginning)
    {
        StringBuilder pattern = new("^");
        int at = 0;
        foreach (Match place in Places().Matches(line))
        {
            pattern.Append(Regex.Escape(line[at..place.Index])).Append(PatternOf(place));
            at = place.Index + place.Length;
        }

        pattern.Append(Regex.Escape(line[at..])).Append(isBeginning ? "" : "$");
        return new Regex(pattern.ToString(), RegexOptions.CultureInvariant);
    }

    private static string PatternOf(Match place)
    {
        if (place.Value == "{utc}")
            return @"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d";
        if (place.Value == "{d}")
            return @"\d+";
        string number = place.Groups["decimals"].Value == "0" ? @"\d+" : $@"\d+\.\d{{{place.Groups["decimals"].Value}}}";
        if (place.Groups["width"].Value is not { Length: > 0 } text)
            return number;
        int width = int.Parse(text, CultureInfo.InvariantCulture);
        return $@"(?:(?=[ \d.]{{{width - 1}}}\d(?![\d.])) *{number}|(?=[\d.]{{{width + 1}}}){number})"; // what is longer sticks out
    }

    [GeneratedRegex(@"\{(?:utc|d|(?<width>\d*)\.(?<decimals>\d))\}", RegexOptions.CultureInvariant)]
    private static partial Regex Places();
}
