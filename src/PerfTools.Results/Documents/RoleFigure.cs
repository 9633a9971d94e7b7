using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using PerfCommon.Measurement;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>A figure of a role with what it is, as run.json has it: an entry of the role's own catalogue (docs/json-lines.md), and its value.</summary>
public sealed record RoleFigure
{
    private const string Overall = "overall";
    private const char NameEnd = '.';

    /// <summary>Its name in the role's JSON lines, as <c>counts.updatesSent</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Its name for people, without its unit.</summary>
    public required string Words { get; init; }

    /// <summary>count, rate, time, share or memory.</summary>
    public required string Kind { get; init; }

    /// <summary>Of the value, as us or 1/s; absent for a plain number of things.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Unit { get; init; }

    /// <summary>Which change of it is for the better: higher, lower or none.</summary>
    public required string Better { get; init; }

    /// <summary>How several of them become one: sum, max, mean or histogram.</summary>
    public required string Merge { get; init; }

    /// <summary>The series in the names of histograms that has its samples; absent for a single number.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Series { get; init; }

    /// <summary>The phase of the run that it is of; absent for the whole.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Phase { get; init; }

    /// <summary>Its position in its dimension; absent for one without.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public FigurePlace? At { get; init; }

    /// <summary>The figure; absent where there are samples.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? Value { get; init; }

    /// <summary>The figures of its samples, in its unit; absent for a single number.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public RunLatency? Samples { get; init; }

    /// <summary>The words with the unit.</summary>
    [JsonIgnore]
    public string Title => (At is { } at ? $"{Words}, {at}" : Words) + (Unit is null ? "" : $", {Unit}");

    /// <summary>Every figure of a role that has a value, in the order of its catalogue; none without one, as of 0.16 and before.</summary>
    /// <param name="final">The role's final JSON line; null where there is none.</param>
    public static IReadOnlyList<RoleFigure> ReadAll(JsonElement? final) => final is { } line
        ? [.. FigureCatalogue.Read(line).SelectMany(facts => Read(new(line), facts))] : [];

    /// <summary>A figure by its name, or by that of one with samples and the name of one of theirs, as <c>sendLag.p99</c>.</summary>
    /// <returns>It, its value, and the samples that this rests on; null where there is no such figure.</returns>
    public static (RoleFigure Figure, double? Value, long? Samples)? Find(IReadOnlyList<RoleFigure> figures, string name)
    {
        if (figures.FirstOrDefault(figure => figure.Name == name) is { Samples: null } plain)
            return (plain, plain.Value, null);
        if (figures.FirstOrDefault(figure => figure.Samples is not null && name.StartsWith(figure.Name + NameEnd, StringComparison.Ordinal))
            is not { Samples: { } samples } sampled)
        {
            return null;
        }

        return SampleFigure.All.FirstOrDefault(cell => cell.Name == name[(sampled.Name.Length + 1)..]) is { } cell
            ? (sampled, cell.Read(samples), samples.Count) : null;
    }

    /// <summary>A final JSON line without its catalogue, which is among the figures.</summary>
    internal static JsonElement? WithoutCatalogue(JsonElement? final) => FigureCatalogue.Without(final);

    /// <summary>Its numbers by name, for a list of names and values: one, or those of its samples that are known.</summary>
    internal IEnumerable<(string Name, double Value)> Numbers()
    {
        string name = At is { } at ? string.Create(CultureInfo.InvariantCulture, $"{Name}@{at.Value}") : Name;
        if (Value is { } value)
            return [(name, value)];
        return Samples is not { } samples ? [] :
        [
            .. SampleFigure.All.Where(cell => cell.Read(samples) is not null).Select(cell => ($"{name}{NameEnd}{cell.Name}", cell.Read(samples)!.Value)),
            ($"{name}{NameEnd}samples", samples.Count),
        ];
    }

    private static IEnumerable<RoleFigure> Read(JsonView line, FigureFacts facts)
    {
        if (facts.Over is { } over)
        {
            foreach (JsonView entry in line.Parts(over.List))
            {
                if (entry.Number(over.By) is { } at && entry.Number(facts.Name) is { } value)
                    yield return Of(facts) with { Value = value, At = new(over.Name, at, over.Unit) };
            }
        }
        else if (facts.HasSamples)
        {
            if (line.Part(Overall).Latency(facts.Name) is { } samples)
                yield return Of(facts) with { Samples = samples };
        }
        else if ((line.Part(Overall).Number(facts.Name) ?? line.Number(facts.Name)) is { } value)
        {
            yield return Of(facts) with { Value = value };
        }
    }

    private static RoleFigure Of(FigureFacts facts) => new()
    {
        Name = facts.Name,
        Words = facts.Words,
        Kind = FigureWords.Of(facts.Kind),
        Unit = facts.Unit,
        Better = FigureWords.Of(facts.Better),
        Merge = FigureWords.Of(facts.Merge),
        Series = facts.Series,
        Phase = facts.Phase,
    };
}

/// <summary>The position of a figure in a dimension: of size, at 64 bytes.</summary>
/// <param name="Name">The dimension.</param>
/// <param name="Value">The place in it.</param>
/// <param name="Unit">Of the place; null for a plain number.</param>
public sealed record FigurePlace(string Name, double Value, string? Unit)
{
    /// <summary>As people read it.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Name} {Value}{(Unit is null ? "" : " " + Unit)}");
}

/// <summary>One of the figures that samples have.</summary>
/// <param name="Name">Its name: avg, max, p50 and so on.</param>
/// <param name="Member">That of the member of run.json.</param>
/// <param name="Read">Takes it; null for one with too few samples.</param>
internal sealed record SampleFigure(string Name, string Member, Func<RunLatency, double?> Read)
{
    /// <summary>All of them, in the order in which people read them.</summary>
    public static IReadOnlyList<SampleFigure> All { get; } =
    [
        new("p50", "p50", latency => latency.P50), new("p90", "p90", latency => latency.P90), new("p99", "p99", latency => latency.P99),
        new("p99.9", "p999", latency => latency.P999), new("p99.99", "p9999", latency => latency.P9999),
        new("max", "max", latency => latency.Max), new("avg", "average", latency => latency.Average),
        new("min", "min", latency => latency.Min),
    ];
}
