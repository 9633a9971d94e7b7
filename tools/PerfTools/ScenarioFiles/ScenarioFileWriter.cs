using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using PerfTools.Editions;
using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;
using PerfTools.Scenarios;

namespace PerfTools.ScenarioFiles;

/// <summary>Writes a scenario with its options as a file that <see cref="ScenarioFile"/> reads back.</summary>
internal static class ScenarioFileWriter
{
    /// <summary>Creates the text of the file: every option that a file can set, further arguments of roles, thresholds.</summary>
    public static string CreateText(Scenario scenario, ScenarioOptions options)
    {
        using MemoryStream stream = new();
        using (Utf8JsonWriter json = new(stream, new() { Indented = true, NewLine = "\n", Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            json.WriteStartObject();
            json.WriteString(FileNames.Scenario, scenario.Name);
            WriteOptions(json, scenario, options);
            WriteRoles(json, scenario, options);
            if (options.Thresholds.Count > 0)
            {
                json.WriteStartArray(FileNames.Assert);
                foreach (string threshold in options.Thresholds.Select(threshold => threshold.Text))
                    json.WriteStringValue(threshold);
                json.WriteEndArray();
            }

            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(stream.ToArray()) + "\n";
    }

    private static void WriteOptions(Utf8JsonWriter json, Scenario scenario, ScenarioOptions options)
    {
        json.WriteStartObject(FileNames.Options);
        foreach (OptionRow<ScenarioOptions> row in OptionMembers.RowsOf(scenario))
        {
            string name = row.Name[1..];
            bool isSwitch = row.ValueName is null;
            if (row.Read(options) is not { } value || IsLeftOut(row, value, scenario.Options.Defaults))
                continue;
            if (isSwitch)
                json.WriteBoolean(name, true);
            else if (long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out long number))
                json.WriteNumber(name, number);
            else
                json.WriteString(name, value);
        }

        json.WriteEndObject();
    }

    // True for a switch that is off, and for a default that would mean something else when given explicitly.
    private static bool IsLeftOut(OptionRow<ScenarioOptions> row, string value, ScenarioOptions defaults) =>
        value == row.Read(defaults) && (row.ValueName is null || row.Apply(defaults, value) != defaults);

    private static void WriteRoles(Utf8JsonWriter json, Scenario scenario, ScenarioOptions options)
    {
        string[] roles = [.. scenario.Roles.Select(role => role.Name).Where(name => options.Arguments.ContainsKey(name) || options.External.ContainsKey(name)
            || options.Editions.Tools.ContainsKey(name))];
        if (roles.Length == 0)
            return;
        json.WriteStartObject(FileNames.Roles);
        foreach (string role in roles)
        {
            json.WriteStartObject(role);
            if (options.Arguments.TryGetValue(role, out IReadOnlyList<string>? arguments))
            {
                json.WriteStartArray(FileNames.Arguments);
                foreach (string argument in arguments)
                    json.WriteStringValue(argument);
                json.WriteEndArray();
            }

            if (options.External.TryGetValue(role, out HostAddress? address) && address == HostAddress.Elsewhere)
                json.WriteBoolean(FileNames.External, true);
            else if (address is not null)
                json.WriteString(FileNames.External, address.Port == 0 ? address.Host : address.ToString());
            if (options.Editions.Tools.TryGetValue(role, out ToolCommand? tool))
                json.WriteString(FileNames.Tool, tool.ToString());
            if (options.Editions.Editions.TryGetValue(role, out Edition edition))
                json.WriteString(FileNames.Edition, EditionFacts.Of(edition).Word);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }
}
