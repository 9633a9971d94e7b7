using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Scenarios;

namespace PerfTools.ScenarioFiles;

/// <summary>
/// Reads the options of a scenario from the members of a file: the names of its table without dashes, values as on the command line.
/// </summary>
/// <param name="problems">Receives the mistakes.</param>
/// <param name="scenario">The scenario.</param>
internal sealed class OptionMembers(FileProblems problems, Scenario scenario)
{
    // Options for which a file has separate members, and options of the command line only.
    private static readonly string[] NotInFiles = ["-args", "-external", "-clock", "-clock-key", "-clock-stamps", "-clock-rate", "-tool", "-edition",
        "-assert", "-out", "-markdown", "-junit", "-json", "-otlp", "-otlp-protocol", "-serve", "-save",
        "-rank", "-run-id", "-address", "-meet-timeout", "-meet", "-meet-token"];

    /// <summary>The options that a file may set.</summary>
    public static IReadOnlyList<OptionRow<ScenarioOptions>> RowsOf(Scenario scenario)
    {
        string?[] shortForms = [.. scenario.Roles.Select(role => role.ShortOption)];
        return [.. scenario.Options.Rows.Where(row => !NotInFiles.Contains(row.Name) && !shortForms.Contains(row.Name))];
    }

    /// <summary>Sets one more option; null, and a mistake is recorded, where that is impossible.</summary>
    public ScenarioOptions? Apply(ScenarioOptions options, string name, int line, JsonNode value)
    {
        IReadOnlyList<OptionRow<ScenarioOptions>> rows = RowsOf(scenario);
        if (rows.FirstOrDefault(row => row.Name == "-" + name) is not { } row)
        {
            problems.Add(line, $"{FileNames.Options}: "
                + ClosestName.Refuse(PrintableText.From(name), "option of " + scenario.Name, rows.Select(known => known.Name[1..])));
            return null;
        }

        if (value.Kind is JsonValueKind.Object or JsonValueKind.Array or JsonValueKind.Null)
        {
            problems.Add(value.Line, $"{name}: {value.Text} is not {row.Kind}");
            return null;
        }

        ScenarioOptions? applied = row.Apply(options, value.Text);
        string? problem = applied is null ? $"{name}: '{PrintableText.From(value.Text)}' is not {row.Kind}" : row.FindProblem(applied)?.TrimStart('-');
        if (problem is not null)
            problems.Add(value.Line, problem);
        return problem is null ? applied : null;
    }

    /// <summary>Adds the thresholds of a list to the options.</summary>
    public ScenarioOptions ApplyAssertions(ScenarioOptions options, JsonNode? list)
    {
        if (list is null)
            return options;
        if (list.Kind != JsonValueKind.Array)
        {
            problems.Add(list.Line, $"{FileNames.Assert} must be a list");
            return options;
        }

        OptionRow<ScenarioOptions> row = scenario.Options.Rows.First(row => row.Name == "-" + FileNames.Assert);
        JsonNode[] wrong = [.. list.Items.Where(item => item.Kind != JsonValueKind.String || row.Apply(options, item.Text) is null)];
        foreach (JsonNode item in wrong)
            problems.Add(item.Line, $"{FileNames.Assert}: '{PrintableText.From(item.Text)}' is not {row.Kind}");
        return wrong.Length > 0 || list.Items.Count == 0
            ? options : row.Apply(options, string.Join(',', list.Items.Select(item => item.Text))) ?? options;
    }
}
