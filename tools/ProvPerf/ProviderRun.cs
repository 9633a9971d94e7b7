using System.Globalization;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ProvPerf;

/// <summary>One run from the block of inputs to the summary. The main thread: accepts, collects, prints, writes files.</summary>
internal sealed class ProviderRun(ProvPerfOptions options, RunHost host)
{
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(50);

    /// <summary>Runs to the end.</summary>
    /// <returns>How it ended.</returns>
    /// <exception cref="SetupException">It could not start.</exception>
    public RunOutcome Run()
    {
        IReadOnlyList<(string Label, string Value)> inputs = ProvPerfOptionTable.Instance.DescribeInputs(options);
        host.Console.Write(writer => InputBlock.Write(writer, InputBlock.WideLabels, inputs));
        if (ThreadBinding.FindProblem(options.Run.Threads) is { } problem)
            throw new SetupException(SetupProblem.CommandLine, problem);
        ProviderPlan plan = ProviderCrew.CreatePlan(options);
        foreach (string warning in plan.Messages.Warnings)
            host.Console.WriteLine($"Warning: {warning}");
        using RsslListener listener = Listen();
        using ProviderFiles files = new(options);
        files.WriteInputs(inputs);
        using ProviderCrew crew = new(options, plan);
        PrintSizes(plan.Messages);
        WarmUp.Provider(plan);
        host.Console.WriteLine($"Listening on port {listener.Port.ToString(CultureInfo.InvariantCulture)}");
        return Run(listener, files, crew);
    }

    private RunOutcome Run(RsslListener listener, ProviderFiles files, ProviderCrew crew)
    {
        long start = Clock.NowNanos;
        long end = start + (options.RunSeconds * Clock.NanosPerSecond);
        long interval = options.Run.WriteStatsInterval * Clock.NanosPerSecond;
        long nextCollection = start + interval;
        using ProviderCollector collector = new(crew, start);
        crew.Start(options.Run.Threads.Processors);
        while (Clock.NowNanos < end && !host.Signals.StopRequested.IsCancellationRequested)
        {
            ThrowIfDefect(crew);
            Accept(listener, crew, Math.Min(end, nextCollection));
            PrintNotices(crew);
            if (Clock.NowNanos < nextCollection)
                continue;
            Report(collector, files, crew, ended: false);
            nextCollection += interval;
        }

        bool joined = crew.End();
        ThrowIfDefect(crew);
        if (!joined)
            throw new InvalidOperationException("a worker thread did not end");
        PrintNotices(crew);
        Report(collector, files, crew, ended: true);
        RunOutcome outcome = Judge(crew, files.Failure);
        ProviderSummary summary = collector.Summarize(outcome, options.UpdateRate > 0, []);
        host.Console.Write(writer => ProviderSummaryText.Write(writer, summary));
        files.WriteSummary(summary);
        return Judge(crew, files.Failure);
    }

    private RsslListener Listen()
    {
        try
        {
            return RsslListener.Bind(options.Connection.ForServer("ProvPerf"));
        }
        catch (IOException cause)
        {
            throw new SetupException(SetupProblem.NotStarted, cause.Message, cause);
        }
    }

    private static void Accept(RsslListener listener, ProviderCrew crew, long until)
    {
        TimeSpan pause = TimeSpan.FromTicks(Math.Max(0, (until - Clock.NowNanos) / TimeSpan.NanosecondsPerTick));
        TimeSpan limit = pause < LongestPause ? pause : LongestPause;
        while (listener.TryAccept(limit, out AcceptedConnection? connection))
        {
            crew.HandOver(connection);
            limit = TimeSpan.Zero;
        }
    }

    private RunOutcome Judge(ProviderCrew crew, string? fileFailure)
    {
        string? broken = crew.Workers.Any(worker => worker.AnyBroken) ? "a connection broke" : null;
        if (fileFailure is not null)
            return new RunOutcome(ExitCode.OutputFile, fileFailure, broken);
        return host.Signals.Code is { } code
            ? new RunOutcome(code, code == ExitCode.Interrupted ? "interrupted by SIGINT" : "ended by SIGTERM", broken)
            : new RunOutcome(ExitCode.Success, "run time expired", broken);
    }

    private static void ThrowIfDefect(ProviderCrew crew)
    {
        if (crew.Defect is { } defect)
            throw new InvalidOperationException($"a worker failed: {defect.Message}", defect);
    }

    private void Report(ProviderCollector collector, ProviderFiles files, ProviderCrew crew, bool ended)
    {
        (ProviderInterval overall, IReadOnlyList<ProviderInterval> threads) = collector.Collect(ended);
        files.WriteInterval(overall, threads);
        if (options.Run.NoDisplayStats)
            return;
        foreach (ProviderInterval interval in threads)
            host.Console.Write(writer => ProviderConsole.Write(writer, interval));
    }

    private void PrintSizes(MessageData messages) => host.Console.Write(writer => MessageSize.WriteBlock(writer, messages.ProviderSizes()));

    private void PrintNotices(ProviderCrew crew)
    {
        for (int i = 0; i < crew.Workers.Count; i++)
        {
            string prefix = crew.Workers.Count > 1 ? string.Create(CultureInfo.InvariantCulture, $"Thread {i + 1}: ") : "";
            while (crew.Workers[i].Notices.TryTake(out string notice))
                host.Console.WriteLine(prefix + notice);
        }
    }
}
