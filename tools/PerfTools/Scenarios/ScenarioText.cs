using PerfCommon.Transport;
using System.Globalization;
using PerfTools.Hosting.Options;
using PerfTools.Processes;

namespace PerfTools.Scenarios;

/// <summary>The parts of the headline that all scenarios share.</summary>
internal static class ScenarioText
{
    /// <summary>Where the first role listens: on a port of this machine, or somewhere as the user's own.</summary>
    public static string DescribePlace(Scenario scenario, ScenarioOptions options, IReadOnlyDictionary<string, HostAddress> addresses)
    {
        Role first = scenario.Roles.First(role => addresses.ContainsKey(role.Name));
        HostAddress address = addresses[first.Name];
        return options.External.ContainsKey(first.Name) ? $"{first.Name} at {address}" : Format($"loopback port {address.Port}");
    }

    /// <summary>Rates, way of connecting, length.</summary>
    /// <param name="options">What was asked for.</param>
    /// <param name="what">What the rate counts, in the plural.</param>
    /// <param name="isRateKnown">False when the sender is not ours and nobody tells it a rate.</param>
    public static string DescribeLoad(ScenarioOptions options, string what, bool isRateKnown)
    {
        List<string> parts = [];
        if (isRateKnown)
        {
            parts.Add(Format($"{options.Rate:N0} {what}/s"));
            parts.Add(options.EffectiveLatencyRate is { All: false } some
                ? Format($"{some.PerSecond:N0} latency samples/s") : "each with a time stamp");
        }

        if (isRateKnown && options.Pack > 1)
            parts.Add(Format($"up to {options.Pack:N0} in a pack"));
        if (options.Connection != ConnectionKind.Socket)
            parts.Add(options.Connection == ConnectionKind.Encrypted ? "encrypted" : "WebSocket");
        if (options.Compression != CompressionType.None)
            parts.Add(options.Compression == CompressionType.Zlib ? "zlib" : "lz4");
        parts.Add(Format($"{options.Seconds:N0} s"));
        return string.Join(", ", parts);
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
