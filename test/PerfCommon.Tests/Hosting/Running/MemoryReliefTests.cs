using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>What is done about memory that is nearly used up before a run is ended for it, and how it is given back after a flood.</summary>
public class MemoryReliefTests
{
    private const long Megabyte = 1 << 20;
    private static readonly MemoryUse Little = new(10 * Megabyte, 100 * Megabyte, 20 * Megabyte, 90 * Megabyte);

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
        Assert.Equal(2, relief.Tries); // it is not tried over and over
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
        int collections = 0;
        MemoryTrim trim = new(() => collections++);
        long now = 0;
        void Pass(long keptMegabytes, int seconds)
        {
            for (long until = now + (seconds * Clock.NanosPerSecond); now < until; now += Clock.NanosPerSecond / 10)
                trim.Look(keptMegabytes * Megabyte, now);
        }

        Pass(500, 60); // what it has it keeps
        Pass(490, 60);
        Assert.Equal(0, collections);
        for (int kept = 490; kept > 100; kept -= 10)
            Pass(kept, 1);
        Assert.Equal(0, collections); // it falls still
        Pass(100, 3);
        Assert.Equal(1, collections);
        Pass(100, 60);
        Pass(110, 60);
        Pass(90, 60);
        Assert.Equal(1, collections);
        Pass(400, 1);
        Pass(350, 60); // little beside what is kept
        Assert.Equal(1, collections);
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
