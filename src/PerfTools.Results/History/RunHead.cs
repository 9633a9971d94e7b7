using System.Text.Json;
using PerfCommon;
using PerfTools.Results.Documents;

namespace PerfTools.Results.History;

/// <summary>The beginning of run.json, read without the rest: enough for a line of a list of runs.</summary>
internal sealed class RunHead
{
    private const int MaxBytes = 64 * 1024;
    private const string FirstAfter = "assertions";

    private readonly Dictionary<string, string> _texts = [];
    private readonly Dictionary<string, double> _numbers = [];

    private RunHead()
    {
    }

    /// <summary>Reads the beginning; null where there is no run.json of ours.</summary>
    public static RunHead? TryRead(string folder)
    {
        try
        {
            using Stream file = RegularFile.OpenRead(Path.Combine(folder, RunFile.Name));
            byte[] bytes = new byte[(int)Math.Min(file.Length, MaxBytes)];
            int read = file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            RunHead head = new();
            head.Read(bytes.AsSpan(0, read));
            return RunDocument.ReadFormats.Contains(head.Text("format")) ? head : null;
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause) || cause is JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>Returns a text by its path; null where there is none.</summary>
    public string? Text(string path) => _texts.GetValueOrDefault(path);

    /// <summary>Returns a number by its path; null where there is none.</summary>
    public double? Number(string path) => _numbers.TryGetValue(path, out double value) ? value : null;

    private void Read(ReadOnlySpan<byte> json)
    {
        Utf8JsonReader reader = new(json, isFinalBlock: false, default);
        List<string> path = [];
        while (reader.Read())
        {
            if (reader.TokenType == JsonTokenType.PropertyName)
            {
                path.RemoveRange(reader.CurrentDepth - 1, path.Count - (reader.CurrentDepth - 1));
                path.Add(reader.GetString()!);
                if (path is [FirstAfter])
                    return;
            }
            else if (reader.TokenType == JsonTokenType.StartArray)
            {
                if (!reader.TrySkip())
                    return;
            }
            else if (reader.TokenType == JsonTokenType.String)
            {
                _texts[string.Join('.', path)] = reader.GetString()!;
            }
            else if (reader.TokenType == JsonTokenType.Number && reader.TryGetDouble(out double number))
            {
                _numbers[string.Join('.', path)] = number;
            }
        }
    }
}
