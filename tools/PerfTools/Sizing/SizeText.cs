using System.Globalization;
using PerfTools.Reports;
using PerfTools.Screen;

namespace PerfTools.Sizing;

/// <summary>Writes a size as lines of text and as a table.</summary>
internal static class SizeText
{
    private const string Unknown = "-";
    private const double Milli = 1_000, BytesPerKilobyte = 1_024;
    private static readonly string[] Heads = ["role", "cores", "threads", "memory, MB", "out, Mbit/s"];

    /// <summary>Creates the block for people.</summary>
    public static IEnumerable<string> CreateLines(SizeOptions options, SizeEstimate estimate)
    {
        yield return $"SIZE  {Load(options, estimate)}";
        foreach (string line in AlignedColumns.Create([Heads, .. Rows(estimate)]))
            yield return "    " + line;
        yield return "";
        foreach ((string name, string text) in Facts(options, estimate))
            yield return $"    {name,-11}{text}";
    }

    /// <summary>Lists the costs of a message, an item, a user in each measured group.</summary>
    public static IEnumerable<string> CreateMeasured(IReadOnlyList<SizedGroup> groups)
    {
        yield return "Measured";
        string[] heads = ["scenario", "pack", "connection", "role", "CPU idle, %", "ns/message", "bytes/message", "bytes/item",
            "bytes/user", "bytes/subscription"];
        IEnumerable<string[]> rows = from one in groups
                                     from role in one.Roles
                                     select (string[])
                                     [
                                         one.Scenario, one.Inputs.GetValueOrDefault("pack", Unknown),
                                             one.Inputs.GetValueOrDefault("connection", Unknown), role.Name,
                                         Number(role.IdlePercent, "0.0"), Number(role.NanosPerMessage, "N0"), Number(role.BytesPerMessage, "0.0"),
                                             Number(role.BytesPerItem, "N0"),
                                         Number(role.BytesPerUser, "N0"), Number(role.BytesPerWatcher, "N0"),
                                     ];
        foreach (string line in AlignedColumns.Create([heads, .. rows]))
            yield return "    " + line;
    }

    /// <summary>Writes the table in Markdown, the facts below it.</summary>
    public static void WriteMarkdown(TextWriter writer, SizeOptions options, SizeEstimate estimate)
    {
        writer.Write($"**SIZE** {Markdown.Escape(Load(options, estimate))}\n\n");
        Markdown.WriteTable(writer, Heads, Rows(estimate).Select(row => (IReadOnlyList<string>)[.. row.Select(Markdown.Escape)]), endsWithText: false);
        foreach ((string name, string text) in Facts(options, estimate))
            writer.Write($"\n- {name}: {Markdown.Escape(text)}");
        writer.Write("\n");
    }

    private static string Load(SizeOptions options, SizeEstimate estimate)
    {
        List<string> parts = [Line($"{options.Rate.Value:N0} {estimate.Measured.What}/s")];
        if (estimate.Items > 0)
            parts.Add(Line($"{estimate.Items:N0} items"));
        if (options.Users is { } users)
            parts.Add(Line($"{users.Value:N0} users with {estimate.Subscriptions:N0} items at {estimate.UserRate:0.##}/s"));
        if (options.Rtt.Seconds > 0)
            parts.Add($"round trip {options.Rtt}");
        return $"{string.Join(", ", parts)}: {estimate.Measured.Scenario}";
    }

    private static IEnumerable<string[]> Rows(SizeEstimate estimate) => estimate.Roles.Select(role => (string[])
        [role.Name, Range(role.Cores, "0.00"),
            role.Threads?.ToString(CultureInfo.InvariantCulture) ?? Unknown, Range(role.Megabytes, "N0"), Number(role.MegabitsOut, "N0")]);

    private static IEnumerable<(string Name, string Text)> Facts(SizeOptions options, SizeEstimate estimate)
    {
        if (estimate.BytesPerMessage is { } bytes)
            yield return ("network", Line($"{bytes:0.0} bytes a message with framing; TCP/IP adds 5 % at full segments"));
        if (estimate.BytesUnderWay is { } underWay)
        {
            yield return ("buffers",
                Line($"{underWay / BytesPerKilobyte:N0} KB under way in {options.Rtt}: socket buffers of twice that, over all connections"));
        }

        if (options.Rtt.Seconds > 0)
            yield return ("latency", Line($"+{options.Rtt.Seconds / 2 * Milli:0.###} ms one way"));
        if (estimate.ImageSeconds is { } seconds)
            yield return ("images", Line($"{estimate.Items:N0} in {seconds:0.0##} s"));
        if (estimate.Deliveries > 0)
            yield return ("users", Line($"{estimate.Deliveries:N0} updates/s delivered by the hub"));
        yield return ("planned", Line($"a thread uses {options.MaxCpuPercent} % of its core at most; ranges hold a new run with 95 % confidence"));
        yield return ("measured", Line(
            $"{estimate.Measured.Runs} runs of {estimate.Measured.Scenario}{(estimate.Users is { } users ? Line($", {users.Runs} steps of users") : "")}"));
        foreach (string note in estimate.Notes)
            yield return ("note", note);
    }

    private static string Range(SizeValue? value, string format) => value is not { } known ? Unknown
        : known is { Low: { } low, High: { } high } ? $"{Number(known.Value, format)} [{Number(low, format)}, {Number(high, format)}]"
        : Number(known.Value, format);

    private static string Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? Unknown;

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
