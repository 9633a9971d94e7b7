using PerfCommon.Benchmarks.Runs;
using PerfTools.Hosting.Reporting;
using PerfTools.Verbs;

namespace PerfCommon.Benchmarks.Against;

/// <summary>Writes a row for each run, as soon as its pair is complete.</summary>
internal sealed class AgainstCsv : IDisposable
{
    private readonly StreamWriter _writer;

    /// <exception cref="SetupException">The file cannot be created.</exception>
    public AgainstCsv(string path)
    {
        try
        {
            _writer = new(path);
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            throw new SetupException(SetupProblem.OutputFile, $"{path}: cannot be written: {cause.Message}", cause);
        }

        _writer.Line($"case,rate,pair,build,counts,fault,received per s,server ns,client ns,both ns,p50 us,p99 us,not sent,foreign share");
    }

    public void Write(AgainstCase what, BuildPair pair)
    {
        foreach (ComparedBuild build in PairOrder.Of(pair.Number))
            Write(what, pair, build);
        _writer.Flush();
    }

    public void Dispose() => _writer.Dispose();

    private void Write(AgainstCase what, BuildPair pair, ComparedBuild build)
    {
        BuildRun run = pair[build];
        string fault = run.FindFault(pair.RateAsked)?.Replace('"', '\'') ?? "";
        FormattableString head = $"{what.Name},{pair.RateAsked:F0},{pair.Number + 1},{build.Letter()},{pair.Fault is null},\"{fault}\"";
        IEnumerable<string> figures = ComparedFigure.AllOf(what).Select(f => FormattableString.Invariant($"{f.Of(run):F2}"));
        FormattableString tail = $"{run.Client?.Rate:F0},{string.Join(',', figures)},{run.Server?.NotSent},{run.ForeignShare:F3}";
        _writer.Line($"{FormattableString.Invariant(head)},{FormattableString.Invariant(tail)}");
    }
}
