using System.Reflection;
using PerfTools.Hosting.CommandLine;
using PerfTools.Scenarios;

namespace Tools.Tests;

/// <summary>The option table of a program, of any options record: README and scenarios are checked against it.</summary>
/// <param name="HelpText">The output of <c>-help</c>.</param>
/// <param name="Rows">Name and default of each option that the help shows; the default is null for a switch.</param>
/// <param name="Names">All names of all options.</param>
/// <param name="FindProblem">Finds what is wrong with a command line; null when nothing is.</param>
/// <param name="HelpRows">The same rows with everything that the help shows.</param>
/// <param name="Files">The options whose value is a file or the first part of file names: all names and the default of each.</param>
internal sealed record ToolTable(
    string HelpText, IReadOnlyList<(string Name, string? Default)> Rows, IReadOnlyList<string> Names,
    Func<IReadOnlyList<string>, string?> FindProblem, IReadOnlyList<HelpRow> HelpRows, IReadOnlyList<(string[] Names, string? Default)> Files)
{
    private const char OfAFile = '@'; // a secret that is in a file
    private static readonly string[] AlwaysWritten = ["-summaryFile", "-statsFile"];

    /// <summary>Those of all programs that are a role, by the program's name: table <c>XOptionTable.Instance</c> of X.dll.</summary>
    public static IReadOnlyDictionary<string, ToolTable> Roles { get; } = ScenarioList.All.SelectMany(scenario => scenario.Roles)
        .Select(role => role.Tool).Append("UsersPerf").Distinct().ToDictionary(tool => tool, Load, StringComparer.OrdinalIgnoreCase);

    public static ToolTable Of<T>(OptionTable<T> table)
        where T : class => new(
            table.CreateHelp(columns: null),
            [.. table.HelpRows.Select(row => (row.Name, row.ValueName is null ? null : row.Read(table.Defaults)))],
            [.. table.Rows.SelectMany(row => row.AllNames)],
            args => table.Parse(args).Problem,
            RowsOf(table),
            [.. table.Rows.Where(row => row.ValueName is "file" or "base").Select(row => (row.AllNames.ToArray(), row.Read(table.Defaults)))]);

    /// <summary>What the help of a table shows, with the names as it writes them.</summary>
    public static IReadOnlyList<HelpRow> RowsOf<T>(OptionTable<T> table)
        where T : class => [.. table.HelpRows.Select(row => new HelpRow(
            row.Group, [.. row.Synonyms.Prepend(row.Name).Select(name => table.HasLongNames ? "-" + name : name)], row.ValueName, row.Help,
            row.ValueName is null ? null : row.DefaultText ?? row.Read(table.Defaults)))];

    /// <summary>A command line with its files in a folder: those named, and those that the tool would write without being told.</summary>
    public string[] PlaceFiles(string[] words, string folder)
    {
        IEnumerable<string> placed = words.Select((word, i) => word switch
        {
            [OfAFile, .. string file] => OfAFile + Path.Combine(folder, file),
            _ when i > 0 && Files.Any(option => option.Names.Contains(words[i - 1])) => Path.Combine(folder, word),
            _ => word,
        });
        IEnumerable<string> usual = Files.Where(option => AlwaysWritten.Contains(option.Names[0]) && !option.Names.Any(words.Contains))
            .SelectMany(option => new[] { option.Names[0], Path.Combine(folder, option.Default is { Length: > 0 } name ? name : "usual") });
        return [.. placed, .. usual];
    }

    private static ToolTable Load(string tool)
    {
        Type type = Assembly.Load(tool).GetTypes().Single(found => found.Name == $"{tool}OptionTable");
        object table = type.GetProperty("Instance")!.GetValue(null)!;
        MethodInfo of = typeof(ToolTable).GetMethod(nameof(Of))!.MakeGenericMethod(type.BaseType!.GenericTypeArguments);
        return (ToolTable)of.Invoke(null, [table])!;
    }
}

/// <summary>An option as the help shows it; a switch has no value name and no default.</summary>
internal sealed record HelpRow(HelpGroup Group, IReadOnlyList<string> Names, string? ValueName, string Help, string? Default);
