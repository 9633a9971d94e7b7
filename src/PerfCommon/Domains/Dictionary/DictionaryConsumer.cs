using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Downloads the field dictionary, the enum tables, or both for a consumer.</summary>
/// <remarks>The stream id tells the two answers apart; the owner must apply a timeout for a silent provider.</remarks>
internal sealed class DictionaryConsumer
{
    private readonly FieldDictionaryBuilder _builder = new();
    private readonly ushort _serviceId;
    private bool _fieldsComplete;
    private bool _enumsComplete;

    /// <param name="serviceId">Service whose provider is requested.</param>
    /// <param name="known">Parts that need not be downloaded; null for none.</param>
    /// <param name="missing">Parts to download.</param>
    public DictionaryConsumer(ushort serviceId, FieldDictionary? known = null, DictionaryContents missing = DictionaryContents.Both)
    {
        _serviceId = serviceId;
        _fieldsComplete = !missing.HasFlag(DictionaryContents.Fields);
        _enumsComplete = !missing.HasFlag(DictionaryContents.Enums);
        if (known is not null)
            _builder.Add(known);
    }

    /// <summary>The dictionary; null until both parts are complete.</summary>
    public FieldDictionary? Dictionary { get; private set; }

    /// <summary>Encodes the request for the field definitions; 0 when the buffer is too small.</summary>
    public int EncodeFieldRequest(Span<byte> room) => EncodeRequest(room, StreamIds.FieldDictionary, DictionaryNames.Fields);

    /// <summary>Encodes the request for the enum tables; 0 when the buffer is too small.</summary>
    public int EncodeEnumRequest(Span<byte> room) => EncodeRequest(room, StreamIds.EnumDictionary, DictionaryNames.Enums);

    /// <summary>Handles a message of the dictionary domain, or a status of one of the two streams.</summary>
    /// <returns>
    /// Ready when both dictionaries are complete, Refused when one is refused or cannot be used, Ignore or Disconnect.
    /// </returns>
    public ConversationResult Receive(scoped in RwfMsg msg)
    {
        if (msg.StreamId is not (StreamIds.FieldDictionary or StreamIds.EnumDictionary) || Dictionary is not null) // wire/domains 4
            return ConversationResult.Ignore;
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh or MsgClass.Status when DomainMsg.EndsStream(msg): // wire/domains 4
                return ConversationResult.Refused($"dictionary request refused: {DomainMsg.Show(msg.State)}");
            case MsgClass.Refresh:
                return ReceivePart(msg);
            case MsgClass.Request or MsgClass.Close or MsgClass.Post:
                return ConversationResult.Disconnect($"unexpected {msg.MsgClass} message on a dictionary stream"); // wire/domains 4
            default:
                return ConversationResult.Ignore;
        }
    }

    private ConversationResult ReceivePart(scoped in RwfMsg msg)
    {
        bool isFields = msg.StreamId == StreamIds.FieldDictionary;
        if (isFields ? _fieldsComplete : _enumsComplete) // wire/domains 4
            return ConversationResult.Ignore; // the answer would define everything twice
        if (msg.ContainerType != DataType.Series && !msg.Payload.IsEmpty)
            return ConversationResult.Refused("the dictionary answer is not a series"); // wire/rwf 6.3
        DictionaryPartReader part = isFields ? new FieldDictionaryDecoder(_builder) : new EnumTablesDecoder(_builder);
        if (part.FindProblem(msg.Payload) is { } problem)
            // wire/rwf 6.3
            return ConversationResult.Refused($"{(isFields ? "field dictionary" : "enum tables")} from the provider: {problem}");
        if (!msg.Has(RefreshFlags.RefreshComplete)) // wire/rwf 6.3
            return ConversationResult.Ignore;

        _fieldsComplete |= isFields;
        _enumsComplete |= !isFields;
        if (!_fieldsComplete || !_enumsComplete)
            return ConversationResult.Ignore;
        if (_builder.DefinitionCount == 0)
            return ConversationResult.Refused("the field dictionary from the provider has no field"); // wire/rwf 6.3
        Dictionary = _builder.Build();
        return ConversationResult.Ready;
    }

    private int EncodeRequest(Span<byte> room, int streamId, ReadOnlySpan<byte> name) // wire/domains 4
    {
        RwfMsg request = new()
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.Dictionary,
            StreamId = streamId,
            Key = new MsgKey
            {
                Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasFilter,
                ServiceId = _serviceId,
                Name = name,
                Filter = DictionaryVerbosity.Normal,
            },
        };
        return DomainMsg.Encode(room, request);
    }
}
