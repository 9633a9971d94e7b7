using System.Text.Json;
using PerfTools.Face;
using PerfTools.Hosting.CommandLine;
using PerfTools.Results;

namespace PerfTools.Scenarios;

/// <summary>One way to let two roles meet: who they are, what they are told, what their figures mean.</summary>
internal abstract class Scenario
{
    /// <summary>The word behind <c>perftools run</c>.</summary>
    public abstract string Name { get; }

    /// <summary>What it does, in one line.</summary>
    public abstract string Summary { get; }

    /// <summary>Its options.</summary>
    public abstract OptionTable<ScenarioOptions> Options { get; }

    /// <summary>The side that listens.</summary>
    public abstract RolePlan Server { get; }

    /// <summary>The side that connects.</summary>
    public abstract RolePlan Client { get; }

    /// <summary>What it calls things.</summary>
    public abstract RunWords Words { get; }

    /// <summary>True when the server ends by itself once its client is gone.</summary>
    public virtual bool ServerEndsByItself => false;

    /// <summary>What the server is told.</summary>
    public abstract IReadOnlyList<string> CreateServerArguments(ScenarioOptions options, RunFolder directory, int runTimeSeconds);

    /// <summary>What the client is told.</summary>
    public abstract IReadOnlyList<string> CreateClientArguments(ScenarioOptions options, RunFolder directory, int port);

    /// <summary>One line that says what runs.</summary>
    public abstract string CreateHeadline(ScenarioOptions options, int port);

    /// <summary>How far the run is.</summary>
    /// <param name="options">What was asked for.</param>
    /// <param name="server">The server's latest figures; null before the first.</param>
    /// <param name="client">A line of the client's figures.</param>
    public abstract ProgressSample ReadProgress(ScenarioOptions options, JsonElement? server, JsonElement client);

    /// <summary>The figures of a run whose two sides left their final ones.</summary>
    public abstract RunFigures ReadFigures(ScenarioOptions options, JsonElement server, JsonElement client);

    /// <summary>What was asked for, under the names of run.json.</summary>
    public virtual IReadOnlyDictionary<string, object?> DescribeInputs(ScenarioOptions options) => new Dictionary<string, object?>
    {
        ["rate"] = options.Rate,
        ["latencyRate"] = options.EffectiveLatencyRate is { All: false } some ? some.PerSecond : "all",
        ["seconds"] = options.Seconds,
        ["pack"] = options.Pack,
        ["connection"] = options.Connection.ToString().ToLowerInvariant(),
        ["compression"] = options.Compression.ToString().ToLowerInvariant(),
        ["serverArguments"] = SecretArguments.Hide(options.ServerArguments),
        ["clientArguments"] = SecretArguments.Hide(options.ClientArguments),
    };
}
