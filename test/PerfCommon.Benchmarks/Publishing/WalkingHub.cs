using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Benchmarks.Publishing;

/// <summary>
/// A hub's end of minimal cost: accepts the login, then walks the received frames without reading any message.
/// </summary>
internal sealed class WalkingHub : Connection
{
    private readonly byte[] _room = new byte[1_024];
    private readonly LoginProvider _login = new(new LoginOffer { ApplicationName = "walker", Position = "" });
    private bool _isLoggedIn;
    private long _messages;

    /// <summary>Messages received. Any thread.</summary>
    public long Messages => Volatile.Read(ref _messages);

    internal override void OnOpened(long nowNanos)
    {
    }

    internal override void OnReadable(long untilNanos)
    {
        Walker walker = new(this);
        Receive(ref walker, untilNanos);
        Volatile.Write(ref _messages, _messages + walker.Count);
    }

    private void LogIn(ReadOnlySpan<byte> message)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success && _login.Receive(msg).Step == ConversationStep.Send)
            _isLoggedIn = Output.TrySend(_room.AsSpan(0, _login.EncodeRefresh(_room)), MessageKind.Other);
    }

    private struct Walker(WalkingHub hub) : IMessageReceiver
    {
        public long Count;

        public bool Receive(ReadOnlySpan<byte> message)
        {
            if (!hub._isLoggedIn)
                hub.LogIn(message);
            Count++;
            return true;
        }
    }
}
