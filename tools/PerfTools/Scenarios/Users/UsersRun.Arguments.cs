using System.Globalization;

namespace PerfTools.Scenarios.Users;

/// <content>What hub, sources and users are started with.</content>
internal sealed partial class UsersRun
{
    private const string Service = "BENCH";
    private const int UsualTickRate = 1_000;
    private const int MoreConnections = 100;

    private string[] HubArguments(int providersPort) =>
    [
        "-p", "0", "-niPort", Whole(providersPort), "-maxConnections", Whole(variant.Steps.Totals[^1] + MoreConnections),
        "-burstMin", Number(_parameters.BurstMin), "-burstMax", Number(_parameters.BurstMax), "-burstIncrement", Number(_parameters.BurstIncrement),
        "-throttle", Number(_parameters.Throttle),
        .. _parameters.SessionThreads is { } sessions ? (string[])["-sessionThreads", Whole(sessions)] : [],
        .. _parameters.SourceThreads is { } sources ? (string[])["-sourceThreads", Whole(sources)] : [],
        .. Connection,
    ];

    private string[] SourceArguments(int port, int part)
    {
        int rate = (int)Math.Round(_parameters.SourceRate / _parameters.Sources);
        string size = _parameters.Fields is { } fields ? $"{Whole(_parameters.Size)},{Whole(fields)}" : Whole(_parameters.Size);
        return
        [
            "-h", "localhost", "-p", Whole(port), "-serviceName", Service, "-itemCount", Whole(_parameters.Subjects), "-part", $"{Whole(part)}/{Whole(_parameters.Sources)}",
            "-updateRate", Whole(rate), "-tickRate", Whole(Math.Clamp(rate, 1, UsualTickRate)), "-latencyUpdateRate", "all", "-updateSize", size, "-runTime", "0",
            .. Connection,
        ];
    }

    private string[] UsersArguments(int port, int part, string startAt) =>
    [
        "-h", "localhost", "-p", Whole(port), "-serviceName", Service, "-subjects", Whole(_parameters.Subjects), "-subscriptions", Whole(_parameters.Subscriptions),
        "-pattern", _parameters.Pattern, "-subjectRate", Number(_parameters.SubjectRate), "-steps", variant.Steps.ToString(), "-part", $"{Whole(part)}/{Whole(_parameters.UsersProcesses)}",
        "-warmup", Whole(options.Warmup), "-settle", Whole(options.Settle), "-period", Whole(options.Period), "-loginRate", Whole(options.Logins), "-startAt", startAt,
        .. options.EffectiveUntil is { } until ? (string[])["-until", until] : [],
        .. Connection,
    ];

    private string[] Connection => _parameters.ConnType == "socket" ? [] : ["-connType", _parameters.ConnType, "-websocket", "rssl.rwf"];

    private static string Whole(int value) => value.ToString(CultureInfo.InvariantCulture);

    private static string Number(double value) => value.ToString(CultureInfo.InvariantCulture);
}
