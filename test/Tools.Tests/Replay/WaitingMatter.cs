namespace Tools.Tests.Replay;

/// <summary>What parts of recordings wait for.</summary>
/// <param name="Reason">Why they wait.</param>
/// <param name="Options">The options that our tables refuse; none when the whole recording waits.</param>
internal sealed record WaitingMatter(string Reason, params string[] Options)
{
    private static readonly WaitingMatter[] OfOptions = [];

    /// <summary>The matter that an option table's refusal is about; null when it is none of ours.</summary>
    public static WaitingMatter? Find(string problem) =>
        OfOptions.FirstOrDefault(matter => matter.Options.Any(option => problem.StartsWith($"{option}:", StringComparison.Ordinal)));

    /// <summary>The words of a command line without these options and their values.</summary>
    public string[] Strip(string[] words) =>
        [.. words.Where((word, i) => !Options.Contains(word) && (word.StartsWith('-') || i == 0 || !Options.Contains(words[i - 1])))];
}
