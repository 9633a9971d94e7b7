using System.Diagnostics;
using System.Globalization;
using PerfCommon.Benchmarks.Runs;

namespace PerfCommon.Benchmarks.Against;

/// <summary>Runs one case with one build: starts both roles, monitors them until the window has ended, and kills them.</summary>
internal sealed class CaseRun(AgainstCase what, AgainstOptions options, CancellationToken stop)
{
    private const int SecondsToSpare = 30;
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);

    /// <summary>Messages a second.</summary>
    public int Rate { get; } = options.Rate ?? what.UsualRate;

    /// <summary>Time after which a run has failed, and after which a role ends if it was not killed.</summary>
    public static int MaxSeconds(AgainstOptions options) => options.From + options.Seconds + SecondsToSpare;

    /// <summary>Runs the case once.</summary>
    /// <exception cref="OperationCanceledException">A signal was received.</exception>
    public BuildRun Run(BuildFolder build)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("perftools-against-");
        try
        {
            return Run(build, folder.CreateSubdirectory("server").FullName, folder.CreateSubdirectory("client").FullName);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private BuildRun Run(BuildFolder build, string serverFolder, string clientFolder)
    {
        string[] runTime = ["-runTime", MaxSeconds(options).ToString(CultureInfo.InvariantCulture)];
        using MeasuredRole server = new(what.Server, build, serverFolder, [.. what.CreateServerArguments(Rate), .. runTime]);
        if (WaitUntil(() => server.Port > 0, server) is { } deaf)
            return new BuildRun { Failure = deaf };
        using MeasuredRole client = new(what.Client, build, clientFolder, what.CreateClientArguments(options, server.Port));
        return Watch(server, client);
    }

    private BuildRun Watch(MeasuredRole server, MeasuredRole client)
    {
        if (WaitUntil(() => client.Last?.Second >= options.From, server, client) is { } early)
            return new BuildRun { Failure = early };
        LoadReading before = LoadReading.Take(server, client);
        if (WaitUntil(() => client.Last!.Second >= options.From + options.Seconds, server, client) is { } late)
            return new BuildRun { Failure = late };
        double? foreign = LoadReading.Take(server, client).ForeignShareSince(before);

        DateTime from = client.Lines.First(l => l.Second >= options.From).Utc;
        DateTime to = client.Lines.First(l => l.Second >= options.From + options.Seconds).Utc;
        string? failure = WaitUntil(() => server.Last?.Utc >= to, server); // its collections may be up to a second late
        return new BuildRun
        {
            Server = RoleWindow.Between(server.Lines, from, to),
            Client = RoleWindow.Between(client.Lines, from, to),
            ForeignShare = foreign,
            Failure = failure,
        };
    }

    // Returns the reason when the condition is not reached.
    private string? WaitUntil(Func<bool> isReached, params ReadOnlySpan<MeasuredRole> roles)
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            foreach (MeasuredRole role in roles)
                role.ReadLines();
            if (isReached())
                return null;
            foreach (MeasuredRole role in roles)
            {
                if (role.Failure is { } failure)
                    return failure;
            }

            if (Stopwatch.GetElapsedTime(start).TotalSeconds > MaxSeconds(options))
                return "time is up";
            stop.WaitHandle.WaitOne(Look);
            stop.ThrowIfCancellationRequested();
        }
    }
}
