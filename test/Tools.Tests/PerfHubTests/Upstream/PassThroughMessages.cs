using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Requests and images of a domain whose images are not cached field by field.</summary>
internal static class PassThroughMessages
{
    public const DomainType Domain = DomainType.MarketByPrice;
    public const int Complete = RefreshFlags.RefreshComplete;

    public static byte[] Request(string name, int flags, string payload = "view", DomainType domain = Domain) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Request,
        DomainType = domain,
        StreamId = 5,
        Flags = flags,
        ContainerType = DataType.Opaque,
        Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = 11, Name = Encoding.ASCII.GetBytes(name) },
        Payload = Encoding.ASCII.GetBytes(payload),
    });

    public static byte[] Part(string payload, int flags, StreamState stream = StreamState.Open, DataState data = DataState.Ok) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = Domain,
        StreamId = 101,
        Flags = flags,
        ContainerType = DataType.Opaque,
        State = new RwfState(stream, data),
        GroupId = DomainMsg.GroupId,
        Payload = Encoding.ASCII.GetBytes(payload),
    });

    public static string PayloadOf(byte[] message) => Encoding.ASCII.GetString(Wire.Decode(message).Payload);

    public static List<byte[]> Split(ReadOnlySpan<byte> bytes)
    {
        List<byte[]> parts = [];
        while (!bytes.IsEmpty)
        {
            int length = BitConverter.ToInt32(bytes);
            parts.Add(bytes.Slice(sizeof(int), length).ToArray());
            bytes = bytes[(sizeof(int) + length)..];
        }

        return parts;
    }
}
