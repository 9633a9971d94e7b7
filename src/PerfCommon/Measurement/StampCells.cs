namespace PerfCommon.Measurement;

/// <summary>Chooses which messages carry a time stamp: random places in random ticks, exactly as many a second as asked.</summary>
/// <remarks>A table of 20 seconds, one cell per tick, built once and walked cyclically. A worker has one per kind of message;
/// its connections read it at offsets of one second, so that their stamps do not coincide.</remarks>
internal sealed class StampCells
{
    /// <summary>The latency rate that puts a stamp into every message.</summary>
    public const int All = -1;

    private const int Seconds = 20;
    private const int NoStamp = -1;

    private readonly int[] _positions;
    private readonly int _tickRate;

    /// <param name="rate">Messages per second.</param>
    /// <param name="latencyRate">Stamped messages per second, at most one per tick that sends anything; or <see cref="All"/>.</param>
    /// <param name="tickRate">Ticks per second.</param>
    /// <param name="seed">Seed of the draw; the same seed gives the same table.</param>
    public StampCells(int rate, int latencyRate, int tickRate, int seed)
    {
        RatePerTick shares = new(rate, tickRate);
        int sendingTicks = Math.Min(rate, tickRate);
        ArgumentOutOfRangeException.ThrowIfLessThan(latencyRate, All);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(latencyRate, sendingTicks);

        EveryMessage = latencyRate == All;
        _tickRate = tickRate;
        _positions = latencyRate <= 0 ? [] : Draw(shares, sendingTicks, latencyRate, tickRate, new Random(seed));
    }

    /// <summary>True when every message carries a stamp; <see cref="Position"/> is not asked then.</summary>
    public bool EveryMessage { get; }

    /// <summary>The cell that a connection reads in a tick.</summary>
    /// <param name="tickIndex">Running number of the tick, <see cref="TickInfo.Index"/>.</param>
    /// <param name="connection">Number of the connection within its worker, from 0.</param>
    public long CellOf(long tickIndex, int connection) => tickIndex + ((long)connection * _tickRate);

    /// <summary>Which message of the burst carries the stamp.</summary>
    /// <param name="cellIndex">The cell, <see cref="CellOf"/>; 0 or more.</param>
    /// <returns>Its place in the burst from 0, or -1 when this tick has none.</returns>
    public int Position(long cellIndex) => _positions.Length == 0 ? NoStamp : _positions[cellIndex % _positions.Length];

    private static int[] Draw(RatePerTick shares, int sendingTicks, int latencyRate, int tickRate, Random random)
    {
        int[] positions = new int[Seconds * tickRate];
        Array.Fill(positions, NoStamp);
        int[] ticks = [.. Enumerable.Range(0, sendingTicks)];
        for (int second = 0; second < Seconds; second++)
        {
            random.Shuffle(ticks);
            foreach (int tick in ticks.AsSpan(0, latencyRate))
                positions[(second * tickRate) + tick] = random.Next(shares.InTick(tick));
        }

        return positions;
    }
}
