using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Notices as events of the process: those that warn have another id.</summary>
public class ConnectionEventsTests
{
    [Theory]
    [InlineData(true, "Problem", 5, EventLevel.Warning)]
    [InlineData(false, "Notice", 4, EventLevel.Informational)]
    public void Report_Notice_IsAnEventWithItsFields(bool warns, string name, int id, EventLevel level)
    {
        ConnectionEvents.Start();
        using Events events = new();
        string sentence = $"the event test says this with id {id}";
        ConnectionEvents.Log!.Report(new Notice(warns ? NoticeKind.Warning(907, "Warns", "{Text}")
            : NoticeKind.Information(908, "Tells", "{Text}"), [sentence]));
        EventWrittenEventArgs written = Assert.Single(events.All, one => one.Payload?.Contains(sentence) == true);
        Assert.Equal((name, id, level), (written.EventName, written.EventId, written.Level));
        Assert.Equal([warns ? 907 : 908, sentence], written.Payload!);
    }

    /// <summary>A connection that was lost is a warning with its kind; one that a side closed is none.</summary>
    [Theory]
    [MemberData(nameof(Kinds))]
    public void Ended_Connection_IsAnEventByItsReason(CloseKind kind)
    {
        ConnectionEvents.Start();
        bool isClosed = kind is CloseKind.Local or CloseKind.PeerClosed;
        using MemoryWorkers workers = new();
        ScriptedConnection connection = workers.Open(new ProbeConnection(), new ScriptedConnection());
        string peer = ChannelText.DescribePeer(connection.Channel);
        string sentence = $"the event test ended it: {kind}";
        using Events events = new();
        ConnectionEvents.Log!.Ended(connection, new CloseReason(kind, sentence));
        EventWrittenEventArgs written = Assert.Single(events.All, one => one.Payload is [.., string text] && text.EndsWith(sentence, StringComparison.Ordinal));
        Assert.Equal(isClosed ? ("ConnectionClosed", 2, EventLevel.Informational) : ("ConnectionLost", 3, EventLevel.Warning),
            (written.EventName, written.EventId, written.Level));
        Assert.Equal(["transport", peer, isClosed ? sentence : $"{kind}: {sentence}"], written.Payload!);
    }

    [Theory]
    [InlineData(EventLevel.Informational, true)]
    [InlineData(EventLevel.Warning, false)]
    public void Opened_Connection_IsAnEventForThoseWhoWantMoreThanWarnings(EventLevel level, bool isWritten)
    {
        ConnectionEvents.Start();
        using MemoryWorkers workers = new();
        ScriptedConnection connection = workers.Open(new ProbeConnection(), new ScriptedConnection());
        using Events events = new(level);
        string peer = ChannelText.DescribePeer(connection.Channel), before = Opened();
        ConnectionEvents.Log!.Opened(connection);
        Assert.Equal(before + (isWritten ? $"1 transport {peer}, " : ""), Opened());

        string Opened() => string.Concat(events.All.Where(one => one.EventName == "ConnectionOpened" && (string?)one.Payload![1] == peer)
            .Select(one => $"{one.EventId} {one.Payload![0]} {one.Payload[1]}, "));
    }

    public static TheoryData<CloseKind> Kinds => new(Enum.GetValues<CloseKind>());

    private sealed class Events : EventListener
    {
        private readonly ConcurrentQueue<EventWrittenEventArgs> _all = new();

        public Events(EventLevel level = EventLevel.Informational)
        {
            foreach (EventSource source in EventSource.GetSources().Where(source => source.Name == "PerfCommon"))
                EnableEvents(source, level);
        }

        public IReadOnlyCollection<EventWrittenEventArgs> All => _all;

        protected override void OnEventWritten(EventWrittenEventArgs eventData) => _all?.Enqueue(eventData);
    }
}
