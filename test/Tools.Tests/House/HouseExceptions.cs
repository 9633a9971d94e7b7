using System.Globalization;

namespace Tools.Tests.House;

/// <summary>The violations of a house rule today, each with its reason: the list may only shrink (exceptions.txt).</summary>
internal static class HouseExceptions
{
    private const string FileName = "exceptions.txt";

    /// <summary>A line: rule, subject, figure, reason.</summary>
    public static IReadOnlyList<(string Rule, string Subject, int Figure, string Reason)> All { get; } =
    [
        .. File.ReadLines(Path.Combine(RepositoryRoot.FullPath, "test", "Tools.Tests", "House", FileName))
            .Where(line => line.Length > 0 && !line.StartsWith('#')).Select(line => line.Split(' ', 4, StringSplitOptions.RemoveEmptyEntries))
            .Select(words => (words[0], words[1], int.Parse(words[2], CultureInfo.InvariantCulture), words.ElementAtOrDefault(3) ?? "")),
    ];

    /// <summary>What differs between what was found and what is listed, a line for each.</summary>
    public static IReadOnlyList<string> Compare(string rule, IEnumerable<(string Subject, int Figure)> found)
    {
        (string Subject, int Figure)[] now = [.. found.Distinct()];
        (string Subject, int Figure)[] listed = [.. All.Where(one => one.Rule == rule).Select(one => (one.Subject, one.Figure))];
        return
        [
            .. now.Except(listed).Select(one => $"breaks the rule, or has another figure: {rule} {one.Subject} {one.Figure}"),
            .. listed.Except(now).Select(one => $"is no exception any longer, or has another figure: {rule} {one.Subject} {one.Figure}"),
        ];
    }
}
