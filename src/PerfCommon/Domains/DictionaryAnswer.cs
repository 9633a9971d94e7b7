namespace PerfCommon.Domains;

/// <summary>What a provider sends on one dictionary stream: some parts, or one refusal. Encode until it is done.</summary>
internal abstract class DictionaryAnswer
{
    private protected DictionaryAnswer(int streamId) => StreamId = streamId;

    /// <summary>Stream of the request.</summary>
    public int StreamId { get; }

    /// <summary>True when everything was encoded.</summary>
    public bool IsDone { get; private protected set; }

    /// <summary>Encodes the next message.</summary>
    /// <param name="room">Where to; as many rows go in as fit.</param>
    /// <returns>Bytes written; 0 when it is done, or the room is too small for one row.</returns>
    public abstract int EncodeNext(Span<byte> room);
}
