namespace PerfTools.Hosting.CommandLine;

/// <summary>Finds the known name that a mistyped one probably meant.</summary>
internal static class ClosestName
{
    /// <summary>Writes the sentence that refuses an unknown name and offers the nearest known one.</summary>
    /// <param name="typed">The name.</param>
    /// <param name="what">The kind of thing that it should name.</param>
    /// <param name="known">The known names.</param>
    /// <param name="otherwise">A hint for the case that none is near.</param>
    public static string Refuse(string typed, string what, IEnumerable<string> known, string otherwise = "-help lists them") =>
        Find(typed, known) is { } close ? $"{typed}: unknown {what}; did you mean {close}?" : $"{typed}: unknown {what}; {otherwise}";

    // The known name with the fewest changes to the typed one, leading dashes ignored; null when none is near enough.
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
