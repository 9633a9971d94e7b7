using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Tests.Sessions;

/// <summary>A provider that has a service and refuses its dictionaries, or does not answer the requests for them.</summary>
internal sealed class PeerWithoutDictionary(bool refuses = true) : Connection
{
    private readonly byte[] _room = new byte[8_192];
    private readonly LoginProvider _login = new(SessionSamples.Provider.Offer!);
    private readonly DirectoryProvider _directory = new(SessionSamples.Service);

    internal override void OnOpened(long nowNanos)
    {
    }

    internal override void OnReadable(long untilNanos)
    {
        while (Channel.TryRead(out ReadOnlySpan<byte> message) && RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success)
        {
            if (refuses || msg.DomainType != DomainType.Dictionary)
                Output.TrySend(_room.AsSpan(0, Answer(msg)), MessageKind.Other);
        }
    }

    private int Answer(scoped in RwfMsg msg)
    {
        switch (msg.DomainType)
        {
            case DomainType.Login:
                _login.Receive(msg);
                return _login.EncodeRefresh(_room);
            case DomainType.Source:
                _directory.Receive(msg);
                return _directory.EncodeRefresh(_room);
            default:
                return new DictionaryRefusal(msg.StreamId).EncodeNext(_room);
        }
    }
}
