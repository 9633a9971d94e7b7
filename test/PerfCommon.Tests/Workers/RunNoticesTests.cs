using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Notices that explain a failure are delivered, however many others there are.</summary>
public class RunNoticesTests
{
    private static readonly NoticeKind Plain = NoticeKind.Information(901, "Plain", "Connected: {Number}");
    private static readonly NoticeKind Cut = NoticeKind.Warning(902, "Cut", "Connection of {Peer} cut.", "Too slow");
    private static readonly NoticeKind Handshake = NoticeKind.Warning(903, "Handshake", "Connection not completed: its handshake was not done.", "Handshake");

    [Fact]
    public void Causes_BehindAFloodOfOthers_AreShown()
    {
        RunNotices notices = new();
        List<string> shown = [];
        NoticeBoard board = new(shown.Add);
        for (int i = 0; i < 5_000; i++)
            notices.Add(Plain, i);
        notices.Add(Cut, "A");
        notices.Add(Handshake);
        board.Show(notices, "", nowNanos: 1);
        Assert.Equal(["Connection of A cut.", "Connection not completed: its handshake was not done."], shown[^2..]);
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
            notices.Add(Handshake);
        notices.Add(Cut, "A");
        board.Show(notices, "thread 1: ", nowNanos: 1);
        Assert.Equal(11, shown.Count);
        Assert.Equal("thread 1: Connection of A cut.", shown[^1]);
        board.ShowHeld(long.MaxValue);
        Assert.Equal("thread 1: Connection not completed: its handshake was not done. (repeated 90 times)", shown[^1]);
    }

    [Fact]
    public void Causes_ThatFindNoRoom_AreCounted()
    {
        RunNotices notices = new();
        for (int i = 0; i < 10_000; i++)
            notices.Add(Plain, 0);
        for (int i = 0; i < 7; i++)
            notices.Add(Cut, i);
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
        NoticeBoard board = new(shown.Add, new Dictionary<NoticeKind, string> { [Cut] = "-maxQueue" });
        notices.Add(Cut, "A");
        notices.Add(Handshake);
        notices.Add(Plain, 0);
        board.Show(notices, "thread 1: ", nowNanos: 1);
        Assert.Equal(["thread 1: Connection of A cut. See -maxQueue.", "thread 1: Connection not completed: its handshake was not done.",
            "thread 1: Connected: 0"], shown);
    }
}
