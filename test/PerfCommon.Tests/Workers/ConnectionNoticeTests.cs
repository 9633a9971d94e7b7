using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>What a connection reports: ten sentences a second, and the number of those that were too many.</summary>
public sealed class ConnectionNoticeTests : IDisposable
{
    private readonly MemoryWorkers _workers = new(TimeSource.StartAt(Clock.NanosPerSecond));
    private readonly ScriptedConnection _connection = new();

    public ConnectionNoticeTests()
    {
        _workers.Join(new ProbeConnection(), _connection);
        for (int round = 0; round < 8; round++)
        {
            _workers.Client.Turn(0);
            _workers.Server.Turn(0);
        }

        Notices();
    }

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void Report_ConnectionEnds_TellsHowManyWereHeld()
    {
        Say(13);
        Assert.Equal(Enumerable.Repeat("again", 10), Notices());
        _connection.Channel.Close();
        _workers.Client.Turn(0);
        Assert.Equal(["again (repeated 3 times)"], Notices());
    }

    [Fact]
    public void Report_ASecondLater_TellsHowManyWereHeldBeforeTheNext()
    {
        Say(12);
        Notices();
        _workers.Network.Time.Advance(Clock.NanosPerSecond);
        _connection.Say("other");
        Assert.Equal(["again (repeated 2 times)", "other"], Notices());
    }

    private void Say(int times)
    {
        for (int i = 0; i < times; i++)
            _connection.Say("again");
    }

    private List<string> Notices()
    {
        List<string> notices = [];
        while (_workers.Client.Recording.Notices.TryDequeue(out string notice))
            notices.Add(notice);
        return notices;
    }
}
