using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;

namespace PerfTools.Ranks;

/// <summary>
/// The rendezvous of the ranks of one run: small files, in a folder that all of them can see or at the port of rank 0, say who is present, where
/// roles listen, when the run begins, who is done.
/// </summary>
/// <remarks>
/// Each file is written by one rank, whole; no rank changes or deletes another's. One thread.
/// <code>
/// rank-r.json   it is present: host, address, roles, versions      ready-r   what it serves is ready: sources connected, images in the cache
/// role.json     address and ports of a role that listens           left-r    its users have left
/// start.json    UTC time of the first log-in, by rank 0            done-r    all of its roles have ended, its results are written
/// over-r        a step of its users ended the ramp of all          stop-r    it failed, and why: all ranks end in order
/// clock-r       the identity of its clock                          ended-role  a role has ended, its files are whole
/// asks-r        it asks for the time of rank 0                     told-r    the time, by rank 0
/// wall-r        how far its wall clock is from that of rank 0      tools-r   the editions of the programs of its roles
/// alive-r       a number that rises while it runs                  may-role  what a role of another rank waits for is ready
/// next.json     whether a further run begins, by rank 0            heard-r   it has read that
/// </code>
/// </remarks>
internal sealed class Rendezvous
{
    private const string StartName = "start.json";
    private const string NextName = "next.json";
    private const string Heard = "heard";
    private const string Asks = "asks";
    private const string Told = "told";
    private const string Wall = "wall";
    private const string Tools = "tools";
    private const string Ready = "ready";
    private const string Alive = "alive";
    private const string Clock = "clock";
    private const string Left = "left";
    private const string Done = "done";
    private const string Ended = "ended";
    private const string Over = "over";
    private const string Stop = "stop";
    private const string May = "may";
    private const double AllowedClockSeconds = 2;

    private readonly IRendezvousStore _store;
    private readonly Dictionary<int, RankDescription> _there = [];

    private Rendezvous(IRendezvousStore store, string runId, RankDescription own) => (_store, RunId, Own) = (store, runId, own);

    private static RendezvousJson Json => RendezvousJson.Default;

    /// <summary>The name of the run on all ranks.</summary>
    public string RunId { get; }

    /// <summary>The description of this rank.</summary>
    public RankDescription Own { get; }

    /// <summary>The ranks seen so far, by their numbers.</summary>
    public IReadOnlyDictionary<int, RankDescription> There => _there;

    /// <summary>Announces this rank in the folder of a ramp.</summary>
    /// <param name="folder">The ramp's folder, shared by all.</param>
    /// <param name="runId">The name of the run on all ranks.</param>
    /// <param name="own">This rank.</param>
    /// <exception cref="SetupException">Another process has this rank (exit code 4), or the folder cannot be written (7).</exception>
    public static Rendezvous Join(string folder, string runId, RankDescription own) => Join(new FolderStore(FolderOf(folder, runId)), runId, own);

    /// <summary>Announces this rank.</summary>
    /// <param name="store">The files of the rendezvous.</param>
    /// <param name="runId">The name of the run on all ranks.</param>
    /// <param name="own">This rank.</param>
    /// <exception cref="SetupException">Another process has this rank (exit code 4), or the files cannot be written (7).</exception>
    public static Rendezvous Join(IRendezvousStore store, string runId, RankDescription own)
    {
        string name = NameOf(own.Rank);
        return store.TryAdd(name, JsonSerializer.Serialize(own, Json.RankDescription)) ? new(store, runId, own)
            : throw new SetupException(SetupProblem.NotStarted, Invariant($"rank {own.Rank} is there already ({PrintableText.From(store.PathOf(name))}): ")
                + "two processes have one rank, or an earlier run this --run-id");
    }

    /// <summary>The folder of the files in that of a run.</summary>
    public static string FolderOf(string folder, string runId) => Path.Combine(folder, "meet-" + runId);

    /// <summary>The names of the files that a rank with some roles may write.</summary>
    /// <param name="rank">The rank.</param>
    /// <param name="roles">Its roles.</param>
    /// <param name="all">All roles of the run.</param>
    public static IReadOnlySet<string> NamesOf(int rank, IReadOnlyList<string> roles, IEnumerable<string> all) => new HashSet<string>(
    [
        NameOf(rank), .. ((string[])[Ready, Alive, Clock, Left, Over, Done, Stop, Heard, Asks, Wall, Tools]).Select(word => $"{word}-{Rank(rank)}"),
        .. roles.SelectMany(role => (string[])[$"{role}.json", $"{ClockOf(role)}.json", $"{Ended}-{role}"]), .. all.Select(role => $"{May}-{role}"),
    ]);

    /// <summary>The name of the address at which the clock of a role that stamps answers.</summary>
    public static string ClockOf(string role) => $"{Clock}-of-{role}";

    /// <summary>The name of the file with the results of a rank.</summary>
    public static string ResultNameOf(int rank) => $"result-{Rank(rank)}.json";

    /// <summary>True when all ranks are present.</summary>
    public bool AreAllThere()
    {
        for (int rank = 0; rank < Own.Ranks; rank++)
        {
            if (!_there.ContainsKey(rank) && TryRead(NameOf(rank), Json.RankDescription) is { } description && description.Rank == rank)
                _there.Add(rank, description);
        }

        return _there.Count == Own.Ranks;
    }

    /// <summary>Names the ranks that are absent, as a sentence.</summary>
    public string DescribeAbsent() => DescribeRanks(Enumerable.Range(0, Own.Ranks).Except(_there.Keys), "did not come");

    /// <summary>Names the ranks whose tools have another version than this rank's, as a sentence; null for none.</summary>
    public string? FindOtherVersion() =>
        _there.Values.FirstOrDefault(other => (other.ToolsVersion, other.Commit) != (Own.ToolsVersion, Own.Commit)) is { } odd
        ? Invariant($"rank {odd.Rank} ({PrintableText.From(odd.Host)}) has version {VersionOf(odd)}, rank {Own.Rank} {VersionOf(Own)}: all must have the same")
        : null;

    /// <summary>Names the ranks whose clock differs from that of rank 0, by the times of their files, as a sentence; null for none.</summary>
    public string? FindClockApart()
    {
        (int Rank, double Seconds)[] offsets =
            [.. _there.Values.Select(other => (other.Rank, (other.Utc - File.GetLastWriteTimeUtc(_store.PathOf(NameOf(other.Rank)))).TotalSeconds))];
        double first = offsets.FirstOrDefault(offset => offset.Rank == 0).Seconds;
        (int Rank, double Seconds) worst = offsets.MaxBy(offset => Math.Abs(offset.Seconds - first));
        return Math.Abs(worst.Seconds - first) > AllowedClockSeconds
            ? Invariant($"Warning: the clock of rank {worst.Rank} is {Math.Abs(worst.Seconds - first):F1} s from that of rank 0; ")
                + "figures of the hub and of the sources are taken from other times than those of users." : null;
    }

    /// <summary>The folder of the files.</summary>
    public string Folder => _store.Folder;

    /// <inheritdoc cref="IRendezvousStore.Show"/>
    public long? Show(string name, long from, string lines) => _store.Show(name, from, lines);

    /// <summary>The file with the results of a rank, for rank 0.</summary>
    public string ResultPathOf(int rank) => Path.Combine(Folder, ResultNameOf(rank));

    /// <summary>The key of the clock, as rank 0 has drawn it; null until then.</summary>
    public string? FindKey() => _store.Read(RankKey.Name);

    /// <summary>Brings files of this rank to rank 0, those of its results last.</summary>
    /// <returns>Why they could not be brought; null when they were.</returns>
    public string? Deliver(IEnumerable<string> paths) => _store.Deliver([.. paths, ResultPathOf(Own.Rank)]);

    /// <summary>Announces that a role of another rank may start: what it waits for is ready here.</summary>
    public void PublishMayStart(string role) => Place($"{May}-{role}", Own.Utc, Json.DateTime);

    public bool MayStart(string role) => _store.Has($"{May}-{role}");

    /// <summary>Announces the address of a role; called by its rank.</summary>
    public void PublishPlace(string role, RolePlace place) => Place($"{role}.json", place, Json.RolePlace);

    /// <summary>The address of a role; null until it is announced.</summary>
    public RolePlace? FindPlace(string role) => TryRead($"{role}.json", Json.RolePlace);

    /// <summary>Announces the identity of this rank's clock.</summary>
    public void PublishClock(string identity) => Place($"{Clock}-{Rank(Own.Rank)}", identity, Json.String);

    /// <summary>The identity of a rank's clock; null until it is announced.</summary>
    public string? FindClock(int rank) => TryRead($"{Clock}-{Rank(rank)}", Json.String);

    /// <summary>Announces that a role has ended.</summary>
    public void PublishEnded(string role) => Place($"{Ended}-{role}", Own.Utc, Json.DateTime);

    public bool HaveEnded(IEnumerable<string> roles) => roles.All(role => _store.Has($"{Ended}-{role}"));

    /// <summary>Announces the start; called by rank 0.</summary>
    public void PublishStart(RendezvousStart start) => Place(StartName, start, Json.RendezvousStart);

    /// <summary>The start; null until it is announced.</summary>
    public RendezvousStart? FindStart() => TryRead(StartName, Json.RendezvousStart);

    public void PublishReady() => Place($"{Ready}-{Rank(Own.Rank)}", Own.Utc, Json.DateTime);

    public bool AreReady(IEnumerable<int> ranks) => FindMissing(Ready, ranks).Length == 0;

    public void PublishLeft() => Place($"{Left}-{Rank(Own.Rank)}", Own.Utc, Json.DateTime);

    public bool HaveLeft(IEnumerable<int> ranks) => FindMissing(Left, ranks).Length == 0;

    public void PublishOver() => Place($"{Over}-{Rank(Own.Rank)}", Own.Utc, Json.DateTime);

    /// <summary>True when a step of any rank has ended the ramp.</summary>
    public bool IsOver() => Enumerable.Range(0, Own.Ranks).Any(rank => _store.Has($"{Over}-{Rank(rank)}"));

    /// <summary>Shows that this rank runs, by another number than before. Any thread.</summary>
    public void PublishBeat(long number) => Place($"{Alive}-{Rank(Own.Rank)}", number.ToString(CultureInfo.InvariantCulture), Json.String);

    /// <summary>The last number of a rank; null before the first.</summary>
    public long? FindBeat(int rank) =>
        long.TryParse(TryRead($"{Alive}-{Rank(rank)}", Json.String), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;

    public void PublishDone() => Place($"{Done}-{Rank(Own.Rank)}", Own.Utc, Json.DateTime);

    public bool AreDone(IEnumerable<int> ranks) => FindMissing(Done, ranks).Length == 0;

    /// <summary>How far the wall clock of this rank is from that of rank 0, as the store shows it; null where it does not.</summary>
    public WallClockReading? FindClockReading() => _store.Clock;

    /// <summary>Asks rank 0 for its time.</summary>
    /// <param name="number">The number of the question, from 1.</param>
    public void PublishQuestion(int number) => Place($"{Asks}-{Rank(Own.Rank)}", Rank(number), Json.String);

    /// <summary>The number of the last question of a rank; null before the first.</summary>
    public int? FindQuestion(int rank) =>
        int.TryParse(TryRead($"{Asks}-{Rank(rank)}", Json.String), NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : null;

    /// <summary>Answers, on rank 0, a question of a rank.</summary>
    public void PublishTime(int rank, RendezvousTime time) => Place($"{Told}-{Rank(rank)}", time, Json.RendezvousTime);

    /// <summary>The last answer to this rank; null before the first.</summary>
    public RendezvousTime? FindTime() => TryRead($"{Told}-{Rank(Own.Rank)}", Json.RendezvousTime);

    /// <summary>Announces the wall clock of this rank.</summary>
    public void PublishWallClock(RankClock clock) => Place($"{Wall}-{Rank(Own.Rank)}", clock, Json.RankClock);

    /// <summary>The wall clock of a rank; null before it is announced.</summary>
    public RankClock? FindWallClock(int rank) => TryRead($"{Wall}-{Rank(rank)}", Json.RankClock);

    /// <summary>Announces the words of the editions of the programs that <c>--tool</c> names for roles of this rank, by role.</summary>
    public void PublishTools(Dictionary<string, string> words) => Place($"{Tools}-{Rank(Own.Rank)}", words, Json.DictionaryStringString);

    /// <summary>The editions of the programs of a rank, by role; null before they are announced.</summary>
    public Dictionary<string, string>? FindTools(int rank) => TryRead($"{Tools}-{Rank(rank)}", Json.DictionaryStringString);

    /// <summary>Announces, on rank 0, whether the ranks begin the run after this one.</summary>
    /// <param name="failure">Why they do not; null when they do.</param>
    public void PublishNext(RunFailure? failure) => Place(NextName, new RendezvousNext(failure), Json.RendezvousNext);

    /// <summary>What rank 0 has announced about the run after this one; null before that.</summary>
    public RendezvousNext? FindNext() => TryRead(NextName, Json.RendezvousNext);

    /// <summary>Announces that this rank knows whether the run after this one begins.</summary>
    public void PublishHeard() => Place($"{Heard}-{Rank(Own.Rank)}", Own.Utc, Json.DateTime);

    public bool HaveHeard(IEnumerable<int> ranks) => FindMissing(Heard, ranks).Length == 0;

    /// <summary>Names those of some ranks that are not ready, as a sentence.</summary>
    public string DescribeUnready(IEnumerable<int> ranks) =>
        DescribeRanks(FindMissing(Ready, ranks), "did not become ready: the hub must have all images, and every process with users must wait for the start");

    /// <summary>Tells all ranks to end, and why.</summary>
    public void PublishStop(RunFailure failure) => Place($"{Stop}-{Rank(Own.Rank)}", failure, Json.RunFailure);

    /// <summary>The failure of the first other rank that failed; null while there is none.</summary>
    public RunFailure? FindStop()
    {
        foreach (int rank in Enumerable.Range(0, Own.Ranks).Where(rank => rank != Own.Rank))
        {
            if (TryRead($"{Stop}-{Rank(rank)}", Json.RunFailure) is { } failure)
                return new(CodeOf(failure.Code), Invariant($"{EndedBy}{rank}: {failure.Reason}"));
        }

        return null;
    }

    /// <summary>The exit code for one that another process wrote: any other than ours is a defect.</summary>
    public static ExitCode CodeOf(ExitCode code) => code.IsOfSignal() ? ExitCode.Incomplete : code.OrDefect();

    /// <summary>The beginning of the reason of a rank that ended because of another.</summary>
    public const string EndedBy = "ended by rank ";

    /// <summary>Names ranks, followed by a statement about them.</summary>
    public static string DescribeRanks(IEnumerable<int> ranks, string what) =>
        ranks.ToArray() is [var only] ? Invariant($"rank {only} {what}") : $"ranks {string.Join(", ", ranks.Select(Rank))} {what}";

    private int[] FindMissing(string word, IEnumerable<int> ranks) => [.. ranks.Where(rank => !_store.Has($"{word}-{Rank(rank)}"))];

    private void Place<T>(string name, T content, JsonTypeInfo<T> form) => _store.Write(name, JsonSerializer.Serialize(content, form));

    // A file that does not exist yet, or is incomplete on this machine, is read again later. One that cannot be read ends the run.
    private T? TryRead<T>(string name, JsonTypeInfo<T> form)
        where T : class
    {
        try
        {
            return _store.Read(name) is { } text ? JsonSerializer.Deserialize(text, form) : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static string VersionOf(RankDescription rank) => PrintableText.From($"{rank.ToolsVersion} {rank.Commit}".Trim());

    private static string NameOf(int rank) => $"rank-{Rank(rank)}.json";

    private static string Rank(int rank) => rank.ToString(CultureInfo.InvariantCulture);

    private static string Invariant(FormattableString sentence) => sentence.ToString(CultureInfo.InvariantCulture);
}
