using PerfCommon.Benchmarks.Runs;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary><c>ladder [direct|transport]</c>: measures the limits of this machine, then the figures of the tools, in one table.</summary>
internal static class LadderProgram
{
    private static readonly string[] Parts = ["direct", "transport"];

    public static int Run(string[] args, TextWriter output, TextWriter error)
    {
        string? part = args is [var first, ..] && Parts.Contains(first) ? first : null;
        return ToolProgram.Run("ladder", () => LadderOptions.CreateTable(), part is null ? args : args[1..], output, error,
            (options, host) => Climb(options with { Part = part }, host, error));
    }

    private static RunOutcome Climb(LadderOptions options, RunHost host, TextWriter progress)
    {
        CancellationToken stop = host.Signals.StopRequested;
        LadderTable table = new();
        try
        {
            if (options.Micro is { } folder)
                table.AddRange(MicroResults.Read(folder));
            MachineLimits limits = MachineLimits.Measure(Samples.MessageBytes, options.EffectiveSeconds, stop);
            table.AddRange(limits.Describe());
            using RunPool runs = new(options.EffectiveSeconds, options.FromSecond, progress.WriteLine, stop);
            List<LadderStep> steps = [];
            if (options.Part is null or "direct")
                steps.AddRange(new DirectLadder(runs, limits, options.Quick).Steps);
            if (options.Part is null or "transport")
                steps.AddRange(new TransportLadder(runs, limits, options.Quick).Steps);
            foreach (LadderStep step in steps.Where(s => s.What.Contains(options.Row ?? "", StringComparison.Ordinal)))
                table.Add(step.Measure(step.What));
        }
        catch (OperationCanceledException)
        {
            // the results so far are printed; the signal decides the exit code
        }

        host.Console.Write(table.Write);
        return RunOutcome.Success;
    }
}
