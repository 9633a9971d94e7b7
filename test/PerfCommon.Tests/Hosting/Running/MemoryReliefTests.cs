using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>Relief when memory is nearly used up, before a run is ended because of it, and release of memory after a flood.</summary>
public class MemoryReliefTests
{
    private const long Megabyte = 1 << 20;
    private static readonly MemoryUse Little = new(10 * Megabyte, 100 * Megabyte, 20 * Megabyte, 90 * Megabyte);

    private readonly MemoryTrim _trim;
    private int _collections;
    private long _connectionsEnded;
    private long _nowNanos;

    public MemoryReliefTests() => _trim = new(() => _collections++);

    [Fact]
    public void FindEnd_RoomCanBeMade_GoesOn()
    {
        MemoryUse use = Little with { Heap = 95 * Megabyte };
        Relief relief = new(tries: 3);
        MemoryWatch watch = new(() => use, () => { });
        long now = 1;
        for (int i = 0; i < 3; i++, now += Clock.NanosPerSecond)
            Assert.Null(watch.FindEnd(now, relief));
        use = Little;
        Assert.Null(watch.FindEnd(now, relief));
        Assert.Equal((3, "True"), (relief.Tries, string.Join(' ', relief.Ends)));
    }

    [Fact]
    public void FindEnd_NoRoomToBeHad_EndsAtNineTenths()
    {
        MemoryUse use = Little with { Heap = 87 * Megabyte };
        Relief relief = new(tries: 1);
        MemoryWatch watch = new(() => use, () => { });
        Assert.Null(watch.FindEnd(1, relief));
        Assert.Null(watch.FindEnd(Clock.NanosPerSecond, relief));
        for (int i = 2; i < 10; i++)
            Assert.Null(watch.FindEnd(i * Clock.NanosPerSecond, relief));
        Assert.Equal(2, relief.Tries); // it is not retried over and over
        use = Little with { Heap = 90 * Megabyte };
        Assert.Equal(ExitCode.Incomplete, watch.FindEnd(20 * Clock.NanosPerSecond, relief)?.Code);
        Assert.True(watch.HasMadeRoom);
    }

    [Fact]
    public void FindEnd_WantedByAThread_LooksAtOnce()
    {
        int looks = 0;
        MemoryWatch watch = new(() => { looks++; return Little; }, () => { });
        Relief relief = new(tries: 0);
        watch.FindEnd(1, relief);
        looks = 0;
        watch.FindEnd(2, relief);
        Assert.Equal(0, looks);
        relief.IsWanted = true;
        watch.FindEnd(3, relief);
        Assert.Equal(1, looks);
    }

    [Fact]
    public void Trim_MuchLessKeptThanBefore_CollectsOnceItIsQuiet()
    {
        Pass(500, 60); // memory in use is kept
        Pass(490, 60);
        Assert.Equal(0, _collections);
        for (int kept = 490; kept > 100; kept -= 10)
            Pass(kept, 1);
        Assert.Equal(0, _collections); // memory is still falling
        Pass(100, 3);
        Assert.Equal(1, _collections);
        Pass(100, 60);
        Pass(110, 60);
        Pass(90, 60);
        Assert.Equal(1, _collections);
        Pass(400, 1);
        Pass(350, 60); // little compared with the memory in use
        Assert.Equal(1, _collections);
    }

    [Fact]
    public void Trim_MuchThatCameAndWentInParts_CollectsOnceItIsQuiet()
    {
        for (int i = 0; i < 20; i++)
        {
            Pass(15, 1);
            Pass(5, 1);
        }

        Assert.Equal(0, _collections); // memory is still rising and falling
        Pass(5, 3);
        Assert.Equal(1, _collections);
        Pass(5, 60);
        Assert.Equal(1, _collections);
    }

    [Fact]
    public void Trim_WhatWaitsForAMoment_IsNoFall()
    {
        for (int i = 0; i < 1_000; i++)
        {
            Pass(100, 1);
            PassBytes((100 * Megabyte) + (Megabyte / 2), 1);
        }

        Assert.Equal(0, _collections);
    }

    [Fact]
    public void Trim_ManyConnectionsThatKeptLittle_CollectsOnceItIsQuiet()
    {
        for (; _connectionsEnded < 24; _connectionsEnded++)
            Pass(50, 1);
        Assert.Equal(0, _collections);
        Pass(50, 3);
        Assert.Equal(1, _collections);
        for (int i = 0; i < 20; i++, _connectionsEnded++)
            Pass(50, 3);
        Assert.Equal(1, _collections); // some memory is always in transit
    }

    [Theory]
    [InlineData(120, 96, 1)] // a quarter of the data still kept, and the least that counts
    [InlineData(119, 96, 0)]
    [InlineData(124, 100, 0)]
    [InlineData(125, 100, 1)]
    public void Trim_FallAtTheLimits_CollectsOnce(long before, long after, int collections)
    {
        Pass(before, 1);
        Pass(after, 60);
        Assert.Equal(collections, _collections);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(-1, 0)]
    public void Trim_TwoSecondsAfterTheFall_Collects(long nanos, int collections)
    {
        const long fall = Clock.NanosPerSecond / 2;
        _trim.Look(100 * Megabyte, 0, 0);
        _trim.Look(0, 0, fall);
        _trim.Look(0, 0, fall + (2 * Clock.NanosPerSecond) + nanos);
        Assert.Equal(collections, _collections);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(4, 0)] // a fall of a quarter of it, less one byte
    public void Trim_ConnectionsThatEnded_CountAMegabyteEach(long above, int collections)
    {
        const long half = Clock.NanosPerSecond / 2;
        long kept = (4 * 24 * Megabyte) + above;
        _trim.Look(kept, 0, 0);
        _trim.Look(kept, 24, half);
        _trim.Look(kept, 24, 5 * half);
        Assert.Equal(collections, _collections);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(-1, 0)]
    public void Trim_HalfASecondAfterALook_LooksAgain(long nanos, int collections)
    {
        const long half = Clock.NanosPerSecond / 2;
        _trim.Look(100 * Megabyte, 0, 0);
        _trim.Look(0, 0, half + nanos); // where it is too early, the fall is seen by the next
        _trim.Look(0, 0, 5 * half);
        Assert.Equal(collections, _collections);
    }

    [Fact]
    public void Trim_ChangesOfAMegabyte_AreNoQuiet()
    {
        Pass(150, 1);
        for (int i = 0; i < 20; i++)
        {
            Pass(100, 1);
            Pass(101, 1);
        }

        Assert.Equal(0, _collections);
        for (int i = 0; i < 20; i++)
        {
            PassBytes((101 * Megabyte) - 1, 1);
            PassBytes((102 * Megabyte) - 2, 1);
        }

        Assert.Equal(1, _collections); // less than that is no change
    }

    private void Pass(long keptMegabytes, int seconds) => PassBytes(keptMegabytes * Megabyte, seconds);

    private void PassBytes(long keptBytes, int seconds)
    {
        for (long until = _nowNanos + (seconds * Clock.NanosPerSecond); _nowNanos < until; _nowNanos += Clock.NanosPerSecond / 10)
            _trim.Look(keptBytes, _connectionsEnded, _nowNanos);
    }

    private sealed class Relief(int tries) : IMemoryRelief
    {
        public bool IsWanted { get; set; }

        public int Tries { get; private set; }

        public List<bool> Ends { get; } = [];

        public bool TryMakeRoom(long nowNanos) => Tries++ < tries;

        public void End(bool hasRoom) => Ends.Add(hasRoom);
    }
}
