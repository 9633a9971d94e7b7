using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Notices that explain a failure are delivered, however many others there are.</summary>
public class RunNoticesTests
{
    [Fact]
    public void Causes_BehindAFloodOfOthers_AreShown()
    {
        RunNotices notices = new();
        List<string> shown = [];
        NoticeBoard board = new(shown.Add);
        for (int i = 0; i < 5_000; i++)
            notices.Add($"Connected: {i}");
        notices.Add("Too slow", "Connection of A cut: it reads too slowly");
        notices.Add("Handshake", "Connection not completed: its handshake was not done");
        board.Show(notices, "", nowNanos: 1);
        Assert.Equal(["Connection of A cut: it reads too slowly", "Connection not completed: its handshake was not done"], shown[^2..]);
        Assert.Equal(52, shown.Count);
        board.ShowHeld(Clock.NanosPerSecond + 1);
        Assert.Equal("Connected: 4999 (the last of 4,950 notices that came too fast)", shown[^1]);
    }

    [Fact]
    public void Causes_ManyOfOneKind_AreSummedUpByThemselves()
    {
        RunNotices notices = new();
        List<string> shown = [];
        NoticeBoard board = new(shown.Add);
        for (int i = 0; i < 100; i++)
            notices.Add("Handshake", "Connection not completed: its handshake was not done");
        notices.Add("Too slow", "Connection of A cut");
        board.Show(notices, "thread 1: ", nowNanos: 1);
        Assert.Equal(11, shown.Count);
        Assert.Equal("thread 1: Connection of A cut", shown[^1]);
        board.ShowHeld(long.MaxValue);
        Assert.Equal("thread 1: Connection not completed: its handshake was not done (repeated 90 times)", shown[^1]);
    }

    [Fact]
    public void Causes_ThatFindNoRoom_AreCounted()
    {
        RunNotices notices = new();
        for (int i = 0; i < 10_000; i++)
            notices.Add("Connected.");
        for (int i = 0; i < 7; i++)
            notices.Add("Too slow", $"Connection {i} cut");
        List<string> shown = [];
        NoticeBoard board = new(shown.Add);
        board.Show(notices, "", nowNanos: 1);
        Assert.Equal("Too slow (7 further notices found no room)", shown[^1]);
        Assert.Empty(notices.CollectUnreported());
    }

    [Fact]
    public void Causes_ThatAnOptionChanges_NameIt()
    {
        RunNotices notices = new();
        List<string> shown = [];
        NoticeBoard board = new(shown.Add, new Dictionary<string, string> { ["Too slow"] = "-maxQueue" });
        notices.Add("Too slow", "Connection of A cut.");
        notices.Add("Handshake", "Connection not completed.");
        notices.Add("Connected.");
        board.Show(notices, "thread 1: ", nowNanos: 1);
        Assert.Equal(["thread 1: Connection of A cut. See -maxQueue.", "thread 1: Connection not completed.", "thread 1: Connected."], shown);
    }
}
