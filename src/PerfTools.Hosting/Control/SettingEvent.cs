using System.Globalization;
using System.Text.Json;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Control;

/// <summary>The changes of one request.</summary>
/// <param name="Utc">When it was accepted; workers follow at their next tick.</param>
/// <param name="Changes">Each setting.</param>
internal sealed record SettingEvent(DateTime Utc, IReadOnlyList<SettingChange> Changes)
{
    /// <summary>Writes its JSON line (docs/json-lines.md).</summary>
    public void WriteJsonLine(Stream stream, string tool) => JsonFigures.WriteLine(stream, tool, final: false, json =>
    {
        json.WriteString("utc", Utc.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture));
        json.WriteStartObject("set");
        foreach (SettingChange change in Changes)
            SettingJson.WriteValue(json, change.Name, change.Value);
        json.WriteEndObject();
        json.WriteStartObject("was");
        foreach (SettingChange change in Changes.Where(change => change.Was is not null))
            SettingJson.WriteValue(json, change.Name, change.Was);
        json.WriteEndObject();
    });
}

/// <summary>Writes settings as JSON.</summary>
internal static class SettingJson
{
    /// <summary>Writes the answer to GET /control.</summary>
    public static void WriteStates(Utf8JsonWriter json, string tool, IEnumerable<SettingState> states)
    {
        json.WriteStartObject();
        json.WriteString("tool", tool);
        json.WriteStartArray("settings");
        foreach (SettingState state in states)
        {
            json.WriteStartObject();
            json.WriteString("name", state.Name);
            WriteValue(json, "value", state.Value);
            json.WriteString("unit", state.Unit);
            JsonFigures.WriteDouble(json, "min", state.Min);
            JsonFigures.WriteDouble(json, "max", state.Max);
            json.WriteString("kind", state.Kind);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Writes a number where the text is one, else a text, or null.</summary>
    public static void WriteValue(Utf8JsonWriter json, string name, string? value)
    {
        if (double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) && double.IsFinite(number))
            json.WriteNumber(name, number);
        else
            json.WriteString(name, value);
    }
}
