using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>The quick paths read the same as the plain one: at every length, with each byte that holds a length truncated or damaged.</summary>
public class QuickPathTests
{
    private const byte LongMark = 0xFE; // wire/rwf 4.1
    private static readonly byte[] Lengths = [.. Enumerable.Range(0, 16).Select(i => (byte)i), 17, 31, 63, 127, 128, 191, 253, LongMark, 255];

    /// <summary>The quick path reads an update exactly where the complete reader finds one without further members, with the same result.</summary>
    [Fact]
    public void UpdateHeader_AnyHead_IsWhatTheWholeMessageIs()
    {
        byte[] good = Update(List(1, 2, 3));
        int quick = 0;
        for (int length = 0; length <= good.Length; length++)
            quick += Compare(good.AsSpan(0, length)) ? 1 : 0;
        Assert.Equal(good.Length - UpdateHeader.Length + 1, quick);
        for (int at = 0; at < UpdateHeader.Length; at++)
        {
            for (int value = 0; value <= byte.MaxValue; value++)
            {
                byte[] damaged = [.. good];
                damaged[at] = (byte)value;
                Compare(damaged);
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(20)]
    public void UpdateHeader_LongerThanItsMembers_LeavesThemOut(int more)
    {
        byte[] list = List(1, 2, 3);
        byte[] message = [0, (byte)(UpdateHeader.Length - 2 + more), .. Update(list)[2..UpdateHeader.Length], .. new byte[more], .. list];
        Assert.True(Compare(message));
        Assert.True(UpdateHeader.TryRead(message, out UpdateHeader header));
        Assert.Equal(list, header.Payload);
    }

    /// <summary>Decodes with and without the window, with the same error, values, kept fields and unknown fields.</summary>
    [Theory]
    [InlineData(new[] { 1 })]
    [InlineData(new[] { 0, 1, 2, 3, 4, 5, 6, 7, 8 })]
    [InlineData(new[] { 9, 16, 30, 60, 120 })]
    [InlineData(new[] { 253, 254, 255, 300 })]
    public void FieldListDecoder_EveryCutAndEveryLength_IsTheSameByTheWindow(int[] contentBytes)
    {
        byte[] list = List(contentBytes);
        int compared = 0;
        for (int length = 0; length <= list.Length; length++)
            compared += CompareLists(list.AsSpan(0, length));
        int at = 3;
        foreach (int content in contentBytes)
        {
            foreach (byte value in Lengths)
            {
                byte[] damaged = [.. list];
                damaged[at + 2] = value;
                for (int cut = 0; cut < 12 && cut < list.Length; cut++)
                    compared += CompareLists(damaged.AsSpan(0, list.Length - cut));
            }

            at += (content < LongMark ? 3 : 5) + content;
        }

        Assert.InRange(compared, list.Length, int.MaxValue);
    }

    /// <summary>The announced count is more than the entries, fewer, and none.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(255)]
    public void FieldListDecoder_AnyCountOfEntries_IsTheSameByTheWindow(byte count)
    {
        byte[] list = List(2, 4, 8);
        list[2] = count;
        CompareLists(list);
        list[1] = 1;
        CompareLists(list);
    }

    /// <summary>Tries every flag of a list, known or not: set data, its id, an info, none of it complete.</summary>
    [Fact]
    public void FieldListDecoder_EveryFlag_IsTheSameByTheWindow()
    {
        byte[] list = List(1, 2, 3, 4, 5, 6);
        for (int flags = 0; flags <= byte.MaxValue; flags++)
        {
            list[0] = (byte)flags;
            for (int length = 0; length <= list.Length; length++)
                CompareLists(list.AsSpan(0, length));
        }
    }

    private static bool Compare(ReadOnlySpan<byte> message)
    {
        bool isQuick = UpdateHeader.TryRead(message, out UpdateHeader header);
        DecodeResult result = RwfMsg.TryDecode(message, out RwfMsg whole);
        bool isPlain = result == DecodeResult.Success && whole.MsgClass == MsgClass.Update && (whole.Flags & ~UpdateFlags.DoNotCache) == 0;
        if (!isQuick)
        {
            Assert.False(isPlain && message[8] < 0x80, Convert.ToHexString(message)); // a wide flag word excludes the quick form
            return false;
        }

        if (header.ContainerType == DataType.NoData && !header.Payload.IsEmpty)
        {
            Assert.Equal(DecodeResult.Invalid, result); // open: the complete reader refuses it, and the quick path reads it
            return true;
        }

        Assert.True(isPlain, Convert.ToHexString(message));
        Assert.Equal((whole.DomainType, whole.StreamId, whole.ContainerType, whole.UpdateType),
            (header.DomainType, header.StreamId, header.ContainerType, header.UpdateType));
        Assert.Equal((whole.PayloadStart, (whole.Flags & UpdateFlags.DoNotCache) == 0), (header.PayloadStart, header.IsCached));
        Assert.True(whole.Payload.SequenceEqual(header.Payload));
        return true;
    }

    private static int CompareLists(ReadOnlySpan<byte> list)
    {
        FieldListDecoder quick = new(FieldDictionary.Default.Types, 1, 3), slow = new(FieldDictionary.Default.Types, 1, 3);
        byte[] message = [.. new byte[UpdateHeader.Length], .. list];
        DecodeResult quickly = quick.Decode(message, UpdateHeader.Length), slowly = slow.Decode(list, 0);
        string hex = Convert.ToHexString(list);
        Assert.Equal((hex, slowly, slow.Checksum, slow.UnknownFields, slow.HasKept), (hex, quickly, quick.Checksum, quick.UnknownFields, quick.HasKept));
        Assert.Equal((slow.Kept(0), slow.Kept(1), slow.Kept(2)), (quick.Kept(0), quick.Kept(1), quick.Kept(2)));
        Assert.Equal(slow.UnknownIds, quick.UnknownIds);
        return 1;
    }

    private static byte[] Update(byte[] list)
    {
        byte[] message = new byte[UpdateHeader.Length + list.Length];
        UpdateHeader.Write(message, DomainType.MarketPrice, 7, DataType.FieldList, UpdateType.Quote);
        list.CopyTo(message, UpdateHeader.Length);
        return message;
    }

    // Fields with ids from 1 on, with the given numbers of bytes.
    private static byte[] List(params int[] contentBytes)
    {
        List<byte> list = [ListFlags.HasStandardData, 0, (byte)contentBytes.Length];
        for (int i = 0; i < contentBytes.Length; i++)
        {
            int bytes = contentBytes[i];
            list.AddRange([0, (byte)(i + 1)]);
            list.AddRange(bytes < LongMark ? [(byte)bytes] : [LongMark, (byte)(bytes >> 8), (byte)bytes]);
            list.AddRange(Enumerable.Repeat((byte)(i + 2), bytes));
        }

        return [.. list];
    }
}
