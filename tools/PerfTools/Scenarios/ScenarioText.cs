using System.Globalization;
using PerfCommon.Transport;
using PerfTools.Hosting.Options;

namespace PerfTools.Scenarios;

/// <summary>The part of the headline that all scenarios share.</summary>
internal static class ScenarioText
{
    /// <summary>Rates, way of connecting, length.</summary>
    public static string Describe(ScenarioOptions options, string kind)
    {
        List<string> parts = [Format($"{options.Rate:N0} {kind}/s")];
        parts.Add(options.EffectiveLatencyRate is { All: false } some ? Format($"{some.PerSecond:N0} latency samples/s") : "each with a time stamp");
        if (options.Pack > 1)
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
