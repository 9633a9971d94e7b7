using System.Diagnostics;
using System.Globalization;
using LatencyPerf.Links;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>Handovers between two processes with random pauses; test/ring-handovers.sh sets their number, and the means of waking.</summary>
public sealed class HandoverChecks : IDisposable
{
    private const string CountVariable = "PERFTOOLS_HANDOVERS";
    private const string FolderVariable = "PERFTOOLS_HANDOVER_FOLDER";
    private const string Word = "word", OwnBell = "own", OtherBell = "other";

    private readonly RunDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    private static uint Count => uint.Parse(Environment.GetEnvironmentVariable(CountVariable) ?? "20000", CultureInfo.InvariantCulture);

    [Fact(Explicit = true)]
    public void Run_TwoProcesses_LoseNoWakeUp()
    {
        using SharedRegion region = SharedRegion.Create(_folder.File(Word), SharedHandover.RegionBytes);
        using SharedWake wake = SharedWake.Create(_folder.File(OwnBell), [_folder.File(OtherBell)]);
        ProcessStartInfo start = new(Environment.ProcessPath!,
            ["-explicit", "only", "-method", $"{typeof(HandoverChecks).FullName}.{nameof(Run_OtherSide)}"])
        {
            RedirectStandardOutput = true,
        };
        start.Environment[FolderVariable] = _folder.Path;
        using Process other = Process.Start(start)!;
        Assert.Equal(0, SharedHandover.Run(region, wake, first: 0, Count, new Random(1)));
        string said = other.StandardOutput.ReadToEnd();
        other.WaitForExit();
        Assert.True(other.ExitCode == 0, said);
        Assert.Equal(2 * Count, region.Word(0));
    }

    /// <summary>The second process.</summary>
    [Fact(Explicit = true)]
    public void Run_OtherSide()
    {
        string? folder = Environment.GetEnvironmentVariable(FolderVariable);
        Assert.SkipWhen(folder is null, "is started by the other test");
        using SharedRegion region = SharedRegion.Open(Path.Combine(folder!, Word));
        using SharedWake wake = SharedWake.Create(Path.Combine(folder!, OtherBell), [Path.Combine(folder!, OwnBell)]);
        Assert.Equal(0, SharedHandover.Run(region, wake, first: 1, Count, new Random(2)));
    }
}
