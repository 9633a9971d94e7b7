using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>What ConsPerf sends on one connection once its images are in: posts and generic messages.</summary>
/// <remarks>Each to the items of the list that are marked for it. One owner thread: that of the session's worker.</remarks>
internal sealed class ConsumerLoad
{
    private readonly ConsumerSession _session;
    private readonly List<ItemRotation> _rotations = [];
    private readonly Burst<PostEncoder>? _posts;
    private readonly Burst<GenericEncoder>? _generics;

    /// <summary>Prepares the bursts of a session whose items are all known.</summary>
    public ConsumerLoad(ConsumerPlan plan, ConsumerSession session)
    {
        _session = session;
        WorkerRecording recording = session.Recording;
        MessageList<FieldMapTemplate>? books = plan.Messages.OrderBooks;
        if (plan.Posts.IsOn && FindItems(ItemFlags.Post, "post to") is { } posted)
        {
            _posts = new(plan.Posts, recording, session.Output,
                new PostEncoder(posted, [.. plan.Messages.Posts], session.Posts, session.Directory, [.. books?.Posts ?? []]));
        }

        if (plan.Generics.IsOn && FindItems(ItemFlags.GenMsg, "send generic messages to") is { } others)
        {
            _generics = new(plan.Generics, recording, session.Output,
                new GenericEncoder(others, [.. plan.Messages.Generics], session.Directory, [.. books?.Generics ?? []]));
        }
    }

    /// <summary>True when there is anything to send.</summary>
    public bool IsOn => _posts is not null || _generics is not null;

    /// <summary>True while a part of it waits for output buffers.</summary>
    public bool IsBlocked => _posts is { IsBlocked: true } || _generics is { IsBlocked: true };

    /// <summary>Adds what a tick has to send.</summary>
    /// <returns>True when that is anything.</returns>
    public bool Begin(in TickInfo tick)
    {
        bool posts = _posts is not null && _posts.Begin(tick, _session.Number);
        bool generics = _generics is not null && _generics.Begin(tick, _session.Number);
        if (generics)
            _session.Recording.NoteFirst(Moment.FirstGenericSent, tick.DueNanos + tick.LagNanos);
        return posts || generics;
    }

    /// <summary>Sends what is left, as far as output buffers allow.</summary>
    public void Send()
    {
        if (_posts is { Left: > 0 })
            _posts.Send();
        if (_generics is { Left: > 0 })
            _generics.Send();
    }

    /// <summary>Sends nothing to an item any more: it is closed.</summary>
    public void Leave(int item)
    {
        foreach (ItemRotation items in _rotations)
            items.Remove(item);
    }

    /// <summary>Sends to an item on the stream that it has now.</summary>
    public void Follow(int item)
    {
        foreach (ItemRotation items in _rotations)
            items.Move(item, _session.StreamIdOf(item));
    }

    /// <summary>Gives up what is left: it counts as not sent.</summary>
    public void GiveUp()
    {
        _posts?.GiveUp();
        _generics?.GiveUp();
    }

    // Null, and said so, when none of this connection's items is marked: another thread's are.
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

        _session.Recording.Notices.Add($"None of the items of this connection is marked to {what}.");
        return null;
    }
}
