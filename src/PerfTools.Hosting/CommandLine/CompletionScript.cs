namespace PerfTools.Hosting.CommandLine;

/// <summary>An option as shells complete it.</summary>
/// <param name="Names">Its names with their dashes, the first is offered.</param>
/// <param name="Help">What it does.</param>
/// <param name="HasValue">True when a value follows.</param>
/// <param name="Words">The words that the value can be; none for any value: then a shell offers files.</param>
internal sealed record CompletedOption(IReadOnlyList<string> Names, string Help, bool HasValue, IReadOnlyList<string> Words);

/// <summary>A command as shells complete it.</summary>
/// <param name="Path">The words after the program that lead to it, joined by blanks; empty for the program itself.</param>
/// <param name="Words">What may follow in the place of an option: verbs, scenarios, words of an argument, each with its help.</param>
/// <param name="Options">Its options.</param>
internal sealed record CompletedCommand(string Path, IReadOnlyList<(string Word, string Help)> Words, IReadOnlyList<CompletedOption> Options);

/// <summary>Scripts by which shells complete a program: commands, options, and the values of options that are a choice of words.</summary>
internal static class CompletionScript
{
    /// <summary>The option of every tool that prints its script.</summary>
    public const string OptionName = "-completion";

    /// <summary>What that does.</summary>
    public const string Help = "print a script by which a shell completes options and values: bash, zsh, fish or powershell";

    /// <summary>The shells that there is a script for.</summary>
    public static IReadOnlyList<string> Shells { get; } = ["bash", "zsh", "fish", "powershell"];

    /// <summary>The script for a shell of <see cref="Shells"/>, to be read by it at its start.</summary>
    /// <param name="shell">The shell.</param>
    /// <param name="program">The name of the program as it is typed.</param>
    /// <param name="commands">The program itself, and every command of it.</param>
    public static string Create(string shell, string program, IReadOnlyList<CompletedCommand> commands) => shell switch
    {
        "bash" => BashCompletion.Create(program, commands),
        "zsh" => "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n" + BashCompletion.Create(program, commands),
        "fish" => FishCompletion.Create(program, commands),
        _ => PowerShellCompletion.Create(program, commands),
    };
}
