using System.Globalization;
using PerfCommon.Measurement;

namespace PerfTools.Scenarios;

/// <summary>A rate that changes during a run: in steps, or as a ramp, whose figures are reported in segments. Immutable.</summary>
internal sealed class RateSchedule
{
    private const int MinStepSeconds = 3; // so that it contains at least one whole collection
    private const int MaxSegments = 10;
    private const int TicksPerSecond = 1_000;

    private readonly RateProfile _profile;
    private readonly string _typed;

    private RateSchedule(string typed, string profile, string shown, IReadOnlyList<(double From, double To)> steps)
    {
        (_typed, Profile, Shown, Steps) = (typed, profile, shown, steps);
        _profile = RateProfile.TryParse(profile) ?? throw new ArgumentException($"no profile: {profile}", nameof(profile));
    }

    /// <summary>The valid forms of <c>--steps</c> and <c>--ramp</c>, after "is not".</summary>
    public static string StepsKind { get; } =
        string.Create(CultureInfo.InvariantCulture, $"rates and their seconds, {MinStepSeconds} or more, such as 100000,200000:10");

    /// <inheritdoc cref="StepsKind"/>
    public static string RampKind { get; } =
        string.Create(CultureInfo.InvariantCulture, $"two rates and seconds, {MinStepSeconds} or more, such as 100000:400000:30");

    /// <summary>The value of the sender's option <c>-rateProfile</c>.</summary>
    public string Profile { get; }

    /// <summary>The text in the headline, before the kind of message.</summary>
    public string Shown { get; }

    /// <summary>The steps with separate figures, in seconds from the first message.</summary>
    public IReadOnlyList<(double From, double To)> Steps { get; }

    public int Seconds => (int)_profile.Seconds;

    public int MaxRate => _profile.MaxRate;

    public int MinRate => _profile.Rates.Min();

    /// <summary>Parses <c>100000,200000,400000:10</c>, three rates of 10 s each; null for other text.</summary>
    public static RateSchedule? TryParseSteps(string text)
    {
        string[] halves = text.Split(':');
        int?[] rates = [.. halves[0].Split(',').Select(Read)];
        if (halves.Length != 2 || Read(halves[1]) is not { } seconds || seconds < MinStepSeconds || rates.Any(rate => rate is null))
            return null;
        string profile = string.Join(',', rates.Select(rate => Format($"{rate}:{seconds}")));
        string shown = Format($"{string.Join(", ", rates.Select(rate => Format($"{rate:N0}")))}");
        return TryCreate(text, profile, shown, seconds, rates.Length);
    }

    /// <summary>Parses <c>100000:1000000:60</c>, from one rate to the other in 60 s; null for other text.</summary>
    public static RateSchedule? TryParseRamp(string text)
    {
        int?[] numbers = [.. text.Split(':').Select(Read)];
        if (numbers is not [{ } from, { } to, { } seconds] || seconds < MinStepSeconds)
            return null;
        int pieces = Math.Clamp(seconds / MinStepSeconds, 1, MaxSegments);
        return TryCreate(text, Format($"{from}-{to}:{seconds}"), Format($"{from:N0} to {to:N0}"), seconds / (double)pieces, pieces);
    }

    /// <summary>Messages per second of one connection that are due in a window, in seconds from the first message.</summary>
    public double MeanRate(double from, double to)
    {
        long first = Ticks(from), count = Math.Max(1, Ticks(to) - first);
        return (double)_profile.InTicks(first, count, TicksPerSecond) * TicksPerSecond / count;
    }

    /// <summary>Seconds from the first message until a number of messages is due on one connection.</summary>
    public double SecondsUntil(long messages)
    {
        (long low, long high) = (0, Ticks(Seconds));
        while (low < high)
        {
            long middle = (low + high) / 2;
            if (_profile.InTicks(0, middle, TicksPerSecond) < messages)
                low = middle + 1;
            else
                high = middle;
        }

        return (double)low / TicksPerSecond;
    }

    /// <summary>The value as the user typed it.</summary>
    public override string ToString() => _typed;

    private static RateSchedule? TryCreate(string typed, string profile, string shown, double stepSeconds, int steps) =>
        RateProfile.TryParse(profile) is null
        ? null : new(typed, profile, shown, [.. Enumerable.Range(0, steps).Select(step => (step * stepSeconds, (step + 1) * stepSeconds))]);

    private static long Ticks(double seconds) => Math.Max(0, (long)Math.Round(seconds * TicksPerSecond));

    private static int? Read(string text) =>
        int.TryParse(text.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number > 0 ? number : null;

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The forms of a changing rate, of which one can be given.</summary>
/// <param name="Steps">Rates one after the other; null for a constant rate. <c>--steps</c></param>
/// <param name="Ramp">From one rate to another; null for a constant rate. <c>--ramp</c></param>
internal sealed record RateSchedules(RateSchedule? Steps, RateSchedule? Ramp);
