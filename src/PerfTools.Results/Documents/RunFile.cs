using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using PerfCommon;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>Reads and writes the file <c>run.json</c> of a run's folder: every figure has a stable name (docs/run-json.md).</summary>
public static class RunFile
{
    /// <summary>The name of the file.</summary>
    public const string Name = "run.json";

    // A file for people and programs, never part of a web page.
    private static readonly RunJson Json = new(new(RunJson.Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });

    /// <summary>Returns the text of the file.</summary>
    public static string CreateText(RunDocument run) => JsonSerializer.Serialize(run, Json.RunDocument) + "\n";

    /// <summary>Writes the file under another name and renames it when it is complete.</summary>
    /// <returns>Why it could not be written; null when it was.</returns>
    internal static string? TryWrite(RunFolder folder, RunDocument run)
    {
        string text = CreateText(run);
        return WholeFile.TryWrite(folder.PathOf(Name), writer => writer.Write(text));
    }

    /// <summary>Reads a file of one of the known formats.</summary>
    /// <exception cref="SetupException">It does not exist, has another format, or is not complete (exit code 3).</exception>
    public static RunDocument Read(string path)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(ResultFile.ReadText(path));
            string? format = new JsonView(document.RootElement).Text("format");
            if (!RunDocument.ReadFormats.Contains(format))
            {
                throw FileErrors.Input(path,
                    $"format {PrintableText.From(format ?? "(none)")} found, {string.Join(" or ", RunDocument.ReadFormats)} expected");
            }

            if (ResultNumbers.FindProblem(document.RootElement) is { } beyond)
                throw FileErrors.Input(path, beyond);
            RunDocument run = document.Deserialize(Json.RunDocument)!;
            return run.FindProblem() is { } problem ? throw FileErrors.Input(path, problem) : run;
        }
        catch (JsonException error)
        {
            throw FileErrors.Input(path, DescribeProblem(error), error);
        }
    }

    // The parser counts lines from 0, and has no number where a member is missing.
    private static string DescribeProblem(JsonException error) => error.LineNumber is { } line && error.Path is null
        ? string.Create(CultureInfo.InvariantCulture, $"not whole, or no JSON, in line {line + 1}")
            : PrintableText.From($"not as perftools writes it: {error.Message}");
}
