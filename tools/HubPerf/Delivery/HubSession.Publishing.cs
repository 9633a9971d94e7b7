using System.Buffers.Binary;
using HubPerf.Rings;
using PerfCommon.Codec;

namespace HubPerf.Delivery;

/// <content>Where one port serves both: a non-interactive provider, whose messages go on to the source thread as they are.</content>
internal sealed partial class HubSession
{
    // All services of non-interactive providers are there.
    private const int PublishersHost = 0;

    private bool _isPublisher;
    private long _bytesSeen;
    private long _receivedNanos;

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
        _host.Send(PublishersHost, SessionRecord.PublisherCame, SlotNumber, default);
    }

    private void EndPublishing()
    {
        if (!_isPublisher)
            return;
        _isPublisher = false;
        _host.Publishers--;
        _host.Send(PublishersHost, SessionRecord.PublisherLeft, SlotNumber, default);
    }
}
