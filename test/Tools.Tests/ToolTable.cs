using System.Reflection;
using PerfTools.Hosting.CommandLine;
using PerfTools.Scenarios;

namespace Tools.Tests;

/// <summary>The option table of a program, whatever its options record: what README and scenarios are checked against.</summary>
/// <param name="HelpText">What <c>-help</c> prints.</param>
/// <param name="Rows">Name and default of each option that the help shows; the default is null for a switch.</param>
/// <param name="Names">All names of all options.</param>
/// <param name="FindProblem">What is wrong with a command line; null when nothing is.</param>
internal sealed record ToolTable(
    string HelpText, IReadOnlyList<(string Name, string? Default)> Rows, IReadOnlyList<string> Names,
    Func<IReadOnlyList<string>, string?> FindProblem)
{
    /// <summary>Those of all programs that are a role, by the program's name: table <c>XOptionTable.Instance</c> of X.dll.</summary>
    public static IReadOnlyDictionary<string, ToolTable> Roles { get; } = ScenarioList.All.SelectMany(scenario => scenario.Roles)
        .Select(role => role.Tool).Append("UsersPerf").Distinct().ToDictionary(tool => tool, Load, StringComparer.OrdinalIgnoreCase);

    public static ToolTable Of<T>(OptionTable<T> table)
        where T : class => new(
            table.CreateHelp(columns: null),
            [.. table.HelpRows.Select(row => (row.Name, row.ValueName is null ? null : row.Read(table.Defaults)))],
            [.. table.Rows.SelectMany(row => row.AllNames)],
            args => table.Parse(args).Problem);

    private static ToolTable Load(string tool)
    {
        Type type = Assembly.Load(tool).GetType($"{tool}.{tool}OptionTable", throwOnError: true)!;
        object table = type.GetProperty("Instance")!.GetValue(null)!;
        MethodInfo of = typeof(ToolTable).GetMethod(nameof(Of))!.MakeGenericMethod(type.BaseType!.GenericTypeArguments);
        return (ToolTable)of.Invoke(null, [table])!;
    }
}
