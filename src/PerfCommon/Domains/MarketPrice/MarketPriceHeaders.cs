using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>
/// Writes the headers of market price and market-by-order messages of our programs, and computes the maximum bytes of each message.
/// </summary>
/// <remarks>
/// Payloads follow their header; all except a request's are field lists that end in the stamp fields, or maps of field lists whose
/// summary has the stamp. The write methods return false when the buffer is too small; the writer has then failed.
/// </remarks>
internal static class MarketPriceHeaders
{
    /// <summary>Type of a name that is a RIC; no other type is used.</summary>
    public const byte RicNameType = 1; // wire/rwf 5

    /// <summary>Bytes of an update's header: no flags, no optional members.</summary>
    public const int UpdateHeaderBytes = UpdateHeader.Length; // wire/domains 5.3

    /// <summary>Bytes of a generic message's header: no flags, no optional members.</summary>
    public const int GenericHeaderBytes = StartBytes; // wire/domains 7

    /// <summary>Bytes of a post's header and of the header of the update inside it, both with the posting user.</summary>
    // wire/domains 6.1
    public const int PostHeaderBytes = StartBytes + UserBytes + StartBytes + HighFlagsByte + UpdateTypeBytes + UserBytes;

    // headerSize | class | domain | streamId | flags, one byte more from 0x80 on | containerType
    private const int StartBytes = 2 + 1 + 1 + 4 + 1 + 1; // wire/rwf 2
    private const int HighFlagsByte = 1;
    private const int UpdateTypeBytes = 1; // wire/rwf 2.4
    private const int UserBytes = 4 + 4; // wire/rwf 2.4

    // time and rate with one number each
    private const int MaxQosBytes = 1 + 2 + 2; // wire/rwf 2

    // size | flags | serviceId | length of the name | type of the name
    private const int MaxKeyBytes = 2 + 1 + 3 + 1 + 1; // wire/rwf 2.10

    // state and code without text | length and bytes of the group
    private const int StateBytes = 3; // wire/rwf 2.2
    private const int GroupBytes = 3;
    private const int MaxRefreshHeaderBytes = StartBytes + HighFlagsByte + StateBytes + GroupBytes + MaxQosBytes + MaxKeyBytes;
    private const int MaxRequestHeaderBytes = StartBytes + MaxQosBytes + MaxKeyBytes;

    /// <summary>Returns the maximum bytes of an image.</summary>
    public static int MaxRefreshBytes(int nameBytes, int listBytes) =>
        MaxRefreshHeaderBytes + nameBytes + listBytes + FieldListEncoder.Slack;

    /// <summary>Returns the maximum bytes of a request, which has no payload.</summary>
    public static int MaxRequestBytes(int nameBytes) => MaxRequestHeaderBytes + nameBytes;

    /// <summary>Returns the payload type of a domain's messages: a map for market by order, else a field list.</summary>
    public static DataType PayloadOf(DomainType domain) =>
        domain is DomainType.MarketByOrder or DomainType.SymbolList ? DataType.Map : DataType.FieldList; // wire/domains 5.8

    /// <summary>Writes a payload without content: a list without fields, or a map without entries.</summary>
    public static void WriteBlankPayload(ref RwfWriter writer, DomainType domain) // wire/domains 5.4
    {
        if (PayloadOf(domain) == DataType.FieldList)
        {
            writer.BeginFieldList();
            writer.EndFieldList();
            return;
        }

        bool isSymbolList = domain == DomainType.SymbolList;
        writer.BeginMap(isSymbolList ? DataType.AsciiString : DataType.Buffer, isSymbolList ? DataType.NoData : DataType.FieldList);
        writer.EndMap();
    }

    /// <summary>Writes the header of an image: id and quality are the service's; the name has a type when the request had one.</summary>
    /// <remarks>
    /// Streaming when updates follow, solicited when it answers a request, private when the request has a private stream. Only a
    /// symbol list has several parts: the first has the clear-cache flag, the last the complete flag.
    /// </remarks>
    public static bool TryWriteRefreshHeader( // wire/domains 5.2
        ref RwfWriter writer, int streamId, ServiceOffer service, ReadOnlySpan<byte> itemName, byte? nameType,
        bool isStreaming, bool isSolicited, bool isPrivate = false, DomainType domain = DomainType.MarketPrice,
        bool isFirst = true, bool isLast = true)
    {
        MsgKey key = new();
        key.Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | (nameType is null ? 0 : MsgKeyFlags.HasNameType);
        key.ServiceId = service.Id;
        key.Name = itemName;
        key.NameType = nameType ?? 0;

        RwfMsg refresh = new(); // member by member: an initializer would create a second message and copy it
        refresh.MsgClass = MsgClass.Refresh;
        refresh.DomainType = domain;
        refresh.StreamId = streamId;
        refresh.Flags = RefreshFlags.HasMsgKey | RefreshFlags.HasQos | (isLast ? RefreshFlags.RefreshComplete : 0)
            | (isSolicited ? RefreshFlags.Solicited : 0) | (isSolicited && isFirst ? RefreshFlags.ClearCache : 0)
            | (isPrivate ? RefreshFlags.PrivateStream : 0);
        refresh.ContainerType = PayloadOf(domain);
        refresh.State = new RwfState(isStreaming ? StreamState.Open : StreamState.NonStreaming, DataState.Ok);
        refresh.GroupId = DomainMsg.GroupId;
        refresh.Qos = service.Qos;
        refresh.Key = key;
        return writer.TryWriteHeader(refresh);
    }

    /// <summary>Writes the header of a generic message.</summary>
    public static bool TryWriteGenericHeader(ref RwfWriter writer, int streamId, DomainType domain = DomainType.MarketPrice) =>
        writer.TryWriteHeader(new RwfMsg // wire/domains 7
        {
            MsgClass = MsgClass.Generic,
            DomainType = domain,
            StreamId = streamId,
            ContainerType = PayloadOf(domain),
        });

    /// <summary>Writes the header of a post on an item's stream and that of the update inside it, both with the posting user.</summary>
    public static bool TryWritePostHeaders( // wire/domains 6.1
        ref RwfWriter writer, int streamId, uint userAddress, uint userId, DomainType domain = DomainType.MarketPrice)
    {
        RwfMsg post = new()
        {
            MsgClass = MsgClass.Post,
            DomainType = domain,
            StreamId = streamId,
            Flags = PostFlags.PostComplete,
            ContainerType = DataType.Msg,
            PostUserAddress = userAddress,
            PostUserId = userId,
        };
        RwfMsg update = new()
        {
            MsgClass = MsgClass.Update,
            DomainType = domain,
            Flags = UpdateFlags.HasPostUserInfo,
            ContainerType = PayloadOf(domain),
            PostUserAddress = userAddress,
            PostUserId = userId,
        };
        return writer.TryWriteHeader(post) && writer.TryWriteHeader(update);
    }
}
