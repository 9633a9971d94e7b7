using PerfCommon.Codec;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

public class FieldListTemplateTests
{
    private const string TwoFields =
        """<fieldEntry fieldId="22" dataType="RSSL_DT_REAL" data="104.5"/><fieldEntry fieldId="3" dataType="RSSL_DT_RMTES_STRING" data="ABC"/>""";

    [Fact]
    public void EstimatedBytes_EveryType_FollowsTheRuleOfThumb()
    {
        FieldListTemplate template = Template(TwoFields);
        Assert.Equal(64 + 1 + (2 + 16) + (2 + 8 + 3), template.EstimatedBytes);
        Assert.Equal(3 + (3 + 3) + (3 + 3), template.EncodedBytes);
        Assert.Equal(2, template.FieldCount);
    }

    [Fact]
    public void EncodeList_WithStamp_AppendsIt()
    {
        List<(short Id, string Hex)> entries = EncodedFields.Split(EncodedFields.Encode(Template(TwoFields), stamp: 1_000_000));
        Assert.Equal([((short)22, "0d0415"), ((short)3, "414243"), ((short)3902, "0f4240")], entries);
    }

    [Fact]
    public void EncodeList_RoomTooSmall_FailsAtEverySize()
    {
        FieldListTemplate template = Template(TwoFields);
        for (int bytes = 0; bytes < template.EncodedBytes; bytes++)
        {
            RwfWriter writer = new(new byte[bytes]);
            Assert.False(template.EncodeList(ref writer));
            Assert.True(writer.Failed);
        }
    }

    [Fact]
    public void EncodeList_NoField_IsAnEmptyList() => Assert.Equal([8, 0, 0], EncodedFields.Encode(Template("")));

    [Fact]
    public void EncodeList_AfterLoading_AllocatesNothing()
    {
        FieldListTemplate template = Template(TwoFields);
        byte[] room = new byte[200];
        EncodeMany(template, room, count: 1_000);
        Allocation.None(() => EncodeMany(template, room, count: 10_000));
    }

    [Fact]
    public void CopyTo_TemplateOfAnUpdate_EqualsTheMessageEncodedAnew()
    {
        FieldListTemplate fields = Template(TwoFields);
        MessageTemplate template = new(Update(1), fields, 3902);
        byte[] room = new byte[200];

        int length = template.CopyTo(room, 77);
        Assert.Equal(Encode(fields, 77, null), room[..length]);
        Assert.Equal(template.Length, length);
        length = template.CopyTo(room, -9, ulong.MaxValue);
        Assert.Equal(Encode(fields, -9, ulong.MaxValue), room[..length]);
        Assert.Equal(template.LengthWithStamp, length);
    }

    [Fact]
    public void CopyTo_SmallStamp_KeepsEightBytes()
    {
        MessageTemplate template = new(Update(1), Template(TwoFields), 3902);
        byte[] room = new byte[200];
        int length = template.CopyTo(room, 7, 1);
        Assert.Equal("0f3e080000000000000001", Convert.ToHexStringLower(room.AsSpan(length - 11, 11)));
    }

    [Fact]
    public void CopyTo_Copies_AllocateNothing()
    {
        MessageTemplate template = new(Update(1), Template(TwoFields), 3902);
        byte[] room = new byte[200];
        template.CopyTo(room, 7, 1);
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
                template.CopyTo(room, i, 1);
        });
    }

    private static void EncodeMany(FieldListTemplate template, byte[] room, int count)
    {
        for (int i = 0; i < count; i++)
        {
            RwfWriter writer = new(room);
            template.EncodeList(ref writer, 3902, (ulong)i);
        }
    }

    private static byte[] Encode(FieldListTemplate fields, int streamId, ulong? stamp)
    {
        byte[] room = new byte[200];
        RwfWriter writer = new(room);
        Assert.True(writer.TryWriteHeader(Update(streamId)));
        Assert.True(stamp is { } value ? fields.EncodeList(ref writer, 3902, value) : fields.EncodeList(ref writer));
        return room[..writer.Written];
    }

    private static RwfMsg Update(int streamId) => new()
    {
        MsgClass = MsgClass.Update,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        ContainerType = DataType.FieldList,
    };

    private static FieldListTemplate Template(string fields)
    {
        using TemporaryFile file = new(MessageFile.Of(updates: [fields]));
        return MessageData.Load(file.Path, MessageFile.Dictionary).Updates[0];
    }
}
