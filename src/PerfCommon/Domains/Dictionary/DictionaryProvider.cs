using System.Globalization;
using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The provider's side of dictionary requests. Has no state of its own: any connection may use it.</summary>
/// <param name="dictionary">What is handed out.</param>
internal sealed class DictionaryProvider(FieldDictionary dictionary)
{
    /// <summary>Takes a message of the dictionary domain.</summary>
    /// <param name="msg">The message.</param>
    /// <param name="answer">What to send, when the result is Send: encode it until it is done.</param>
    /// <returns>Send, Closed (forget the answer of that stream) or Disconnect.</returns>
    public ConversationResult Take(scoped in RwfMsg msg, out DictionaryAnswer? answer)
    {
        answer = null;
        switch (msg.MsgClass)
        {
            case MsgClass.Request when !IsWhole(msg.Key):
                return ConversationResult.Disconnect("a dictionary request must have service id, name and filter"); // wire/domains 4
            case MsgClass.Request:
                answer = Answer(msg);
                return ConversationResult.Send;
            case MsgClass.Close:
                return ConversationResult.Closed($"the consumer closed dictionary stream {msg.StreamId}"); // wire/domains 4
            default:
                return ConversationResult.Disconnect($"unexpected {msg.MsgClass} message on the dictionary domain"); // wire/domains 4
        }
    }

    private static bool IsWhole(scoped in MsgKey key) =>
        key.Has(MsgKeyFlags.HasServiceId) && key.Has(MsgKeyFlags.HasName) && key.Has(MsgKeyFlags.HasFilter);

    private DictionaryAnswer Answer(scoped in RwfMsg request)
    {
        ReadOnlySpan<byte> name = request.Key.Name;
        if (name.SequenceEqual(DictionaryNames.Fields))
            return new FieldDictionaryParts(dictionary, request);
        return name.SequenceEqual(DictionaryNames.Enums)
            ? new EnumTablesParts(dictionary, request)
            : new DictionaryRefusal(request.StreamId);
    }
}

/// <summary>What a provider sends on one dictionary stream: some parts, or one refusal. Encode until it is done.</summary>
internal abstract class DictionaryAnswer(int streamId)
{
    public int StreamId { get; } = streamId;

    /// <summary>True when everything was encoded.</summary>
    public bool IsDone { get; private protected set; }

    /// <summary>Encodes the next message.</summary>
    /// <param name="room">Where to; as many rows go in as fit.</param>
    /// <returns>Bytes written; 0 when it is done, or the room is too small for one row.</returns>
    public abstract int EncodeNext(Span<byte> room);
}

/// <summary>The answer to a request for a dictionary nobody has.</summary>
internal sealed class DictionaryRefusal(int streamId) : DictionaryAnswer(streamId)
{
    public override int EncodeNext(Span<byte> room)
    {
        if (IsDone)
            return 0;
        string text = string.Create(
            CultureInfo.InvariantCulture, $"Dictionary request rejected for stream id {StreamId} - dictionary name unknown");
        RwfState state = new(StreamState.Closed, DataState.Suspect, StateCode.NotFound, Encoding.ASCII.GetBytes(text)); // wire/domains 4
        int written = DomainMsg.EncodeStatus(room, DomainType.Dictionary, StreamId, state);
        IsDone = written > 0;
        return written;
    }
}
