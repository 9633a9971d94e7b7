using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfCommon.Benchmarks.Against;

/// <summary><c>--against folder</c>: measures the cost of a message in two builds, in interleaved pairs of runs at a fixed rate.</summary>
internal static class AgainstProgram
{
    public const string Option = "--against";

    public static int Run(string[] args, TextWriter output, TextWriter error) =>
        ToolProgram.Run("against", () => AgainstOptions.CreateTable(), args, output, error, Compare);

    private static RunOutcome Compare(AgainstOptions options, RunHost host)
    {
        BuildFolder reference = new(options.Reference);
        BuildFolder candidate = options.Candidate is { } folder ? new(folder) : BuildFolder.Own;
        foreach (AgainstRole role in options.Cases.SelectMany(c => new[] { c.Server, c.Client }))
            _ = (reference.Find(role.Program), candidate.Find(role.Program)); // now rather than after ten minutes
        using AgainstCsv? csv = options.Out is { } path ? new(path) : null;
        host.Console.Write(writer => AgainstReport.WriteHead(writer, options, reference, candidate));
        bool isComplete = true;
        foreach (AgainstCase what in options.Cases.TakeWhile(_ => host.Signals.Code is null))
            isComplete &= new CaseComparison(what, options, host, csv).Run(reference, candidate);
        return isComplete ? RunOutcome.Success : new RunOutcome(ExitCode.Incomplete, "a case has no pair that counts");
    }
}
