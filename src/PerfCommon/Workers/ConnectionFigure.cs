namespace PerfCommon.Workers;

/// <summary>A figure of connections that the process reports to its listeners: one row of the table.</summary>
/// <param name="Name">Name of the instrument.</param>
/// <param name="Unit">Its unit.</param>
/// <param name="Description">Its meaning.</param>
/// <param name="Read">Reads it from a connection. Any thread.</param>
internal sealed record ConnectionFigure(string Name, string Unit, string Description, Func<Connection, long> Read)
{
    /// <summary>Open connections, the first row.</summary>
    public const int Open = 0;

    /// <summary>Messages received.</summary>
    public const int MessagesReceived = 2;

    /// <summary>Messages sent.</summary>
    public const int MessagesSent = 3;

    /// <summary>Bytes received.</summary>
    public const int BytesReceived = 4;

    /// <summary>Bytes sent.</summary>
    public const int BytesSent = 5;

    /// <summary>Every figure; those of <see cref="IsCurrent"/> are values of open connections, the others counts since the process began.</summary>
    public static IReadOnlyList<ConnectionFigure> All { get; } =
    [
        new("perfcommon.connections.open", "{connection}", "Open connections.", static _ => 1) { IsCurrent = true },
        new("perfcommon.bytes.queued", "By", "Bytes that wait for sockets.", static one => one.Channel.BytesQueued) { IsCurrent = true },
        new("perfcommon.messages.received", "{message}", "Messages received.", static one => one.Channel.MessagesRead),
        new("perfcommon.messages.sent", "{message}", "Messages that sockets have accepted.", static one => one.Channel.MessagesSent),
        new("perfcommon.bytes.received", "By", "Bytes received after the handshake.", static one => one.Channel.BytesRead),
        new("perfcommon.bytes.sent", "By", "Bytes of messages written, headers included.", static one => one.Channel.BytesWritten),
        Of("perfcommon.requests.sent", "{request}", "Requests for items sent.", Counter.RequestsSent),
        Of("perfcommon.requests.received", "{request}", "Requests for items received.", Counter.RequestsReceived),
        Of("perfcommon.requests.rejected", "{request}", "Requests for items answered with a status.", Counter.RequestsRejected),
        Of("perfcommon.refreshes.sent", "{message}", "Refreshes sent.", Counter.RefreshesSent),
        Of("perfcommon.updates.sent", "{message}", "Updates sent.", Counter.UpdatesSent),
        Of("perfcommon.updates.not_sent", "{message}", "Updates that were due and not sent.", Counter.UpdatesNotSent),
        Of("perfcommon.posts.sent", "{message}", "Posts sent.", Counter.PostsSent),
        Of("perfcommon.posts.received", "{message}", "Posts received.", Counter.PostsReceived),
        Of("perfcommon.generic.sent", "{message}", "Generic messages sent.", Counter.GenericSent),
        Of("perfcommon.messages.dropped", "{message}", "Messages received and not used.", Counter.MessagesDropped),
    ];

    /// <summary>The counters among them: what a connection keeps in a process with listeners.</summary>
    public static IEnumerable<Counter> Counters => All.Select(figure => figure.Counted).OfType<Counter>();

    /// <summary>The counter that it is; null for a value of the channel.</summary>
    public Counter? Counted { get; private init; }

    /// <summary>True for a value of open connections.</summary>
    public bool IsCurrent { get; private init; }

    // A tool, whose process has no listeners, does not keep all of them.
    private static ConnectionFigure Of(string name, string unit, string description, Counter counter) =>
        new(name, unit, description, one => one.Counters.Keeps(counter) ? one.Counters[counter] : 0) { Counted = counter };
}
