using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>Numbered messages of one kind, one way of one connection: each comes once, in order, none is left out.</summary>
/// <param name="name">What they are, for a failure.</param>
/// <param name="stamp">Which of the stamp fields carries the number.</param>
internal sealed class Sequence(string name, int stamp)
{
    private readonly FieldListDecoder _decoder = new(SessionSamples.Dictionary.Types, StampFields.First, StampFields.Count);

    public long Received { get; private set; }

    /// <summary>Takes the next message.</summary>
    /// <returns>Its number.</returns>
    public long Take(ReadOnlySpan<byte> message, int listAt)
    {
        if (_decoder.Decode(message, listAt) != DecodeResult.Success || _decoder.UnknownFields > 0)
            Assert.Fail($"{name} {Received + 1} cannot be decoded");
        ulong number = _decoder.Kept(stamp);
        if (number != (ulong)++Received)
            Assert.Fail($"{name} {number} came in the place of {Received}");
        return Received;
    }
}
