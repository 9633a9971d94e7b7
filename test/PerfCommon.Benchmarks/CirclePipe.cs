using PerfCommon.Transport;

namespace PerfCommon.Benchmarks;

/// <summary>
/// One end of a connection in memory: first it shakes hands, then it swallows what is sent and receives the same bytes round and round.
/// </summary>
internal sealed class CirclePipe : BytePipe
{
    private readonly List<byte> _sent = [];
    private byte[] _input = [];
    private int _position;
    private bool _turns;

    public override string? Failure => null;

    /// <summary>Gives the peer's bytes to this end, once.</summary>
    public void Feed(byte[] bytes) => (_input, _position) = (bytes, 0);

    /// <summary>Takes everything that was sent so far.</summary>
    public byte[] TakeSent()
    {
        byte[] all = [.. _sent];
        _sent.Clear();
        return all;
    }

    /// <summary>From now on the input never ends and nothing sent is kept.</summary>
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
