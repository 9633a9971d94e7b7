using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Tools.Tests.PerfHubTests.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>An item of a source thread, whose messages are received one by one.</summary>
public abstract class SourceRulesBench : IDisposable
{
    private protected static readonly byte[] Old = HostileMessages.List(1, 1), New = HostileMessages.List(2, 1, value: 9);

    private protected readonly SourceBench _bench = new();
    private protected readonly CachedItem _item;

    private protected SourceRulesBench() => _item = _bench.Create("N1");

    public void Dispose()
    {
        _bench.Dispose();
        GC.SuppressFinalize(this);
    }

    public static TheoryData<MsgClass> Classes => new(Enum.GetValues<MsgClass>());

    private protected long Count(Counter counter) => _bench[counter];

    private protected IEnumerable<short> Kept() => HostileMessages.Read(_item.Read(_bench.Host.Items.Merger)).Keys.Order();

    private protected void Refresh(bool isOk, byte[] list, int flags, DataType type = DataType.FieldList, RwfQos qos = default) => Take(Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = DomainType.MarketPrice,
        StreamId = 5,
        Flags = flags,
        ContainerType = type,
        State = new RwfState(StreamState.Open, isOk ? DataState.Ok : DataState.Suspect),
        GroupId = DomainMsg.GroupId,
        Qos = qos,
        Payload = type == DataType.NoData ? default : list,
    }));

    private protected static byte[] WithKey(MsgClass msgClass, ushort serviceId, int nameBytes) => Wire.Encode(new RwfMsg
    {
        MsgClass = msgClass,
        DomainType = DomainType.MarketPrice,
        StreamId = 5,
        Flags = HeaderBits.Of(msgClass).Key,
        ContainerType = DataType.FieldList,
        UpdateType = UpdateType.Trade,
        Key = new MsgKey
        {
            Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName,
            ServiceId = serviceId,
            Name = System.Text.Encoding.ASCII.GetBytes(new string('N', nameBytes)),
        },
        Payload = New,
    });

    private protected void TakeStatus(DataState? state) => Take(Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Status,
        DomainType = DomainType.MarketPrice,
        StreamId = 5,
        Flags = state is null ? 0 : StatusFlags.HasState,
        ContainerType = DataType.NoData,
        State = new RwfState(StreamState.Open, state ?? DataState.Ok),
    }));

    private protected void Take(byte[] message, bool isQuick = false)
    {
        if (!isQuick)
        {
            Assert.True(_bench.Host.Receiver.Receive(_item, Wire.Decode(message)));
            return;
        }

        Assert.True(UpdateHeader.TryRead(message, out UpdateHeader update));
        Assert.True(_bench.Host.Receiver.Receive(ItemRef.To(_item), update));
    }

    private protected static byte[] Update(int streamId, UpdateType type, byte[] list, DataType container = DataType.FieldList, bool isOfTheMoment = false)
    {
        byte[] message = new byte[UpdateHeader.Length + list.Length];
        UpdateHeader.Write(message, DomainType.MarketPrice, streamId, container, type);
        MsgPatch.AddFlags(message, isOfTheMoment ? (byte)UpdateFlags.DoNotCache : (byte)0);
        list.CopyTo(message, UpdateHeader.Length);
        return message;
    }

    /// <summary>What a session thread has been handed since it was asked last, with the receive times.</summary>
    private protected List<(SourceRecord Kind, int Slot, byte[] Bytes)> Read(int session) => _bench.ReadAll(session);
}
