using System.Globalization;
using PerfTools.Processes;
using PerfTools.Ranks;

namespace PerfTools.Scenarios.Users;

/// <content>What hub, sources and users are started with.</content>
internal sealed partial class UsersRun
{
    private const string TimeForm = "yyyy-MM-dd'T'HH:mm:ss.fff'Z'";
    private const int MoreConnections = 100;

    private string[] HubArguments(int providersPort) =>
    [
        "-p", "0", "-niPort", Whole(providersPort), "-maxConnections", Whole(variant.Steps.Totals[^1] + MoreConnections),
        "-burstMin", Number(_parameters.BurstMin), "-burstMax", Number(_parameters.BurstMax), "-burstIncrement",
        Number(_parameters.BurstIncrement),
        "-throttle", Number(_parameters.Throttle),
        .. _parameters.SessionThreads is { } sessions ? (string[])["-sessionThreads", Whole(sessions)] : [],
        .. _parameters.SourceThreads is { } sources ? (string[])["-sourceThreads", Whole(sources)] : [],
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

    private string[] UsersArguments(HubPlace hub, int part, DateTime startAt) =>
    [
        "-h", hub.Host, "-p", Whole(hub.UsersPort), "-serviceName", options.Service, "-subjects", Whole(_parameters.Subjects),
        "-subscriptions", Whole(_parameters.Subscriptions),
        "-pattern", _parameters.Pattern, "-subjectRate", Number(_parameters.SubjectRate), "-steps", variant.Steps.ToString(), "-part",
        $"{Whole(part)}/{Whole(share.AllUsers)}",
        "-warmup", Whole(options.Warmup), "-settle", Whole(options.Settle), "-period", Whole(options.Period), "-loginRate",
        Whole(options.Logins), "-startAt", startAt.ToString(TimeForm, CultureInfo.InvariantCulture), "-measure",
        share.Measures ? "on" : "check",
        .. options.EffectiveUntil is { } until ? (string[])["-until", until] : [],
        .. Connection,
    ];

    private string[] Connection => _parameters.ConnType == "socket" ? [] : ["-connType", _parameters.ConnType, "-websocket", "rssl.rwf"];

    private static string Whole(int value) => value.ToString(CultureInfo.InvariantCulture);

    private static string Number(double value) => value.ToString(CultureInfo.InvariantCulture);
}
