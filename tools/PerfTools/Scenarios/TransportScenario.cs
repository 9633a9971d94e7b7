using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>The scenarios of two TransportPerf: messages without meaning, from server to client, or from the client to the server and back.</summary>
internal static class TransportScenario
{
    private const string Server = "server";
    private const string Client = "client";

    private static readonly IReadOnlyList<string> Sent = ["overall.counts.messagesSent"];
    private static readonly IReadOnlyList<string> Received = ["overall.counts.messagesReceived"];
    private static readonly IReadOnlyList<string> NotSent = ["overall.counts.messagesNotSent"];
    private static readonly IReadOnlyList<string> Stopped = ["overall.counts.messagesStopped"];

    /// <summary><c>perftools run transport</c></summary>
    public static Scenario Transport { get; } = Create(
        MeasuredPaths.Transport, "TransportPerf twice: messages from server to client", "Transport, server to client",
        (server, options) => server.SetRates(options).Set("-pack", options.Pack),
        (client, options) => client.Set("-msgRate", 0).Set("-latencyMsgRate", 0).Set("-msgSize", options.MessageBytes),
        stampsComeFromServer: true,
        [
            new(Server, Client, "messages") { Sent = Sent, Received = Received, NotSent = NotSent, Stopped = Stopped },
            new(Client, Server, "to the server") { Sent = Sent, Received = Received, NotSent = NotSent, IsOptional = true },
        ],
        ScenarioRows.AddPacking);

    /// <summary><c>perftools run reflect</c></summary>
    public static Scenario Reflect { get; } = Create(
        MeasuredPaths.Reflect, "TransportPerf twice: the client's messages, sent back by the server", "Transport, reflected",
        (server, _) => server.Switch("-reflectMsgs"),
        (client, options) => client.SetRates(options),
        stampsComeFromServer: false,
        [
            new(Client, Server, "messages") { Sent = Sent, Received = Received, NotSent = NotSent, Stopped = Stopped },
            new(Server, Server, "turned round") { Sent = Received, Received = Sent, Lost = NotSent },
            new(Server, Client, "returned") { Sent = Sent, Received = Received },
        ]);

    private static Scenario Create(
        MeasuredPaths measured, string summary, string title,
        Func<RoleArguments, ScenarioOptions, RoleArguments> tellServer, Func<RoleArguments, ScenarioOptions, RoleArguments> tellClient,
        bool stampsComeFromServer, IReadOnlyList<Link> links, params Action<OptionTable<ScenarioOptions>>[] options) => new()
        {
            Name = measured.Scenario,
            Summary = summary,
            Title = title,
            Load = o => string.Create(CultureInfo.InvariantCulture,
                $"messages of {o.MessageBytes:N0} bytes{(o.Transport.Connections > 1 ? $" over {o.Transport.Connections:N0} connections" : "")}"),
            RateUnit = "msg/s",
            Roles = [CreateServer(tellServer), CreateClient(tellClient, stampsComeFromServer)],
            Links = links,
            Figures = new()
            {
                Measured = measured,
                Rate = "overall.receiveRate",
                Seconds = "overall.receivingSeconds",
                Latency = "overall.latency",
                RateOption = "-msgRate",
                PackOption = "-pack",
            },
            OwnOptions =
            [
                table => ScenarioRows.AddRates(table, "messages"), ScenarioRows.AddRateSchedule, ScenarioRows.AddSize, ScenarioRows.AddConnections,
                .. options,
            ],
            OwnInputs = [("messageBytes", o => o.MessageBytes)],
        };

    private static Role CreateServer(Func<RoleArguments, ScenarioOptions, RoleArguments> tell) => new()
    {
        Name = Server,
        Title = "TransportPerf server",
        Tool = "TransportPerf",
        FileStem = "TransportServer",
        ReadyLine = Role.ListeningLine,
        Ending = RoleEnding.AfterOthers,
        ShortOption = "-server",
        AddArguments = (arguments, context) => tell(
            arguments.Set("-appType", "server").Set("-p", 0).Set("-runTime", context.RunTimeSeconds)
                .SetWorkers(context, context.Options.Threads).SetServed(CountServed(context.Options)), context.Options),
    };

    private static Role CreateClient(Func<RoleArguments, ScenarioOptions, RoleArguments> tell, bool stampsComeFromServer) => new()
    {
        Name = Client,
        Title = "TransportPerf client",
        Tool = "TransportPerf",
        FileStem = "TransportClient",
        ConnectsTo = [Server],
        Ending = RoleEnding.ByItself,
        CorrectsClock = stampsComeFromServer,
        IsRepeatable = true,
        ShortOption = "-client",
        AddArguments = (arguments, context) => tell(
            arguments.Set("-appType", "client").SetPeer(context.Addresses[Server]).Set("-runTime", context.Options.Seconds)
                .SetWorkers(context, context.Options.Threads).SetConnections(context.Options.Transport.Connections),
            context.Options).SetClock(context),
    };

    private static int CountServed(ScenarioOptions options) => options.Transport.Connections * RepeatedRoles.NamesOf(Client, options).Count;

    private static RoleArguments SetConnections(this RoleArguments arguments, int connections) =>
        connections > 1 ? arguments.Set(RoleArgumentRules.Connections, connections) : arguments;

    private static RoleArguments SetRates(this RoleArguments arguments, ScenarioOptions options) => arguments
        .SetRate("-msgRate", options)
        .Set("-latencyMsgRate", options.EffectiveLatencyRate)
        .Set("-msgSize", options.MessageBytes)
        .SetStamp(options)
        .SetTickRate(options.SourceTickRate);
}
