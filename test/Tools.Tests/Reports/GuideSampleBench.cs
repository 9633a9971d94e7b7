using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;

namespace Tools.Tests.Reports;

/// <summary>What the samples of the guide and the reports of the tools have in common.</summary>
public abstract class GuideSampleBench
{
    private protected const string Resources = """
          CPU Usage max (%): {.2}
          CPU Usage min (%): {.2}
          CPU Usage avg (%): {.2}
          Memory Usage max (MB): {.2}
          Memory Usage min (MB): {.2}
          Memory Usage avg (MB): {.2}
        """;

    private protected const string Latencies = """
          Latency avg (usec): {.1}
          Latency std dev (usec): {.1}
          Latency max (usec): {.1}
          Latency min (usec): {.1}
        """;

    private protected const string GenericColumns =
        "GenMsgs sent, GenMsg Latencies sent, GenMsgs received, GenMsg Latencies received, "
        + "GenMsg Latency avg (usec), GenMsg Latency std dev (usec), GenMsg Latency max (usec), GenMsg Latency min (usec)";

    private protected static readonly string[] OurPercentiles = ["Latency p", "Posting latency p", "GenMsg latency p"];
    private protected static readonly string[] OurSendLag = ["Send lag p", "Send lag max", "Updates not sent", "Messages not sent"];

    private protected static string Inputs<T>(OptionTable<T> table, int labelWidth)
        where T : class
    {
        using StringWriter writer = new();
        InputBlock.Write(writer, labelWidth, table.DescribeInputs(OptionLines.Accept(table, "")));
        return writer.ToString();
    }

    private protected static string Summary(Report report, RunSummary summary)
    {
        using StringWriter writer = new();
        report.WriteSummary(writer, summary);
        return writer.ToString();
    }

    private protected static string Console(Report report, Figures interval)
    {
        using StringWriter writer = new();
        report.WriteConsole(writer, interval);
        return writer.ToString();
    }

    private protected static (string Header, string Row) Statistics(string name) =>
        WrittenReports.Write(name).Split('\n') is [var header, var row, ..] ? (header, row) : default;

    private protected static string FirstLines(string name, int count) => string.Join('\n', WrittenReports.Write(name).Split('\n').Take(count));
}
