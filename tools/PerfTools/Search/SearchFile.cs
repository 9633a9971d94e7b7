using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using PerfCommon;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Search;

/// <summary>Reads and writes a search as JSON (docs/search.md).</summary>
internal static class SearchFile
{
    public const string Format = "perftools-search-1";

    // The file is for people and programs, never part of a web page.
    private static readonly SearchJson Json = new(new(SearchJson.Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });

    /// <summary>Its name in the folder of a search.</summary>
    public const string Name = "search.json";

    /// <summary>True for the folder of a search.</summary>
    public static bool IsIn(string folder) => ResultFile.IsThere(Path.Combine(folder, Name));

    /// <summary>Reads the file of a folder.</summary>
    /// <exception cref="SetupException">The file is missing, of another format, or incomplete (exit code 3).</exception>
    public static SearchDocument Read(string folder)
    {
        string path = Path.Combine(folder, Name);
        try
        {
            using JsonDocument document = JsonDocument.Parse(ResultFile.ReadText(path));
            string? format = new JsonView(document.RootElement).Text("format");
            if (format != Format)
                throw FileErrors.Input(path, $"format {PrintableText.From(format ?? "(none)")} found, {Format} expected");
            if (ResultNumbers.FindProblem(document.RootElement) is { } beyond)
                throw FileErrors.Input(path, beyond);
            SearchDocument search = document.Deserialize(Json.SearchDocument)!;
            return search.IsWhole ? search : throw FileErrors.Input(path, "not as perftools writes it: a member is null");
        }
        catch (JsonException error)
        {
            throw FileErrors.Input(path, PrintableText.From($"not as perftools writes it: {error.Message}"), error);
        }
    }

    public static string CreateText(SearchResult result) => JsonSerializer.Serialize(Describe(result), Json.SearchDocument) + "\n";

    private static SearchDocument Describe(SearchResult result) => new()
    {
        Scenario = result.Subject.Name,
        Verdict = result.Verdict,
        Reason = result.Reason,
        ExitCode = (int)result.Outcome.Code,
        StartUtc = result.StartUtc,
        EndUtc = result.EndUtc,
        Asked = new(result.Search.Over.Name, result.Subject.Unit, [.. result.Search.Until.Select(threshold => threshold.Text)],
            SearchText.StampWord(result.Subject), result.Search.Budget.Seconds,
            !result.Subject.StaysUp),
        Capacity = Describe(result.Answer),
        Placement = result.Run?.Placement,
        Inputs = result.Subject.Inputs,
        Machine = result.Run?.Machine,
        Runs = [.. result.Answer.All.Select(Describe)],
        Curve = Describe(result.Curve),
        OtherCurve = Describe(result.OtherCurve),
    };

    private static SearchCurve? Describe(LoadCurve? curve) => curve is null ? null : new(
        curve.Knee?.Percent, curve.Knee?.Sample.Value, [.. curve.Points.Select(point => new SearchPoint(point.Percent, Describe(point.Sample)))]);

    private static SearchCapacity Describe(SearchAnswer answer) => new(
        answer.Value, answer.Interval.Low is { } low ? Math.Round(low) : null, answer.Interval.High is { } high ? Math.Round(high) : null,
        CapacityInterval.Confidence, answer.IsConfirmed, answer.Missed, answer.FirstMiss?.Reason);

    private static SearchRun Describe(SearchSample sample) => new(
        sample.Number, sample.Stage.ToString().ToLowerInvariant(), sample.Value, sample.IsKept, sample.Reason, sample.Disturbance, sample.Placement,
        sample.Seconds, sample.Figures, sample.Folder);
}

/// <summary>The members of the file, in its order.</summary>
internal sealed record SearchDocument
{
    public string Format { get; init; } = SearchFile.Format;
    public required string Scenario { get; init; }
    public required string Verdict { get; init; }
    public required string? Reason { get; init; }
    public required int ExitCode { get; init; }
    public required DateTime StartUtc { get; init; }
    public required DateTime EndUtc { get; init; }
    public required SearchRequest Asked { get; init; }
    public required SearchCapacity Capacity { get; init; }
    public required string? Placement { get; init; }
    public required IReadOnlyDictionary<string, JsonElement> Inputs { get; init; }
    public required MachineDescription? Machine { get; init; }
    public required IReadOnlyList<SearchRun> Runs { get; init; }
    public required SearchCurve? Curve { get; init; }

    /// <summary>The curve with latency from the other time, sent or due; absent where it was not requested.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SearchCurve? OtherCurve { get; init; }

    /// <summary>False where a foreign file has null in the place of an object or a list.</summary>
    [JsonIgnore]
    public bool IsWhole => Scenario is not null && Asked is { Over: not null, Unit: not null, Until: not null } && Capacity is not null && Inputs is not null
        && (Curve is null || (Curve.Points is not null
            && Curve.Points.All(point => point is { Run: not null } && point.Run.Figures is null or { Roles: not null })));
}

/// <summary>The request: the option without dashes, the unit, the thresholds, latency from the time due or sent, the budget, fresh roles.</summary>
internal sealed record SearchRequest(string Over, string Unit, IReadOnlyList<string> Until, string Stamp, int BudgetSeconds, bool Fresh);

/// <summary>The answer, with its interval; the minimum value missed, and why it was missed.</summary>
internal sealed record SearchCapacity(int? Value, double? Low, double? High, double Confidence, bool Confirmed, int? Missed, string? Limit);

/// <summary>A run of the search; a dropped one with its reason.</summary>
internal sealed record SearchRun(int Number, string Stage, int Value, bool Kept, string? Reason, string? Dropped, string? Placement,
    double Seconds, SampleFigures? Figures, string Folder);

/// <summary>The load curve, and its knee.</summary>
internal sealed record SearchCurve(int? KneePercent, int? KneeValue, IReadOnlyList<SearchPoint> Points);

/// <summary>A load of the curve in percent of the value found.</summary>
internal sealed record SearchPoint(int Percent, SearchRun Run);

/// <summary>Writes the file by code that the build generates.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, NewLine = "\n", PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(SearchDocument))]
[JsonSerializable(typeof(SearchRequest))]
internal sealed partial class SearchJson : JsonSerializerContext;
