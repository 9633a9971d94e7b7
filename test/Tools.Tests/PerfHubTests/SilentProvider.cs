using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace Tools.Tests.PerfHubTests;

/// <summary>An interactive source that accepts the hub's login, names its service, and never answers a request for an item.</summary>
internal sealed class SilentProvider : Connection
{
    private readonly byte[] _room = new byte[8_192];
    private readonly LoginProvider _login = new(new LoginOffer { ApplicationName = "silent", Position = "127.0.0.1/net" });
    private readonly DirectoryProvider _directory = new(new ServiceOffer { Name = NumberProvider.ServiceName, Id = 1 });
    private LoginAttributes? _received;

    /// <summary>The login of the hub; null before it has arrived. Any thread.</summary>
    public LoginAttributes? Login => Volatile.Read(ref _received);

    internal override void OnOpened(long nowNanos)
    {
    }

    internal override void OnReadable(long untilNanos)
    {
        while (Channel.TryRead(out ReadOnlySpan<byte> message) && RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success)
        {
            int bytes = Answer(msg);
            if (bytes > 0)
                Output.TrySend(_room.AsSpan(0, bytes), MessageKind.Other);
        }

        Channel.Flush();
    }

    private int Answer(scoped in RwfMsg msg)
    {
        switch (msg.DomainType)
        {
            case DomainType.Login:
                _login.Receive(msg);
                Volatile.Write(ref _received, _login.Consumer);
                return _login.EncodeRefresh(_room);
            case DomainType.Source:
                _directory.Receive(msg);
                return _directory.EncodeRefresh(_room);
            case DomainType.Dictionary:
                return new DictionaryRefusal(msg.StreamId).EncodeNext(_room);
            default:
                return 0;
        }
    }
}
