using System.Globalization;
using System.Text;

namespace PerfTools.Hosting.CommandLine;

/// <summary>Creates the completion script for bash, and for zsh, which reads the same function.</summary>
internal static class BashCompletion
{
    /// <inheritdoc cref="CompletionScript.Create"/>
    public static string Create(string program, IReadOnlyList<CompletedCommand> commands)
    {
        StringBuilder script = new();
        script.Append(CultureInfo.InvariantCulture, $$"""
            _{{program}}() {
              local word path="" words="" i previous="${COMP_WORDS[COMP_CWORD-1]}"
              for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
            {{ChoosePath(commands)}}  done
              COMPREPLY=()
              case "$path" in

            """);
        foreach (CompletedCommand command in commands)
            Append(script, command);
        script.Append(CultureInfo.InvariantCulture, $$"""
              esac
              COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
            }
            complete -o default -F _{{program}} {{program}}

            """);
        return script.ToString();
    }

    // Words select a command as far as there is one.
    private static string ChoosePath(IReadOnlyList<CompletedCommand> commands)
    {
        string[] known = [.. commands.Where(command => command.Path.Length > 0).Select(command => $"\" {command.Path}\"")];
        return known.Length == 0 ? "" : $"    case \"$path $word\" in {string.Join('|', known)}) path=\"$path $word\" ;; esac\n";
    }

    private static void Append(StringBuilder script, CompletedCommand command)
    {
        script.Append(CultureInfo.InvariantCulture, $"    \"{(command.Path.Length > 0 ? " " + command.Path : "")}\")\n      case \"$previous\" in\n");
        foreach (IGrouping<string, CompletedOption> same in command.Options.Where(option => option is { HasValue: true, Words.Count: > 0 })
            .GroupBy(option => string.Join(' ', option.Words)))
        {
            script.Append(CultureInfo.InvariantCulture, $"        {Names(same)}) words=\"{same.Key}\" ;;\n");
        }

        if (command.Options.Where(option => option is { HasValue: true, Words.Count: 0 }).ToArray() is { Length: > 0 } others)
            script.Append(CultureInfo.InvariantCulture, $"        {Names(others)}) return ;;\n");
        IEnumerable<string> words = command.Words.Select(word => word.Word).Concat(command.Options.Select(option => option.Names[0]));
        script.Append(CultureInfo.InvariantCulture, $"        *) words=\"{string.Join(' ', words)}\" ;;\n      esac ;;\n");
    }

    private static string Names(IEnumerable<CompletedOption> options) => string.Join('|', options.SelectMany(option => option.Names));
}
