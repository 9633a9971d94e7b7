using System.Globalization;

namespace PerfCommon.Measurement;

/// <summary>A rate that changes with time: steps and ramps one after the other; the last rate continues.</summary>
/// <remarks>
/// Time is the number of a tick, so every execution sends the same messages: over a step of s seconds exactly s times its rate. Immutable.
/// </remarks>
public sealed class RateProfile
{
    private const int MaxStages = 10_000;
    private const int MaxSeconds = 1_000_000;

    private readonly Stage[] _stages;
    private readonly string _text;

    private RateProfile(string text, Stage[] stages) => (_text, _stages) = (text, stages);

    /// <summary>The greatest rate in the profile.</summary>
    public int MaxRate => _stages.Max(stage => Math.Max(stage.From, stage.To));

    /// <summary>The rates named in the profile.</summary>
    internal IEnumerable<int> Rates => _stages.SelectMany(stage => (int[])[stage.From, stage.To]);

    /// <summary>Seconds until the rate becomes constant.</summary>
    public long Seconds => _stages.Sum(stage => (long)stage.Seconds);

    /// <summary>Reads <c>100000:10,200000-400000:30</c>, a step of 10 s and a ramp of 30 s; null for invalid text.</summary>
    public static RateProfile? TryParse(string text)
    {
        Stage?[] stages = [.. text.Split(',').Select(Stage.TryParse)];
        return stages.Length <= MaxStages && Array.TrueForAll(stages, stage => stage is not null)
            ? new(text, [.. stages.OfType<Stage>()]) : null;
    }

    /// <summary>Returns the messages due in a tick.</summary>
    /// <param name="index">Number of the tick, <see cref="TickInfo.Index"/>.</param>
    /// <param name="tickRate">Ticks per second.</param>
    internal int InTick(long index, int tickRate) => (int)InTicks(index, 1, tickRate);

    /// <summary>Returns the messages due in consecutive ticks.</summary>
    internal long InTicks(long firstIndex, long count, int tickRate) => UpTo(firstIndex + count, tickRate) - UpTo(firstIndex, tickRate);

    /// <summary>Returns the text from which it was parsed.</summary>
    public override string ToString() => _text;

    // Rounded down over all ticks so far: the remainder of a tick is due in a later one.
    private long UpTo(long ticks, int tickRate)
    {
        long sum = 0;
        foreach (Stage stage in _stages)
        {
            long length = (long)stage.Seconds * tickRate;
            long inside = Math.Min(ticks, length);
            Int128 doubled = ((Int128)2 * stage.From * inside * length) + ((Int128)(stage.To - stage.From) * inside * inside);
            sum += (long)(doubled / ((Int128)2 * length * tickRate));
            ticks -= inside;
            if (ticks == 0)
                return sum;
        }

        return sum + (long)((Int128)ticks * _stages[^1].To / tickRate);
    }

    private sealed record Stage(int From, int To, int Seconds)
    {
        public static Stage? TryParse(string text)
        {
            string[] halves = text.Split(':');
            if (halves.Length != 2 || !TryRead(halves[1], out int seconds) || seconds is 0 or > MaxSeconds)
                return null;
            string[] rates = halves[0].Split('-');
            bool isRead = TryRead(rates[0], out int from) & TryRead(rates[^1], out int to);
            return isRead && rates.Length <= 2 ? new(from, to, seconds) : null;
        }

        private static bool TryRead(string text, out int number) =>
            int.TryParse(text.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }
}
