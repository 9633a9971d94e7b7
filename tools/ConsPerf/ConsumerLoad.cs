using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>Sends posts and generic messages on one connection, once its images have arrived.</summary>
/// <remarks>Each goes to the items that the list marks for it. One owner thread: that of the session's worker.</remarks>
internal sealed class ConsumerLoad
{
    private readonly ConsumerSession _session;
    private readonly List<ItemRotation> _rotations = [];
    private readonly Burst<RotatingEncoder<PostMessage>>? _posts;
    private readonly Burst<RotatingEncoder<GenericMessage>>? _generics;

    /// <summary>Prepares the bursts of a session whose items are all known.</summary>
    public ConsumerLoad(ConsumerPlan plan, ConsumerSession session)
    {
        _session = session;
        WorkerRecording recording = session.Recording;
        MessageList<FieldMapTemplate>? books = plan.Messages.OrderBooks;
        if (plan.Posts.IsOn && FindItems(ItemFlags.Post, "post to") is { } posted)
        {
            _posts = new(plan.Posts, recording, session.Output,
                new RotatingEncoder<PostMessage>(
                    session.Posts, posted, [.. plan.Messages.Posts], [.. books?.Posts ?? []], directory: session.Directory));
        }

        if (plan.Generics.IsOn && FindItems(ItemFlags.GenMsg, "send generic messages to") is { } others)
        {
            _generics = new(plan.Generics, recording, session.Output,
                new RotatingEncoder<GenericMessage>(
                    default, others, [.. plan.Messages.Generics], [.. books?.Generics ?? []], directory: session.Directory));
        }
    }

    /// <summary>True when there is anything to send.</summary>
    public bool IsOn => _posts is not null || _generics is not null;

    /// <summary>True while part of the load waits for output buffers.</summary>
    public bool IsBlocked => _posts is { IsBlocked: true } || _generics is { IsBlocked: true };

    /// <summary>Adds the messages that are due in a tick.</summary>
    /// <returns>True when there are any.</returns>
    public bool Begin(in TickInfo tick)
    {
        bool posts = _posts is not null && _posts.Begin(tick, _session.Number);
        bool generics = _generics is not null && _generics.Begin(tick, _session.Number);
        if (generics)
            _session.Recording.RecordFirst(Moment.FirstGenericSent, tick.DueNanos + tick.LagNanos);
        return posts || generics;
    }

    /// <summary>Sends the messages left, as far as output buffers allow.</summary>
    public void Send()
    {
        if (_posts is { Left: > 0 })
            _posts.Send();
        if (_generics is { Left: > 0 })
            _generics.Send();
    }

    /// <summary>Stops sending to an item that is closed.</summary>
    public void Leave(int item)
    {
        foreach (ItemRotation items in _rotations)
            items.Remove(item);
    }

    /// <summary>Sends to an item on its present stream.</summary>
    public void Follow(int item)
    {
        foreach (ItemRotation items in _rotations)
            items.Move(item, _session.StreamIdOf(item));
    }

    /// <summary>Discards the messages left: they count as not sent.</summary>
    public void Discard()
    {
        _posts?.Discard();
        _generics?.Discard();
    }

    // Null, with a notice, when none of this connection's items is marked: those of another thread are.
    private ItemRotation? FindItems(ItemFlags flag, string what)
    {
        ItemRotation items = new();
        for (int item = 0; item < _session.ItemCount; item++)
        {
            ItemFlags flags = _session.FlagsOf(item);
            if (flags.HasFlag(flag))
                items.Add(item, _session.StreamIdOf(item), flags.HasFlag(ItemFlags.MarketByOrder));
        }

        if (items.Count > 0)
        {
            _rotations.Add(items);
            return items;
        }

        _session.Recording.Notices.Add(ConsumerNotices.NoItemsMarked, what);
        return null;
    }
}
