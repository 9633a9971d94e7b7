namespace PerfCommon.Workers;

/// <summary>The kinds of message whose counts must come out equal on both sides.</summary>
internal enum MessageKind
{
    /// <summary>Update messages of items.</summary>
    Update,

    /// <summary>Item refreshes.</summary>
    Refresh,

    /// <summary>Item requests.</summary>
    Request,

    /// <summary>Posts.</summary>
    Post,

    /// <summary>Generic messages on item streams.</summary>
    Generic,

    /// <summary>Messages without meaning.</summary>
    Opaque,

    /// <summary>Everything else: login, directory, dictionary, status messages.</summary>
    Other,
}

/// <summary>What each kind of message is counted as.</summary>
internal static class MessageKinds
{
    /// <summary>Number of kinds.</summary>
    public const int Count = (int)MessageKind.Other + 1;

    /// <summary>Counts messages that the socket took; null for a kind that is not counted.</summary>
    public static Counter? Sent(this MessageKind kind) => kind switch
    {
        MessageKind.Update => Counter.UpdatesSent,
        MessageKind.Refresh => Counter.RefreshesSent,
        MessageKind.Request => Counter.RequestsSent,
        MessageKind.Post => Counter.PostsSent,
        MessageKind.Generic => Counter.GenericSent,
        MessageKind.Opaque => Counter.MessagesSent,
        _ => null,
    };

    /// <summary>Counts messages that were due and that no socket took; null for a kind that is not counted.</summary>
    public static Counter? NotSent(this MessageKind kind) => kind switch
    {
        MessageKind.Update => Counter.UpdatesNotSent,
        MessageKind.Refresh => Counter.RefreshesNotSent,
        MessageKind.Post => Counter.PostsNotSent,
        MessageKind.Generic => Counter.GenericNotSent,
        MessageKind.Opaque => Counter.MessagesNotSent,
        _ => null,
    };

    /// <summary>Counts those of them that found no output buffer; null for a kind whose losses are not told apart.</summary>
    public static Counter? Stopped(this MessageKind kind) => kind switch
    {
        MessageKind.Update => Counter.UpdatesStopped,
        MessageKind.Opaque => Counter.MessagesStopped,
        _ => null,
    };

    /// <summary>Counts messages queued with a time stamp; null for a kind that has none.</summary>
    public static Counter? Stamped(this MessageKind kind) => kind switch
    {
        MessageKind.Update => Counter.UpdateStampsSent,
        MessageKind.Generic => Counter.GenericStampsSent,
        _ => null,
    };

    /// <summary>Adds to a count, if there is one.</summary>
    public static void Add(this CounterSet counters, Counter? counter, long amount)
    {
        if (counter is { } known && amount != 0)
            counters.Add(known, amount);
    }
}
