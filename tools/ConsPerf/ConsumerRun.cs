using System.Globalization;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>One run from the block of inputs to the summary. The main thread: collects, prints, writes files, decides the end.</summary>
internal sealed class ConsumerRun(ConsPerfOptions options, RunHost host)
{
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(50);

    private readonly List<string> _notes = [];
    private bool _warnedOfClocks;

    /// <summary>Runs to the end.</summary>
    /// <returns>How it ended.</returns>
    /// <exception cref="SetupException">It could not start.</exception>
    public RunOutcome Run()
    {
        IReadOnlyList<(string Label, string Value)> inputs = ConsPerfOptionTable.Instance.DescribeInputs(options);
        host.Console.Write(writer => InputBlock.Write(writer, InputBlock.WideLabels, inputs));
        PrintNotes();
        if (ThreadBinding.FindProblem(options.Run.Threads) is { } problem)
            throw new SetupException(SetupProblem.CommandLine, problem);
        using ConsumerCrew crew = new(options); // inputs first: a mistake in them leaves the results of the last run alone
        using ConsumerFiles files = new(options);
        files.WriteInputs(inputs);
        return Run(files, crew);
    }

    private RunOutcome Run(ConsumerFiles files, ConsumerCrew crew)
    {
        long start = Clock.NowNanos;
        using ConsumerCollector collector = new(options, crew, start);
        host.Console.WriteLine($"Starting connections: {options.Run.Threads.Count.ToString(CultureInfo.InvariantCulture)}");
        crew.Start(options.Run.Threads.Processors);
        ConsumerVerdict verdict = new(options, crew, start, host.Signals);
        long interval = options.Run.WriteStatsInterval * Clock.NanosPerSecond;
        long nextCollection = start + interval;
        RunOutcome? outcome;
        while ((outcome = verdict.FindEnd(Clock.NowNanos)) is null)
        {
            Pause(verdict, nextCollection);
            PrintNotices(crew);
            if (Clock.NowNanos < nextCollection)
                continue;
            Report(collector, files, crew, ended: false);
            nextCollection += interval;
        }

        bool joined = crew.End();
        PrintNotices(crew);
        if (!joined)
            throw new InvalidOperationException("a worker thread did not end");
        Report(collector, files, crew, ended: true);
        outcome = verdict.Complete(outcome, files.Failure);
        host.Console.WriteLine(outcome.Reason);
        ConsumerSummary summary = collector.Summarize(outcome, _notes);
        host.Console.Write(writer => ConsumerSummaryText.Write(writer, summary));
        files.WriteSummary(summary);
        return verdict.Complete(outcome, files.Failure);
    }

    private void Pause(ConsumerVerdict verdict, long nextCollection)
    {
        long now = Clock.NowNanos;
        long until = Math.Min(nextCollection, verdict.EndNanos ?? long.MaxValue);
        TimeSpan pause = TimeSpan.FromTicks(Math.Max(0, (until - now) / TimeSpan.NanosecondsPerTick));
        host.Signals.StopRequested.WaitHandle.WaitOne(pause < LongestPause ? pause : LongestPause);
    }

    private void Report(ConsumerCollector collector, ConsumerFiles files, ConsumerCrew crew, bool ended)
    {
        (ConsumerInterval overall, IReadOnlyList<ConsumerInterval> threads) = collector.Collect(ended);
        for (int i = 0; i < threads.Count; i++)
        {
            if (crew.Workers[i].LatencyRecords is { } records)
                files.WriteLatencies(i, records, crew.Workers[i].UpdateLatency.Unit);
        }

        files.WriteInterval(overall, threads);
        WarnOfClocks(overall);
        if (options.Run.NoDisplayStats)
            return;
        foreach (ConsumerInterval interval in threads)
            host.Console.Write(writer => ConsumerConsole.Write(writer, interval));
        if (threads.Count > 1 && overall.Images is { } images)
            host.Console.Write(writer => ConsumerConsole.WriteOverallImages(writer, images));
    }

    private void WarnOfClocks(ConsumerInterval overall)
    {
        if (_warnedOfClocks || overall.UpdateLatency.NegativeCount == 0)
            return;
        _warnedOfClocks = true;
        host.Console.WriteLine("Warning: negative latencies: the clocks of provider and consumer differ.");
    }

    private void PrintNotes()
    {
        foreach (string note in options.FindNotes())
            host.Console.WriteLine(note);
        if (options.Connection.UsesTls && options.Connection.Tls.SkipCertificateCheck)
            _notes.Add("Server certificates were not checked (-insecureSkipCertCheck).");
    }

    private void PrintNotices(ConsumerCrew crew)
    {
        for (int i = 0; i < crew.Workers.Count; i++)
        {
            string prefix = crew.Workers.Count > 1 ? string.Create(CultureInfo.InvariantCulture, $"Client {i + 1}: ") : "";
            while (crew.Workers[i].Notices.TryTake(out string notice))
                host.Console.WriteLine(prefix + notice);
        }
    }
}
