using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
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

    private sealed class Events : EventListener
    {
        private readonly ConcurrentQueue<EventWrittenEventArgs> _all = new();

        public Events()
        {
            foreach (EventSource source in EventSource.GetSources().Where(source => source.Name == "PerfCommon"))
                EnableEvents(source, EventLevel.Informational);
        }

        public IReadOnlyCollection<EventWrittenEventArgs> All => _all;

        protected override void OnEventWritten(EventWrittenEventArgs eventData) => _all?.Enqueue(eventData);
    }
}
