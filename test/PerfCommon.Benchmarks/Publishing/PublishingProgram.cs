using System.Globalization;
using PerfCommon.Benchmarks.Against;
using PerfCommon.Benchmarks.Runs;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfCommon.Benchmarks.Publishing;

/// <summary><c>publishing</c>: finds the highest rate at which NIProvPerf skips no update, against a hub that only walks frames.</summary>
internal static class PublishingProgram
{
    private const int SecondsToSpare = 20;
    private const double Step = 1.5;
    private const double Precision = 1.06;
    private const int Grid = 100_000;
    private static readonly AgainstRole Publisher = new("publisher", "NIProvPerf", RoleCounts.Provider);

    public static int Run(string[] args, TextWriter output, TextWriter error) =>
        ToolProgram.Run("publishing", PublishingOptions.CreateTable, args, output, error, Search);

    private static RunOutcome Search(PublishingOptions options, RunHost host)
    {
        host.Console.WriteLine("     rate/s      reached   ns of the publisher   of a core   not sent       walked");
        (int kept, int missed, int rate) = (0, int.MaxValue, options.FirstRate);
        while (host.Signals.Code is null && (kept == 0 || missed > kept * Precision) && rate >= Grid)
        {
            if (Measure(options, rate, host) is not { } window)
                return new RunOutcome(ExitCode.Incomplete, "NIProvPerf did not send long enough");
            if (window.NotSent == 0 && window.Rate > 0.99 * rate)
                kept = rate;
            else
                missed = rate;
            rate = Next(kept, missed);
        }

        host.Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"kept: {kept:N0}/s"));
        return RunOutcome.Success;
    }

    private static int Next(int kept, int missed)
    {
        double next = missed == int.MaxValue ? kept * Step : kept == 0 ? missed / Step : Math.Sqrt((double)kept * missed);
        return (int)(next / Grid) * Grid;
    }

    private static RoleWindow? Measure(PublishingOptions options, int rate, RunHost host)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("perftools-publishing-");
        WalkingHub hub = new();
        using WorkerListener listener = new(new ListenOptions { Port = 0 });
        using Worker worker = new(new WorkerOptions { OnNotice = _ => { } });
        Thread reading = new(() => worker.Run());
        try
        {
            int runTime = options.From + options.Seconds + SecondsToSpare;
            string line = string.Create(CultureInfo.InvariantCulture,
                $"-p {listener.Port} -itemCount {options.Items} -updateRate {rate} -maxPackCount {options.Pack} -runTime {runTime} {options.Arguments}");
            using MeasuredRole publisher = new(Publisher, BuildFolder.Own, folder.FullName,
                line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
            listener.Accept(TimeSpan.FromSeconds(SecondsToSpare), [worker], _ => hub, CancellationToken.None);
            reading.Start();
            RoleWait wait = new(publisher, host, runTime);
            return wait.ForSecond(options.From + options.Seconds)
                ? Show(wait.Window(options.From, options.Seconds), rate, hub, host) : null;
        }
        finally
        {
            worker.RequestEnd();
            if (reading.IsAlive)
                reading.Join();
            folder.Delete(recursive: true);
        }
    }

    private static RoleWindow? Show(RoleWindow? window, int rate, WalkingHub hub, RunHost host)
    {
        if (window is not null)
        {
            host.Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{rate,11:N0}{window.Rate,13:N0}{window.NanosPerMessage,22:F1}{100 * window.CpuSeconds / window.Seconds,10:F1} "
                    + $"%{window.NotSent,11:N0}{hub.Messages,13:N0}"));
        }

        return window;
    }
}
