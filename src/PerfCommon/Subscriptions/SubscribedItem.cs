namespace PerfCommon.Subscriptions;

/// <summary>One item of a subscription: its handle, and its events that later ones may be merged into.</summary>
internal sealed class SubscribedItem(string name, ItemSubscription subscription)
{
    public string Name => name;

    public ItemSubscription Subscription => subscription;

    /// <summary>Its number in the session's events.</summary>
    public int Handle { get; init; }

    /// <summary>The last queued refresh or update; null for none. Under the lock of the buffer.</summary>
    public ItemEvent? PendingData { get; set; }

    /// <summary>The last queued status, if no refresh was queued after it; null for none. Under the lock of the buffer.</summary>
    public ItemEvent? PendingStatus { get; set; }

    /// <summary>True while parts of an image are missing. Under the lock of the buffer.</summary>
    public bool IsMidImage { get; set; }

    /// <summary>True once its stream has ended for good.</summary>
    public bool HasEnded { get; set; }
}
