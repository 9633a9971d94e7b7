using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>Posts or generic messages of one consumer, sent in turn to the items that its list marks for them, at a rate.</summary>
/// <remarks>One owner thread: that of the session's worker. Sending allocates nothing.</remarks>
public sealed class ConsumerBurst
{
    private readonly ConsumerSession _session;
    private readonly ItemRotation _items;
    private readonly Burst _burst;

    private ConsumerBurst(ConsumerSession session, ItemRotation items, Burst burst) => (_session, _items, _burst) = (session, items, burst);

    /// <summary>True while messages wait for output buffers.</summary>
    public bool IsBlocked => _burst.IsBlocked;

    /// <summary>Prepares the posts of a session whose items are all known: to those of <see cref="ItemFlags.Post"/>.</summary>
    /// <param name="session">The session.</param>
    /// <param name="plan">How many posts are sent, and which of them carry a stamp.</param>
    /// <param name="messages">Their contents.</param>
    /// <returns>Null when no item is marked.</returns>
    public static ConsumerBurst? Posts(ConsumerSession session, BurstPlan plan, MessageData messages)
    {
        ArgumentNullException.ThrowIfNull(session);
        ArgumentNullException.ThrowIfNull(messages);
        return Create(session, plan, ItemFlags.Post, items => new RotatingEncoder<PostMessage>(session.Posts, items,
            [.. messages.Posts], [.. messages.OrderBooks?.Posts ?? []], directory: session.Directory));
    }

    /// <summary>Prepares the generic messages of such a session: to the items of <see cref="ItemFlags.GenMsg"/>.</summary>
    /// <inheritdoc cref="Posts"/>
    public static ConsumerBurst? Generics(ConsumerSession session, BurstPlan plan, MessageData messages)
    {
        ArgumentNullException.ThrowIfNull(session);
        ArgumentNullException.ThrowIfNull(messages);
        return Create(session, plan, ItemFlags.GenMsg, items => new RotatingEncoder<GenericMessage>(default, items,
            [.. messages.Generics], [.. messages.OrderBooks?.Generics ?? []], directory: session.Directory));
    }

    /// <summary>Adds the messages that are due in a tick.</summary>
    /// <returns>True when there are any.</returns>
    public bool Begin(in TickInfo tick) => _burst.Begin(tick, _session.Number);

    /// <summary>Sends the messages left, as far as output buffers allow.</summary>
    public void Send()
    {
        if (_burst.Left > 0)
            _burst.Send();
    }

    /// <summary>Discards the messages left: they count as not sent.</summary>
    public void Discard() => _burst.Discard();

    /// <summary>Stops sending to an item that is closed.</summary>
    /// <param name="item">Number of the item in its session.</param>
    public void Leave(int item) => _items.Remove(item);

    /// <summary>Sends to an item on its present stream, which changes when it is requested again.</summary>
    /// <param name="item">Number of the item in its session.</param>
    public void Follow(int item) => _items.Move(item, _session.StreamIdOf(item));

    private static ConsumerBurst? Create<TEncoder>(ConsumerSession session, BurstPlan plan, ItemFlags mark, Func<ItemRotation, TEncoder> encoderOf)
        where TEncoder : struct, IMessageEncoder
    {
        ItemRotation items = new();
        for (int item = 0; item < session.ItemCount; item++)
        {
            ItemFlags flags = session.FlagsOf(item);
            if (flags.HasFlag(mark))
                items.Add(item, session.StreamIdOf(item), flags.HasFlag(ItemFlags.MarketByOrder));
        }

        return items.Count == 0
            ? null : new(session, items, new Burst<TEncoder>(plan, session.Recording, session.Output, encoderOf(items)));
    }
}
