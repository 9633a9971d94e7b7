using System.Text.Json;

namespace PerfCommon.Measurement;

/// <summary>Describes a figure of a role, except its value: an entry of the catalogue in a role's final JSON line (docs/json-lines.md).</summary>
/// <remarks>A reader of the line displays, merges and compares figures by these facts alone, and needs to know no name of a role's figures.</remarks>
internal sealed record FigureFacts
{
    /// <summary>Path of the figure below <c>overall</c>, or below the whole line where it is not there: names joined by dots.</summary>
    public required string Name { get; init; }

    /// <summary>Its name for people, without its unit.</summary>
    public required string Words { get; init; }

    public required FigureKind Kind { get; init; }

    /// <summary>The unit of the value; null for a plain number of things.</summary>
    public string? Unit { get; init; }

    /// <summary>Direction in which a change is an improvement.</summary>
    public FigureSense Better { get; init; }

    /// <summary>Way in which the values of several threads, roles or ranks are merged into one.</summary>
    public FigureMerge Merge { get; init; }

    /// <summary>The series, in the names of histograms, that has the figure's samples (docs/histograms.md); null for a single number.</summary>
    public string? Series { get; init; }

    /// <summary>The phase of the run that the figure covers, in lower case; null for the whole run.</summary>
    public string? Phase { get; init; }

    /// <summary>Path of the figure below <c>overall</c> in the lines of collections; null where those lines lack it.</summary>
    public string? Interval { get; init; }

    /// <summary>The dimension for each of whose values the figure has a value; null where it has one value.</summary>
    public FigureSpread? Over { get; init; }

    /// <summary>True when the value is an object with the figures of latency samples.</summary>
    public bool HasSamples => Merge == FigureMerge.Histogram;

    /// <summary>Writes it as an object.</summary>
    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString(Names.Name, Name);
        json.WriteString(Names.Words, Words);
        json.WriteString(Names.Kind, FigureWords.Of(Kind));
        WriteIfAny(json, Names.Unit, Unit);
        json.WriteString(Names.Better, FigureWords.Of(Better));
        json.WriteString(Names.Merge, FigureWords.Of(Merge));
        WriteIfAny(json, Names.Series, Series);
        WriteIfAny(json, Names.Phase, Phase);
        WriteIfAny(json, Names.Interval, Interval);
        if (Over is { } over)
        {
            json.WriteStartObject(Names.Over);
            json.WriteString(Names.Name, over.Name);
            WriteIfAny(json, Names.Unit, over.Unit);
            json.WriteString(Names.List, over.List);
            json.WriteString(Names.By, over.By);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    /// <summary>Reads the object that <see cref="Write"/> wrote; null for any other JSON, or for an unknown kind.</summary>
    public static FigureFacts? TryRead(JsonElement entry)
    {
        if (Text(entry, Names.Name) is not { Length: > 0 } name || Text(entry, Names.Words) is not { Length: > 0 } words
            || FigureWords.Find<FigureKind>(Text(entry, Names.Kind)) is not { } kind
            || FigureWords.Find<FigureSense>(Text(entry, Names.Better)) is not { } better
            || FigureWords.Find<FigureMerge>(Text(entry, Names.Merge)) is not { } merge)
        {
            return null;
        }

        FigureSpread? spread = null;
        if (entry.TryGetProperty(Names.Over, out JsonElement over))
        {
            if (Text(over, Names.Name) is not { } of || Text(over, Names.List) is not { } list || Text(over, Names.By) is not { } by)
                return null;
            spread = new(of, list, by, Text(over, Names.Unit));
        }

        return new()
        {
            Name = name,
            Words = words,
            Kind = kind,
            Unit = Text(entry, Names.Unit),
            Better = better,
            Merge = merge,
            Series = Text(entry, Names.Series),
            Phase = Text(entry, Names.Phase),
            Interval = Text(entry, Names.Interval),
            Over = spread,
        };
    }

    private static string? Text(JsonElement entry, string name) =>
        entry.ValueKind == JsonValueKind.Object && entry.TryGetProperty(name, out JsonElement found) && found.ValueKind == JsonValueKind.String
        ? found.GetString() : null;

    private static void WriteIfAny(Utf8JsonWriter json, string name, string? text)
    {
        if (text is not null)
            json.WriteString(name, text);
    }

    // the members' names, for writer and reader
    private static class Names
    {
        public const string Name = "name";
        public const string Words = "words";
        public const string Kind = "kind";
        public const string Unit = "unit";
        public const string Better = "better";
        public const string Merge = "merge";
        public const string Series = "series";
        public const string Phase = "phase";
        public const string Interval = "interval";
        public const string Over = "over";
        public const string List = "list";
        public const string By = "by";
    }
}

/// <summary>The dimension of a figure that has several values.</summary>
/// <param name="Name">Name of the dimension: size.</param>
/// <param name="List">The member of the line that has an object for each of its values.</param>
/// <param name="By">The member of such an object that holds the dimension's value; the figure is another member.</param>
/// <param name="Unit">Unit of the dimension; null for a plain number.</param>
internal sealed record FigureSpread(string Name, string List, string By, string? Unit);

/// <summary>Kind of quantity of a figure.</summary>
internal enum FigureKind
{
    /// <summary>A number of things, or a mean of one.</summary>
    Count,

    /// <summary>A number of things in a second.</summary>
    Rate,

    /// <summary>A length of time.</summary>
    Time,

    /// <summary>A part of a whole, in percent.</summary>
    Share,

    /// <summary>Bytes, kilobytes or megabytes.</summary>
    Memory,
}

/// <summary>Direction in which a change of a figure is an improvement.</summary>
internal enum FigureSense
{
    /// <summary>Neither: it depends on the requested load.</summary>
    None,

    /// <summary>Higher is better.</summary>
    Higher,

    /// <summary>Lower is better.</summary>
    Lower,
}

/// <summary>Way in which the values of several threads, roles or ranks are merged into one.</summary>
internal enum FigureMerge
{
    /// <summary>The values are added.</summary>
    Sum,

    /// <summary>The greatest value is used.</summary>
    Max,

    /// <summary>The mean of the values is used.</summary>
    Mean,

    /// <summary>The histograms of their samples are added, cell by cell; percentiles are those of the sum.</summary>
    Histogram,
}

/// <summary>Names of the enumeration members in the catalogue: the members in lower case.</summary>
internal static class FigureWords
{
    public static string Of<T>(T member)
        where T : struct, Enum => member.ToString().ToLowerInvariant();

    /// <summary>Finds the member of a name; null for an unknown name.</summary>
    public static T? Find<T>(string? word)
        where T : struct, Enum
    {
        foreach (T member in Enum.GetValues<T>())
        {
            if (Of(member) == word)
                return member;
        }

        return null;
    }
}
