using System.Globalization;
using PerfCommon.Transport.WebSockets;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;

namespace PerfTools.Scenarios.Users;

/// <summary>Creates the arguments of hub, sources and users of a ramp, except those that name their files; the user's last.</summary>
/// <param name="variant">The ramp.</param>
/// <param name="options">The options.</param>
/// <param name="share">The roles that are started here.</param>
/// <param name="folder">The folder for their files.</param>
internal sealed class UsersArguments(UsersVariant variant, UsersOptions options, RampShare share, RunFolder folder)
{
    /// <summary>The form of the time in the file that notifies processes with users of the first log-in.</summary>
    public const string TimeForm = "yyyy-MM-dd'T'HH:mm:ss.fff'Z'";
    private const int MoreConnections = 100;
    private const int UsualHandshakes = 256;

    private static readonly string[] ReservedOfAll =
        [.. RoleRows.Reserved, "-writeStatsInterval", "-statsFile", "-summaryFile", "-connType", "-c", "-websocket", "-pl"];

    private readonly UsersParameters _parameters = variant.Parameters;

    /// <summary>True when roles on other machines connect.</summary>
    public bool IsRanked { get; init; }

    /// <summary>The certificate of an encrypted ramp.</summary>
    public UsersCertificates Certificates { get; } = new(variant, options, share, folder);

    /// <inheritdoc cref="UsersRun.StaySeconds"/>
    public int? StaySeconds { get; init; }

    /// <summary>The processors of each role's workers, by its name; none where they are not pinned.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<int>> Processors { get; init; } = new Dictionary<string, IReadOnlyList<int>>();

    // All users may log in at the same moment.
    private int Connections => variant.Steps.Totals[^1] + MoreConnections;

    private string[] Connection => _parameters.ConnType switch
    {
        UsersParameters.Socket => [],
        UsersParameters.Encrypted => ["-connType", UsersParameters.Encrypted],
        var other => ["-connType", other, "-websocket", WebSocketProtocol.Rwf],
    };

    private string[] StepArguments =>
        StaySeconds is { } seconds ? ["-users", "1", "-runTime", Whole(seconds)] : ["-steps", variant.Steps.ToString()];

    /// <summary>The options of a role that the ramp sets, or for which it has a parameter.</summary>
    public static IReadOnlyList<string> ReservedOf(string role) => role switch
    {
        UsersOptions.HubRole =>
        [
            .. ReservedOfAll, "-niPort", "-burstMin", "-burstMax", "-burstIncrement", "-throttle", "-sessionThreads", "-sourceThreads", "-upstream",
        ],
        UsersOptions.SourceRole =>
        [
            .. ReservedOfAll, "-h", "-p", "-serviceName", "-itemCount", "-part", "-updateRate", "-latencyUpdateRate", "-updateSize", "-runTime",
        ],
        _ =>
        [
            .. ReservedOfAll, "-h", "-p", "-serviceName", "-subjects", "-subscriptions", "-pattern", "-subjectRate", "-users", "-steps", "-runTime", "-part",
            "-warmup", "-settle", "-period", "-loginRate", "-startAt", "-measure", "-threads", "-postRate", "-contributors", "-until",
        ],
    };

    public string[] OfHub(int publishersPort) => Combine(UsersOptions.HubRole,
    [
        "-p", "0", "-niPort", Whole(publishersPort), "-maxConnections", Whole(Connections), "-maxHandshakes",
        Whole(Math.Max(Connections, UsualHandshakes)),
        "-burstMin", Number(_parameters.BurstMin), "-burstMax", Number(_parameters.BurstMax), "-burstIncrement",
        Number(_parameters.BurstIncrement),
        "-throttle", Number(_parameters.Throttle),
        "-sessionThreads", Whole(_parameters.StartedSessionThreads), "-sourceThreads", Whole(_parameters.StartedSourceThreads),
        .. HubBinding(),
        .. options.External.TryGetValue(UsersOptions.SourceRole, out HostAddress? source) ? (string[])["-upstream", source.ToString()] : [],
        .. FindInterface() is { } place ? (string[])[ListenPlace.Option, place] : [],
        .. Connection,
        .. Certificates.OfHub,
    ]);

    // Where the hub listens; null for every address.
    private string? FindInterface() => IsRanked ? ListenPlace.FindInterface(options.Ranks.Address) : options.External.Count == 0 ? ListenPlace.Loopback : null;

    public string[] OfSource(RolePlace hub, int part)
    {
        int rate = (int)Math.Round(_parameters.SourceRate / _parameters.Sources);
        string size = _parameters.Fields is { } fields ? $"{Whole(_parameters.Size)},{Whole(fields)}" : Whole(_parameters.Size);
        return Combine(UsersOptions.SourceRole,
        [
            "-h", hub.Host, "-p", Whole(hub.PublishersPort), "-serviceName", options.Service, "-itemCount", Whole(_parameters.Subjects),
            "-part", $"{Whole(part)}/{Whole(_parameters.Sources)}",
            "-updateRate", Whole(rate), "-tickRate", Whole(Math.Clamp(rate, 1, ScenarioOptions.UsualTickRate)), "-latencyUpdateRate", "all", "-updateSize",
            size, "-runTime", "0",
            .. Threads(ProcessorsOf(UsersRun.NameOfSource(part)), count: null),
            .. Connection,
            .. Certificates.OfClient(UsersOptions.SourceRole),
        ]);
    }

    public string[] OfUsers(RolePlace hub, int part) => Combine(UsersOptions.UsersRole,
    [
        "-h", hub.Host, "-p", Whole(hub.Port), "-serviceName", options.Service, "-subjects", Whole(_parameters.Subjects),
        "-subscriptions", Whole(_parameters.Subscriptions),
        "-pattern", _parameters.Pattern, "-subjectRate", Number(_parameters.SubjectRate), .. StepArguments, "-part",
        $"{Whole(part)}/{Whole(share.AllUsers)}",
        "-warmup", Whole(options.Warmup), "-settle", Whole(options.Settle), "-period", Whole(options.Period), "-loginRate",
        Whole(options.Logins), "-startAt", "@" + folder.PathOf(UsersRun.StartName), "-measure",
        share.Measures ? "on" : "check",
        .. Threads(ProcessorsOf(UsersRun.NameOfUsers(part)), _parameters.UsersThreads),
        .. _parameters.PostRate > 0 ? (string[])["-postRate", Number(_parameters.PostRate)] : [],
        .. _parameters is { PostRate: > 0, Contributors: { } contributors } ? (string[])["-contributors", Whole(contributors)] : [],
        .. options.EffectiveUntil is { } until ? (string[])["-until", until] : [],
        .. Connection,
        .. Certificates.OfClient(UsersOptions.UsersRole),
    ]);

    // Pairs of names and values, without those that the user gives.
    private string[] Combine(string role, string[] own)
    {
        RoleArguments all = new(options.Arguments.Of(role));
        foreach (string[] pair in own.Chunk(2))
            all.Set(pair[0], pair[1]);
        return [.. all.All];
    }

    private IReadOnlyList<int> ProcessorsOf(string role) => Processors.GetValueOrDefault(role, []);

    private string[] HubBinding()
    {
        int[] all = [.. ProcessorsOf(UsersOptions.HubRole)];
        int sessions = _parameters.StartedSessionThreads;
        if (all.Length == 0)
            return [];
        string[] bound = ["-bindSession", WorkerBinding.List(all.Take(sessions))];
        return all.Length == sessions ? bound : [.. bound, "-bindSource", WorkerBinding.List(all.Skip(sessions))];
    }

    // The processors of a role's threads, else their number where it is given.
    private static string[] Threads(IReadOnlyList<int> processors, int? count) => processors switch
    {
        [] => count is { } own ? ["-threads", Whole(own)] : [],
        [var one] => ["-bindThread", Whole(one)],
        var several => ["-threads", WorkerBinding.List(several)],
    };

    private static string Whole(int value) => value.ToString(CultureInfo.InvariantCulture);

    private static string Number(double value) => value.ToString(CultureInfo.InvariantCulture);
}
