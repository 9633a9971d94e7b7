using System.Globalization;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Ranks;

namespace PerfTools.Scenarios.Users;

/// <content>Creates the arguments of hub, sources and users.</content>
internal sealed partial class UsersRun
{
    private const string TimeForm = "yyyy-MM-dd'T'HH:mm:ss.fff'Z'";
    private const int MoreConnections = 100;
    private const int UsualHandshakes = 256;

    // All users may log in at the same moment.
    private int Connections => variant.Steps.Totals[^1] + MoreConnections;

    private int SessionThreads => _parameters.SessionThreads ?? HubThreadCounts.Sessions(Environment.ProcessorCount);

    private int SourceThreads => _parameters.SourceThreads ?? HubThreadCounts.Sources(Environment.ProcessorCount);

    private string[] HubArguments(int providersPort) =>
    [
        "-p", "0", "-niPort", Whole(providersPort), "-maxConnections", Whole(Connections), "-maxHandshakes",
        Whole(Math.Max(Connections, UsualHandshakes)),
        "-burstMin", Number(_parameters.BurstMin), "-burstMax", Number(_parameters.BurstMax), "-burstIncrement",
        Number(_parameters.BurstIncrement),
        "-throttle", Number(_parameters.Throttle),
        "-sessionThreads", Whole(SessionThreads), "-sourceThreads", Whole(SourceThreads),
        .. options.External.TryGetValue(UsersOptions.SourceRole, out HostAddress? source) ? (string[])["-upstream", source.ToString()] : [],
        .. Ranks is null && options.External.Count == 0 ? (string[])[ListenPlace.Option, ListenPlace.Loopback] : [],
        .. Connection,
    ];

    private string[] SourceArguments(HubPlace hub, int part)
    {
        int rate = (int)Math.Round(_parameters.SourceRate / _parameters.Sources);
        string size = _parameters.Fields is { } fields ? $"{Whole(_parameters.Size)},{Whole(fields)}" : Whole(_parameters.Size);
        return
        [
            "-h", hub.Host, "-p", Whole(hub.PublishersPort), "-serviceName", options.Service, "-itemCount", Whole(_parameters.Subjects),
            "-part", $"{Whole(part)}/{Whole(_parameters.Sources)}",
            "-updateRate", Whole(rate), "-tickRate", Whole(Math.Clamp(rate, 1, ScenarioOptions.UsualTickRate)), "-latencyUpdateRate", "all", "-updateSize",
            size, "-runTime", "0",
            .. Connection,
        ];
    }

    private string[] UsersArguments(HubPlace hub, int part) =>
    [
        "-h", hub.Host, "-p", Whole(hub.UsersPort), "-serviceName", options.Service, "-subjects", Whole(_parameters.Subjects),
        "-subscriptions", Whole(_parameters.Subscriptions),
        "-pattern", _parameters.Pattern, "-subjectRate", Number(_parameters.SubjectRate), .. StepArguments, "-part",
        $"{Whole(part)}/{Whole(share.AllUsers)}",
        "-warmup", Whole(options.Warmup), "-settle", Whole(options.Settle), "-period", Whole(options.Period), "-loginRate",
        Whole(options.Logins), "-startAt", "@" + folder.PathOf(StartName), "-measure",
        share.Measures ? "on" : "check",
        .. _parameters.PostRate > 0 ? (string[])["-postRate", Number(_parameters.PostRate)] : [],
        .. _parameters is { PostRate: > 0, Contributors: { } contributors } ? (string[])["-contributors", Whole(contributors)] : [],
        .. options.EffectiveUntil is { } until ? (string[])["-until", until] : [],
        .. Connection,
    ];

    private string[] StepArguments =>
        StaySeconds is { } seconds ? ["-users", "1", "-runTime", Whole(seconds)] : ["-steps", variant.Steps.ToString()];

    private string[] Connection => _parameters.ConnType == "socket" ? [] : ["-connType", _parameters.ConnType, "-websocket", "rssl.rwf"];

    private static string Whole(int value) => value.ToString(CultureInfo.InvariantCulture);

    private static string Number(double value) => value.ToString(CultureInfo.InvariantCulture);
}
