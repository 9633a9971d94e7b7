using System.Globalization;
using System.Text;

namespace PerfTools.Hosting.CommandLine;

/// <summary>Creates the completion script for fish, with the help of each word.</summary>
internal static class FishCompletion
{
    private const string LongMark = "--";

    /// <inheritdoc cref="CompletionScript.Create"/>
    public static string Create(string program, IReadOnlyList<CompletedCommand> commands)
    {
        StringBuilder script = new();
        string known = string.Concat(commands.Where(command => command.Path.Length > 0).Select(command => " " + Quote(command.Path)));
        script.Append(CultureInfo.InvariantCulture, $$"""
            function __{{program}}_at
              set -l path ""
              for word in (commandline -opc)[2..-1]
                set -l next (string trim -- "$path $word")
                contains -- "$next"{{known}}; and set path "$next"
              end
              test "$path" = "$argv[1]"
            end

            """);
        foreach (CompletedCommand command in commands)
        {
            string at = $"complete -c {program} -n {Quote($"__{program}_at {Quote(command.Path)}")}";
            foreach ((string word, string help) in command.Words)
                script.Append(CultureInfo.InvariantCulture, $"{at} -f -a {Quote(word)} -d {Quote(help)}\n");
            foreach (CompletedOption option in command.Options)
                script.Append(CultureInfo.InvariantCulture, $"{at} {Describe(option)} -d {Quote(option.Help)}\n");
        }

        return script.ToString();
    }

    // -o names an option with one dash, -l one with two; -r accepts any value, -x one of some words
    private static string Describe(CompletedOption option)
    {
        string names = string.Join(' ', option.Names.Select(name =>
            name.StartsWith(LongMark, StringComparison.Ordinal) ? $"-l {name[LongMark.Length..]}" : $"-o {name[1..]}"));
        return option switch
        {
            { HasValue: false } => names,
            { Words.Count: 0 } => $"{names} -r",
            _ => $"{names} -x -a {Quote(string.Join(' ', option.Words))}",
        };
    }

    private static string Quote(string text) =>
        $"'{text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "\\'", StringComparison.Ordinal)}'";
}
