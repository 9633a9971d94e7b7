using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>Checks numbered messages of one kind in one direction of a connection: each arrives once, in order, none is missing.</summary>
/// <param name="name">Name of the messages in a failure.</param>
/// <param name="stamp">Index of the stamp field that carries the number.</param>
internal sealed class Sequence(string name, int stamp)
{
    private readonly FieldListDecoder _decoder = new(SessionSamples.Dictionary.Types, StampFields.First, StampFields.Count);

    public long Received { get; private set; }

    /// <summary>Checks the next message.</summary>
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
