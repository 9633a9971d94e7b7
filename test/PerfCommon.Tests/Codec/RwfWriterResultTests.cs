using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Every call of the writer says whether all was written so far: with room for everything, and with each smaller room.</summary>
public class RwfWriterResultTests
{
    private delegate bool Step(ref RwfWriter writer);

    private static readonly Step[] FieldLists =
    [
        static (ref RwfWriter w) => w.BeginFieldList(ListFlags.HasInfo | ListFlags.HasStandardData, dictionaryId: 300, fieldListNum: 7),
        static (ref RwfWriter w) => w.BeginField(22),
        static (ref RwfWriter w) => w.WriteReal(new RwfReal(1_000_000, RealHint.Exponent0)),
        static (ref RwfWriter w) => w.WriteUIntField(1, 300),
        static (ref RwfWriter w) => w.BeginField(2),
        static (ref RwfWriter w) => w.WriteInt(-300),
        static (ref RwfWriter w) => w.BeginField(3),
        static (ref RwfWriter w) => w.WriteState(new RwfState(StreamState.Open, DataState.Ok, StateCode.None, "text"u8)),
        static (ref RwfWriter w) => w.BeginField(4),
        static (ref RwfWriter w) => w.WriteQos(new RwfQos(3, 3, Dynamic: true, TimeInfo: 5, RateInfo: 6)),
        static (ref RwfWriter w) => w.BeginField(5),
        static (ref RwfWriter w) => w.WriteDate(new RwfDate(1, 2, 2_026)),
        static (ref RwfWriter w) => w.BeginField(6),
        static (ref RwfWriter w) => w.WriteTime(new RwfTime(1, 2, 3, 4)),
        static (ref RwfWriter w) => w.BeginField(7),
        static (ref RwfWriter w) => w.WriteDateTime(new RwfDateTime(new RwfDate(1, 2, 2_026), new RwfTime(1, 2, 3))),
        static (ref RwfWriter w) => w.BeginField(8),
        static (ref RwfWriter w) => w.WriteFloat(1.5f),
        static (ref RwfWriter w) => w.BeginField(9),
        static (ref RwfWriter w) => w.WriteDouble(1.5),
        static (ref RwfWriter w) => w.BeginField(10),
        static (ref RwfWriter w) => w.WriteBlank(),
        static (ref RwfWriter w) => w.BeginField(11),
        static (ref RwfWriter w) => w.BeginArray(DataType.UInt, itemLength: 2),
        static (ref RwfWriter w) => w.BeginItem(),
        static (ref RwfWriter w) => w.WriteUInt(5),
        static (ref RwfWriter w) => w.WriteItem([0, 6]),
        static (ref RwfWriter w) => w.EndArray(),
        static (ref RwfWriter w) => w.EndEntry(),
        static (ref RwfWriter w) => w.EndFieldList(),
    ];

    private static readonly Step[] Maps =
    [
        static (ref RwfWriter w) => w.BeginMap(DataType.UInt, DataType.FieldList, totalCountHint: 300, keyFieldId: 5),
        static (ref RwfWriter w) => w.BeginSetDefinitions(),
        static (ref RwfWriter w) => w.BeginSetDefinition(0),
        static (ref RwfWriter w) => w.AddSetField(22, DataType.Real4RB),
        static (ref RwfWriter w) => w.AddSetField(25, DataType.Real8RB),
        static (ref RwfWriter w) => w.EndSetDefinitions(),
        static (ref RwfWriter w) => w.BeginSummary(),
        static (ref RwfWriter w) => w.BeginFieldList(),
        static (ref RwfWriter w) => w.WriteUIntField(1, 2),
        static (ref RwfWriter w) => w.EndFieldList(),
        static (ref RwfWriter w) => w.EndSummary(),
        static (ref RwfWriter w) => w.BeginMapEntry(MapAction.Add, 300),
        static (ref RwfWriter w) => w.BeginFieldList(ListFlags.HasSetData | ListFlags.HasSetId | ListFlags.HasStandardData, setId: 0),
        static (ref RwfWriter w) => w.BeginSetItem(DataType.Real4RB),
        static (ref RwfWriter w) => w.WriteReal(new RwfReal(300, RealHint.Exponent0)),
        static (ref RwfWriter w) => w.BeginSetItem(DataType.Real8RB),
        static (ref RwfWriter w) => w.WriteBlank(),
        static (ref RwfWriter w) => w.EndSetData(),
        static (ref RwfWriter w) => w.WriteUIntField(1, 2),
        static (ref RwfWriter w) => w.EndFieldList(),
        static (ref RwfWriter w) => w.EndEntry(),
        static (ref RwfWriter w) => w.BeginMapEntry(MapAction.Delete, "key"u8, "permission"u8),
        static (ref RwfWriter w) => w.EndEntry(),
        static (ref RwfWriter w) => w.EndMap(),
    ];

    private static readonly Step[] OtherContainers =
    [
        static (ref RwfWriter w) => w.BeginVector(DataType.ElementList, supportsSorting: true, totalCountHint: 3),
        static (ref RwfWriter w) => w.BeginSetDefinitions(),
        static (ref RwfWriter w) => w.BeginSetDefinition(15),
        static (ref RwfWriter w) => w.AddSetElement("name"u8, DataType.UInt2),
        static (ref RwfWriter w) => w.EndSetDefinitions(),
        static (ref RwfWriter w) => w.BeginVectorEntry(VectorAction.Set, 300, "permission"u8),
        static (ref RwfWriter w) => w.BeginElementList(ListFlags.HasInfo | ListFlags.HasStandardData, elementListNum: 3),
        static (ref RwfWriter w) => w.WriteAsciiElement("a"u8, "b"u8),
        static (ref RwfWriter w) => w.WriteIntElement("c"u8, -1),
        static (ref RwfWriter w) => w.WriteUIntElement("d"u8, 1),
        static (ref RwfWriter w) => w.BeginElement("e"u8, DataType.Series),
        static (ref RwfWriter w) => w.BeginSeries(DataType.FilterList, totalCountHint: 2),
        static (ref RwfWriter w) => w.BeginSeriesEntry(),
        static (ref RwfWriter w) => w.BeginFilterList(DataType.FieldList, totalCountHint: 1),
        static (ref RwfWriter w) => w.BeginFilterEntry(FilterAction.Set, 1, DataType.ElementList, "permission"u8),
        static (ref RwfWriter w) => w.BeginElementList(),
        static (ref RwfWriter w) => w.EndElementList(),
        static (ref RwfWriter w) => w.EndEntry(),
        static (ref RwfWriter w) => w.EndFilterList(),
        static (ref RwfWriter w) => w.EndEntry(),
        static (ref RwfWriter w) => w.EndSeries(),
        static (ref RwfWriter w) => w.EndEntry(),
        static (ref RwfWriter w) => w.EndElementList(),
        static (ref RwfWriter w) => w.EndEntry(),
        static (ref RwfWriter w) => w.EndVector(),
        static (ref RwfWriter w) => w.WriteRaw([1, 2, 3]),
        static (ref RwfWriter w) => w.TryWriteUpdateHeader(DomainType.MarketPrice, 5),
    ];

    private static readonly Step[] Messages =
    [
        static (ref RwfWriter w) => w.TryWriteHeader(Refresh()),
        static (ref RwfWriter w) => w.BeginHeader(Refresh()),
        static (ref RwfWriter w) => w.BeginElementList(),
        static (ref RwfWriter w) => w.WriteUIntElement("d"u8, 1),
        static (ref RwfWriter w) => w.EndElementList(),
        static (ref RwfWriter w) => w.EndHeader(Refresh()),
    ];

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void EveryCall_AnyRoom_SaysWhetherAllFitted(int which)
    {
        Step[] steps = new[] { FieldLists, Maps, OtherContainers, Messages }[which];
        Assert.True(TryAll(steps, new byte[10_000], out int written));
        Assert.InRange(written, steps.Length, 1_000);
        Assert.True(TryAll(steps, new byte[written], out _));
        for (int room = 0; room < written; room++)
        {
            Assert.False(TryAll(steps, new byte[room], out int none));
            Assert.Equal(0, none);
        }
    }

    // True when all was written; checks what each call says.
    private static bool TryAll(Step[] steps, byte[] room, out int written)
    {
        room.AsSpan().Fill(0xEE); // nothing relies on zeros in the room
        RwfWriter writer = new(room);
        for (int i = 0; i < steps.Length; i++)
        {
            bool had = !writer.Failed;
            bool said = steps[i](ref writer);
            Assert.True(said == !writer.Failed && (had || !said), $"step {i} with {room.Length} bytes");
        }

        written = writer.Written;
        Assert.Equal(writer.Failed ? EncodeProblem.NoRoom : EncodeProblem.None, writer.Problem);
        return !writer.Failed;
    }

    private static RwfMsg Refresh() => new()
    {
        MsgClass = MsgClass.Refresh,
        DomainType = DomainType.MarketPrice,
        StreamId = 5,
        Flags = RefreshFlags.HasMsgKey | RefreshFlags.HasPermData,
        ContainerType = DataType.FieldList,
        PermData = "permission"u8,
        Qos = RwfQos.RealTimeTickByTick,
        State = new RwfState(StreamState.Open, DataState.Ok, StateCode.None, "text"u8),
        Key = new MsgKey { Flags = MsgKeyFlags.HasName | MsgKeyFlags.HasAttrib, Name = "IBM"u8, AttribType = DataType.ElementList },
    };

    /// <summary>The content of an entry has at most the 65,535 bytes that its length can say.</summary>
    [Theory]
    [InlineData(65_531, true)] // with four bytes of its head
    [InlineData(65_532, false)]
    public void EndEntry_ContainerOfTheLargestLength_IsWholeAndALongerOneIsNot(int items, bool fits)
    {
        RwfWriter writer = new(new byte[70_000]);
        writer.BeginFieldList();
        writer.BeginField(1);
        Assert.True(writer.BeginArray(DataType.UInt, itemLength: 1));
        for (int i = 0; i < items; i++)
            writer.WriteItem([7]);
        Assert.True(writer.EndArray());
        Assert.Equal(fits, writer.EndEntry());
        Assert.Equal(fits, writer.EndFieldList());
    }
}
