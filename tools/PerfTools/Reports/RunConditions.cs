using System.Globalization;
using System.Text.Json;
using PerfTools.Results;
using PerfTools.Scenarios;

namespace PerfTools.Reports;

/// <summary>Under which conditions a run took place: its options, those that differ from the default first; the machine; the commands.</summary>
internal static class RunConditions
{
    public static IEnumerable<TextTable> Create(RunDocument run, Scenario? scenario)
    {
        ILookup<bool, (string Name, string Text)> inputs = Compare(run, scenario);
        yield return new("Options that differ from the default", [], Rows(inputs[true]));
        yield return new("Other options", [], Rows(inputs[false]));
        yield return new("Environment", [], Rows(Flatten("", JsonSerializer.SerializeToElement(run.Machine, JsonSerializerOptions.Web))));
        yield return new("Commands", [], Rows(run.Roles.Select(role => (role.Name, role.Command))));
    }

    // True for those that differ.
    private static ILookup<bool, (string Name, string Text)> Compare(RunDocument run, Scenario? scenario)
    {
        Dictionary<string, string> usual = scenario?.DescribeInputs(new()).SelectMany(input => Flatten(input.Key, input.Value)).ToDictionary() ?? [];
        return run.Inputs.SelectMany(input => Flatten(input.Key, input.Value)).ToLookup(input => usual.GetValueOrDefault(input.Name, "") != input.Text);
    }

    // What is empty is left out.
    private static IEnumerable<(string Name, string Text)> Flatten(string name, JsonElement value)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                return value.EnumerateObject().SelectMany(member => Flatten(name.Length == 0 ? member.Name : $"{name}.{member.Name}", member.Value));
            case JsonValueKind.Array:
                string list = string.Join(' ', value.EnumerateArray().Select(element => element.ToString()));
                return list.Length == 0 ? [] : [(name, list)];
            case JsonValueKind.Null:
                return [];
            default:
                return [(name, TextOf(value))];
        }
    }

    private static string TextOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!,
        JsonValueKind.Number => value.GetDouble().ToString("0.##", CultureInfo.InvariantCulture),
        _ => value.GetRawText(),
    };

    private static IReadOnlyList<IReadOnlyList<Cell>> Rows(IEnumerable<(string Name, string Text)> rows) =>
        [.. rows.Select(row => (IReadOnlyList<Cell>)[row.Name, row.Text])];
}
