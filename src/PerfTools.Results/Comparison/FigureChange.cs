using System.Globalization;

namespace PerfTools.Results.Comparison;

/// <summary>The verdicts on a figure's change from A to B.</summary>
public enum ChangeWord
{
    /// <summary>No change, or one that chance explains.</summary>
    Same,

    /// <summary>A change to a better value.</summary>
    Better,

    /// <summary>A change to a worse value.</summary>
    Worse,

    /// <summary>No verdict is possible.</summary>
    NotComparable,

    /// <summary>A change that is neither better nor worse.</summary>
    Changed,
}

/// <summary>Formats verdicts as words.</summary>
public static class ChangeWords
{
    /// <summary>Returns the word as it is printed and written.</summary>
    public static string Text(this ChangeWord word) => word switch
    {
        ChangeWord.Same => "same",
        ChangeWord.Better => "better",
        ChangeWord.Worse => "worse",
        ChangeWord.Changed => "changed",
        _ => "not comparable",
    };
}

/// <summary>A figure of A and of B, with the verdict on its change.</summary>
public sealed record FigureChange
{
    // A larger noise says no more than this one.
    private const double MaxNoiseShown = 999;

    /// <summary>The figure.</summary>
    public required ComparedFigure Figure { get; init; }

    /// <summary>A's value; null where it is not known, or has too few samples.</summary>
    public required double? A { get; init; }

    /// <summary>B's value; null where it is not known, or has too few samples.</summary>
    public required double? B { get; init; }

    /// <summary>The change from A to B, in percent of A; null where one of them is missing.</summary>
    public double? ChangePercent => A is { } a and > 0 && B is { } b ? 100 * ((b / a) - 1) : null;

    /// <summary>
    /// The change that chance alone can cause, in percent and in the direction of the change: half of its 95 % interval, corrected for the number of
    /// figures; null where it cannot be computed.
    /// </summary>
    public double? NoisePercent { get; init; }

    /// <summary>The change with its sign; <c>-</c> for none.</summary>
    public string ChangeText => ChangePercent is { } percent ? Format($"{percent:+0.0;-0.0;0.0} %") : "-";

    /// <summary>The noise; <c>-</c> where it cannot be computed.</summary>
    public string NoiseText =>
        NoisePercent is not { } noise ? "-" : noise > MaxNoiseShown ? Format($"> {MaxNoiseShown} %") : Format($"{noise:0.0} %");

    /// <summary>The verdict.</summary>
    public required ChangeWord Word { get; init; }

    /// <summary>Why it is not comparable, or that a change is within the bound of the clocks; else null.</summary>
    public string? Reason { get; init; }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
