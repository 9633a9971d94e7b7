using PerfCommon;

namespace PerfTools.Hosting.CommandLine;

internal partial class OptionTable<T>
{
    private const int NamesWidth = 30;

    /// <summary>Usage, then one line per option with its names, meaning and default.</summary>
    public string HelpText
    {
        get
        {
            List<(string Names, string Meaning)> lines = [.. Rows.Select(row => (Usage(row), Describe(row, defaults)))];
            lines.Add(("-help, -?", "this text"));
            lines.Add(("-version", "the version of this program"));
            return $"Usage: {tool} <Options>\n" + string.Concat(lines.Select(line => $"  {line.Names,-NamesWidth}  {line.Meaning}\n"));
        }
    }

    /// <summary>The tool's name and version, in one line.</summary>
    public string VersionText => $"{tool} {ProgramVersion.Of(typeof(T).Assembly)}\n";

    /// <summary>What the options ask for, in the order of the block of test inputs.</summary>
    /// <param name="options">The options of the run.</param>
    public IReadOnlyList<(string Label, string Value)> DescribeInputs(T options) =>
        [.. from row in Rows
            where row.Label is not null
            let value = row.Display(options)
            where value is not null
            select (row.Label, PrintableText.From(value, PrintableText.MaxLineChars))];

    /// <summary>What an option does, and its default where it has one.</summary>
    internal static string Describe(OptionRow<T> row, T defaults) =>
        row.ValueName is not null && (row.DefaultText ?? row.Read(defaults)) is { Length: > 0 } value
            ? $"{row.Help} (default {value})" : row.Help;

    private static string Usage(OptionRow<T> row)
    {
        string names = string.Join(", ", row.Synonyms.Prepend(row.Name));
        return row.ValueName is null ? names : $"{names} <{row.ValueName}>";
    }
}
