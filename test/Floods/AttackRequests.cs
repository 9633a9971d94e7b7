using System.Globalization;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace Floods;

/// <summary>Encodes the requests that are repeated.</summary>
internal static class AttackRequests
{
    private const int MaxNameBytes = 255;

    public static byte[] Login(int number) =>
        Encode(new LoginConsumer(new LoginIdentity
        {
            UserName = "flood",
            ApplicationName = "Floods",
            Position = "127.0.0.1/net"
        }).EncodeRequest);

    public static byte[] Dictionary(int number) => Encode(room => DomainMsg.Encode(room, new RwfMsg
    {
        MsgClass = MsgClass.Request,
        DomainType = DomainType.Dictionary,
        StreamId = 10 + (number % 10_000),
        Key = new MsgKey
        {
            Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasFilter,
            ServiceId = 1,
            Name = DictionaryNames.Fields,
            Filter = DictionaryVerbosity.Normal,
        },
    }));

    public static byte[] Item(int number) => Item(number, string.Create(CultureInfo.InvariantCulture, $"FLOOD{number}"));

    // stream ids that are not consecutive
    public static byte[] SpreadItem(int number) => Item(number * 1_000, string.Create(CultureInfo.InvariantCulture, $"FLOOD{number}"));

    public static byte[] LongItem(int number) =>
        Item(number, string.Create(CultureInfo.InvariantCulture, $"{number}").PadLeft(MaxNameBytes, '0'));

    private static byte[] Item(int number, string text)
    {
        byte[] name = System.Text.Encoding.ASCII.GetBytes(text);
        return Encode(room => DomainMsg.Encode(room, new RwfMsg
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.MarketPrice,
            StreamId = 10 + number,
            Flags = RequestFlags.Streaming,
            Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = 1, Name = name },
        }));
    }

    private delegate int Encoder(Span<byte> room);

    private static byte[] Encode(Encoder encode)
    {
        byte[] room = new byte[1_024];
        return room[..encode(room)];
    }
}
