using System.Globalization;
using PerfCommon.Benchmarks.Against;
using PerfCommon.Benchmarks.Runs;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfCommon.Benchmarks.Copying;

/// <summary>
/// <c>copying</c>: measures the cost of an update in ProvPerf with and without <c>-preEnc</c>, against a consumer that only walks frames.
/// </summary>
internal static class CopyingProgram
{
    private const int Pack = 30;
    private const int SecondsToSpare = 20;
    private static readonly AgainstRole Provider = new("provider", "ProvPerf", RoleCounts.Provider);

    public static int Run(string[] args, TextWriter output, TextWriter error) =>
        ToolProgram.Run("copying", CopyingOptions.CreateTable, args, output, error, Compare);

    private static RunOutcome Compare(CopyingOptions options, RunHost host)
    {
        host.Console.WriteLine("updates          rate/s  ns of the provider   of a core   not sent   walked");
        foreach (string preEncoded in (string[])["", "-preEnc"])
        {
            foreach ((int pack, int rate) in ((int, int)[])[(1, options.Rate), (Pack, options.PackRate)])
            {
                if (host.Signals.Code is not null)
                    return RunOutcome.Success;
                if (Measure(options, pack, rate, preEncoded, host) is not { } window)
                    return new RunOutcome(ExitCode.Incomplete, "ProvPerf did not send long enough");
                host.Console.WriteLine(window);
            }
        }

        return RunOutcome.Success;
    }

    private static string? Measure(CopyingOptions options, int pack, int rate, string preEncoded, RunHost host)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("perftools-copying-");
        using Worker worker = new(new WorkerOptions { OnNotice = _ => { } });
        Thread reading = new(() => worker.Run());
        try
        {
            int runTime = options.From + options.Seconds + SecondsToSpare;
            string line = string.Create(CultureInfo.InvariantCulture,
                $"-p 0 -updateRate {rate} -maxPackCount {pack} -runTime {runTime} {preEncoded}");
            using MeasuredRole provider = new(Provider, BuildFolder.Own, folder.FullName,
                line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
            RoleWait wait = new(provider, host, runTime);
            wait.ForPort();
            FrameWalker walker = new(options.Items, serviceId: 1);
            worker.Connect(walker, new ConnectOptions { Host = "127.0.0.1", Port = provider.Port });
            reading.Start();
            return wait.ForSecond(options.From + options.Seconds)
                ? Describe(wait.Window(options.From, options.Seconds), walker,
                    $"{(preEncoded.Length > 0 ? "copied" : "encoded")}, {(pack > 1 ? "packs" : "plain")}") : null;
        }
        finally
        {
            worker.RequestEnd();
            if (reading.IsAlive)
                reading.Join();
            folder.Delete(recursive: true);
        }
    }

    private static string? Describe(RoleWindow? window, FrameWalker walker, string name) =>
        window is null ? null : string.Create(
            CultureInfo.InvariantCulture,
            $"{name,-15}{window.Rate,10:N0}{window.NanosPerMessage,20:F1}{100 * window.CpuSeconds / window.Seconds,10:F1} "
                + $"%{window.NotSent,11:N0}{walker.Messages,14:N0}");
}
