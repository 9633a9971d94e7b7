using System.Globalization;

namespace PerfTools.Results.Comparison;

/// <summary>What became of a figure from A to B.</summary>
public enum ChangeWord
{
    /// <summary>No change, or none that chance does not explain.</summary>
    Same,

    /// <summary>A change for the better.</summary>
    Better,

    /// <summary>A change for the worse.</summary>
    Worse,

    /// <summary>It cannot be judged.</summary>
    NotComparable,

    /// <summary>A change that is neither for the better nor for the worse.</summary>
    Changed,
}

/// <summary>The words as they are printed and written.</summary>
public static class ChangeWords
{
    /// <summary>The word.</summary>
    public static string Text(this ChangeWord word) => word switch
    {
        ChangeWord.Same => "same",
        ChangeWord.Better => "better",
        ChangeWord.Worse => "worse",
        ChangeWord.Changed => "changed",
        _ => "not comparable",
    };
}

/// <summary>A figure of A and of B, and what is to be said of them.</summary>
public sealed record FigureChange
{
    // More than this says no more than this.
    private const double MaxNoiseShown = 999;

    /// <summary>Which figure.</summary>
    public required ComparedFigure Figure { get; init; }

    /// <summary>The figure of A; null where it is not known, or has too few samples.</summary>
    public required double? A { get; init; }

    /// <summary>The figure of B.</summary>
    public required double? B { get; init; }

    /// <summary>B against A, in percent of A; null where one of them is missing.</summary>
    public double? ChangePercent => A is { } a and > 0 && B is { } b ? 100 * ((b / a) - 1) : null;

    /// <summary>
    /// What chance alone may do, in percent and to the side of the change: half of its 95 % interval, corrected for the number of figures;
    /// null where it cannot be computed.
    /// </summary>
    public double? NoisePercent { get; init; }

    /// <summary>The change with its sign; <c>-</c> for none.</summary>
    public string ChangeText => ChangePercent is { } percent ? Format($"{percent:+0.0;-0.0;0.0} %") : "-";

    /// <summary>The noise; <c>-</c> where it cannot be computed.</summary>
    public string NoiseText =>
        NoisePercent is not { } noise ? "-" : noise > MaxNoiseShown ? Format($"> {MaxNoiseShown} %") : Format($"{noise:0.0} %");

    /// <summary>What became of it.</summary>
    public required ChangeWord Word { get; init; }

    /// <summary>Why it is not comparable, or that a change is within the bound of the clocks; else null.</summary>
    public string? Reason { get; init; }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
