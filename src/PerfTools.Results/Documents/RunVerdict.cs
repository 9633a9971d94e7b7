namespace PerfTools.Results.Documents;

/// <summary>The verdicts of runs, as run.json has them.</summary>
public static class RunVerdict
{
    /// <summary>Complete, conserved, as fast as asked, and nothing that was due was left out.</summary>
    public const string Ok = "OK";

    /// <summary>
    /// Complete and conserved, and the asked rate missed by more than one percent in either direction, or messages that were due not sent.
    /// </summary>
    public const string Slow = "SLOW";

    /// <summary>As it should be, but for a threshold of <c>--assert</c>.</summary>
    public const string Missed = "MISSED";

    /// <summary>Ended by a signal; what there was is compared all the same.</summary>
    public const string Interrupted = "INTERRUPTED";

    /// <summary>Not complete, or not conserved.</summary>
    public const string Failed = "FAILED";
}
