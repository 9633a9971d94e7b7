using System.Text;

namespace PerfTools.Reports;

/// <summary>Turns names of run.json into words: <c>cgroupMemoryMegabytes</c> is <c>memory of the control group, MB</c>.</summary>
internal static class FactWords
{
    private static readonly Dictionary<string, string> Known = new()
    {
        ["cgroupMemoryMegabytes"] = "memory of the control group, MB",
        ["cgroupProcessors"] = "processors of the control group",
        ["commit"] = "commit of the tools",
        ["foreignPercent"] = "other programs during the run, % of the machine",
        ["latencyRate"] = "latency samples/s",
        ["loadBeforePercent"] = "other programs before the start, % of the machine",
        ["messageBytes"] = "bytes of a message",
        ["connections"] = "connections of the client",
        ["size"] = "bytes of the data",
        ["numaNodes"] = "NUMA nodes",
        ["pack"] = "messages in a pack",
        ["posting"] = "posts/s",
        ["generic"] = "generic messages/s",
        ["rate"] = "rate, messages/s",
        ["rtt"] = "round trips measured",
        ["seconds"] = "measured, s",
        ["stamp"] = "latency from the time",
        ["threads"] = "threads of each role",
        ["toolsVersion"] = "version of the tools",
    };

    /// <summary>The words of a name; an unknown one is split at its capitals and dots.</summary>
    public static string Of(string name)
    {
        if (Known.TryGetValue(name, out string? words))
            return words;
        StringBuilder text = new();
        for (int i = 0; i < name.Length; i++)
        {
            if (i > 0 && char.IsAsciiLetterUpper(name[i]) && char.IsAsciiLetterLower(name[i - 1]))
                text.Append(' ');
            text.Append(name[i] == '.' ? ' ' : char.ToLowerInvariant(name[i]));
        }

        return text.ToString();
    }
}
