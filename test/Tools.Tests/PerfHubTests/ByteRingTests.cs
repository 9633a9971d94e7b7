using System.Buffers.Binary;
using PerfCommon.Tests;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

[Trait("Category", "Fast")]
public class ByteRingTests
{
    private const int RingBytes = 1 << 20;

    [Fact]
    public void Records_OfEveryLength_ComeOutAsTheyWentIn()
    {
        ByteRing ring = new(RingBytes);
        Random random = new(5);
        for (int i = 0; i < 5_000; i++)
        {
            byte[] bytes = new byte[random.Next(50) == 0 ? random.Next(200_000) : random.Next(600)];
            random.NextBytes(bytes);
            Assert.True(ring.HasRoom());
            ring.Add(3, -i, bytes);
            ring.Publish();
            Assert.True(ring.TryRead(out RingRecord record));
            Assert.Equal((3, -i), (record.Kind, record.Number));
            Assert.True(record.Bytes.SequenceEqual(bytes));
            Assert.False(ring.TryRead(out _));
            ring.Release();
        }

        Assert.True(ring.IsEmpty);
    }

    [Fact]
    public void HasRoom_NobodyReads_IsFalseBeforeAnythingIsOverwritten()
    {
        ByteRing ring = new(RingBytes);
        int added = 0;
        for (byte[] record = new byte[1_000]; ring.HasRoom(); added++)
            ring.Add(1, added, record);
        ring.Publish();
        Assert.InRange(added, 500, RingBytes / 1_000);
        for (int i = 0; i < added; i++)
        {
            Assert.True(ring.TryRead(out RingRecord record));
            Assert.Equal(i, record.Number);
        }

        Assert.False(ring.HasRoom());
        ring.AwaitRoom();
        Assert.True(ring.Release()); // the writer is to be woken
        Assert.True(ring.HasRoom());
        Assert.False(ring.Release());
    }

    [Fact]
    public void TwoThreads_MillionRecords_KeepOrderAndContent()
    {
        const int Count = 1_000_000;
        ByteRing ring = new(RingBytes);
        TestThread writer = new(() => Write(ring, Count));
        writer.Start();
        int next = 0;
        DateTime until = DateTime.UtcNow.AddSeconds(60);
        while (next < Count && DateTime.UtcNow < until)
        {
            while (ring.Unreleased < 100_000 && ring.TryRead(out RingRecord record))
            {
                Assert.Equal(next, record.Number);
                Assert.Equal(next % 97, record.Length);
                Assert.True(record.Length < 8 || BinaryPrimitives.ReadInt64LittleEndian(record.Bytes) == ~(long)next);
                next++;
            }

            ring.Release();
        }

        Assert.Equal(Count, next);
    }

    private static void Write(ByteRing ring, int count)
    {
        for (int i = 0; i < count; i++)
        {
            while (!ring.HasRoom())
                Thread.Yield();
            Span<byte> room = ring.Begin(100);
            BinaryPrimitives.WriteInt64LittleEndian(room, ~(long)i);
            ring.End(1, i, i % 97);
            if (i % 13 == 0 || i == count - 1)
                ring.Publish();
        }
    }
}
