namespace PerfHub.FanOut;

/// <summary>Limits of the threads of a hub.</summary>
internal static class ThreadLimits
{
    /// <summary>Maximum threads of each kind: an item has a bit or a count for each.</summary>
    public const int MaxThreads = 8;
}
