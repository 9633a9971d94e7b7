using System.Globalization;
using System.Text;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Benchmarks.Copying;

/// <summary>
/// A consumer of minimal cost: requests items, then walks the received frames without reading any message.
/// </summary>
/// <remarks>So the provider is measured alone, and never waits for its consumer.</remarks>
internal sealed class FrameWalker(int items, ushort serviceId) : Connection
{
    private const int RequestsAtOnce = 100;

    private readonly byte[] _room = new byte[1_024];
    private readonly ServiceInfo _service = new() { Id = serviceId };
    private bool _isLoggedIn;
    private int _asked;
    private long _messages;

    /// <summary>Messages received. Any thread.</summary>
    public long Messages => Volatile.Read(ref _messages);

    internal override void OnOpened(long nowNanos)
    {
        LoginConsumer login = new(new LoginIdentity { UserName = "walker", ApplicationName = "walker", Position = "" });
        Output.TrySend(_room.AsSpan(0, login.EncodeRequest(_room)), MessageKind.Other);
    }

    internal override void OnReadable(long untilNanos)
    {
        Walker walker = default;
        Receive(ref walker, untilNanos);
        _isLoggedIn |= walker.Count > 0; // the answer to the login is the first
        Volatile.Write(ref _messages, _messages + walker.Count);
    }

    internal override bool OnIdle()
    {
        if (!_isLoggedIn || !IsOpen)
            return false;
        for (int last = Math.Min(items, _asked + RequestsAtOnce); _asked < last; _asked++)
        {
            byte[] name = Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"RDT{_asked + 1}"));
            int bytes = MarketPriceConsumer.EncodeRequest(_room, StreamIds.FirstItem + _asked, _service, name, isStreaming: true);
            if (!Output.TrySend(_room.AsSpan(0, bytes), MessageKind.Request))
                return false;
        }

        return _asked < items;
    }

    private struct Walker : IMessageReceiver
    {
        public long Count;

        public bool Receive(ReadOnlySpan<byte> message)
        {
            Count++;
            return true;
        }
    }
}
