namespace PerfTools.Editions;

/// <summary>What is wrong with a run of a program whose exit code says nothing: they end with 0 when nobody listens, when images are missing.</summary>
internal static class EditionFaults
{
    // Sentences that a program prints when its test failed, with what they say.
    private static readonly string[] Sentences =
    [
        "Error: Failed to receive all images within",
        "ERROR: TEST FAILED",
        "Steady state was not reached during this test",
        "Config Error:",
        "Error loading command line arguments",
    ];

    /// <summary>Finds a sentence in what it printed.</summary>
    /// <param name="lines">Its console.</param>
    /// <returns>The line; null when there is none.</returns>
    public static string? Find(IEnumerable<string> lines)
    {
        string? found = null;
        int best = Sentences.Length;
        foreach (string line in lines)
        {
            int at = Array.FindIndex(Sentences, sentence => line.Contains(sentence, StringComparison.OrdinalIgnoreCase));
            if (at >= 0 && at < best)
                (found, best) = (line.Trim(), at); // the first of them says most
        }

        return found;
    }
}
