using System.Globalization;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;
using PerfTools.Hosting.Options;
using PerfTools.Processes;

namespace PerfTools.Scenarios;

/// <summary>Creates the arguments that every role of every scenario gets in the same way.</summary>
internal static class RoleArgumentRules
{
    /// <summary>The option of a program that opens several connections from one thread.</summary>
    public const string Connections = "-connections";

    private const int UsualHandshakes = 256, UsualConnections = 1_024;

    /// <summary>Creates all arguments of a role: those of its scenario, its connection, its files; the user's arguments last.</summary>
    public static IReadOnlyList<string> CreateArguments(this Role role, RoleContext context) => role.HasOwnFiles
        ? role.AddArguments(new RoleArguments(context.Options.ArgumentsOf(role.Name)), context).Set("-jsonFile",
            context.Folder.PathOf(role.JsonFile)).All
        : role.AddArguments(new RoleArguments(context.Options.ArgumentsOf(role.Name)), context)
            .SetInterface(role, context)
            .SetConnection(context.Options.Connection)
            .SetCertificates(role, context)
            .SetCompression(context.Options.Compression)
            .Set("-writeStatsInterval", 1)
            .Set("-statsFile", context.Folder.PathOf(role.ReportStem + "Stats"))
            .Set("-summaryFile", context.Folder.PathOf(role.ReportStem + "Summary.out"))
            .Set("-jsonFile", context.Folder.PathOf(role.JsonFile))
            .Set("-hlogFile", context.Folder.PathOf(role.Files.Histograms))
            .All;

    /// <summary>Sets the address to which the role connects.</summary>
    public static RoleArguments SetPeer(this RoleArguments arguments, HostAddress peer) =>
        arguments.Set("-h", peer.Host).Set("-p", peer.Port);

    /// <summary>Sets the ticks per second, where they are not the default.</summary>
    public static RoleArguments SetTickRate(this RoleArguments arguments, int rate) =>
        rate != ScenarioOptions.UsualTickRate ? arguments.Set("-tickRate", rate) : arguments;

    /// <summary>Sets the source of the sender's stamps, where it is not the default.</summary>
    public static RoleArguments SetStamp(this RoleArguments arguments, ScenarioOptions options) =>
        options.StampsDue ? arguments.Set("-stamp", StampWords.Due) : arguments;

    /// <summary>Sets the rate of the role that sends the measured messages, or its course.</summary>
    /// <param name="arguments">The arguments.</param>
    /// <param name="option">The role's option of a constant rate.</param>
    /// <param name="options">The options.</param>
    public static RoleArguments SetRate(this RoleArguments arguments, string option, ScenarioOptions options) => options.Schedule is { } course
        ? arguments.Set("-rateProfile", course.Profile) : arguments.Set(option, options.Rate);

    /// <summary>Messages per second on each connection: the user's argument of the sender, or the rate of the run.</summary>
    public static int RateOf(IReadOnlyList<string> senderArguments, string rateOption, int rate) =>
        int.TryParse(new RoleArguments(senderArguments).ValueOf(rateOption), NumberStyles.None, CultureInfo.InvariantCulture, out int own)
            ? own : rate;

    /// <summary>Output buffers that one tick of a sender fills: its messages, packed according to its arguments.</summary>
    public static long BuffersPerTick(IReadOnlyList<string> senderArguments, FigurePaths paths, ScenarioOptions options)
    {
        int rate = RateOf(senderArguments, paths.RateOption, options.Rate);
        int tickRate = RateOf(senderArguments, "-tickRate", Math.Min(Math.Max(rate, 1), options.MaxTickRate));
        int pack = RateOf(senderArguments, paths.PackOption, options.Pack);
        return Divide(Divide(rate, tickRate), pack);
    }

    // Rounded up; by less than one is by one.
    private static long Divide(long count, int by) => (count + Math.Max(by, 1) - 1) / Math.Max(by, 1);

    /// <summary>The number of connections of a role: its argument, or one for each of its threads.</summary>
    public static int CountConnections(string role, ScenarioOptions options)
    {
        RoleArguments own = new(options.ArgumentsOf(role));
        int threads = own.ValueOf("-threads") is { } text && ThreadPlan.TryParse(text, out ThreadPlan? plan) ? plan!.Count : options.Threads;
        return Math.Max(RateOf(options.ArgumentsOf(role), Connections, options.Transport.Connections), threads);
    }

    /// <summary>Adds an option with a rate of stamped messages.</summary>
    public static RoleArguments Set(this RoleArguments arguments, string name, LatencyRate rate) => arguments.Set(name, rate.ToString());

    /// <summary>Sets the clock of the role that stamps, where it is another one. Without ranks its other options are further arguments of the role.</summary>
    public static RoleArguments SetClock(this RoleArguments arguments, RoleContext context)
    {
        if (context.Ranks is { PeerClock: { } clock } ranks)
            arguments.Set(ClockOptions.PeerName, clock.Address.ToString()).Set(ClockOptions.KeyName, ranks.KeyFile);
        if (context.Ranks?.PeerClock?.Via is { } via)
            arguments.Set(ClockOptions.ViaName, via);
        if (context.Ranks is { PeerClock: null })
            return arguments;
        if (context.Options.Ranks.ClockStamps == ClockStamps.Kernel)
            arguments.Set(ClockOptions.StampsName, ClockStampWords.Kernel);
        int rate = ClockOptions.RateOfEach(context.Options.Ranks.ClockRate, context.Ranks?.PeerClock?.Programs ?? 1);
        return rate == ClockOptions.UsualRate ? arguments : arguments.Set(ClockOptions.RateName, rate);
    }

    // For a role that others connect to: those may be on other machines.
    private static RoleArguments SetInterface(this RoleArguments arguments, Role role, RoleContext context)
    {
        string? place = context.Ranks is { } ranks ? ranks.InterfaceOf(role) : context.Options.External.Count > 0 ? null : ListenPlace.Loopback;
        return role.ReadyLine is null || place is null ? arguments : arguments.Set(ListenPlace.Option, place);
    }

    private static RoleArguments SetCompression(this RoleArguments arguments, CompressionType kind) =>
        kind == CompressionType.None ? arguments : arguments.Set("-compressionType", kind.ToString().ToLowerInvariant());

    /// <summary>Sets the kind of a further connection where it is not the default.</summary>
    public static RoleArguments SetKind(this RoleArguments arguments, string option, ConnectionKind kind) =>
        kind == ConnectionKind.Socket ? arguments : arguments.Set(option, kind.ToString().ToLowerInvariant());

    /// <summary>Sets the number of connections that a server must accept at once, where it exceeds the server's default limits.</summary>
    public static RoleArguments SetServed(this RoleArguments arguments, int connections)
    {
        if (connections > UsualConnections)
            arguments.Set("-maxConnections", connections);
        return connections > UsualHandshakes ? arguments.Set("-maxHandshakes", connections) : arguments;
    }

    // Sets the kind of connection where it is not the default.
    private static RoleArguments SetConnection(this RoleArguments arguments, ConnectionKind kind) => kind switch
    {
        ConnectionKind.Encrypted => arguments.Set("-connType", "encrypted", "-c"),
        ConnectionKind.WebSocket => arguments.Set("-connType", "websocket", "-c").Set("-websocket", WebSocketProtocol.Rwf, "-pl"),
        _ => arguments,
    };
}
