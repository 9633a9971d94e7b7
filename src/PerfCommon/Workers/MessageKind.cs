namespace PerfCommon.Workers;

/// <summary>The kinds of message whose counts must be equal on both sides.</summary>
public enum MessageKind
{
    /// <summary>An update.</summary>
    Update,

    /// <summary>A refresh.</summary>
    Refresh,

    /// <summary>A request for items.</summary>
    Request,

    /// <summary>A request before the run.</summary>
    Priming,

    /// <summary>A post.</summary>
    Post,

    /// <summary>A post sent back.</summary>
    Reflection,

    /// <summary>A generic message.</summary>
    Generic,

    /// <summary>A generic message from a hub to a source.</summary>
    SourceGeneric,

    /// <summary>A message without interpreted content.</summary>
    Opaque,

    /// <summary>Any other message: login, directory, dictionary, status.</summary>
    Other,
}

/// <summary>Maps each kind of message to its counters; null for a kind that is not counted, or not separately.</summary>
internal static class MessageKinds
{
    private static readonly (Counter? Sent, Counter? NotSent, Counter? Stopped, Counter? Stamped)[] Counters =
    [
        (Counter.UpdatesSent, Counter.UpdatesNotSent, Counter.UpdatesStopped, Counter.UpdateStampsSent),
        (Counter.RefreshesSent, Counter.RefreshesNotSent, null, null),
        (Counter.RequestsSent, null, null, null),
        (Counter.PrimingRequestsSent, null, null, null),
        (Counter.PostsSent, Counter.PostsNotSent, null, Counter.PostStampsSent),
        (Counter.PostsReflected, Counter.PostsNotReflected, null, null),
        (Counter.GenericSent, Counter.GenericNotSent, null, Counter.GenericStampsSent),
        (Counter.SourceGenericSent, Counter.GenericNotSent, null, null),
        (Counter.MessagesSent, Counter.MessagesNotSent, Counter.MessagesStopped, null),
        default,
    ];

    /// <summary>Counter of messages that the socket accepted.</summary>
    public static Counter? Sent(this MessageKind kind) => Counters[(int)kind].Sent;

    /// <summary>Counter of messages that were due and that no socket accepted.</summary>
    public static Counter? NotSent(this MessageKind kind) => Counters[(int)kind].NotSent;

    /// <summary>Counter of those that found no output buffer.</summary>
    public static Counter? Stopped(this MessageKind kind) => Counters[(int)kind].Stopped;

    /// <summary>Counter of those that a hub did not send as their consumer had left.</summary>
    public static Counter? Unwatched(this MessageKind kind) => kind switch
    {
        MessageKind.Update => Counter.CopiesUnwatched,
        MessageKind.Reflection => Counter.PostsUnwatched,
        _ => null,
    };

    /// <summary>Counter of messages queued with a time stamp.</summary>
    public static Counter? Stamped(this MessageKind kind) => Counters[(int)kind].Stamped;

    /// <summary>Adds to a count, if there is one.</summary>
    public static void Add(this CounterSet counters, Counter? counter, long amount)
    {
        if (counter is { } known && amount != 0)
            counters.Add(known, amount);
    }
}
