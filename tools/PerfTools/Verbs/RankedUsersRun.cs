using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Verdicts;

namespace PerfTools.Verbs;

/// <summary>Carries out one rank of a run of the users suite over several machines: its part of each ramp; rank 0 merges all parts.</summary>
internal sealed class RankedUsersRun
{
    private readonly UsersSuite _suite;
    private readonly UsersOptions _options;
    private readonly RankIdentity _rank;
    private readonly RankPlacement _place;
    private readonly RunHost _host;

    /// <exception cref="SetupException">The placement of the roles is invalid (exit code 2).</exception>
    public RankedUsersRun(UsersSuite suite, UsersOptions options, RankIdentity rank, RunHost host)
    {
        (_suite, _options, _rank, _host) = (suite, options, rank, host);
        _place = options.Ranks.Place ?? UsersPlace.Usual(rank.Count).Without(options.External.Keys);
        if (_place.FindProblem(rank.Count, options.External.Keys) is { } problem)
            throw new SetupException(SetupProblem.CommandLine, problem);
    }

    private bool IsFirst => _rank.Rank == 0;

    // The folder of this rank is its alone.
    private bool SharesNothing => _options.Ranks.Meet is not null;

    /// <summary>Carries out the part of this rank in every ramp.</summary>
    /// <param name="all">Receives the ramps, on rank 0 alone.</param>
    public RunOutcome Run(List<FinishedRun[]> all)
    {
        _host.Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"rank {_rank.Rank} of {_rank.Count} by {_rank.Source}, run {_rank.RunId}: "
                + $"{string.Join(", ", _place.RolesOf(_rank.Rank).DefaultIfEmpty("no role"))}"));
        if (ListenPlace.FindInterface(_options.Ranks.Address) is null && ListenPlace.Describe(_options.External.Keys, _rank.Count) is { } open)
            _host.Console.WriteLine(open);
        if (_options.Arguments.WarnOfSecrets(_options.Ranks.OpenSecrets) is { } secrets)
            _host.Console.WriteLine(secrets);
        RunFolder suite = RunFolder.Open(_options.Out, _suite.Name, DateTime.UtcNow, IsFirst || SharesNothing ? UsersFiles.OfSuite : []);
        RampRepeats repeats = new(suite, _options.Repeat, _host) { IsFirst = IsFirst, IsLast = HasFailed };
        string? unwritten = null;
        int begun = 0;
        UsersVariant[] variants = [.. UsersFiles.Plan(_suite.Loads, _options, _place.Users().Count)];
        foreach (UsersVariant variant in variants)
        {
            if (_host.Signals.StopRequested.IsCancellationRequested || repeats.All.Any(HasFailed))
                break; // the others have ended too
            int before = begun;
            repeats.Run($"{variant.Load.Name}-{variant.Name}",
                place => Run(variant, new(++begun, variants.Length * _options.Repeat), suite, place, ref unwritten));
            if (IsFirst)
                all.Add([.. repeats.All.Skip(before).Select(one => UsersFiles.Finish(suite, one))]);
        }

        return IsFirst ? UsersFiles.WriteSuite(suite, _suite.Name, repeats.Medians, unwritten, _host, repeats.All)
            : UsersFiles.OutcomeOf(repeats.All).WithUnwritten(unwritten);
    }

    private static bool HasFailed(FinishedVariant one) => one.Document.Verdict is RunVerdict.Failed or RunVerdict.Interrupted;

    private FinishedVariant Run(UsersVariant variant, RunNumber number, RunFolder suite, string name, ref string? unwritten)
    {
        RunFolder ramp = RunFolder.Open(suite.PathOf(name), name, DateTime.UtcNow, IsFirst || SharesNothing ? UsersFiles.OfRamp : []);
        if (IsFirst && SharesNothing)
            PrepareOthers(ramp);
        RampShare share = RampShare.Of(variant.Parameters, _place, _rank.Rank);
        using RankStore store = RankStore.Open(_options.Ranks, _rank, number, ramp, (files, rank) => Serve(files, rank, ramp), _host.Signals.StopRequested);
        Rendezvous meeting = Rendezvous.Join(store.Files, _rank.RunId,
            ThisRank.Describe(_rank.Rank, _rank.Count, share.Roles, _options.Ranks.Address));
        UsersFiles.Introduce(variant, _options, share, name, _host);
        RunFolder own = OpenOwn(ramp, _rank.Rank);
        using RampRanks ranks = new(meeting, _place, _options.Ranks);
        UsersRun run = new(variant, _options, share, own) { Ranks = ranks };
        RunDocument document = run.Run(StopRequest.By(_host.Signals), _host.Console.WriteLine);
        unwritten ??= UsersFiles.TryWriteRank(own, document) ?? TrySend(meeting, own, document);
        meeting.PublishDone();
        if (!IsFirst)
        {
            UsersFiles.ShowEnd(document, _host);
            return new(variant, name, document);
        }

        ranks.WaitForOthers(_host.Signals.StopRequested);
        if (store.DescribeRefused() is { } refused)
            _host.Console.WriteLine(refused);
        return Merge(variant, name, ramp, ref unwritten);
    }

    // Results of an earlier run are not those of a rank that brings none.
    private void PrepareOthers(RunFolder ramp)
    {
        for (int rank = 1; rank < _rank.Count; rank++)
            OpenOwn(ramp, rank);
    }

    // A rank may send any file: its folder has no others.
    private PortService Serve(FolderStore files, int rank, RunFolder ramp) =>
        new(files, Rendezvous.NamesOf(rank, [.. _place.RolesOf(rank)], []), ramp.PathOf(FolderOf(rank)), rank, static _ => true);

    private string? TrySend(Rendezvous meeting, RunFolder own, RunDocument document) => IsFirst || !SharesNothing ? null
        : WholeFile.TryWrite(meeting.ResultPathOf(_rank.Rank), writer => writer.Write(RunFile.CreateText(document)))
            ?? meeting.Deliver(Directory.EnumerateFiles(own.FullPath));

    // Merges the parts that exist: a rank without results is named.
    private FinishedVariant Merge(UsersVariant variant, string name, RunFolder ramp, ref string? unwritten)
    {
        RampMerge merged =
            RampMerge.Read(
                [.. Enumerable.Range(0,
                    _rank.Count).Select(rank => ramp.PathOf(FolderOf(rank))).Where(folder => RampPart.IsOf(folder, _rank.RunId))]);
        RunDocument document = RunAssertions.Judge(merged.CreateDocument(ramp), _options.Thresholds);
        unwritten ??= UsersFiles.TryWriteRamp(ramp, document, merged.Result.Steps) ?? merged.TryWriteHistograms(ramp);
        foreach (StepRow step in merged.Result.Steps)
            _host.Console.WriteLine(step.Describe());
        UsersFiles.ShowEnd(document, _host);
        return new(variant, name, document);
    }

    private static RunFolder OpenOwn(RunFolder ramp, int rank) =>
        RunFolder.Open(ramp.PathOf(FolderOf(rank)), "", DateTime.UtcNow, UsersFiles.OfRamp);

    private static string FolderOf(int rank) => string.Create(CultureInfo.InvariantCulture, $"rank-{rank}");
}
