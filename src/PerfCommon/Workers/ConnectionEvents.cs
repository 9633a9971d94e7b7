using System.Diagnostics.Tracing;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>
/// The event source "PerfCommon": connections that open and end, notices, and rates as counters. An event is created only while a listener wants it.
/// </summary>
[EventSource(Name = ConnectionMeter.Name)]
internal sealed class ConnectionEvents : EventSource
{
    private static readonly Lock StartLock = new();

    private List<DiagnosticCounter>? _counters;

    private ConnectionEvents()
    {
    }

    /// <summary>The source of the process; null until it is started. Any thread.</summary>
    public static ConnectionEvents? Log { get; private set; }

    /// <summary>Creates the source, the first time.</summary>
    public static void Start()
    {
        lock (StartLock)
            Log ??= new();
    }

    [NonEvent]
    public void Opened(Connection connection)
    {
        if (IsEnabled(EventLevel.Informational, EventKeywords.None))
            ConnectionOpened(connection.Role, ChannelText.DescribePeer(connection.Channel));
    }

    [NonEvent]
    public void Ended(Connection connection, CloseReason reason)
    {
        if (!IsEnabled())
            return;
        if (reason.Kind is CloseKind.PeerClosed or CloseKind.Local)
            ConnectionClosed(connection.Role, ChannelText.DescribePeer(connection.Channel), reason.Text);
        else
            ConnectionLost(connection.Role, ChannelText.DescribePeer(connection.Channel), $"{reason.Kind}: {reason.Text}");
    }

    [NonEvent]
    public void Report(Notice notice)
    {
        if (!IsEnabled())
            return;
        if (notice.Kind.Level == NoticeLevel.Warning)
            Problem(notice.Kind.Id, notice.Text);
        else
            Notice(notice.Kind.Id, notice.Text);
    }

    [Event(1, Level = EventLevel.Informational, Message = "{0}: connection to {1} is open")]
    private void ConnectionOpened(string role, string peer) => WriteEvent(1, role, peer);

    [Event(2, Level = EventLevel.Informational, Message = "{0}: connection to {1} is closed: {2}")]
    private void ConnectionClosed(string role, string peer, string reason) => WriteEvent(2, role, peer, reason);

    [Event(3, Level = EventLevel.Warning, Message = "{0}: connection to {1} was lost: {2}")]
    private void ConnectionLost(string role, string peer, string reason) => WriteEvent(3, role, peer, reason);

    [Event(4, Level = EventLevel.Informational, Message = "{1}")]
    private void Notice(int noticeId, string text) => WriteEvent(4, noticeId, text);

    [Event(5, Level = EventLevel.Warning, Message = "{1}")]
    private void Problem(int noticeId, string text) => WriteEvent(5, noticeId, text);

    /// <inheritdoc/>
    protected override void OnEventCommand(EventCommandEventArgs command)
    {
        if (command.Command != EventCommand.Enable || _counters is not null)
            return;
        _counters =
        [
            new PollingCounter("connections-open", this, () => Sum(ConnectionFigure.Open)) { DisplayName = "Open connections" },
            Rate("messages-received", "Messages received", "messages", ConnectionFigure.MessagesReceived),
            Rate("messages-sent", "Messages sent", "messages", ConnectionFigure.MessagesSent),
            Rate("bytes-received", "Bytes received", "B", ConnectionFigure.BytesReceived),
            Rate("bytes-sent", "Bytes sent", "B", ConnectionFigure.BytesSent),
        ];
    }

    private IncrementingPollingCounter Rate(string name, string shown, string unit, int row) => new(name, this, () => Sum(row))
    {
        DisplayName = shown,
        DisplayUnits = unit,
        DisplayRateTimeScale = TimeSpan.FromSeconds(1),
    };

    private static double Sum(int row) => ConnectionFigures.Sum(row).Values.Sum();
}
