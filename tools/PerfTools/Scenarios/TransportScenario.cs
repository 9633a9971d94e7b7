using System.Globalization;
using System.Text.Json;
using PerfTools.Face;
using PerfTools.Hosting.CommandLine;
using PerfTools.Results;
using PerfTools.Roles;

namespace PerfTools.Scenarios;

/// <summary>TransportPerf twice: messages without meaning, from server to client, or from the client to the server and back.</summary>
/// <param name="reflects">True when the server sends back what it gets and nothing else.</param>
internal sealed class TransportScenario(bool reflects) : Scenario
{
    public override string Name => reflects ? "reflect" : "transport";

    public override string Summary => reflects
        ? "TransportPerf twice: the client's messages, sent back by the server"
        : "TransportPerf twice: messages from server to client";

    public override OptionTable<ScenarioOptions> Options => reflects ? ScenarioOptionTables.Reflect : ScenarioOptionTables.Transport;

    public override RolePlan Server { get; } = new("TransportPerf server", "TransportPerf", "TransportServer");

    public override RolePlan Client { get; } = new("TransportPerf client", "TransportPerf", "TransportClient");

    public override RunWords Words { get; } = new("server", "client", "msg/s");

    public override bool ServerEndsByItself => true;

    public override IReadOnlyList<string> CreateServerArguments(ScenarioOptions options, RunFolder directory, int runTimeSeconds)
    {
        RoleArguments arguments = new RoleArguments(options.ServerArguments)
            .Set("-appType", "server")
            .Set("-p", 0)
            .Set("-runTime", runTimeSeconds);
        if (reflects)
            arguments.Switch("-reflectMsgs");
        else
            SetRates(arguments, options).Set("-pack", options.Pack);
        return Finish(arguments, options, directory, Server).SetServerCertificate(options, directory).All;
    }

    public override IReadOnlyList<string> CreateClientArguments(ScenarioOptions options, RunFolder directory, int port)
    {
        RoleArguments arguments = new RoleArguments(options.ClientArguments)
            .Set("-appType", "client")
            .Set("-h", "localhost")
            .Set("-p", port)
            .Set("-runTime", options.Seconds);
        if (reflects)
            SetRates(arguments, options);
        else
            arguments.Set("-msgRate", 0).Set("-latencyMsgRate", 0).Set("-msgSize", options.MessageBytes);
        return Finish(arguments, options, directory, Client).SetClientTrust(options, directory).All;
    }

    public override string CreateHeadline(ScenarioOptions options, int port) => string.Create(CultureInfo.InvariantCulture,
        $"Transport, {(reflects ? "reflected" : "server to client")}, loopback port {port}: messages of {options.MessageBytes:N0} bytes, {ScenarioText.Describe(options, "messages")}");

    public override IReadOnlyDictionary<string, object?> DescribeInputs(ScenarioOptions options) =>
        new Dictionary<string, object?>(base.DescribeInputs(options)) { ["messageBytes"] = options.MessageBytes };

    public override ProgressSample ReadProgress(ScenarioOptions options, JsonElement? server, JsonElement client) =>
        TransportFigures.ReadProgress(new(server), new(client));

    public override RunFigures ReadFigures(ScenarioOptions options, JsonElement server, JsonElement client) =>
        reflects
            ? TransportFigures.ReadReflected(TotalRate(options, options.ClientArguments), new(server), new(client))
            : TransportFigures.Read(TotalRate(options, options.ServerArguments), new(server), new(client));

    private static double TotalRate(ScenarioOptions options, IReadOnlyList<string> senderArguments) =>
        RoleArgumentRules.TotalRate(senderArguments, "-msgRate", options.Rate, options.ClientArguments);

    private static RoleArguments SetRates(RoleArguments arguments, ScenarioOptions options) => arguments
        .Set("-msgRate", options.Rate)
        .Set("-latencyMsgRate", options.EffectiveLatencyRate.ToString())
        .Set("-msgSize", options.MessageBytes)
        .SetTickRate(options.Rate);

    private static RoleArguments Finish(RoleArguments arguments, ScenarioOptions options, RunFolder directory, RolePlan plan) => arguments
        .SetConnection(options.Connection)
        .SetCompression(options.Compression)
        .SetFiles(directory, plan, plan.FileStem);
}
