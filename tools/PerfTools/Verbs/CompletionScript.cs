using System.CommandLine;
using System.CommandLine.Completions;
using System.Globalization;
using System.Text;

namespace PerfTools.Verbs;

/// <summary>A shell's completion of verbs, scenarios and options, made from the tree of commands.</summary>
internal static class CompletionScript
{
    /// <summary>The shells that there is a script for.</summary>
    public static IReadOnlyList<string> Shells { get; } = ["bash", "zsh"];

    /// <summary>The script for a shell of <see cref="Shells"/>, to be read by it at its start.</summary>
    public static string Create(string shell, Command root)
    {
        StringBuilder script = new();
        if (shell == "zsh")
            script.Append("autoload -U +X bashcompinit && bashcompinit\n");
        // What is typed up to the word, options and their values left out, is looked up as a path of commands.
        script.Append(CultureInfo.InvariantCulture, $$"""
            _{{root.Name}}() {
              local word path="" words="" i
              for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                case "$word" in -*) break ;; *) path="$path $word" ;; esac
              done
              case "$path" in

            """);
        AppendCases(script, root, "");
        script.Append(CultureInfo.InvariantCulture, $$"""
              esac
              COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
            }
            complete -o default -F _{{root.Name}} {{root.Name}}

            """);
        return script.ToString();
    }

    private static void AppendCases(StringBuilder script, Command command, string path)
    {
        IEnumerable<string> words = command.Subcommands.Select(sub =>
            sub.Name).Concat(command.Options.Where(option => !option.Hidden).Select(option => option.Name))
            .Concat(command.Arguments.SelectMany(argument => argument.GetCompletions(CompletionContext.Empty).Select(word => word.Label)));
        script.Append(CultureInfo.InvariantCulture, $"    \"{path}\") words=\"{string.Join(' ', words)}\" ;;\n");
        foreach (Command sub in command.Subcommands)
            AppendCases(script, sub, $"{path} {sub.Name}");
    }
}
