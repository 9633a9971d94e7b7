using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Editions;

/// <summary>Writes the final JSON line of another edition's program in the form of our tools, so that every reader of ours can read it.</summary>
internal static class EditionLine
{
    private const string Overall = "overall";

    /// <summary>Writes the final line; a figure that the edition does not provide is absent, never 0.</summary>
    /// <param name="stream">The role's JSON lines.</param>
    /// <param name="tool">The program of ours that it replaces.</param>
    /// <param name="edition">Its edition.</param>
    /// <param name="results">The results of the program.</param>
    /// <param name="exitCode">Its exit code.</param>
    public static void Write(Stream stream, string tool, EditionFacts edition, EditionResults results, int exitCode)
    {
        (FigureFacts Facts, double Value)[] figures = Known(EditionFigures.Of(tool), results), resources = Known(EditionFigures.Resources, results);
        FigureFacts? latency = results.Latency is null ? null : EditionFigures.LatencyOf(tool);
        JsonFigures.WriteLine(stream, tool, final: true, json =>
        {
            json.WriteString("edition", edition.Word);
            json.WriteStartObject(Overall);
            WriteTree(json, figures, latency, results.Latency);
            json.WriteEndObject();
            json.WriteStartArray("threads");
            json.WriteEndArray();
            json.WriteNumber("exitCode", exitCode);
            json.WriteBoolean("comparable", true);
            WriteTree(json, resources, null, null);
            json.WriteString("ownCpuIsOf", edition.CpuScale);
            FigureCatalogue.Write(json, figures.Select(figure => figure.Facts).Concat(latency is null ? [] : [latency])
                .Concat(resources.Select(figure => figure.Facts)));
        });
    }

    /// <summary>Writes a line for each interval of its statistics, one second each.</summary>
    /// <remarks>The time of an interval is counted from the start: some editions write a month that is one too low.</remarks>
    /// <param name="stream">The role's JSON lines.</param>
    /// <param name="tool">The program of ours that it replaces.</param>
    /// <param name="results">The results of the program.</param>
    /// <param name="startUtc">The start of the program.</param>
    public static void WriteIntervals(Stream stream, string tool, EditionResults results, DateTime startUtc)
    {
        if (EditionFigures.IntervalOf(tool) is not { } rate)
            return;
        int second = 0;
        foreach (double value in results.Intervals(rate.Column))
        {
            second++;
            JsonFigures.WriteLine(stream, tool, final: false, json =>
            {
                JsonFigures.WriteCollection(json, new CollectionInfo(second, startUtc.AddSeconds(second), 1, 0, 1));
                json.WriteStartObject(Overall);
                JsonFigures.WriteDouble(json, rate.Name, value);
                json.WriteEndObject();
            });
        }
    }

    private static (FigureFacts Facts, double Value)[] Known(IEnumerable<EditionFigure> figures, EditionResults results) =>
        [.. from figure in figures let value = figure.Read(results) where value is not null select (figure.Facts, value.Value)];

    // Names with dots are objects within objects.
    private static void WriteTree(
        Utf8JsonWriter json, IEnumerable<(FigureFacts Facts, double Value)> figures, FigureFacts? latency, LatencyFigures? samples)
    {
        List<(string[] Path, Action<string> Write)> leaves =
        [
            .. figures.Select(figure => (figure.Facts.Name.Split('.'), (Action<string>)(name => WriteNumber(json, name, figure.Facts.Kind, figure.Value)))),
        ];
        if (latency is not null && samples is { } known)
            leaves.Add((latency.Name.Split('.'), name => JsonFigures.WriteLatency(json, name, known)));
        WriteLevel(json, leaves, 0);
    }

    private static void WriteLevel(Utf8JsonWriter json, IEnumerable<(string[] Path, Action<string> Write)> leaves, int level)
    {
        foreach (IGrouping<string, (string[] Path, Action<string> Write)> group in leaves.GroupBy(leaf => leaf.Path[level]))
        {
            if (group.First().Path.Length == level + 1)
            {
                group.First().Write(group.Key);
                continue;
            }

            json.WriteStartObject(group.Key);
            WriteLevel(json, group, level + 1);
            json.WriteEndObject();
        }
    }

    private static void WriteNumber(Utf8JsonWriter json, string name, FigureKind kind, double value)
    {
        if (kind == FigureKind.Count)
            json.WriteNumber(name, (long)Math.Clamp(Math.Round(value), long.MinValue / 2, long.MaxValue / 2));
        else
            JsonFigures.WriteDouble(json, name, value);
    }
}
