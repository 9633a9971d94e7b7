using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.ScenarioFiles;

/// <summary>The options that a file may set, by the table of a scenario.</summary>
internal static class OptionMembers
{
    // Options for which a file has separate members, and options of the command line only.
    private static readonly string[] NotInFiles = ["-args", "-external", "-clock", "-clock-key", "-clock-stamps", "-clock-rate", "-tool", "-edition",
        "-assert", "-out", "-markdown", "-junit", "-json", "-otlp", "-otlp-protocol", "-serve", "-save",
        "-rank", "-run-id", "-address", "-meet-timeout", "-meet", "-meet-token", "-start-in"];

    /// <summary>The rows of the options that a file may set.</summary>
    /// <param name="table">The table.</param>
    /// <param name="shortForms">Options for which a file has the member of a role.</param>
    public static IReadOnlyList<OptionRow<T>> RowsOf<T>(OptionTable<T> table, IReadOnlyList<string?> shortForms)
        where T : class =>
        [.. table.Rows.Where(row => !NotInFiles.Contains(row.Name) && !shortForms.Contains(row.Name))];

    /// <summary>Reads the options that a file has to set, so that they are read back.</summary>
    /// <param name="table">The table.</param>
    /// <param name="options">The options.</param>
    /// <param name="shortForms">Options for which a file has the member of a role.</param>
    public static IEnumerable<PlannedOption> Read<T>(OptionTable<T> table, T options, IReadOnlyList<string?> shortForms)
        where T : class
    {
        foreach (OptionRow<T> row in RowsOf(table, shortForms))
        {
            string name = row.Name[1..];
            if (row.Values?.Invoke(options) is { Count: > 0 } values)
                yield return new(name, values, PlannedOptionKind.List);
            else if (row.Read(options) is { } value && !IsLeftOut(row, value, table.Defaults))
                yield return new(name, [value], row.ValueName is null ? PlannedOptionKind.Switch : PlannedOptionKind.Value);
        }
    }

    // True for a switch that is off, and for a default that would mean something else when given explicitly.
    private static bool IsLeftOut<T>(OptionRow<T> row, string value, T defaults)
        where T : class => value == row.Read(defaults) && (row.ValueName is null || !Equals(row.Apply(defaults, value), defaults));
}

/// <summary>
/// Reads the options of a scenario from the members of a file: the names of its table without dashes, values as on the command line.
/// </summary>
/// <param name="problems">Receives the mistakes.</param>
/// <param name="scenario">The name of the scenario.</param>
/// <param name="table">Its options.</param>
/// <param name="shortForms">Options for which a file has the member of a role.</param>
internal sealed class OptionMembers<T>(FileProblems problems, string scenario, OptionTable<T> table, IReadOnlyList<string?> shortForms)
    where T : class
{
    /// <summary>Sets one more option; null, and a mistake is recorded, where that is impossible.</summary>
    public T? Apply(T options, string name, int line, JsonNode value)
    {
        IReadOnlyList<OptionRow<T>> rows = OptionMembers.RowsOf(table, shortForms);
        if (rows.FirstOrDefault(row => row.Name == "-" + name) is not { } row)
        {
            problems.Add(line, $"{FileNames.Options}: "
                + ClosestName.Refuse(PrintableText.From(name), "option of " + scenario, rows.Select(known => known.Name[1..])));
            return null;
        }

        if (!row.IsRepeatable || value.Kind != JsonValueKind.Array)
            return Apply(row, options, name, value);
        T? all = options;
        foreach (JsonNode item in value.Items)
            all = all is null ? null : Apply(row, all, name, item);
        return all;
    }

    /// <summary>Adds the thresholds of a list to the options.</summary>
    public T ApplyAssertions(T options, JsonNode? list)
    {
        if (list is null)
            return options;
        if (list.Kind != JsonValueKind.Array)
        {
            problems.Add(list.Line, $"{FileNames.Assert} must be a list");
            return options;
        }

        OptionRow<T> row = table.Rows.First(row => row.Name == "-" + FileNames.Assert);
        JsonNode[] wrong = [.. list.Items.Where(item => item.Kind != JsonValueKind.String || row.Apply(options, item.Text) is null)];
        foreach (JsonNode item in wrong)
            problems.Add(item.Line, $"{FileNames.Assert}: '{PrintableText.From(item.Text)}' is not {row.Kind}");
        return wrong.Length > 0 || list.Items.Count == 0
            ? options : row.Apply(options, string.Join(',', list.Items.Select(item => item.Text))) ?? options;
    }

    private T? Apply(OptionRow<T> row, T options, string name, JsonNode value)
    {
        if (value.Kind is JsonValueKind.Object or JsonValueKind.Array or JsonValueKind.Null)
        {
            problems.Add(value.Line, $"{name}: {value.Text} is not {row.Kind}");
            return null;
        }

        T? applied = row.Apply(options, value.Text);
        string? problem = applied is null ? $"{name}: '{PrintableText.From(value.Text)}' is not {row.Kind}" : row.FindProblem(applied)?.TrimStart('-');
        if (problem is not null)
            problems.Add(value.Line, problem);
        return problem is null ? applied : null;
    }
}
