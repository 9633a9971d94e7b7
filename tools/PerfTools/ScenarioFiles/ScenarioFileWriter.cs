using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using PerfTools.Editions;
using PerfTools.Processes;

namespace PerfTools.ScenarioFiles;

/// <summary>Writes a scenario with its options as a file that <see cref="ScenarioFile"/> reads back.</summary>
internal static class ScenarioFileWriter
{
    /// <summary>Creates the text of the file: every option that a file can set, what it says of roles, thresholds.</summary>
    public static string CreateText(PlannedRun run)
    {
        using MemoryStream stream = new();
        using (Utf8JsonWriter json = new(stream, new() { Indented = true, NewLine = "\n", Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            json.WriteStartObject();
            json.WriteString(FileNames.Scenario, run.Scenario);
            json.WriteStartObject(FileNames.Options);
            foreach (PlannedOption option in run.Options)
                WriteOption(json, option);
            json.WriteEndObject();
            WriteRoles(json, run.Roles);
            if (run.Thresholds.Count > 0)
                WriteTexts(json, FileNames.Assert, run.Thresholds.Select(threshold => threshold.Text));
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(stream.ToArray()) + "\n";
    }

    private static void WriteOption(Utf8JsonWriter json, PlannedOption option)
    {
        if (option.Kind == PlannedOptionKind.Switch)
            json.WriteBoolean(option.Name, true);
        else if (option.Kind == PlannedOptionKind.List)
            WriteTexts(json, option.Name, option.Values);
        else if (long.TryParse(option.Values[0], NumberStyles.None, CultureInfo.InvariantCulture, out long number))
            json.WriteNumber(option.Name, number);
        else
            json.WriteString(option.Name, option.Values[0]);
    }

    private static void WriteRoles(Utf8JsonWriter json, IReadOnlyList<PlannedRole> roles)
    {
        if (roles.Count == 0)
            return;
        json.WriteStartObject(FileNames.Roles);
        foreach (PlannedRole role in roles)
        {
            json.WriteStartObject(role.Name);
            if (role.Arguments is { } arguments)
                WriteTexts(json, FileNames.Arguments, arguments);
            if (role.External == HostAddress.Elsewhere)
                json.WriteBoolean(FileNames.External, true);
            else if (role.External is { } address)
                json.WriteString(FileNames.External, address.Port == 0 ? address.Host : address.ToString());
            if (role.Tool is { } tool)
                json.WriteString(FileNames.Tool, tool.ToString());
            if (role.Edition is { } edition)
                json.WriteString(FileNames.Edition, EditionFacts.Of(edition).Word);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static void WriteTexts(Utf8JsonWriter json, string name, IEnumerable<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
            json.WriteStringValue(text);
        json.WriteEndArray();
    }
}
