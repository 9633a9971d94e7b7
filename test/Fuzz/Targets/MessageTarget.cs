using System.Runtime.InteropServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;

namespace Fuzz.Targets;

/// <summary>A message, or a container whose type is the first byte of the input: every value of it is read.</summary>
internal static class MessageTarget
{
    private const int RoomBytes = 8_192;

    private static readonly ServiceOffer Service = new() { Name = "DIRECT_FEED", Id = 1 };
    private static readonly MessageData Messages = MessageData.Default(FieldDictionary.Default);

    private delegate int Encoder(Span<byte> room);

    private static ReadOnlySpan<byte> FieldTypes => MemoryMarshal.Cast<DataType, byte>(FieldDictionary.Default.Types.ByFieldId);

    public static void ReadMessage(ReadOnlySpan<byte> input, ref FuzzTurns turns) => Demand(Check(DataType.Msg, input));

    public static void ReadContainer(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        if (!input.IsEmpty)
            Demand(Check((DataType)input[0], input[1..]));
    }

    /// <summary>One message of each kind that our programs send.</summary>
    public static IEnumerable<byte[]> CreateMessages()
    {
        LoginConsumer login = new(new LoginIdentity { UserName = "u", ApplicationName = "a", Position = "p", RoundTripLatency = true });
        byte[] request = Encode(login.EncodeRequest);
        LoginProvider provider =
            new(new LoginOffer { ApplicationName = "a", Position = "p", RoundTripLatency = true, SupportOmmPost = true });
        RwfMsg.TryDecode(request, out RwfMsg msg);
        provider.Receive(msg);
        yield return request;
        yield return Encode(provider.EncodeRefresh);
        yield return Encode(room => provider.EncodeRoundTrip(room, ticks: 1_234_567, lastNanos: 5_000));
        byte[] directory = Encode(DirectoryConsumer.EncodeRequest);
        yield return directory;
        yield return EncodeDirectory(directory);
        ServiceInfo service = new() { Id = 1, Name = Service.Name };
        yield return Encode(room => MarketPriceConsumer.EncodeRequest(room, 6, service, "RDT1"u8, isStreaming: true));
        yield return Encode(room => MarketPriceConsumer.EncodeClose(room, 6));
        yield return Encode(EncodeRefresh);
        yield return Encode(room => default(UpdateMessage).Encode(room, 6, Messages.Updates[0], stamp: 1_000_000));
        yield return Encode(room => default(GenericMessage).Encode(room, 6, Messages.Generics[0], stamp: 1_000_000));
        yield return Encode(room =>
            new PostMessage(new PostUser(PostUser.Loopback, 1)).Encode(room, 6, Messages.Posts[0], stamp: 1_000_000));
        yield return Encode(room => MarketPriceProvider.EncodeRejection(room, DomainType.MarketPrice, 6, ItemRejection.Qos));
    }

    /// <summary>Encodes the messages as containers, with their content.</summary>
    public static IEnumerable<byte[]> CreateContainers()
    {
        foreach (byte[] message in CreateMessages())
        {
            yield return [(byte)DataType.Msg, .. message];
            if (RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success && !msg.Payload.IsEmpty)
                yield return [(byte)msg.ContainerType, .. msg.Payload];
        }
    }

    private static DecodeResult Check(DataType type, ReadOnlySpan<byte> content) => new RwfValidator(FieldTypes).Check(type, content);

    private static void Demand(DecodeResult result) => FuzzTurns.Demand(Enum.IsDefined(result), "no result of the codec");

    private static byte[] EncodeDirectory(byte[] request)
    {
        DirectoryProvider directory = new(Service);
        RwfMsg.TryDecode(request, out RwfMsg msg);
        directory.Receive(msg);
        return Encode(directory.EncodeRefresh);
    }

    private static int EncodeRefresh(Span<byte> room)
    {
        RwfWriter writer = new(room);
        MarketPriceHeaders.TryWriteRefreshHeader(ref writer, 6, Service, "RDT1"u8, nameType: null, isStreaming: true, isSolicited: true);
        Messages.Refresh.EncodeList(ref writer);
        return writer.Written;
    }

    private static byte[] Encode(Encoder encode)
    {
        byte[] room = new byte[RoomBytes];
        return room[..encode(room)];
    }
}
