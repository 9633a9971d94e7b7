using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;

namespace PerfTools.Ranks;

/// <summary>The results of the ranks of a run: each leaves its own, rank 0 collects them and names those that left none.</summary>
/// <param name="meeting">The rendezvous.</param>
/// <param name="watch">The waits of this rank.</param>
internal sealed class RankParts(Rendezvous meeting, RankWatch watch)
{
    private readonly Dictionary<int, RunDocument> _parts = [];

    /// <summary>Leaves the results of this rank for rank 0.</summary>
    /// <param name="part">The results.</param>
    /// <param name="files">The files of its roles.</param>
    /// <returns>Why they could not be left; null when they were.</returns>
    public string? Publish(RunDocument part, IEnumerable<string> files)
    {
        string? problem = WholeFile.TryWrite(meeting.ResultPathOf(meeting.Own.Rank), writer => writer.Write(RunFile.CreateText(part)))
            ?? meeting.Deliver(files);
        meeting.PublishDone();
        return problem;
    }

    /// <summary>Waits, on rank 0, for the results of the others, as long as they can still come.</summary>
    public void Collect()
    {
        watch.WaitForDone(meeting.There.Keys, CancellationToken.None);
        foreach (int rank in watch.Others.Where(rank => File.Exists(meeting.ResultPathOf(rank))))
        {
            try
            {
                _parts[rank] = RunFile.Read(meeting.ResultPathOf(rank));
            }
            catch (SetupException)
            {
                // as if it had left none
            }
        }
    }

    /// <summary>The ranks that left results without a failure.</summary>
    public IEnumerable<int> Good => _parts.Where(part => part.Value.Reason is null).Select(part => part.Key);

    /// <summary>The result of a role of another rank; null where that left none.</summary>
    public RoleResult? ResultOf(string role) => _parts.Values.SelectMany(part => part.Roles).FirstOrDefault(result => result.Name == role);

    /// <summary>Describes this rank, or on rank 0 all that were present.</summary>
    /// <param name="foreignPercent">The CPU use of other programs on this machine.</param>
    public IReadOnlyList<RankDescription> Describe(double? foreignPercent)
    {
        RankDescription own = meeting.Own with { StepForeignPercent = [foreignPercent] };
        return own.Rank > 0 ? [own]
            : [own, .. watch.Others.Select(rank =>
                _parts.GetValueOrDefault(rank)?.Ranks is [var part, ..] ? part : meeting.There.GetValueOrDefault(rank)).OfType<RankDescription>()];
    }

    /// <summary>The wall clock of this rank, or on rank 0 those of all that left results.</summary>
    /// <param name="own">The clock of this rank.</param>
    public IReadOnlyList<RankClock> DescribeClocks(RankClock own) => meeting.Own.Rank > 0 ? [own]
        : [own, .. watch.Others.Select(rank => _parts.GetValueOrDefault(rank)?.Clocks is [var clock, ..] ? clock : null).OfType<RankClock>()];

    /// <summary>The failure of the run: this rank's, or that of another, and the ranks that left no results.</summary>
    public RunFailure? Judge(RunFailure? own)
    {
        RunFailure? failure = own ?? _parts.Where(part => part.Value.Reason is not null).Select(part =>
            new RunFailure(Rendezvous.CodeOf((ExitCode)part.Value.ExitCode),
                FormattableString.Invariant($"rank {part.Key}: {PrintableText.From(part.Value.Reason!)}"))).FirstOrDefault();
        int[] missing = [.. meeting.Own.Rank == 0 ? watch.Others.Except(_parts.Keys) : []];
        if (missing.Length == 0)
            return failure;
        string left = Rendezvous.DescribeRanks(missing, FormattableString.Invariant($"of {meeting.Own.Ranks} left no results"));
        return failure is null ? new(ExitCode.Incomplete, left) : failure with { Reason = $"{failure.Reason}; {left}" };
    }
}
