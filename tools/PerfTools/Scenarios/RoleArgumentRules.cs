using System.Globalization;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Results;
using PerfTools.Roles;

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
    /// <param name="arguments">The role's arguments.</param>
    /// <param name="directory">The run's folder.</param>
    /// <param name="plan">The role.</param>
    /// <param name="fileBase">The guide's first part of its files' names, as <c>Cons</c> in <c>ConsStats</c>.</param>
    public static RoleArguments SetFiles(this RoleArguments arguments, RunFolder directory, RolePlan plan, string fileBase) => arguments
        .Set("-writeStatsInterval", 1)
        .Set("-statsFile", directory.PathOf(fileBase + "Stats"))
        .Set("-summaryFile", directory.PathOf(fileBase + "Summary.out"))
        .Set("-jsonFile", directory.PathOf(plan.JsonFile));

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

    /// <summary>Messages a second over all connections: what the sender was told, once for each of the client's threads.</summary>
    /// <param name="senderArguments">The user's arguments of the sender; a rate among them counts.</param>
    /// <param name="rateName">The sender's option for its rate.</param>
    /// <param name="rate">The rate of the run's own option.</param>
    /// <param name="clientArguments">The user's arguments of the role that connects.</param>
    public static double TotalRate(
        IReadOnlyList<string> senderArguments, string rateName, int rate, IReadOnlyList<string> clientArguments)
    {
        string? told = new RoleArguments(senderArguments).ValueOf(rateName);
        double perConnection = int.TryParse(told, NumberStyles.None, CultureInfo.InvariantCulture, out int own) ? own : rate;
        return perConnection * CountConnections(clientArguments);
    }

    private static int CountConnections(IReadOnlyList<string> clientArguments) =>
        new RoleArguments(clientArguments).ValueOf("-threads") is { } text && ThreadPlan.TryParse(text, out ThreadPlan? plan) ? plan!.Count : 1;
}
