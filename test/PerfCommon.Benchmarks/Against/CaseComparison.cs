using PerfCommon.Benchmarks.Runs;
using PerfTools.Hosting.Running;
using PerfTools.Verbs;

namespace PerfCommon.Benchmarks.Against;

/// <summary>Runs all pairs of one case, and prints their table; a signal ends it with the completed pairs.</summary>
internal sealed class CaseComparison(AgainstCase what, AgainstOptions options, RunHost host, AgainstCsv? csv)
{
    private readonly CaseRun _run = new(what, options, host.Signals.StopRequested);
    private readonly List<BuildPair> _pairs = [];

    /// <returns>True when at least one pair counts.</returns>
    public bool Run(BuildFolder reference, BuildFolder candidate)
    {
        host.Console.Write(writer => AgainstReport.WriteCase(writer, what, _run.Rate));
        try
        {
            while (_pairs.Count < options.Pairs)
                Add(RunPair(_pairs.Count, reference, candidate));
        }
        catch (OperationCanceledException)
        {
            // the results so far are printed; the signal decides the exit code
        }

        host.Console.Write(writer => AgainstReport.WriteTable(writer, what, _pairs));
        return host.Signals.Code is not null || _pairs.Exists(p => p.Fault is null);
    }

    private BuildPair RunPair(int number, BuildFolder reference, BuildFolder candidate)
    {
        Dictionary<ComparedBuild, BuildRun> runs = [];
        foreach (ComparedBuild build in PairOrder.Of(number))
            runs[build] = _run.Run(build == ComparedBuild.Reference ? reference : candidate);
        return new BuildPair(number, _run.Rate, runs[ComparedBuild.Reference], runs[ComparedBuild.Candidate]);
    }

    private void Add(BuildPair pair)
    {
        _pairs.Add(pair);
        csv?.Write(what, pair);
        host.Console.Write(writer => AgainstReport.WritePair(writer, what, pair));
    }
}
