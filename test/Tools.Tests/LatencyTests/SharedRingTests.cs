using System.Buffers.Binary;
using LatencyPerf.Links;
using PerfCommon.Tests;
using Xunit;

namespace Tools.Tests.LatencyTests;

[Trait("Category", "Fast")]
public sealed class SharedRingTests : IDisposable
{
    private const int MaxBytes = 40;
    private readonly RunDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(2, false)]
    [InlineData(64, false)]
    [InlineData(64, true)]
    public void TryRead_TwoThreads_GetsMessagesWholeAndInOrder(int slots, bool isDoorbell)
    {
        const int messages = 200_000;
        using SharedRegion region = SharedRegion.Create(_folder.File("ring"), SharedRing.BytesOf(slots, MaxBytes));
        SharedRing ring = new(region, 0, slots, MaxBytes);
        RingReader reader = ring.CreateReader();
        (SharedWake sleeping, SharedWake waking) = CreateWakes(isDoorbell);
        using SharedWake own = sleeping, other = waking;
        TestThread writer = new(() => Write(new SharedRing(region, 0, slots, MaxBytes), messages, waking));
        writer.Start();

        byte[] room = new byte[MaxBytes];
        ulong last = 0;
        long read = 0;
        while (last < messages)
        {
            uint seen = Volatile.Read(ref ring.Head);
            if (!ring.TryRead(ref reader, room, out Span<byte> message, out int to))
            {
                sleeping.Sleep(ref ring.Head, seen, ref ring.Sleepers, 1_000_000_000);
                continue;
            }

            ulong number = BinaryPrimitives.ReadUInt64LittleEndian(message);
            Assert.True(number > last && to == (int)(number % 33));
            Assert.True(message[8..].IndexOfAnyExcept((byte)number) < 0);
            (last, read) = (number, read + 1);
        }

        writer.Join();
        Assert.Equal(messages, read + reader.Missed);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Sleep_HandoversToAndFro_LoseNoWakeUp(bool isDoorbell)
    {
        (SharedWake wake, SharedWake otherWake) = CreateWakes(isDoorbell);
        using SharedWake own = wake, others = otherWake;
        const uint handovers = 5_000;
        using SharedRegion region = SharedRegion.Create(_folder.File("words"), 256);
        TestThread other = new(() => SharedHandover.Run(region, otherWake, first: 0, handovers));
        other.Start();
        Assert.Equal(0, SharedHandover.Run(region, wake, first: 1, handovers));
        Assert.True(other.Join(TimeSpan.FromSeconds(60)));
        Assert.Equal(2 * handovers, region.Word(0));
        Assert.Equal(0u, region.Word(64));
    }

    [Fact]
    public void Access_OutsideOfTheRegion_IsRefused()
    {
        using SharedRegion region = SharedRegion.Create(_folder.File("small"), 64);
        region.Word(60) = 1;
        Assert.Throws<ArgumentOutOfRangeException>(() => region.Word(61));
        Assert.Throws<ArgumentOutOfRangeException>(() => region.Word(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => region.Long(57));
        Assert.Throws<ArgumentOutOfRangeException>(() => region.Slice(0, 65).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => region.Slice(long.MaxValue, 1).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => new SharedRing(region, 0, 2, MaxBytes));
        Assert.ThrowsAny<IOException>(() => SharedRegion.Open(_folder.File("none")));
    }

    [Fact]
    public void Create_MoreThanThereIs_SaysSoAtOnce() =>
        Assert.ThrowsAny<IOException>(() => SharedRegion.Create(_folder.File("large"), 1L << 55));

    [Fact]
    public void TryRead_MemoryWrittenOver_NeverFailsOrHangs()
    {
        const int slots = 4;
        using SharedRegion region = SharedRegion.Create(_folder.File("fuzz"), SharedRing.BytesOf(slots, MaxBytes));
        SharedRing ring = new(region, 0, slots, MaxBytes);
        Random random = new(1);
        byte[] room = new byte[MaxBytes];
        for (int i = 0; i < 20_000; i++)
        {
            RingReader reader = ring.CreateReader();
            ring.Write(room.AsSpan(0, random.Next(MaxBytes)), i);
            random.NextBytes(region.Slice(random.Next((int)region.Bytes - 8), 8));
            for (int reads = 0; reads < 8; reads++)
                _ = ring.TryRead(ref reader, room, out _, out _);
            if (i % 64 == 0)
                region.Slice(0, (int)region.Bytes).Clear();
        }
    }

    // Whatever a foreign process writes into it, the reader continues after one check and one more message of the writer.
    [Theory]
    [InlineData(0UL)]
    [InlineData(1UL)]
    [InlineData(ulong.MaxValue)]
    [InlineData(1UL << 40)]
    public void Recover_AfterAnyBytesInAnySlot_ReadsOn(ulong number)
    {
        const int slots = 8;
        for (int damaged = 0; damaged < slots; damaged++)
        {
            using SharedRegion region = SharedRegion.Create(_folder.File($"r{damaged}-{number}"), SharedRing.BytesOf(slots, MaxBytes));
            SharedRing ring = new(region, 0, slots, MaxBytes);
            RingReader reader = ring.CreateReader();
            for (int i = 0; i < slots; i++)
                ring.Write(new byte[] { (byte)i }, i);
            region.Long(128 + (damaged * 64)) = number;
            AssertReadsOn(ring, ref reader);
        }
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(0x7FFF_FFFFu)]
    [InlineData(0x8000_0000u)]
    [InlineData(0xFFFF_FFFFu)]
    public void Recover_AfterAnyHead_ReadsOn(uint head)
    {
        using SharedRegion region = SharedRegion.Create(_folder.File("head"), SharedRing.BytesOf(8, MaxBytes));
        SharedRing ring = new(region, 0, 8, MaxBytes);
        RingReader reader = ring.CreateReader();
        for (int i = 0; i < 20; i++)
        {
            ring.Write(new byte[] { (byte)i }, i);
            ring.Head = head;
            ring.TryRead(ref reader, new byte[MaxBytes], out _, out _);
            ring.Recover(ref reader);
        }

        AssertReadsOn(ring, ref reader);
    }

    [Fact]
    public void Recover_WhereNothingIsWrong_ChangesNothing()
    {
        using SharedRegion region = SharedRegion.Create(_folder.File("well"), SharedRing.BytesOf(8, MaxBytes));
        SharedRing ring = new(region, 0, 8, MaxBytes);
        RingReader reader = ring.CreateReader();
        for (int i = 0; i < 30; i++)
        {
            ring.Recover(ref reader);
            ring.Write(new byte[] { (byte)i }, i);
            ring.Recover(ref reader);
            Assert.True(ring.TryRead(ref reader, new byte[MaxBytes], out _, out int to));
            Assert.Equal((i, 0L), (to, reader.Missed));
        }
    }

    private static void AssertReadsOn(SharedRing ring, ref RingReader reader)
    {
        byte[] room = new byte[MaxBytes];
        for (int looks = 0; looks < 10; looks++)
        {
            while (ring.TryRead(ref reader, room, out _, out _))
            {
                // what is left of what was there
            }

            ring.Write(new byte[] { 1 }, 1_000 + looks);
            ring.Recover(ref reader);
        }

        while (ring.TryRead(ref reader, room, out _, out _))
        {
            // the last ones
        }

        ring.Write(new byte[] { 1 }, 77);
        Assert.True(ring.TryRead(ref reader, room, out _, out int to));
        Assert.Equal(77, to);
    }

    private static void Write(SharedRing ring, int messages, SharedWake wake)
    {
        byte[] message = new byte[MaxBytes];
        for (int number = 1; number <= messages; number++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(message, (ulong)number);
            message.AsSpan(8).Fill((byte)number);
            ring.Write(message, number % 33);
            wake.WakeAll(ref ring.Head, ref ring.Sleepers);
        }
    }

    private (SharedWake, SharedWake) CreateWakes(bool isDoorbell)
    {
        if (!isDoorbell && FutexWake.IsAvailable)
            return (new FutexWake(), new FutexWake());
        (string a, string b) = (_folder.File("a"), _folder.File("b"));
        return OperatingSystem.IsWindows()
            ? (new NamedEventWake(a, [b]), new NamedEventWake(b, [a])) : (new DoorbellWake(a, [b]), new DoorbellWake(b, [a]));
    }
}
