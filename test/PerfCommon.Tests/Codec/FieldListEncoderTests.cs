using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

public class FieldListEncoderTests
{
    private static readonly RwfDate Date = new(20, 11, 2026);
    private static readonly RwfTime Time = new(14, 3, 59, 7, 8, 9);

    [Fact]
    public void EncodeFields_EveryKind_EqualsTheWriterFieldByField()
    {
        byte[] byHand = Write(static (ref RwfWriter writer) =>
        {
            writer.BeginField(22);
            writer.WriteReal(new RwfReal(10425, RealHint.Infinity));
            writer.WriteUIntField(1, 6120);
            writer.WriteUIntField(4, 217);
            writer.BeginField(-1);
            writer.WriteInt(-70_000);
            writer.BeginField(18);
            writer.WriteTime(Time);
            writer.BeginField(16);
            writer.WriteDate(Date);
            writer.BeginField(3);
            writer.WriteContent("text of twenty bytes"u8);
            writer.BeginField(5);
            writer.WriteContent("abc"u8);
            writer.BeginField(6);
            writer.WriteBlank();
            writer.BeginField(-4);
            writer.WriteDateTime(new RwfDateTime(Date, Time));
            writer.BeginField(-2);
            writer.WriteFloat(1.5f);
            writer.BeginField(-3);
            writer.WriteDouble(-2.25);
            writer.BeginField(-5);
            writer.WriteQos(RwfQos.RealTimeTickByTick);
            writer.BeginField(-6);
            writer.WriteState(new RwfState(StreamState.Open, DataState.Ok, StateCode.None, "abc"u8));
        });

        Assert.Equal(byHand, Write(EncodeEveryKind));
    }

    [Fact]
    public void EncodeFields_EveryKind_IsDecodedAgain()
    {
        FieldTypeTable types = new([(22, DataType.Real), (1, DataType.UInt), (4, DataType.Enum), (3, DataType.RmtesString)]);
        FieldListDecoder decoder = new(types, 1, 1);

        Assert.Equal(DecodeResult.Success, decoder.Decode(Write(EncodeEveryKind), 0));
        Assert.Equal(6120UL, decoder.Kept(0));
    }

    [Fact]
    public void EncodeFields_RoomTooSmall_FailsAtEverySize()
    {
        int length = Write(EncodeEveryKind).Length;
        for (int bytes = 0; bytes < length; bytes++)
        {
            RwfWriter writer = new(new byte[bytes]);
            writer.BeginFieldList();
            EncodeEveryKind(ref writer);
            Assert.False(writer.EndFieldList());
        }
    }

    private delegate void Fields(ref RwfWriter writer);

    private static void EncodeEveryKind(ref RwfWriter writer)
    {
        byte[] texts = [.. "text of twenty bytesabc"u8];
        FieldValue[] fields =
        [
            new(10425, 0, 22, FieldKind.Real, RealHint.Infinity),
            new(6120, 0, 1, FieldKind.UInt),
            new(217, 0, 4, FieldKind.Enum),
            new(-70_000, 0, -1, FieldKind.Int),
            FieldValue.Of(18, Time),
            FieldValue.Of(16, Date),
            new(0, 20, 3, FieldKind.Bytes),
            new(20, 3, 5, FieldKind.Bytes),
            new(0, 0, 6, FieldKind.Blank),
            FieldValue.Of(-4, new RwfDateTime(Date, Time)),
            new(BitConverter.SingleToInt32Bits(1.5f), 0, -2, FieldKind.Float),
            new(BitConverter.DoubleToInt64Bits(-2.25), 0, -3, FieldKind.Double),
            FieldValue.Of(-5, RwfQos.RealTimeTickByTick),
            FieldValue.Of(-6, StreamState.Open, DataState.Ok, StateCode.None, 20, 3),
        ];
        new FieldListEncoder(fields, texts).EncodeFields(ref writer);
    }

    private static byte[] Write(Fields fields)
    {
        byte[] room = new byte[500];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        fields(ref writer);
        Assert.True(writer.EndFieldList());
        return room[..writer.Written];
    }
}
