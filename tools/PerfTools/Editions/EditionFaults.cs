namespace PerfTools.Editions;

/// <summary>Detects failures of programs whose exit code says nothing: they exit with 0 when no peer listens or images are missing.</summary>
internal static class EditionFaults
{
    // Sentences that a program prints when its test failed, with their meaning.
    private static readonly string[] Sentences =
    [
        "Error: Failed to receive all images within",
        "ERROR: TEST FAILED",
        "Steady state was not reached during this test",
        "Config Error:",
        "Error loading command line arguments",
    ];

    /// <summary>Finds such a sentence in the console output.</summary>
    /// <param name="lines">The lines of the console.</param>
    /// <returns>The line; null when there is none.</returns>
    public static string? Find(IEnumerable<string> lines)
    {
        string? found = null;
        int best = Sentences.Length;
        foreach (string line in lines)
        {
            int at = Array.FindIndex(Sentences, sentence => line.Contains(sentence, StringComparison.OrdinalIgnoreCase));
            if (at >= 0 && at < best)
                (found, best) = (line.Trim(), at); // the first of the sentences is the most specific
        }

        return found;
    }
}
