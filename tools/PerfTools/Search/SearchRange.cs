namespace PerfTools.Search;

/// <summary>The values that a search may try: whole numbers, large ones rounded to three digits.</summary>
internal sealed record SearchRange
{
    private const double DigitsFrom = 1_000;

    /// <summary>The value that is tried first.</summary>
    public required int First { get; init; }

    public int Min { get; init; } = 1;

    public int Max { get; init; } = 1_000_000_000;

    /// <summary>The permitted distance between the maximum value kept and the minimum missed, as a part of the former.</summary>
    public double Width { get; init; } = 0.03;

    /// <summary>Doubles a value, up to the maximum.</summary>
    public int Double(int value) => value > Max / 2 ? Max : value * 2;

    /// <summary>Halves a value, down to the minimum.</summary>
    public int Halve(int value) => Math.Max(Min, value / 2);

    /// <summary>The value in the middle of two, on the logarithm; null when none is between them or they are close enough.</summary>
    public int? Between(int kept, int missed)
    {
        int middle = Round(Math.Sqrt((double)kept * missed));
        return missed <= kept * (1 + Width) || missed - kept < 2 ? null : Math.Clamp(middle, kept + 1, missed - 1);
    }

    /// <summary>A value some widths lower; null when there is none.</summary>
    public int? Below(int value, int widths)
    {
        int lower = Math.Min(value - 1, Round(value / Math.Pow(1 + Width, widths)));
        return value <= Min ? null : Math.Max(Min, lower);
    }

    /// <summary>A part of a value, rounded to a permitted value.</summary>
    public int PartOf(int value, double part) => Math.Clamp(Round(value * part), Min, Max);

    private static int Round(double value)
    {
        double step = value < DigitsFrom ? 1 : Math.Pow(10, Math.Floor(Math.Log10(value)) - 2);
        return (int)(Math.Round(value / step) * step);
    }
}
