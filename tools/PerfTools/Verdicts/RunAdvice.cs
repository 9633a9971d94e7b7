using System.Text.Json;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;

namespace PerfTools.Verdicts;

/// <summary>Advises what to do after a run that was not OK, or that the machine disturbed.</summary>
internal static class RunAdvice
{
    private const double BusyForeignPercent = 100 * MachineDescription.MaxForeignShare;
    private const double WholeCorePercent = 95;

    /// <summary>Creates the advice in one sentence; null where there is none.</summary>
    /// <param name="run">The run.</param>
    /// <param name="isSearchable">True where <c>perftools search</c> has the scenario.</param>
    public static string? Find(RunDocument run, bool isSearchable) => run switch
    {
        { Verdict: RunVerdict.Interrupted } => "Run it again to its end: an interrupted run has part of its figures.",
        { Verdict: RunVerdict.Failed } => FindOfFailure(run),
        _ when run.Links.Any(link => link.Balanced == false) =>
            "Compare the counts of both roles under Messages: what was sent did not all arrive, or more arrived.",
        { Machine.ForeignPercent: >= BusyForeignPercent } => "Stop the other programs, or use another machine, and run it again.",
        { Verdict: RunVerdict.Missed } => $"See in the charts when it was missed{(isSearchable ? Search(run) : "")}.",
        { Verdict: RunVerdict.Slow, Steps: not null } => "See the first step with a fault in the table of steps; those before it are valid.",
        { Verdict: RunVerdict.Slow } when isSearchable => FindOfSlow(run) + Search(run) + ".",
        { Verdict: RunVerdict.Slow } => "See the table of losses and the charts.",
        { Machine.LoadBeforePercent: >= BusyForeignPercent } => "The machine was busy before the start: run it again to be sure of the latencies.",
        _ => null,
    };

    private static string FindOfFailure(RunDocument run) => (ExitCode)run.ExitCode switch
    {
        ExitCode.CommandLine => "Correct the option that the reason names; -help lists all.",
        ExitCode.InputFile => "Correct the input file that the reason names.",
        ExitCode.OutputFile => "Free space, or choose another folder by --out.",
        _ when run.Roles.FirstOrDefault(role => role is { ExitCode: > 0 and not (int)ExitCode.Terminated, Files: not null }) is { } failed =>
            $"Read {failed.Files!.Log}: the {failed.Name} ended with exit code {failed.ExitCode}.",
        _ when run.Roles.FirstOrDefault(role => role.Files is not null) is { } first => $"Read {first.Files!.Log} and the logs of the other roles.",
        _ => "See the output of the external programs.",
    };

    private static string FindOfSlow(RunDocument run) =>
        run.Roles.FirstOrDefault(role => role.CpuCorePercent >= WholeCorePercent * ThreadsOf(run)) is { } busy
        ? $"The {busy.Name} used whole cores: raise --threads or lower --rate"
        : run.Links.Any(link => link.NotSent > 0)
        ? "Raise -outputBufs of the sender where its bursts are larger, else lower --rate" : "Lower --rate";

    private static string Search(RunDocument run) => $"; perftools search {run.Scenario} finds the greatest rate that keeps its thresholds";

    private static double ThreadsOf(RunDocument run) =>
        run.Inputs.TryGetValue("threads", out JsonElement threads) && threads.ValueKind == JsonValueKind.Number ? threads.GetDouble() : 1;
}
