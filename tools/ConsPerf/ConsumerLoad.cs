using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>Sends posts and generic messages on one connection, once its images have arrived.</summary>
/// <remarks>Each goes to the items that the list marks for it. One owner thread: that of the session's worker.</remarks>
internal sealed class ConsumerLoad
{
    private readonly ConsumerSession _session;
    private readonly ConsumerBurst? _posts;
    private readonly ConsumerBurst? _generics;

    /// <summary>Prepares the bursts of a session whose items are all known.</summary>
    public ConsumerLoad(ConsumerPlan plan, ConsumerSession session)
    {
        _session = session;
        if (plan.Posts.IsOn)
            _posts = ConsumerBurst.Posts(session, plan.Posts, plan.Messages) ?? None("post to");
        if (plan.Generics.IsOn)
            _generics = ConsumerBurst.Generics(session, plan.Generics, plan.Messages) ?? None("send generic messages to");
    }

    /// <summary>True when there is anything to send.</summary>
    public bool IsOn => _posts is not null || _generics is not null;

    /// <summary>True while part of the load waits for output buffers.</summary>
    public bool IsBlocked => _posts is { IsBlocked: true } || _generics is { IsBlocked: true };

    /// <summary>Adds the messages that are due in a tick.</summary>
    /// <returns>True when there are any.</returns>
    public bool Begin(in TickInfo tick)
    {
        bool posts = _posts is not null && _posts.Begin(tick);
        bool generics = _generics is not null && _generics.Begin(tick);
        if (generics)
            _session.Recording.RecordFirst(Moment.FirstGenericSent, tick.DueNanos + tick.LagNanos);
        return posts || generics;
    }

    /// <summary>Sends the messages left, as far as output buffers allow.</summary>
    public void Send()
    {
        _posts?.Send();
        _generics?.Send();
    }

    /// <summary>Stops sending to an item that is closed.</summary>
    public void Leave(int item)
    {
        _posts?.Leave(item);
        _generics?.Leave(item);
    }

    /// <summary>Sends to an item on its present stream.</summary>
    public void Follow(int item)
    {
        _posts?.Follow(item);
        _generics?.Follow(item);
    }

    /// <summary>Discards the messages left: they count as not sent.</summary>
    public void Discard()
    {
        _posts?.Discard();
        _generics?.Discard();
    }

    // A notice when none of this connection's items is marked: those of another thread are.
    private ConsumerBurst? None(string what)
    {
        _session.Recording.Report(ConsumerNotices.NoItemsMarked, what);
        return null;
    }
}
