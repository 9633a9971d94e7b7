namespace PerfCommon.Subscriptions;

/// <summary>Counts of one subscription at one moment: received equals delivered, conflated and unread.</summary>
/// <param name="Received">Events that arrived: refreshes, updates, changes of state.</param>
/// <param name="Delivered">Events that the reader received.</param>
/// <param name="Conflated">Events merged into another one, or replaced by it, before it was delivered.</param>
/// <param name="Unread">Events that wait for the reader; after the end those that it did not read.</param>
/// <param name="Pauses">Number of times at which the connection was not read because the buffer was full.</param>
public readonly record struct SubscriptionCounts(long Received, long Delivered, long Conflated, long Unread, long Pauses);
