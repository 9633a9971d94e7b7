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
                return ConversationResult.Disconnect("a dictionary request must have service id, name and filter");
            case MsgClass.Request:
                answer = Answer(msg);
                return ConversationResult.Send;
            case MsgClass.Close:
                return ConversationResult.Closed($"the consumer closed dictionary stream {msg.StreamId}");
            default:
                return ConversationResult.Disconnect($"unexpected {msg.MsgClass} message on the dictionary domain");
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
