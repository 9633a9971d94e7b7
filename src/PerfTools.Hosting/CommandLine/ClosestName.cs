namespace PerfTools.Hosting.CommandLine;

/// <summary>Finds the name that somebody who mistyped probably meant.</summary>
internal static class ClosestName
{
    /// <summary>The sentence that refuses an unknown name and offers the nearest known one.</summary>
    /// <param name="typed">The name.</param>
    /// <param name="what">What it should be the name of.</param>
    /// <param name="known">The names that there are.</param>
    /// <param name="otherwise">What helps where none is near.</param>
    public static string Refuse(string typed, string what, IEnumerable<string> known, string otherwise = "-help lists them") =>
        Find(typed, known) is { } close ? $"{typed}: unknown {what}; did you mean {close}?" : $"{typed}: unknown {what}; {otherwise}";

    // The known name with the fewest changes to what was typed, dashes in front ignored; null when none is near enough.
    private static string? Find(string typed, IEnumerable<string> known)
    {
        string name = typed.TrimStart('-');
        int limit = Math.Max(1, name.Length / 3);
        return known.Select(candidate => (Name: candidate, Changes: CountChanges(name, candidate.TrimStart('-'))))
            .Where(candidate => candidate.Changes <= limit)
            .OrderBy(candidate => candidate.Changes)
            .Select(candidate => candidate.Name)
            .FirstOrDefault();
    }

    // Levenshtein distance, case ignored: one row of the table is kept, changes[j] for the first j letters of b
    private static int CountChanges(string a, string b)
    {
        int[] changes = [.. Enumerable.Range(0, b.Length + 1)];
        for (int i = 1; i <= a.Length; i++)
        {
            int diagonal = changes[0];
            changes[0] = i;
            for (int j = 1; j <= b.Length; j++)
            {
                int same = char.ToLowerInvariant(a[i - 1]) == char.ToLowerInvariant(b[j - 1]) ? 0 : 1;
                int best = Math.Min(diagonal + same, Math.Min(changes[j], changes[j - 1]) + 1);
                (diagonal, changes[j]) = (changes[j], best);
            }
        }

        return changes[b.Length];
    }
}
