namespace PerfTools.Hosting.CommandLine;

/// <summary>An option as shells complete it.</summary>
/// <param name="Names">Its names with their dashes; the first is offered.</param>
/// <param name="Help">Description of the option.</param>
/// <param name="HasValue">True when a value follows.</param>
/// <param name="Words">The words that the value can be; none for any value: then a shell offers files.</param>
internal sealed record CompletedOption(IReadOnlyList<string> Names, string Help, bool HasValue, IReadOnlyList<string> Words);

/// <summary>A command as shells complete it.</summary>
/// <param name="Path">The words after the program that select it, joined by blanks; empty for the program itself.</param>
/// <param name="Words">Words that may follow in place of an option: verbs, scenarios, words of an argument, each with its help.</param>
/// <param name="Options">Its options.</param>
internal sealed record CompletedCommand(string Path, IReadOnlyList<(string Word, string Help)> Words, IReadOnlyList<CompletedOption> Options);

/// <summary>Creates scripts by which shells complete a program: commands, options, and the values of options that are a choice of words.</summary>
internal static class CompletionScript
{
    /// <summary>Name of the option that prints the script; every tool has it.</summary>
    public const string OptionName = "-completion";

    /// <summary>Help text of that option.</summary>
    public const string Help = "print a script by which a shell completes options and values: bash, zsh, fish or powershell";

    /// <summary>The shells for which there is a script.</summary>
    public static IReadOnlyList<string> Shells { get; } = ["bash", "zsh", "fish", "powershell"];

    /// <summary>Creates the script for a shell of <see cref="Shells"/>, which the shell reads at its start.</summary>
    /// <param name="shell">The shell.</param>
    /// <param name="program">The name of the program as it is typed.</param>
    /// <param name="commands">The program itself, and all of its commands.</param>
    public static string Create(string shell, string program, IReadOnlyList<CompletedCommand> commands) => shell switch
    {
        "bash" => BashCompletion.Create(program, commands),
        "zsh" => "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n" + BashCompletion.Create(program, commands),
        "fish" => FishCompletion.Create(program, commands),
        _ => PowerShellCompletion.Create(program, commands),
    };
}
