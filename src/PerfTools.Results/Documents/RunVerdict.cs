namespace PerfTools.Results.Documents;

/// <summary>The verdicts of runs, as run.json has them.</summary>
public static class RunVerdict
{
    /// <summary>Complete, conserved, at the requested rate, and every scheduled message was sent.</summary>
    public const string Ok = "OK";

    /// <summary>
    /// Complete and conserved, but the requested rate was missed by more than one percent in either direction, or scheduled messages were not sent.
    /// </summary>
    public const string Slow = "SLOW";

    /// <summary>In order except for a missed threshold of <c>--assert</c>.</summary>
    public const string Missed = "MISSED";

    /// <summary>Ended by a signal; the existing figures are compared all the same.</summary>
    public const string Interrupted = "INTERRUPTED";

    /// <summary>Not complete, or not conserved.</summary>
    public const string Failed = "FAILED";
}
