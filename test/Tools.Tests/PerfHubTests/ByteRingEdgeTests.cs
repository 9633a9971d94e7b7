using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A ring kept as full as possible, round after round: a promised record fits, around the end of the array too.</summary>
[Trait("Category", "Fast")]
public class ByteRingEdgeTests
{
    private const int RingBytes = 1 << 20;
    private const int ReserveBytes = 2 * (ByteRing.MaxRecordBytes + ByteRing.HeadBytes);
    private const int Alignment = 8;

    /// <summary>Just so much is free that there is room, and the record of full length does not fit before the end: it overwrites nothing.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(8)]
    [InlineData(4_096)]
    [InlineData(ByteRing.MaxRecordBytes / 2)]
    [InlineData(ByteRing.MaxRecordBytes)]
    [InlineData(ByteRing.MaxRecordBytes + ByteRing.HeadBytes)]
    public void Record_OfFullLengthBeforeTheEnd_OverwritesNothingThatWasNotRead(int leftBeforeEnd)
    {
        ByteRing ring = new(RingBytes);
        int readAt = ReserveBytes - leftBeforeEnd;
        MoveTo(ring, readAt);
        List<int> lengths = [];
        for (int left = RingBytes - leftBeforeEnd - readAt, bytes; left > 0; left -= bytes)
        {
            bytes = Math.Min(left, 1_024);
            ring.Add(1, lengths.Count, Bytes(lengths.Count, bytes - ByteRing.HeadBytes));
            lengths.Add(bytes - ByteRing.HeadBytes);
        }

        Assert.True(ring.HasRoom());
        ring.Add(1, lengths.Count, Bytes(lengths.Count, ByteRing.MaxRecordBytes));
        lengths.Add(ByteRing.MaxRecordBytes);
        Assert.False(ring.HasRoom());
        ring.Publish();
        for (int number = 0; number < lengths.Count; number++)
        {
            Assert.True(ring.TryRead(out RingRecord record));
            Assert.Equal((number, lengths[number]), (record.Number, record.Length));
            Assert.Equal(Bytes(number, lengths[number]), record.Bytes);
        }

        Assert.False(ring.TryRead(out _));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Ring_FullAndEmptyThousandTimes_TakesAsMuchEachTime(int seed)
    {
        ByteRing ring = new(RingBytes);
        Random random = new(seed);
        Queue<(int Number, int Length)> waiting = new();
        int next = 0;
        for (int round = 0; round < 1_000; round++)
        {
            while (ring.HasRoom())
            {
                int length = random.Next(8) == 0 ? ByteRing.MaxRecordBytes - random.Next(20) : random.Next(20_000);
                Span<byte> room = ring.Begin(length);
                room.Fill((byte)next);
                ring.End(1, next, length);
                waiting.Enqueue((next++, length));
            }

            Assert.InRange(waiting.Sum(one => Taken(one.Length)), RingBytes - ReserveBytes - ByteRing.MaxRecordBytes - 100, RingBytes);
            ring.Publish();
            while (waiting.TryDequeue(out (int Number, int Length) expected))
            {
                Assert.True(ring.TryRead(out RingRecord record));
                Assert.Equal(expected, (record.Number, record.Length));
                Assert.Equal(-1, record.Bytes.IndexOfAnyExcept((byte)expected.Number));
            }

            Assert.False(ring.TryRead(out _));
            ring.Release();
            Assert.True(ring.IsEmpty);
        }
    }

    [Fact]
    public void HasRoom_UntilLessThanTheReserveIsFree_IsTrue()
    {
        ByteRing ring = new(RingBytes);
        Fill(ring, RingBytes - ReserveBytes);
        Assert.True(ring.HasRoom());
        Fill(ring, Alignment);
        Assert.False(ring.HasRoom());
        ring.Publish();
        Assert.True(ring.TryRead(out _));
        Assert.False(ring.HasRoom()); // read, and not given back
        ring.Release();
        Assert.True(ring.HasRoom());
    }

    [Fact]
    public void IsHalfFull_OfMoreThanHalf_IsTrueUntilItIsGivenBack()
    {
        ByteRing ring = new(RingBytes);
        Fill(ring, RingBytes / 2);
        Assert.False(ring.IsHalfFull());
        Fill(ring, Alignment);
        Assert.True(ring.IsHalfFull());
        ring.Publish();
        while (ring.TryRead(out _))
            Assert.True(ring.IsHalfFull());
        ring.Release();
        Assert.False(ring.IsHalfFull());
    }

    [Fact]
    public void Record_OnItsWay_IsSeenWhereItIs()
    {
        ByteRing ring = new(RingBytes);
        ring.Add(1, 7, "record"u8);
        Assert.Equal((true, false, true, false), (ring.HasUnpublished, ring.HasUnread, ring.IsEmpty, ring.IsFinished));
        ring.Publish();
        ring.Finish();
        Assert.Equal((false, true, false, false), (ring.HasUnpublished, ring.HasUnread, ring.IsEmpty, ring.IsFinished));
        Assert.True(ring.TryRead(out _));
        Assert.Equal((false, false, true), (ring.HasUnread, ring.IsEmpty, ring.IsFinished));
        Assert.Equal(Taken(6), ring.Unreleased);
        Assert.False(ring.Release());
        Assert.Equal((true, 0L), (ring.IsEmpty, ring.Unreleased));
    }

    [Fact]
    public void Begin_LargerThanGoesThroughTheRing_IsRefused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new ByteRing(RingBytes).Begin(ByteRing.MaxRecordBytes + 1).Length);

    [Theory]
    [InlineData(0, false)]
    [InlineData(ByteRing.MaxRecordBytes, false)]
    [InlineData(ByteRing.MaxRecordBytes + 1, true)]
    public void Record_OfAnyLength_KeepsKindNumberAndPlace(int length, bool isBeside)
    {
        ByteRing ring = new(RingBytes);
        ring.Add(127, int.MinValue, Bytes(1, length));
        ring.Add(1, int.MaxValue, "behind"u8);
        ring.Publish();
        Assert.True(ring.TryRead(out RingRecord record));
        Assert.Equal((127, int.MinValue, length), (record.Kind, record.Number, record.Length));
        Assert.Equal(Bytes(1, length), record.Bytes);
        Assert.Equal(isBeside, record.Array != ring.Bytes);
        Assert.True(ring.TryRead(out record));
        Assert.Equal((1, int.MaxValue), (record.Kind, record.Number));
    }

    private static int Taken(int length) => (ByteRing.HeadBytes + length + Alignment - 1) & -Alignment;

    // One record after the other, up to a number of bytes with their heads.
    private static void Fill(ByteRing ring, int bytes)
    {
        for (int length; bytes > 0; bytes -= length)
        {
            length = Math.Min(bytes, 1_024);
            ring.Add(1, 0, new byte[length - ByteRing.HeadBytes]);
        }
    }

    private static void MoveTo(ByteRing ring, int at)
    {
        for (int bytes; at > 0; at -= bytes)
        {
            bytes = Math.Min(at, 64 * 1_024);
            Fill(ring, bytes);
            ring.Publish();
            while (ring.TryRead(out _))
            {
            }

            ring.Release();
        }
    }

    private static byte[] Bytes(int number, int length)
    {
        byte[] bytes = new byte[length];
        Array.Fill(bytes, (byte)(number + 1));
        return bytes;
    }
}
