using System.Diagnostics;
using PerfTools.Machine;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

/// <summary>The resources of a program, by the system's accounts.</summary>
public class OutsideWatchTests
{
    private const string Stat = "4711 (a) name) S 1 4711 4700 0 -1 4194560 9 8 7 6 120 30 40 10 20 0 3 0 555 1000000 2000 18446744073709551615 1 1 0";

    [Fact]
    public void Parse_Account_TakesOwnTimeAndThatOfChildren()
    {
        ProcessAccount account = ProcessAccount.Parse(Stat)!;
        Assert.Equal((4700, 200L, 2000L * Environment.SystemPageSize), (account.Session, account.CpuTicks, account.ResidentBytes));
    }

    [Theory]
    [InlineData("")]
    [InlineData("1 (x) S 1")]
    [InlineData("1 x S 1 2 3")]
    public void Parse_NoAccount_IsNull(string text) => Assert.Null(ProcessAccount.Parse(text));

    [Fact]
    public void Use_OfATime_IsThatBetweenTheLooksInIt()
    {
        OutsideWatch watch = new(1, isSession: true);
        Assert.Null(watch.Use(null, null));
        Look(watch, 9, 0, 10); // the start, which used much
        Look(watch, 10, 100, 50);
        Look(watch, 20, 300, 80);
        watch.Add(Seconds(21), []); // gone
        Look(watch, 30, 250, 60); // one of several is gone, and its resources are in no account
        Assert.Equal(3, watch.CpuSeconds);
        Assert.Equal(20, watch.Use(Seconds(9.5), Seconds(29))!.CoreCpuPercent!.Value, 6);
        Assert.Equal(80, watch.Use(Seconds(9.5), Seconds(29))!.PeakMegabytes);
        Assert.Equal(10, watch.Use(Seconds(9.5), Seconds(31))!.CoreCpuPercent!.Value, 6);
        Assert.Null(watch.Use(Seconds(12), Seconds(29))!.CoreCpuPercent); // one look is no time
        Assert.Null(watch.Use(null, null)!.CoreCpuPercent);
    }

    [Fact]
    public void Look_AtThisProcess_SeesWhatItUses()
    {
        Assert.SkipWhen(!OperatingSystem.IsLinux(), "no accounts");
        OutsideWatch watch = new(Environment.ProcessId, isSession: false);
        watch.Look();
        Assert.True(watch.Use(null, null) is { CpuSeconds: > 0, PeakMegabytes: > 10 });
    }

    private static long Seconds(double seconds) => (long)(seconds * Stopwatch.Frequency);

    private static void Look(OutsideWatch watch, double at, long ticks, long megabytes) =>
        watch.Add(Seconds(at), [new(1, ticks / 2, megabytes << 19), new(1, ticks - (ticks / 2), megabytes << 19)]);
}
