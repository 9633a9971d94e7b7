using System.Globalization;
using System.Text.Json;
using PerfTools.Face;
using PerfTools.Hosting.CommandLine;
using PerfTools.Results;
using PerfTools.Roles;

namespace PerfTools.Scenarios;

/// <summary>ProvPerf and ConsPerf, connected with each other.</summary>
internal sealed class DirectScenario : Scenario
{
    public override string Name => "direct";

    public override string Summary => "ProvPerf and ConsPerf: images, then updates, from provider to consumer";

    public override OptionTable<ScenarioOptions> Options => ScenarioOptionTables.Direct;

    public override RolePlan Server { get; } = new("ProvPerf", "ProvPerf", "ProvPerf");

    public override RolePlan Client { get; } = new("ConsPerf", "ConsPerf", "ConsPerf");

    public override RunWords Words { get; } = new("provider", "consumer", "upd/s");

    public override IReadOnlyList<string> CreateServerArguments(ScenarioOptions options, RunFolder directory, int runTimeSeconds) =>
        new RoleArguments(options.ServerArguments)
            .Set("-p", 0)
            .Set("-updateRate", options.Rate)
            .Set("-latencyUpdateRate", options.EffectiveLatencyRate.ToString())
            .SetTickRate(options.Rate)
            .Set("-maxPackCount", options.Pack)
            .Set("-runTime", runTimeSeconds)
            .SetConnection(options.Connection)
            .SetServerCertificate(options, directory)
            .SetCompression(options.Compression)
            .SetFiles(directory, Server, "Prov")
            .All;

    public override IReadOnlyList<string> CreateClientArguments(ScenarioOptions options, RunFolder directory, int port) =>
        new RoleArguments(options.ClientArguments)
            .Set("-h", "localhost")
            .Set("-p", port)
            .Set("-itemCount", options.Items)
            .Set("-steadyStateTime", options.Seconds)
            .SetConnection(options.Connection)
            .SetClientTrust(options, directory)
            .SetCompression(options.Compression)
            .SetFiles(directory, Client, "Cons")
            .All;

    public override string CreateHeadline(ScenarioOptions options, int port) => string.Create(CultureInfo.InvariantCulture,
        $"Provider to consumer, direct, loopback port {port}: {options.Items:N0} items, {ScenarioText.Describe(options, "updates")}");

    public override IReadOnlyDictionary<string, object?> DescribeInputs(ScenarioOptions options) =>
        new Dictionary<string, object?>(base.DescribeInputs(options)) { ["items"] = options.Items };

    public override ProgressSample ReadProgress(ScenarioOptions options, JsonElement? server, JsonElement client) =>
        DirectFigures.ReadProgress(new(server), new(client));

    public override RunFigures ReadFigures(ScenarioOptions options, JsonElement server, JsonElement client) =>
        DirectFigures.Read(TotalRate(options), new(server), new(client));

    // Snapshots bring no updates, whatever the provider is told.
    private static double TotalRate(ScenarioOptions options) => new RoleArguments(options.ClientArguments).IsGiven("-snapshot")
        ? 0
        : RoleArgumentRules.TotalRate(options.ServerArguments, "-updateRate", options.Rate, options.ClientArguments);
}
