using PerfCommon.Transport;

namespace Fuzz.Targets;

/// <summary>A pipe that keeps the sent bytes; it receives nothing.</summary>
internal sealed class CollectingPipe : BytePipe
{
    private readonly List<byte> _sent = [];

    public byte[] Sent => [.. _sent];

    public override string? Failure => null;

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = 0;
        return PipeStatus.Wait;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        _sent.AddRange(bytes);
        count = bytes.Length;
        return PipeStatus.Ready;
    }

    public override void FinishSending()
    {
        // no wait is in progress
    }

    public override void Dispose()
    {
        // it has no resources
    }
}
