using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>A hub's connection of a publisher: expects directory, refreshes and numbered updates as they were sent.</summary>
internal sealed class HubSide() : ServerSession(new LoginOffer { ApplicationName = "Hub", Position = "127.0.0.1/hub" })
{
    private static readonly DictionaryProvider Dictionary = new(SessionSamples.Dictionary);

    private readonly Sequence _updates = new("update", StampFields.UpdateIndex);
    private readonly HashSet<int> _streams = [];
    private int _directories;

    public int Refreshes => _streams.Count;

    public long Updates => _updates.Received;

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        TrySendReplies();
        Output.EndBurst();
    }

    private protected override void OnLoggedIn() => Assert.Equal(LoginRole.Provider, Peer!.Role);

    private protected override void OnLoginClosed() => Assert.Fail("the publisher closed its login");

    private protected override void HandleDirectory(scoped in RwfMsg msg)
    {
        Assert.Equal(0, _directories++);
        Assert.Equal(MsgClass.Refresh, msg.MsgClass);
    }

    private protected override void HandleItem(scoped in RwfMsg msg, ReadOnlySpan<byte> message)
    {
        Assert.Equal(1, _directories);
        if (msg.MsgClass == MsgClass.Refresh)
        {
            Assert.True(_streams.Add(msg.StreamId), $"stream {msg.StreamId} has two refreshes");
            return;
        }

        Assert.Equal(MsgClass.Update, msg.MsgClass);
        Assert.Contains(msg.StreamId, _streams);
        _updates.Take(message, msg.PayloadStart);
    }

    private protected override void HandleOffStreamPost(scoped in RwfMsg post) => Assert.Fail("a post of a publisher");

    private protected override DictionaryProvider DictionaryOf(scoped in MsgKey key) => Dictionary;
}
