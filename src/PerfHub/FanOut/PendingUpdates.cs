using System.Runtime.InteropServices;

namespace PerfHub.FanOut;

/// <summary>
/// Updates that may wait to be sent together: their bytes, once for all connections, and how many of each turn still wait.
/// </summary>
/// <remarks>
/// First in, first out, in a circular array: the bytes of a turn are released when those of all earlier turns are, and none of its updates wait. One
/// owner thread.
/// </remarks>
/// <param name="firstTurn">Number of the first turn, from 0; numbers restart after the maximum.</param>
internal sealed class PendingUpdates(int firstTurn = 0)
{
    private const int StartBytes = 64 * 1024;
    private const int LargeBytes = 64 * 1024 * 1024;
    private const int StartTurns = 64;

    private readonly List<PendingLatencies> _handed = [];
    private byte[] _bytes = [];
    private long _at; // after the last
    private long _freeBefore;
    private Turn[] _turns = new Turn[StartTurns];
    private int _first = firstTurn; // the first turn that may have waiting updates
    private int _now = firstTurn;

    /// <summary>The array with the updates; see <see cref="PlaceOf"/>. Valid until the next is kept.</summary>
    public byte[] Bytes => _bytes;

    /// <summary>Bytes in memory.</summary>
    public int HeldBytes => _bytes.Length;

    /// <summary>True when nothing should wait any longer.</summary>
    public bool IsLarge => _at - _freeBefore > LargeBytes;

    /// <summary>Connections for which updates of this turn wait.</summary>
    public int ConnectionsNow => TurnOf(_now).Connections;

    /// <summary>Stores an update.</summary>
    /// <returns>Its delivery, for any stream.</returns>
    public Delivery Add(ReadOnlySpan<byte> update)
    {
        while (!HasRoom(update.Length))
            Grow();
        int at = (int)(_at & int.MaxValue);
        update.CopyTo(_bytes.AsSpan(PlaceOf(at)));
        _at += update.Length;
        return Delivery.Kept(at, update.Length, _now & (Delivery.Turns - 1));
    }

    /// <summary>Returns an update's index in the array.</summary>
    public int PlaceOf(int at) => at & (_bytes.Length - 1);

    /// <summary>Counts an update of this turn that waits for a connection.</summary>
    /// <param name="lastTurn">The connection's: the last turn of which an update waited.</param>
    public void Count(ref int lastTurn)
    {
        ref Turn turn = ref TurnOf(_now);
        turn.Updates++;
        if (lastTurn == _now)
            return;
        lastTurn = _now;
        turn.Connections++;
    }

    /// <summary>Counts updates of a connection that no longer wait: they were delivered to it.</summary>
    /// <param name="noted">All pending deliveries of the connection, others included.</param>
    /// <param name="lastTurn">The connection's; -1 from then on.</param>
    /// <returns>
    /// The batches of earlier turns, which are complete once the bytes now delivered to the connection are sent; valid until the next call.
    /// </returns>
    public ReadOnlySpan<PendingLatencies> Release(ReadOnlySpan<Delivery> noted, ref int lastTurn)
    {
        if (lastTurn < 0)
            return default;
        _handed.Clear();
        int before = -1;
        foreach (ref readonly Delivery delivery in noted)
        {
            if (!delivery.IsKept)
                continue;
            ref Turn turn = ref TurnOf(delivery.Turn);
            turn.Updates--;
            if (delivery.Turn == before)
                continue;
            before = delivery.Turn;
            if (turn.Latencies is not null)
                _handed.Add(turn.Latencies);
        }

        if (lastTurn == _now)
            TurnOf(_now).Connections--;
        lastTurn = -1;
        return CollectionsMarshal.AsSpan(_handed);
    }

    /// <summary>Ends the turn.</summary>
    /// <param name="runs">The batches that still wait; null when none does.</param>
    public void EndTurn(PendingLatencies? runs)
    {
        ref Turn turn = ref TurnOf(_now);
        (turn.End, turn.Latencies) = (_at, runs);
        _now = Behind(_now);
        while (_first != _now && TurnOf(_first).Updates == 0)
        {
            _freeBefore = TurnOf(_first).End;
            TurnOf(_first) = default;
            _first = Behind(_first);
        }

        if (((_now - _first) & int.MaxValue) == _turns.Length)
            GrowTurns();
        if (_first == _now && _bytes.Length > StartBytes)
            (_bytes, _at, _freeBefore) = ([], 0, 0);
    }

    private static int Behind(int turn) => (turn + 1) & int.MaxValue;

    private ref Turn TurnOf(int turn) => ref _turns[turn & (_turns.Length - 1)];

    // Contiguous: an update that does not fit before the end of the array starts at its beginning.
    private bool HasRoom(int bytes)
    {
        int place = PlaceOf((int)(_at & int.MaxValue));
        long at = bytes > _bytes.Length - place ? _at + _bytes.Length - place : _at;
        if (at + bytes - _freeBefore > _bytes.Length)
            return false;
        _at = at;
        return true;
    }

    // Bytes within a block of the old size stay contiguous.
    private void Grow()
    {
        byte[] larger = new byte[Math.Max(_bytes.Length * 2, StartBytes)];
        for (long from = _freeBefore; from < _at;)
        {
            int place = (int)(from & (_bytes.Length - 1));
            int length = (int)Math.Min(_at - from, _bytes.Length - place);
            _bytes.AsSpan(place, length).CopyTo(larger.AsSpan((int)(from & (larger.Length - 1))));
            from += length;
        }

        _bytes = larger;
    }

    private void GrowTurns()
    {
        Turn[] larger = new Turn[_turns.Length * 2];
        for (int turn = _first; turn != _now; turn = Behind(turn))
            larger[turn & (larger.Length - 1)] = TurnOf(turn);
        _turns = larger;
    }

    private struct Turn
    {
        public long End; // of its bytes
        public int Updates; // that wait, each for one connection
        public int Connections; // for which they do
        public PendingLatencies? Latencies;
    }
}
