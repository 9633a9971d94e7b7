using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>The counters of each kind of message, and the values of counters after each addition.</summary>
public sealed class MessageKindTests
{
    [Theory]
    [InlineData(nameof(MessageKind.Update), "UpdatesSent", "UpdatesNotSent", "UpdatesStopped", "UpdateStampsSent")]
    [InlineData(nameof(MessageKind.Refresh), "RefreshesSent", "RefreshesNotSent", null, null)]
    [InlineData(nameof(MessageKind.Request), "RequestsSent", null, null, null)]
    [InlineData(nameof(MessageKind.Priming), "PrimingRequestsSent", null, null, null)]
    [InlineData(nameof(MessageKind.Post), "PostsSent", "PostsNotSent", null, "PostStampsSent")]
    [InlineData(nameof(MessageKind.Reflection), "PostsReflected", "PostsNotReflected", null, null)]
    [InlineData(nameof(MessageKind.Generic), "GenericSent", "GenericNotSent", null, "GenericStampsSent")]
    [InlineData(nameof(MessageKind.SourceGeneric), "SourceGenericSent", "GenericNotSent", null, null)]
    [InlineData(nameof(MessageKind.Opaque), "MessagesSent", "MessagesNotSent", "MessagesStopped", null)]
    [InlineData(nameof(MessageKind.Other), null, null, null, null)]
    public void Counters_OfAKind_AreItsOwnOrNone(string name, string? sent, string? notSent, string? stopped, string? stamped)
    {
        MessageKind kind = Enum.Parse<MessageKind>(name);
        Assert.Equal((sent, notSent, stopped, stamped),
            (kind.Sent()?.ToString(), kind.NotSent()?.ToString(), kind.Stopped()?.ToString(), kind.Stamped()?.ToString()));
        Assert.Equal(10, Enum.GetValues<MessageKind>().Length);
    }

    /// <summary>A hub that has no watcher for them loses no update and no post.</summary>
    [Fact]
    public void Unwatched_OfEachKind_IsThatOfUpdatesAndOfPosts() => Assert.Equal(
        [(MessageKind.Update, Counter.CopiesUnwatched), (MessageKind.Reflection, Counter.PostsUnwatched)],
        from kind in Enum.GetValues<MessageKind>() where kind.Unwatched() is not null select (kind, kind.Unwatched()!.Value));

    [Fact]
    public void Add_ToACounter_ChangesThatOneAlone()
    {
        CounterSet counters = new();
        counters.Add((Counter?)Counter.PostsSent, 3);
        counters.Add((Counter?)Counter.PostsSent, -1);
        counters.Add((Counter?)Counter.GenericSent, 0);
        counters.Add(MessageKind.Other.Sent(), 7);
        CounterSnapshot none = default, before = counters.Snapshot();
        counters.Add(Counter.PostsSent, 5);
        counters.Add(Counter.UpdatesSent, 1);
        CounterSnapshot now = counters.Snapshot();
        Counter[] all = Enum.GetValues<Counter>();
        Assert.Equal([(Counter.PostsSent, 2L)], all.Where(one => before[one] != 0).Select(one => (one, before[one])));
        Assert.Equal((5L, 1L, 0L), ((now - before)[Counter.PostsSent], (now - before)[Counter.UpdatesSent], (now - before)[Counter.GenericSent]));
        Assert.Equal((9L, 1L, 0L), ((now + before)[Counter.PostsSent], (now + before)[Counter.UpdatesSent], none[Counter.PostsSent]));
        Assert.Equal((7L, 7L), (counters[Counter.PostsSent], (now - none)[Counter.PostsSent]));
        Assert.Equal(-2L, (none - before)[Counter.PostsSent]);
    }
}
