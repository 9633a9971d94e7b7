using PerfCommon.Measurement;
using PerfCommon.Tests.Transport;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>
/// Either side of a connection without RWF: sends messages of all lengths, whole or in fragments, and expects the other's as they were
/// sent.
/// </summary>
internal sealed class OpaqueSide(ConversationSettings settings) : Connection
{
    private const int MinBytes = 8;
    private const int LengthsUsed = 1_000;

    private readonly int[] _lengths = DrawLengths(settings.Seed);
    private byte[] _expected = [];
    private long _queued;

    public long Received { get; private set; }

    internal override Packing Packing => new(settings.PackCount, settings.PackBytes);

    internal override bool WantsTicks => IsOpen;

    internal override void OnOpened(long nowNanos)
    {
    }

    internal override bool OnTick(in TickInfo tick)
    {
        for (int left = settings.Rate / settings.Worker.TickRate + 1; left > 0 && TryQueue(); left--)
        {
        }

        Output.EndBurst();
        return true;
    }

    internal override void OnReadable(long untilNanos)
    {
        Receiver receiver = new(this);
        Receive(ref receiver, untilNanos);
    }

    /// <summary>Checks the counts once the connection is closed.</summary>
    public void Check()
    {
        if (OpenedNanos > 0)
            Assert.Equal(_queued, Counters[Counter.MessagesSent] + Counters[Counter.MessagesNotSent]);
    }

    private static int[] DrawLengths(int seed)
    {
        Random random = new(seed);
        return [.. Enumerable.Range(0, LengthsUsed).Select(_ => MinBytes + random.Next(random.Next(40) == 0 ? 20_000 : 400))];
    }

    private bool TryQueue()
    {
        int bytes = _lengths[_queued % LengthsUsed];
        if (!Output.TryBegin(bytes, out Span<byte> room))
            return false;
        NumberedMessages.Fill(room[..bytes], (int)_queued++);
        Output.End(bytes, MessageKind.Opaque);
        return true;
    }

    private void Take(ReadOnlySpan<byte> message)
    {
        if (Channel.Info.ProtocolType != RsslProtocol.Json)
        {
            TakeOne(message);
            return;
        }

        Assert.True(message[0] == '[' && message[^1] == ']');
        foreach (Range part in message[1..^1].Split((byte)','))
            TakeOne(message[1..^1][part]);
    }

    private void TakeOne(ReadOnlySpan<byte> message)
    {
        int bytes = _lengths[Received % LengthsUsed];
        if (_expected.Length < bytes)
            _expected = new byte[bytes];
        NumberedMessages.Fill(_expected.AsSpan(0, bytes), (int)Received);
        if (!message.SequenceEqual(_expected.AsSpan(0, bytes)))
            Assert.Fail($"message {Received} is not as it was sent");
        Received++;
    }

    private readonly struct Receiver(OpaqueSide side) : IMessageReceiver
    {
        public bool Receive(ReadOnlySpan<byte> message)
        {
            side.Take(message);
            return true;
        }
    }
}
