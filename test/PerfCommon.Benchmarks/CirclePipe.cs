using PerfCommon.Transport;

namespace PerfCommon.Benchmarks;

/// <summary>
/// One end of a connection in memory: after the handshake it discards sent bytes and receives the same bytes over and over.
/// </summary>
internal sealed class CirclePipe : BytePipe
{
    private readonly List<byte> _sent = [];
    private byte[] _input = [];
    private int _position;
    private bool _turns;

    public override string? Failure => null;

    /// <summary>Adds bytes of the peer for this end, once.</summary>
    public void Feed(byte[] bytes) => (_input, _position) = (bytes, 0);

    /// <summary>Removes all bytes sent so far.</summary>
    public byte[] TakeSent()
    {
        byte[] all = [.. _sent];
        _sent.Clear();
        return all;
    }

    /// <summary>Repeats the input endlessly from now on, and discards sent bytes.</summary>
    public void Turn(byte[] input)
    {
        Feed(input);
        _turns = true;
    }

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = Math.Min(room.Length, _input.Length - _position);
        _input.AsSpan(_position, count).CopyTo(room);
        _position += count;
        if (_turns && _position == _input.Length)
            _position = 0;
        return count > 0 ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = bytes.Length;
        if (!_turns)
            _sent.AddRange(bytes);
        return PipeStatus.Ready;
    }

    public override void FinishSending()
    {
    }

    public override void Dispose()
    {
    }
}
