namespace PerfCommon.Measurement;

/// <summary>Chooses which messages carry a time stamp: random positions in random ticks, exactly the requested number a second.</summary>
/// <remarks>A table of 20 seconds, one cell per tick, built once and read cyclically; other message rates share it. A worker has one
/// per kind of message; its connections read it at offsets of one second, so that their stamps do not coincide. Immutable.</remarks>
internal sealed class StampCells
{
    /// <summary>The latency rate that puts a stamp into every message.</summary>
    public const int All = -1;

    private const int Seconds = 20;
    private const int NoStamp = -1;

    private const int PlaceBits = 31;

    private readonly int[] _places; // as for a burst of 2^31 messages
    private readonly int _sendingTicks;
    private readonly int _latencyRate;
    private readonly int _tickRate;
    private readonly int _seed;

    /// <param name="rate">Messages per second.</param>
    /// <param name="latencyRate">Stamped messages per second, at most one per tick that sends anything; or <see cref="All"/>.</param>
    /// <param name="tickRate">Ticks per second.</param>
    /// <param name="seed">Seed of the draw; the same seed gives the same table.</param>
    public StampCells(int rate, int latencyRate, int tickRate, int seed)
    {
        _sendingTicks = Math.Min(rate, tickRate);
        ArgumentOutOfRangeException.ThrowIfLessThan(latencyRate, All);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(latencyRate, _sendingTicks);

        (_latencyRate, _tickRate, _seed) = (latencyRate, tickRate, seed);
        _places = latencyRate <= 0 ? [] : Draw(_sendingTicks, latencyRate, tickRate, new Random(seed));
    }

    /// <summary>True when every message carries a stamp; <see cref="Position"/> is not called then.</summary>
    public bool EveryMessage => _latencyRate == All;

    /// <summary>Returns the cell that a connection reads in a tick.</summary>
    /// <param name="tickIndex">Number of the tick, <see cref="TickInfo.Index"/>.</param>
    /// <param name="connection">Number of the connection within its worker, from 0.</param>
    public long CellOf(long tickIndex, int connection) => tickIndex + ((long)connection * _tickRate);

    /// <summary>Returns which message of the burst carries the stamp.</summary>
    /// <param name="cellIndex">The cell, <see cref="CellOf"/>; 0 or more.</param>
    /// <param name="messages">Messages of the burst.</param>
    /// <returns>Its position in the burst from 0, or -1 when this tick has none.</returns>
    public int Position(long cellIndex, int messages)
    {
        int place = _places.Length == 0 ? NoStamp : _places[cellIndex % _places.Length];
        return place == NoStamp ? NoStamp : (int)(((long)place * messages) >> PlaceBits);
    }

    /// <summary>Returns the cells for another message rate; drawn anew only when there are fewer messages than ticks, or fewer stamps.</summary>
    /// <param name="rate">Messages per second, at least 1.</param>
    /// <param name="latencyRate">Stamped messages among them, as at the start.</param>
    public StampCells ForRate(int rate, int latencyRate) =>
        rate == 0 || (Math.Min(rate, _tickRate) == _sendingTicks && latencyRate == _latencyRate)
            ? this : new(rate, latencyRate, _tickRate, _seed);

    private static int[] Draw(int sendingTicks, int latencyRate, int tickRate, Random random)
    {
        int[] places = new int[Seconds * tickRate];
        Array.Fill(places, NoStamp);
        int[] ticks = [.. Enumerable.Range(0, sendingTicks)];
        for (int second = 0; second < Seconds; second++)
        {
            random.Shuffle(ticks);
            foreach (int tick in ticks.AsSpan(0, latencyRate))
                places[(second * tickRate) + tick] = random.Next();
        }

        return places;
    }
}
