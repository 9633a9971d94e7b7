using System.Text.Json;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Scenarios;

namespace PerfTools.Reports;

/// <summary>
/// Lists the conditions of a run: its options, those that differ from the default first; the machine; the commands.
/// </summary>
internal static class RunConditions
{
    public static IEnumerable<TextTable> Create(RunDocument run, Scenario? scenario)
    {
        ILookup<bool, (string Name, string Text)> inputs = Compare(run, scenario);
        yield return new("Options that differ from the default", [], Rows(InWords(inputs[true])));
        yield return new("Other options", [], Rows(InWords(inputs[false])));
        yield return new("Environment", [],
            Rows(InWords(FlatFacts.Of("", JsonSerializer.SerializeToElement(run.Machine, RunJson.Default.MachineDescription)))));
        if (RunPlacement.TryRead(run) is { } placement)
        {
            yield return new("Processors", [],
                Rows(placement.Roles.Select(role => (role.Role, role.Details)).Append(("together", placement.Text))));
        }

        yield return new("Commands", [], Rows(run.Roles.Select(role => (role.Name, role.Command))));
    }

    // The key is true for options that differ.
    private static ILookup<bool, (string Name, string Text)> Compare(RunDocument run, Scenario? scenario)
    {
        Dictionary<string, string> usual = scenario?.DescribeInputs(new()).SelectMany(input =>
            FlatFacts.Of(input.Key, input.Value)).ToDictionary() ?? [];
        return run.Inputs.SelectMany(input =>
            FlatFacts.Of(input.Key, input.Value)).ToLookup(input => usual.GetValueOrDefault(input.Name, "") != input.Text);
    }

    private static IReadOnlyList<IReadOnlyList<Cell>> Rows(IEnumerable<(string Name, string Text)> rows) =>
        [.. rows.Select(row => (IReadOnlyList<Cell>)[row.Name, row.Text])];

    private static IEnumerable<(string Name, string Text)> InWords(IEnumerable<(string Name, string Text)> facts) =>
        facts.Select(fact => (FactWords.Of(fact.Name), fact.Text));
}
