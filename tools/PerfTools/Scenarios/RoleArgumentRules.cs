using PerfCommon.Transport;
using System.Globalization;
using PerfCommon.Transport.WebSockets;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Results;

namespace PerfTools.Scenarios;

/// <summary>What every role of every scenario is told alike.</summary>
internal static class RoleArgumentRules
{
    private const int UsualTickRate = 1000;

    /// <summary>Options that connect the roles with the run; users cannot set them.</summary>
    public static IReadOnlyList<string> Reserved { get; } = ["-jsonFile", "-help", "-?", "-version"];

    /// <summary>The first of the user's arguments that belongs to the run; null when there is none.</summary>
    public static string? FindReserved(IReadOnlyList<string> arguments) => Reserved.FirstOrDefault(new RoleArguments(arguments).IsGiven);

    /// <summary>Names the files, all in the run's folder, and collects every second.</summary>
    public static RoleArguments SetFiles(this RoleArguments arguments, RunFolder folder, Role role) => arguments
        .Set("-writeStatsInterval", 1)
        .Set("-statsFile", folder.PathOf(role.ReportStem + "Stats"))
        .Set("-summaryFile", folder.PathOf(role.ReportStem + "Summary.out"))
        .Set("-jsonFile", folder.PathOf(role.JsonFile));

    /// <summary>Names where the role connects to.</summary>
    public static RoleArguments SetPeer(this RoleArguments arguments, HostAddress peer) =>
        arguments.Set("-h", peer.Host).Set("-p", peer.Port);

    /// <summary>Lowers the tick rate to a message rate that is lower: the tools send at least one message a tick.</summary>
    public static RoleArguments SetTickRate(this RoleArguments arguments, int rate) =>
        rate is > 0 and < UsualTickRate ? arguments.Set("-tickRate", rate) : arguments;

    /// <summary>Asks for compression where the user wants one.</summary>
    public static RoleArguments SetCompression(this RoleArguments arguments, CompressionType kind) => kind switch
    {
        CompressionType.Zlib => arguments.Set("-compressionType", "zlib"),
        CompressionType.Lz4 => arguments.Set("-compressionType", "lz4"),
        _ => arguments,
    };

    /// <summary>Names the kind of connection where it is not the default.</summary>
    public static RoleArguments SetConnection(this RoleArguments arguments, ConnectionKind kind) => kind switch
    {
        ConnectionKind.Encrypted => arguments.Set("-connType", "encrypted", "-c"),
        ConnectionKind.WebSocket => arguments.Set("-connType", "websocket", "-c").Set("-websocket", WebSocketProtocol.Rwf, "-pl"),
        _ => arguments,
    };

    /// <summary>Messages a second on each connection: what the user told the sender, or the rate of the run.</summary>
    /// <param name="senderArguments">The user's arguments of the sender; a rate among them counts.</param>
    /// <param name="rateOption">The sender's option for its rate.</param>
    /// <param name="rate">The rate of the run's own option.</param>
    public static int RateOf(IReadOnlyList<string> senderArguments, string rateOption, int rate) =>
        int.TryParse(new RoleArguments(senderArguments).ValueOf(rateOption), NumberStyles.None, CultureInfo.InvariantCulture, out int own)
            ? own : rate;

    /// <summary>Connections of a role that connects: one for each of its threads.</summary>
    public static int CountConnections(IReadOnlyList<string> arguments) =>
        new RoleArguments(arguments).ValueOf("-threads") is { } text && ThreadPlan.TryParse(text, out ThreadPlan? plan) ? plan!.Count : 1;
}
