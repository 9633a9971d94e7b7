using System.Globalization;
using System.Reflection;

namespace Tools.Tests;

/// <summary>The evidence for a row of docs/limits.md: the options or constants that it names, and a test that exceeds the limit.</summary>
/// <param name="Row">The beginning of the row.</param>
/// <param name="Shown">The test that sets the limit low, or reaches it, as <c>Class.Method</c>.</param>
internal sealed record LimitCase(string Row, string Shown)
{
    private const BindingFlags Static = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly Assembly[] Assemblies =
        [.. new[] { "PerfCommon", "PerfHub", "PerfTools.Hosting", "HubPerf", "LatencyPerf", "UsersPerf" }.Select(Assembly.Load)];

    /// <summary>Tools with the option, and the default of each: <c>ProvPerf -openLimit 1000000</c>.</summary>
    public IReadOnlyList<string> Options { get; init; } = [];

    /// <summary>A constant, its value, and how the row has it: <c>FragmentTable.MaxOpen 64 64</c>.</summary>
    public IReadOnlyList<string> Constants { get; init; } = [];

    /// <summary>What of the constants is not so, a sentence; null where all are.</summary>
    public string? FindWrongConstant(string row)
    {
        foreach (string[] parts in Constants.Select(text => text.Split(' ', 3)))
        {
            string[] names = parts[0].Split('.');
            FieldInfo? field = Assemblies.SelectMany(assembly => assembly.GetTypes()).Where(type => type.Name == names[0]
                || type.Name.StartsWith(names[0] + "`", StringComparison.Ordinal))
                .Select(type => type.GetField(names[1], Static)).FirstOrDefault(found => found is not null);
            if (field is null)
                return $"there is no {parts[0]}";
            object? value = field.IsLiteral ? field.GetRawConstantValue() : field.GetValue(null);
            if (Convert.ToString(value, CultureInfo.InvariantCulture) != parts[1])
                return $"{parts[0]} is {value}, not {parts[1]}";
            if (!row.Contains(parts[2], StringComparison.Ordinal))
                return $"the row does not say {parts[2]}";
        }

        return null;
    }

    /// <summary>What of the options is not so, a sentence; null where all are.</summary>
    public string? FindWrongOption()
    {
        foreach (string[] parts in Options.Select(text => text.Split(' ', 3)))
        {
            if (!ToolTable.Roles.TryGetValue(parts[0], out ToolTable? table))
                return $"there is no {parts[0]}";
            if (table.Rows.FirstOrDefault(row => row.Name == parts[1]) is not { Name: not null } found)
                return $"{parts[0]} has no {parts[1]}";
            if (parts.Length > 2 && found.Default != parts[2])
                return $"{parts[1]} of {parts[0]} is {found.Default} by default, not {parts[2]}";
        }

        return null;
    }
}
