using System.Buffers.Binary;
using PerfCommon.Codec;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

/// <summary>Encodes templates and splits field lists by hand, without the decoder of the codec.</summary>
internal static class EncodedFields
{
    public static byte[] Encode(FieldListTemplate template, ulong? stamp = null)
    {
        byte[] room = new byte[template.EncodedBytes + FieldListTemplate.MaxStampBytes];
        RwfWriter writer = new(room);
        Assert.True(stamp is { } micros ? template.EncodeList(ref writer, 3902, micros) : template.EncodeList(ref writer));
        return room[..writer.Written];
    }

    /// <summary>The entries of a list: 08, entry count, then per entry field id, length and content.</summary>
    public static List<(short Id, string Hex)> Split(ReadOnlySpan<byte> list)
    {
        Assert.Equal(8, list[0]);
        int count = BinaryPrimitives.ReadUInt16BigEndian(list[1..]);
        ReadOnlySpan<byte> rest = list[3..];
        List<(short, string)> entries = [];
        for (int i = 0; i < count; i++)
        {
            short id = BinaryPrimitives.ReadInt16BigEndian(rest);
            bool wide = rest[2] == 0xFE;
            int length = wide ? BinaryPrimitives.ReadUInt16BigEndian(rest[3..]) : rest[2];
            int start = wide ? 5 : 3;
            entries.Add((id, Convert.ToHexStringLower(rest.Slice(start, length))));
            rest = rest[(start + length)..];
        }

        Assert.True(rest.IsEmpty);
        return entries;
    }
}
