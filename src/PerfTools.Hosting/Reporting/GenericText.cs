namespace PerfTools.Hosting.Reporting;

/// <summary>The console line about generic messages that both roles print.</summary>
internal static class GenericText
{
    /// <summary>Writes the line; nothing when none was sent or received.</summary>
    public static void Write(TextWriter writer, string indent, long sent, long received, long latenciesSent, long latenciesReceived)
    {
        if (sent > 0 || received > 0)
            writer.Line($"{indent}GenMsgs: sent {sent}, received {received}, latencies sent {latenciesSent}, latencies received {latenciesReceived}");
    }
}
