using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using PerfCommon.Measurement;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>
/// A figure of a role with its description, as run.json has it: an entry of the role's own catalogue (docs/json-lines.md), and its value.
/// </summary>
public sealed record RoleFigure
{
    private const string Overall = "overall";
    private const char NameEnd = '.';

    /// <summary>Its name in the role's JSON lines, as <c>counts.updatesSent</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Its display name, without its unit.</summary>
    public required string Words { get; init; }

    /// <summary>count, rate, time, share or memory.</summary>
    public required string Kind { get; init; }

    /// <summary>Unit of the value, as us or 1/s; absent for a plain number of things.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Unit { get; init; }

    /// <summary>The direction of change that is better: higher, lower or none.</summary>
    public required string Better { get; init; }

    /// <summary>How the figures of several roles are combined: sum, max, mean or histogram.</summary>
    public required string Merge { get; init; }

    /// <summary>The series, in the names of histograms, with its samples; absent for a single number.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Series { get; init; }

    /// <summary>The phase of the run that it covers; absent for the whole.</summary>
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

    /// <summary>
    /// Reads every figure of a role that has a value, in the order of its catalogue; none without a catalogue, as of 0.16 and before.
    /// </summary>
    /// <param name="final">The role's final JSON line; null where there is none.</param>
    public static IReadOnlyList<RoleFigure> ReadAll(JsonElement? final) => final is { } line
        ? [.. FigureCatalogue.Read(line).SelectMany(facts => Read(new(line), facts))] : [];

    /// <summary>Finds a figure by its name; for one with samples also by the name of one of their figures, as <c>sendLag.p99</c>.</summary>
    /// <returns>The figure, its value, and its number of samples; null where there is no such figure.</returns>
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

    /// <summary>Returns a final JSON line without its catalogue, which is among the figures.</summary>
    internal static JsonElement? WithoutCatalogue(JsonElement? final) => FigureCatalogue.Without(final);

    /// <summary>Returns its numbers by name, for a list of names and values: a single one, or the known ones of its samples.</summary>
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
/// <param name="Name">Name of the dimension.</param>
/// <param name="Value">Position in the dimension.</param>
/// <param name="Unit">Unit of the position; null for a plain number.</param>
public sealed record FigurePlace(string Name, double Value, string? Unit)
{
    /// <summary>Formats the position as text.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Name} {Value}{(Unit is null ? "" : " " + Unit)}");
}

/// <summary>One of the figures of samples.</summary>
/// <param name="Name">Its name: avg, max, p50 and so on.</param>
/// <param name="Member">Name of its member in run.json.</param>
/// <param name="Read">Reads it; null for one with too few samples.</param>
internal sealed record SampleFigure(string Name, string Member, Func<RunLatency, double?> Read)
{
    /// <summary>All figures of samples, in the order of display.</summary>
    public static IReadOnlyList<SampleFigure> All { get; } =
    [
        new("p50", "p50", latency => latency.P50), new("p90", "p90", latency => latency.P90), new("p99", "p99", latency => latency.P99),
        new("p99.9", "p999", latency => latency.P999), new("p99.99", "p9999", latency => latency.P9999),
        new("max", "max", latency => latency.Max), new("avg", "average", latency => latency.Average),
        new("min", "min", latency => latency.Min),
    ];
}
