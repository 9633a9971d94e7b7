using System.Text.Encodings.Web;
using System.Text.Json;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>The file of recorded ratios: cost of a message in passes of the reference loop, by processor model and case.</summary>
internal sealed class RecordedRatios
{
    private const string CurrentFormat = "perftools-recorded-1";
    private const int Digits = 5;

    private static readonly JsonSerializerOptions Json = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        PropertyNameCaseInsensitive = false,
        RespectNullableAnnotations = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, // a file for people and programs, never part of a web page
        NewLine = "\n",
    };

    // Sorted, so that a new record changes its own lines only.
    private readonly SortedDictionary<string, SortedDictionary<string, double>> _models = new(StringComparer.Ordinal);

    /// <summary>Reads the file; without it nothing is recorded yet.</summary>
    /// <exception cref="SetupException">It has another format, or contains an impossible ratio.</exception>
    public static RecordedRatios Read(string path)
    {
        RecordedRatios ratios = new();
        if (!File.Exists(path))
            return ratios;
        try
        {
            Document document = JsonSerializer.Deserialize<Document>(File.ReadAllText(path), Json) ?? throw new JsonException("empty");
            if (document.Format != CurrentFormat)
                throw new JsonException($"format {document.Format} found, {CurrentFormat} expected");
            foreach ((string model, SortedDictionary<string, double> cases) in document.Models)
            {
                foreach ((string name, double ratio) in cases)
                    ratios.Set(model, name, ratio > 0 ? ratio : throw new JsonException($"the ratio of {name} is not above 0"));
            }
        }
        catch (Exception error) when (error is JsonException or IOException or UnauthorizedAccessException)
        {
            throw new SetupException(SetupProblem.InputFile, $"{path}: {error.Message}", error);
        }

        return ratios;
    }

    /// <summary>Returns the ratio of a case on a processor model; null when it was not recorded.</summary>
    public double? Find(string model, string name) =>
        _models.TryGetValue(model, out SortedDictionary<string, double>? cases) && cases.TryGetValue(name, out double ratio) ? ratio : null;

    /// <summary>Records the ratio of a case.</summary>
    public void Set(string model, string name, double ratio)
    {
        if (!_models.TryGetValue(model, out SortedDictionary<string, double>? cases))
            _models.Add(model, cases = new(StringComparer.Ordinal));
        cases[name] = Math.Round(ratio, Digits);
    }

    /// <summary>Writes the file atomically: to a temporary file that is then renamed.</summary>
    /// <exception cref="SetupException">It cannot be written.</exception>
    public void Write(string path)
    {
        try
        {
            Document document = new() { Format = CurrentFormat, Models = _models };
            File.WriteAllText(path + ".new", JsonSerializer.Serialize(document, Json) + "\n");
            File.Move(path + ".new", path, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new SetupException(SetupProblem.OutputFile, $"{path}: cannot be written: {error.Message}", error);
        }
    }

    private sealed record Document
    {
        public required string Format { get; init; }

        public required SortedDictionary<string, SortedDictionary<string, double>> Models { get; init; }
    }
}
