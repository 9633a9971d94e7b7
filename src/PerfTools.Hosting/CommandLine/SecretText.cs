namespace PerfTools.Hosting.CommandLine;

/// <summary>A password as a command line has it: the text itself, or <c>@file</c>.</summary>
internal static class SecretText
{
    /// <summary>The first character of a file's name.</summary>
    public const char FileMark = '@';

    /// <summary>True for a text on a command line that is the password itself.</summary>
    public static bool IsOpen(string given) => given is [not FileMark, ..];

    /// <summary>Writes the warning about passwords on the command line.</summary>
    /// <param name="options">The names of their options.</param>
    public static string WarnOf(IEnumerable<string> options) =>
        $"Warning: {string.Join(", ", options)}: everybody on this machine can read a password on the command line; @file reads it from a file.";
}
