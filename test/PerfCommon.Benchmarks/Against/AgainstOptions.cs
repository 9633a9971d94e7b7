using System.Globalization;
using PerfTools.Hosting.CommandLine;

namespace PerfCommon.Benchmarks.Against;

/// <summary>The two builds to compare, and the settings.</summary>
internal sealed record AgainstOptions
{
    private const int MaxPairs = 500;

    /// <summary>The folder of the reference: A. <c>--against</c></summary>
    public string Reference { get; init; } = "";

    /// <summary>The folder of the build to compare: B; null for the programs in this program's folder. <c>--build</c></summary>
    public string? Candidate { get; init; }

    /// <summary>The cases to measure. <c>--case</c></summary>
    public IReadOnlyList<AgainstCase> Cases { get; init; } = AgainstCase.All;

    /// <summary>Messages a second; null for each case's usual rate. <c>--rate</c></summary>
    public int? Rate { get; init; }

    /// <summary>Items that the consumer requests. <c>--items</c></summary>
    public int Items { get; init; } = 100_000;

    /// <summary>Pairs of runs in each case. <c>--pairs</c></summary>
    public int Pairs { get; init; } = 10;

    /// <summary>Length of the window in seconds. <c>--seconds</c></summary>
    public int Seconds { get; init; } = 10;

    /// <summary>The second of the client's run in which the window begins, after start-up and compiling. <c>--from</c></summary>
    public int From { get; init; } = 8;

    /// <summary>A CSV file with a row for each run; null for none. <c>--out</c></summary>
    public string? Out { get; init; }

    public static OptionTable<AgainstOptions> CreateTable()
    {
        OptionTable<AgainstOptions> table = new("against", new AgainstOptions(), o => o.FindProblem());
        table.Text("-against", "folder", "the reference, A: a checkout built with -c Release, or a folder with the programs",
            o => o.Reference, (o, v) => o with { Reference = v });
        table.Text("-build", "folder", "the other one, B (default this build)", o => o.Candidate, (o, v) => o with { Candidate = v });
        table.Custom("-case", "list", $"a list of {AgainstCase.Join(AgainstCase.All)}", "cases, separated by commas",
            o => AgainstCase.Join(o.Cases), (o, s) => AgainstCase.Parse(s) is { } cases ? o with { Cases = cases } : null);
        table.OptionalNumber("-rate", "n", "messages a second (default 3000000 direct, 15000000 transport)",
            o => o.Rate, (o, v) => o with { Rate = v });
        table.Number("-items", "n", "items that the consumer asks for", o => o.Items, (o, v) => o with { Items = v });
        table.Number("-pairs", "n", "pairs of runs in each case; no interval below 6", o => o.Pairs, (o, v) => o with { Pairs = v });
        table.Number("-from", "s", "second in which the window begins", o => o.From, (o, v) => o with { From = v });
        table.Number("-seconds", "s", "length of the window", o => o.Seconds, (o, v) => o with { Seconds = v });
        table.Text("-out", "file", "CSV file with a row for each run", o => o.Out, (o, v) => o with { Out = v });
        return table;
    }

    private string? FindProblem() => this switch
    {
        { Reference: "" } => "--against needs the folder of a build",
        { Rate: < 1 } => "--rate must be at least 1",
        { Items: < 1 } => "--items must be at least 1",
        { Pairs: < 1 or > MaxPairs } => string.Create(CultureInfo.InvariantCulture, $"--pairs must be from 1 to {MaxPairs}"),
        { From: < 1 } => "--from must be at least 1",
        { Seconds: < 1 } => "--seconds must be at least 1",
        _ => null,
    };
}
