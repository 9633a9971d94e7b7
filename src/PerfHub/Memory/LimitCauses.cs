namespace PerfHub.Memory;

/// <summary>Causes of notices about a limit, as those who set the limits find them.</summary>
internal static class LimitCauses
{
    /// <summary>A consumer was disconnected: its queue stayed above the limit.</summary>
    public const string SlowConsumer = "Too slow";

    /// <summary>A publisher sends more items than the limit.</summary>
    public const string TooManyItems = "Too many items";

    /// <summary>An item has more fields than the limit.</summary>
    public const string TooManyFields = "Fields";
}
