using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>
/// A provider that answers only the first request of a burst until further bytes arrive; meanwhile it sends 100 updates
/// a second.
/// </summary>
internal sealed class HoldingPeer : Connection
{
    private const int TicksPerUpdate = 10;

    private readonly byte[] _room = new byte[8_192];
    private readonly LoginProvider _login = new(SessionSamples.Provider.Offer!);
    private readonly DirectoryProvider _directory = new(SessionSamples.Service);
    private readonly Queue<(int Stream, byte[] Name)> _held = new();
    private int _released; // of the held requests
    private long _bytesSeen;
    private int _ticks;

    /// <summary>Updates sent.</summary>
    public int Updates { get; private set; }

    internal override bool WantsTicks => _bytesSeen > 0;

    internal override void OnOpened(long nowNanos)
    {
    }

    internal override void OnReadable(long untilNanos)
    {
        int heldBefore = _held.Count;
        while (Channel.TryRead(out ReadOnlySpan<byte> message) && RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success)
        {
            if (msg.DomainType != DomainType.MarketPrice)
                Output.TrySend(_room.AsSpan(0, Introduce(msg)), MessageKind.Other);
            else
                _held.Enqueue((msg.StreamId, msg.Key.Name.ToArray()));
        }

        if (Channel.BytesRead != _bytesSeen)
            _released = Math.Max(heldBefore, Math.Min(1, _held.Count));
        _bytesSeen = Channel.BytesRead;
        OnContinue();
    }

    internal override void OnContinue()
    {
        while (_released > 0 && TryAnswer(_held.Peek().Stream, _held.Peek().Name))
        {
            _held.Dequeue();
            _released--;
        }
    }

    internal override bool OnTick(in TickInfo tick)
    {
        if (++_ticks % TicksPerUpdate != 0)
            return false;
        Span<byte> room = _room;
        default(UpdateMessage).WriteHeader(room, StreamIds.FirstItem, isOrderBook: false);
        int bytes = MarketPriceHeaders.UpdateHeaderBytes
            + SessionSamples.Messages.Updates[0].EncodeList(room[MarketPriceHeaders.UpdateHeaderBytes..], 0, 0);
        if (!Output.TrySend(room[..bytes], MessageKind.Other))
            return false; // answers fill the output buffers
        Updates++;
        return true;
    }

    private int Introduce(scoped in RwfMsg msg)
    {
        if (msg.DomainType == DomainType.Login)
        {
            _login.Receive(msg);
            return _login.EncodeRefresh(_room);
        }

        _directory.Receive(msg);
        return _directory.EncodeRefresh(_room);
    }

    private bool TryAnswer(int stream, ReadOnlySpan<byte> name)
    {
        RwfWriter writer = new(_room);
        MarketPriceHeaders.TryWriteRefreshHeader(ref writer, stream, SessionSamples.Service, name, null, isStreaming: true,
            isSolicited: true);
        SessionSamples.Messages.Refresh.EncodeList(ref writer);
        Assert.False(writer.Failed);
        return Output.TrySend(_room.AsSpan(0, writer.Written), MessageKind.Other);
    }
}
