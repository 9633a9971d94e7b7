using PerfCommon.Codec;
using PerfCommon.Sessions;
using PerfHub.Cache;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>The records that one other thread sends to a source thread, and the providers whose messages it has sent.</summary>
/// <param name="ring">The ring.</param>
/// <param name="writer">The sleep flag of the other thread.</param>
internal sealed class InputRing(ByteRing ring, SleepFlag writer)
{
    private readonly StreamMap<NiProvider> _providers = new();

    public ByteRing Ring => ring;

    /// <summary>Releases the space of the records that were read.</summary>
    public void Release()
    {
        if (ring.Release())
            writer.WakeSleeper();
    }

    /// <summary>Dispatches a message of a non-interactive provider.</summary>
    /// <param name="host">The source thread.</param>
    /// <param name="record">Its head and the message; its number is that of the provider.</param>
    public void ReceivePublished(UpstreamThread host, RingRecord record)
    {
        PublishedHead head = PublishedHead.Read(record.Bytes);
        ReadOnlySpan<byte> message = record.Bytes[PublishedHead.Bytes..];
        if (_providers.Find(record.Number) is not { } provider)
            _providers.Add(record.Number, provider = new NiProvider(host));
        host.Broadcaster.RecordReceived(head.ReceivedNanos);
        if (UpdateHeader.TryRead(message, out UpdateHeader update) && HubDomain.IsItem(update.DomainType))
            provider.Receive(update);
        else if (RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success)
            provider.Receive(msg, head.Service);
    }

    /// <summary>Ends a provider, if it has something in this thread.</summary>
    public void EndProvider(NiSource publishers, int number)
    {
        if (_providers.Find(number) is not { } provider)
            return;
        _providers.Remove(number);
        publishers.Leave(provider);
    }
}
