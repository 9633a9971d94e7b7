using System.Globalization;
using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Answers dictionary requests as a provider. It is stateless: any connection may use it.</summary>
/// <param name="dictionary">The dictionary that is sent.</param>
internal sealed class DictionaryProvider(FieldDictionary dictionary)
{
    /// <summary>Handles a message of the dictionary domain.</summary>
    /// <param name="msg">The message.</param>
    /// <param name="answer">The messages to send when the result is Send: encode it until it is done.</param>
    /// <returns>Send, Closed (discard the answer of that stream) or Disconnect.</returns>
    public ConversationResult Receive(scoped in RwfMsg msg, out DictionaryAnswer? answer)
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

/// <summary>Messages that a provider sends on one dictionary stream: some parts, or one refusal. Encode until it is done.</summary>
internal abstract class DictionaryAnswer(int streamId)
{
    public int StreamId { get; } = streamId;

    /// <summary>True when everything was encoded.</summary>
    public bool IsDone { get; private protected set; }

    /// <summary>Encodes the next message.</summary>
    /// <param name="room">The output buffer; it receives the rows that fit.</param>
    /// <returns>Bytes written; 0 when it is done, or the buffer is too small for one row.</returns>
    public abstract int EncodeNext(Span<byte> room);
}

/// <summary>Refuses a request for an unknown dictionary.</summary>
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
