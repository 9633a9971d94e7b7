using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>The updates of one connection: so many per tick, in turn over its items, some of them stamped.</summary>
/// <remarks>
/// A burst that finds no output buffer stays open and is continued until the next tick; what is left then counts as not sent.
/// One owner thread, no allocation.
/// </remarks>
internal sealed class UpdateBurst
{
    private const int NoStamp = -1;

    private readonly MessageOutput _output;
    private readonly ProviderItems _items;
    private readonly FieldListTemplate[] _templates;
    private readonly int[] _rooms;
    private readonly bool _nanoStamps;
    private readonly bool _stampAll;
    private int _cursor;
    private int _left;
    private int _place;
    private int _stampPlace = NoStamp;
    private long _stamped;

    /// <summary>Creates the bursts of one connection.</summary>
    /// <param name="plan">Messages, rates and form of the stamps.</param>
    /// <param name="items">The connection's items.</param>
    /// <param name="output">Where the updates go.</param>
    public UpdateBurst(ProviderPlan plan, ProviderItems items, MessageOutput output)
    {
        ArgumentNullException.ThrowIfNull(plan);
        _output = output;
        _items = items;
        _templates = [.. plan.Messages.Updates];
        _rooms = Array.ConvertAll(_templates, RoomFor);
        _nanoStamps = plan.NanoStamps;
        _stampAll = plan.UpdateStampRate == StampCells.All;
    }

    /// <summary>Updates of the current tick that are still to be sent.</summary>
    public int Left => _left;

    /// <summary>Stamped updates queued since the last call.</summary>
    public long TakeStampCount()
    {
        long count = _stamped;
        _stamped = 0;
        return count;
    }

    /// <summary>Opens the burst of a tick.</summary>
    /// <param name="count">Updates due in it; none are due while no item has its image.</param>
    /// <param name="stampPlace">Which of them carries a stamp, from 0; -1 for none.</param>
    /// <returns>Updates of the tick before that were never sent.</returns>
    public int Begin(int count, int stampPlace)
    {
        int missed = _items.RotatingCount > 0 ? _left : 0;
        _left = _items.RotatingCount > 0 ? count : 0;
        _place = 0;
        _stampPlace = stampPlace;
        return missed;
    }

    /// <summary>Sends what is left of the burst.</summary>
    /// <returns>False when the output buffers ran out: go on when the socket is writable again.</returns>
    public bool TrySend()
    {
        while (_left > 0 && _items.RotatingCount > 0)
        {
            bool stamped = _stampAll || _place == _stampPlace;
            long stamp = !stamped ? 0 : _nanoStamps ? Clock.NowNanos : Clock.NowMicros;
            if (_cursor >= _items.RotatingCount)
                _cursor = 0;
            int slot = _items.RotatingAt(_cursor);
            int next = _items.NextUpdate(slot);
            if (!_output.TryBegin(_rooms[next], out Span<byte> room))
                return false;
            _output.End(Encode(room, _items.StreamIdOf(slot), _templates[next], stamped, (ulong)stamp), MessageKind.Update);
            _items.UpdateSent(slot, _templates.Length);
            if (stamped)
                _stamped++;
            _cursor++;
            _place++;
            _left--;
        }

        return true;
    }

    private static int RoomFor(FieldListTemplate template) =>
        Math.Max(template.EstimatedBytes, MarketPriceHeaders.MaxUpdateBytes(template.EncodedBytes));

    internal static int Encode(Span<byte> room, int streamId, FieldListTemplate template, bool stamped, ulong stamp)
    {
        RwfWriter writer = new(room);
        MarketPriceHeaders.TryWriteUpdateHeader(ref writer, streamId);
        bool fits = stamped ? template.EncodeList(ref writer, StampFields.Update, stamp) : template.EncodeList(ref writer);
        return fits ? writer.Written : throw new InvalidOperationException("an update does not fit the room measured for it");
    }
}
