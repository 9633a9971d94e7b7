using PerfTools.Face;
using PerfTools.Hosting.Running;
using PerfTools.Results;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

public class RunFaceTests
{
    private static readonly RunWords Words = new("provider", "consumer", "upd/s");
    private static readonly Verdict Ok = new("OK", ExitCode.Success, null);
    private static readonly ProgressSample Measuring = new()
    {
        Images = new(10_000, 0.0214),
        IsMeasuring = true,
        Rate = 100_002,
        P50Micros = 31,
        P99Micros = 74.25,
        ServerCpuPercent = 6.2,
        ClientCpuPercent = 4.8,
    };

    [Fact]
    public void Show_RedirectedOutput_HasNoEscapesAndNoRepeatedLines()
    {
        using StringWriter output = new();
        RunFace face = new(new RunConsole(output), screenColumns: null, Words);
        face.ShowHeadline("Provider to consumer");
        face.ShowProgress(new ProgressSample(), TimeSpan.FromSeconds(10));
        for (int i = 0; i < 5; i++)
            face.ShowProgress(Measuring, TimeSpan.FromSeconds(10));
        face.ShowEnd(Ok, SampleFigures.Good, "runs/2026-11-21T101233-direct/");
        Assert.Equal(
            """
            Provider to consumer
              images     10,000 in 0.021 s

            OK  updates 1,000,000 sent, 1,000,000 received (100,000/s asked, 100,000/s reached)
                requests     10,000 sent, 10,000 received
                refreshes    10,000 sent, 10,000 received
                latency us   p50 31   p90 49   p99 74   p99.9 410   max 1,702   (10,000 samples)
                send lag us  p50 13.5   p99 61   max 590
                images       10,000 in 0.021 s
                CPU          provider 6.1 %, consumer 5.0 % of one core
                memory       provider 61 MB, consumer 58 MB
                files        runs/2026-11-21T101233-direct/

            """,
            output.ToString());
    }

    [Fact]
    public void Show_Screen_ReplacesOneLineAndTakesItAwayAtTheEnd()
    {
        using StringWriter output = new();
        RunFace face = new(new RunConsole(output), screenColumns: 40, Words);
        face.ShowProgress(Measuring, TimeSpan.FromHours(1));
        face.ShowEnd(new("FAILED", ExitCode.Incomplete, "no final figures"), null, "r/");
        Assert.Equal(
            "  images     10,000 in 0.021 s\n"
            + "\r  measuring  ....................  3,60\u001b[K"
            + "\r\u001b[K\nFAILED  no final figures\n    files        r/\n",
            output.ToString());
    }

    [Fact]
    public void Create_Progress_ShowsBarTimeAndFigures() => Assert.Equal(
        "  measuring  ########............  6 s left   100,002 upd/s   p50 31 us  p99 74.3 us   CPU 6 % / 5 %",
        ProgressText.Create(Words, Measuring, TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(10)));

    [Fact]
    public void Create_ProgressBeyondItsTime_StaysFull() => Assert.Equal(
        "  measuring  ####################  0 s left",
        ProgressText.Create(Words, new ProgressSample(), TimeSpan.FromSeconds(14), TimeSpan.FromSeconds(10)));

    [Fact]
    public void Create_SlowRunWithLosses_SaysWhyAndHowMany()
    {
        RunFigures figures = SampleFigures.Good with
        {
            NotSent = 5_000,
            Balances = [new("updates", 1_000, 990, 10)],
            Images = null,
            Latency = default,
            SendLag = default,
        };
        string[] expected =
        [
            "SLOW  too slow",
            "    updates 1,000 sent, 990 received, 10 counted as lost (100,000/s asked, 100,000/s reached)",
            "    not sent     5,000 updates were due and never sent",
            "    latency us   no samples",
            "    CPU          provider 6.1 %, consumer 5.0 % of one core",
            "    memory       provider 61 MB, consumer 58 MB",
            "    files        r/",
        ];
        Assert.Equal(expected, ClosingText.Create(Words, new("SLOW", ExitCode.AssertionMissed, "too slow"), figures, "r/"));
    }
}
