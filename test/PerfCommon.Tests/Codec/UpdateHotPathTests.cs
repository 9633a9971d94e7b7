using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>An update of 23 fields, as the tools send them: its bytes, and that it costs no allocation.</summary>
public sealed class UpdateHotPathTests
{
    private static readonly byte[] Types = CreateTypes();

    [Fact]
    public void TryReadNext_WrittenUpdate_GivesTheValuesBack()
    {
        byte[] room = new byte[512];
        int length = WriteUpdate(room, 7);

        Assert.Equal("0009040600000007000400", Convert.ToHexString(room, 0, 11));
        Assert.True(UpdateHeader.TryRead(room.AsSpan(0, length), out UpdateHeader header));
        Assert.Equal((DomainType.MarketPrice, 7, length - 11), (header.DomainType, header.StreamId, header.Payload.Length));
        Assert.Equal(23, ReadUpdate(room.AsSpan(0, length), out long sum));
        Assert.Equal(SumOfFields(), sum);
    }

    [Fact]
    public void TryWriteUpdateHeader_Members_AreThoseOfTheGeneralForm()
    {
        byte[] small = new byte[11];
        byte[] general = new byte[100];
        RwfMsg header = new()
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.MarketByOrder,
            StreamId = -9,
            ContainerType = DataType.Map,
            UpdateType = UpdateType.Trade,
        };
        RwfWriter writer = new(general);
        writer.TryWriteHeader(header);

        Assert.True(new RwfWriter(small).TryWriteUpdateHeader(DomainType.MarketByOrder, -9, DataType.Map, UpdateType.Trade));
        Assert.Equal(general[..writer.Written], small);
    }

    [Fact]
    public void WriteAndRead_AfterWarmUp_AllocateNothing()
    {
        byte[] room = new byte[512];
        Run(room, count: 1_000);
        Allocation.None(() => Run(room, count: 10_000));
    }

    [Fact]
    public void Writer_RoomOfAnyLength_FailsWithoutTouchingWhatIsBeyond()
    {
        byte[] whole = new byte[512];
        int length = WriteUpdate(whole, 7);
        for (int roomLength = 0; roomLength < length; roomLength++)
        {
            byte[] bytes = new byte[length + 16];
            Assert.Equal(0, WriteUpdate(bytes.AsSpan(0, roomLength), 7));
            Assert.True(bytes.AsSpan(roomLength).IndexOfAnyExcept((byte)0) < 0);
        }

        byte[] exact = new byte[length];
        Assert.Equal(length, WriteUpdate(exact, 7));
        Assert.Equal(whole[..length], exact);
    }

    private static void Run(byte[] room, int count)
    {
        for (int i = 0; i < count; i++)
            ReadUpdate(room.AsSpan(0, WriteUpdate(room, i)), out _);
    }

    private static long SumOfFields()
    {
        long sum = 0;
        for (int i = 0; i < 12; i++)
            sum += 2_848_560_000 + i;
        for (int i = 0; i < 5; i++)
            sum += 1_000_000 + i;
        return sum + (3 * 300) + (2 * 15);
    }

    private static int WriteUpdate(Span<byte> room, int streamId)
    {
        RwfWriter writer = new(room);
        writer.TryWriteUpdateHeader(DomainType.MarketPrice, streamId);
        writer.BeginFieldList();
        for (short i = 0; i < 12; i++)
        {
            writer.BeginField((short)(100 + i));
            writer.WriteReal(new RwfReal(2_848_560_000 + i, RealHint.Exponent0 - 6));
        }

        for (short i = 0; i < 5; i++)
            writer.WriteUIntField((short)(200 + i), (ulong)(1_000_000 + i));
        for (short i = 0; i < 3; i++)
            writer.WriteUIntField((short)(300 + i), 300);
        for (short i = 0; i < 2; i++)
        {
            writer.BeginField((short)(400 + i));
            writer.WriteTime(new RwfTime(15, 52, 12));
        }

        writer.BeginField(500);
        writer.WriteContent("R"u8);
        writer.EndFieldList();
        return writer.Written;
    }

    private static int ReadUpdate(ReadOnlySpan<byte> message, out long sum)
    {
        sum = 0;
        if (!UpdateHeader.TryRead(message, out UpdateHeader header))
            return -1;
        FieldListReader.TryOpen(header.Payload, out FieldListReader reader);
        int count = 0;
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            sum += ReadField(entry.Content, (DataType)Types[(ushort)entry.FieldId]);
            count++;
        }

        return result == DecodeResult.EndOfContainer ? count : -1;
    }

    private static long ReadField(ReadOnlySpan<byte> content, DataType type)
    {
        switch (type)
        {
            case DataType.Real:
                RwfPrimitives.TryReadReal(content, out RwfReal real);
                return real.Value;
            case DataType.UInt:
                RwfPrimitives.TryReadUInt(content, out ulong unsigned);
                return (long)unsigned;
            case DataType.Enum:
                RwfPrimitives.TryReadEnum(content, out ushort enumerated);
                return enumerated;
            case DataType.Time:
                RwfPrimitives.TryReadTime(content, out RwfTime time);
                return time.Hour;
            default:
                return 0;
        }
    }

    private static byte[] CreateTypes()
    {
        byte[] types = new byte[ushort.MaxValue + 1];
        types.AsSpan(100, 12).Fill((byte)DataType.Real);
        types.AsSpan(200, 5).Fill((byte)DataType.UInt);
        types.AsSpan(300, 3).Fill((byte)DataType.Enum);
        types.AsSpan(400, 2).Fill((byte)DataType.Time);
        return types;
    }
}
