using System.Buffers.Binary;
using HubPerf.Rings;
using HubPerf.Sources;
using PerfCommon.Codec;

namespace HubPerf.Delivery;

/// <content>
/// Where one port serves both: a non-interactive provider, whose messages go on to the source thread as they are; where that is this
/// thread they are taken at once.
/// </content>
internal sealed partial class HubSession
{
    // All services of non-interactive providers are there.
    private const int PublishersHost = 0;

    private bool _isPublisher;
    private NiProvider? _provider; // of this thread
    private long _bytesSeen;
    private long _receivedNanos;

    private protected override bool IsHeldUp => _provider is not null && !_host.OwnSources!.HasRoom();

    private bool IsPublishingFull => _provider is null && (base.IsFull || _host.IsFull || _host.IsCrowded(PublishersHost));

    private protected override bool TryTakeFirst(ReadOnlySpan<byte> message)
    {
        if (!_isPublisher || !UpdateHeader.TryRead(message, out _))
            return false;
        Publish(message);
        return true;
    }

    // Behind the time at which it was received.
    private void Publish(ReadOnlySpan<byte> message)
    {
        if (Channel.BytesRead != _bytesSeen)
        {
            _bytesSeen = Channel.BytesRead;
            _receivedNanos = Time.NowNanos;
            _host.OwnSources?.NoteReceived(_receivedNanos);
        }

        if (_provider is not null)
        {
            if (_provider.Take(message) is { } problem)
                Disconnect(problem);
            return;
        }

        byte[] room = _host.Room(sizeof(long) + message.Length);
        BinaryPrimitives.WriteInt64LittleEndian(room, _receivedNanos);
        message.CopyTo(room.AsSpan(sizeof(long)));
        _host.Send(PublishersHost, SessionRecord.Published, SlotNumber, room.AsSpan(0, sizeof(long) + message.Length));
    }

    private void BeginPublishing()
    {
        if (_isPublisher)
            return;
        if (!_host.Settings.TakesPublishers)
        {
            Disconnect("a provider's login on the port for consumers");
            return;
        }

        _isPublisher = true;
        _host.Publishers++;
        if (_host.OwnSources is { } sources)
            _provider = sources.CreateProvider();
        else
            _host.Send(PublishersHost, SessionRecord.PublisherCame, SlotNumber, default);
    }

    private void EndPublishing()
    {
        if (!_isPublisher)
            return;
        _isPublisher = false;
        _host.Publishers--;
        if (_provider is null)
            _host.Send(PublishersHost, SessionRecord.PublisherLeft, SlotNumber, default);
        _provider?.Leave();
        _provider = null;
    }

    private void HoldWhileFull()
    {
        if (!_host.OwnSources!.HasRoom())
            _host.OwnSources.Hold(Channel);
    }
}
