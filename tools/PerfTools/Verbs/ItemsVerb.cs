using System.Globalization;
using System.Security;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfTools.Verbs;

/// <summary><c>perftools items</c>: writes an item list for <c>-itemFile</c>, of any length and with any prefix of the names.</summary>
internal static class ItemsVerb
{
    private const int MaxCount = 10_000_000;

    public const string Summary = "Prints an item list for -itemFile";

    public static OptionTable<ItemsOptions> Options { get; } = CreateOptions();

    public static RunOutcome Run(ItemsOptions options, RunHost host)
    {
        if (options.Out is null)
            host.Console.Write(output => Write(output, options));
        else if (WholeFile.TryWrite(options.Out, output => Write(output, options)) is { } problem)
            return new RunOutcome(ExitCode.OutputFile, $"items: {problem}");
        return RunOutcome.Success;
    }

    private static void Write(TextWriter output, ItemsOptions options)
    {
        string prefix = SecurityElement.Escape(options.Prefix);
        output.Write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<itemList>\n");
        for (int i = 1; i <= options.Count; i++)
        {
            string marks = (i <= options.Posts ? " post=\"true\"" : "") + (i <= options.Generic ? " generic=\"true\"" : "");
            output.Write(string.Create(CultureInfo.InvariantCulture, $"  <item domain=\"MarketPrice\" name=\"{prefix}{i}\"{marks}/>\n"));
        }

        output.Write("</itemList>\n");
    }

    private static OptionTable<ItemsOptions> CreateOptions()
    {
        OptionTable<ItemsOptions> table = new("perftools items", new ItemsOptions(), o => o.FindProblem()) { HasLongNames = true };
        table.Number("-count", "n", "items in the list", o => o.Count, (o, v) => o with { Count = v }).Within(1, MaxCount);
        table.Text("-prefix", "text", "what every name begins with; its number follows", o => o.Prefix, (o, v) => o with { Prefix = v });
        table.Number("-posts", "n", "items marked for posts, from the first on", o => o.Posts, (o, v) => o with { Posts = v }).AtLeast(0);
        table.Number("-generic", "n", "items marked for generic messages, from the first on", o => o.Generic,
            (o, v) => o with { Generic = v }).AtLeast(0);
        table.Text("-out", "file", "file for the list; without it standard output", o => o.Out, (o, v) => o with { Out = v });
        return table;
    }
}

/// <summary>The options of <c>perftools items</c>. Vary it with <c>with</c>.</summary>
internal sealed record ItemsOptions
{
    private const int MaxNameBytes = 255; // of an item name on the wire
    private const int NumberChars = 8;

    /// <summary>The number of items in the list. <c>--count</c></summary>
    public int Count { get; init; } = 10_000;

    /// <summary>The beginning of every name. <c>--prefix</c></summary>
    public string Prefix { get; init; } = "RDT";

    /// <summary>The number of items marked for posts. <c>--posts</c></summary>
    public int Posts { get; init; } = 200;

    /// <summary>The number of items marked for generic messages. <c>--generic</c></summary>
    public int Generic { get; init; } = 200;

    /// <summary>The file; null for standard output. <c>--out</c></summary>
    public string? Out { get; init; }

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { Prefix.Length: 0 } => "--prefix must not be empty",
        { Prefix.Length: > MaxNameBytes - NumberChars } => $"--prefix must have at most {MaxNameBytes - NumberChars} characters",
        { } o when o.Prefix.Any(char.IsControl) => "--prefix must not have control characters",
        _ => null,
    };
}
