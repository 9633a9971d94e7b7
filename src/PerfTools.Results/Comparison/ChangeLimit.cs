using System.Globalization;

namespace PerfTools.Results.Comparison;

/// <summary>A change that a comparison must not show: <c>p99&gt;+10%</c>.</summary>
/// <param name="Figure">The name of a figure.</param>
/// <param name="IsAbove">True when changes above the limit fail, false for those below.</param>
/// <param name="Percent">The limit, in percent of A's value.</param>
/// <param name="Text">The limit as it was typed.</param>
public sealed record ChangeLimit(string Figure, bool IsAbove, double Percent, string Text)
{
    private const string CpuOfRole = "cpu.";

    /// <summary>Describes a valid list of limits, as the end of the sentence "'x' is not ...".</summary>
    internal static string ListKind =>
        $"a list such as p99>+10%,rate<-2% of {Names}, cpu.<role>, avg, p50, p90, p99 of a size as p99@64, and role.figure of a role's JSON lines";

    /// <summary>The figures that can be named, without those of single roles.</summary>
    public static string Names => string.Join(", ", ComparedFigure.Of([]).Select(figure => figure.Name));

    /// <summary>Reads limits separated by commas; null when one of them cannot be read.</summary>
    public static IReadOnlyList<ChangeLimit>? TryParseList(string text)
    {
        ChangeLimit?[] limits = [.. text.Split(',').Select(part => TryParse(part.Trim()))];
        return limits.Contains(null) ? null : [.. limits.OfType<ChangeLimit>()];
    }

    /// <summary>Judges a comparison by the limit.</summary>
    public ChangeLimitResult Compare(RunComparison comparison) =>
        new(this, comparison.Figures.FirstOrDefault(change => change.Figure.Name == Figure));

    /// <summary>True for the name of a figure of a single role, <c>role.figure</c>.</summary>
    internal static bool IsOfRole(string name) => !ComparedFigure.Of([]).Any(figure => figure.Name == name)
        && name.Split('.', 2) is [{ Length: > 0 } role, { Length: > 0 }] && char.IsAsciiLetterLower(role[0]) && role.Length > 1
        && !(role[0] == 'p' && char.IsAsciiDigit(role[1]));

    private static ChangeLimit? TryParse(string text)
    {
        int at = text.IndexOfAny(['<', '>']);
        if (at < 0 || !text.EndsWith('%'))
            return null;
        string name = text[..at].Trim();
        bool isKnown = name.StartsWith(CpuOfRole, StringComparison.Ordinal) || SizedFigures.IsName(name)
            || ComparedFigure.Of([]).Any(figure => figure.Name == name) || IsOfRole(name);
        return isKnown && double.TryParse(text[(at + 1)..^1], NumberStyles.Float, CultureInfo.InvariantCulture, out double percent)
            && double.IsFinite(percent)
            ? new(name, text[at] == '>', percent, text) : null;
    }
}

/// <summary>The verdict of a limit on a comparison.</summary>
/// <param name="Limit">The limit.</param>
/// <param name="Change">The figure that the limit names; null where there is none.</param>
public sealed record ChangeLimitResult(ChangeLimit Limit, FigureChange? Change)
{
    /// <summary>True when the limit is kept. Noise never fails; a figure that cannot be compared does, because its change is unknown.</summary>
    public bool IsKept => Change switch
    {
        null or { Word: ChangeWord.NotComparable } => false,
        { Word: ChangeWord.Same } => true,
        { ChangePercent: { } percent } => Limit.IsAbove ? percent <= Limit.Percent : percent >= Limit.Percent,
        _ => false,
    };

    /// <summary>A human-readable line.</summary>
    public string Line => $"{Limit.Text}: {Found}, {(IsKept ? "kept" : "missed")}";

    /// <summary>Why the comparison failed because of it.</summary>
    public string Reason => $"{Limit.Text}: {Limit.Figure} is {Found}";

    private string Found => Change switch
    {
        null => "not comparable (neither run has it)",
        { Word: ChangeWord.NotComparable } => $"not comparable ({Change.Reason})",
        _ => $"{Change.ChangeText} ({Change.Word.Text()}, noise {Change.NoiseText})",
    };
}
