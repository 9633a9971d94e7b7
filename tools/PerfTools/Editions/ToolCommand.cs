using PerfTools.Processes;

namespace PerfTools.Editions;

/// <summary>The program that plays a role instead of the usual one, as <c>--tool role="command"</c> names it.</summary>
/// <param name="Words">The command and the words in front of the role's arguments; at least one.</param>
internal sealed record ToolCommand(IReadOnlyList<string> Words)
{
    /// <summary>The word for the default program of the role.</summary>
    public const string Usual = "ours";

    /// <summary>True when it is the usual program.</summary>
    public bool IsUsual => Words is [Usual];

    /// <summary>Reads a command as a shell would; null for an empty one, or one with an open quote.</summary>
    public static ToolCommand? TryParse(string text) =>
        ArgumentText.TrySplit(text, out IReadOnlyList<string> words, out _) && words is [{ Length: > 0 }, ..] ? new(words) : null;

    /// <summary>Resolves the command for another working folder: words that name an existing file or folder become full paths.</summary>
    /// <param name="problem">Why it cannot be started; null when its program is there.</param>
    public ToolCommand Locate(out string? problem)
    {
        string[] words = [.. Words.Select((word, i) => i > 0 || IsPath(word) ? FullPathOf(word) : word)];
        problem = IsPath(words[0]) && !File.Exists(words[0]) ? $"{words[0]}: no such file"
            : !IsPath(words[0]) && !ToolFolder.IsOnPath(words[0]) ? $"{words[0]}: no such program on the PATH" : null;
        return new ToolCommand(words);
    }

    /// <summary>The command as the user could type it.</summary>
    public override string ToString() => string.Join(' ', Words.Select(ArgumentText.Quote));

    private static bool IsPath(string word) => word.Contains(Path.DirectorySeparatorChar, StringComparison.Ordinal);

    private static string FullPathOf(string word) => IsPath(word) && Path.Exists(word) ? Path.GetFullPath(word) : word;
}
