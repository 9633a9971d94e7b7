using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;
using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <summary>Forwards a consumer's posts and generic messages to the source threads of their items.</summary>
/// <param name="session">The consumer's connection.</param>
/// <param name="host">Its thread.</param>
internal sealed class ConsumerPosts(HubSession session, ConsumerThread host)
{
    private bool _hasPosted; // and requested an acknowledgement

    /// <summary>Handles a post on the login stream, which names its item.</summary>
    // wire/domains 6.4
    public void ReceiveOffStream(scoped in RwfMsg post, bool isLoginOpen)
    {
        session.Counters.Add(Counter.PostsReceived, 1);
        if (!isLoginOpen)
            Refuse(post, PostRefusal.StreamNotOpen);
        else if (!post.Has(PostFlags.HasMsgKey) || !post.Key.Has(MsgKeyFlags.HasName))
            Refuse(post, PostRefusal.NoName);
        else if (host.Settings.Services.Find(post.Key.ServiceId) is not { } service)
            Refuse(post, PostRefusal.OtherService);
        else
            Forward(service.HostOf(post.Key.Name), SessionRecord.PostByName, service.Key.Number, post);
    }

    /// <summary>Handles a post on the stream of an item.</summary>
    public void Receive(scoped in RwfMsg post)
    {
        session.Counters.Add(Counter.PostsReceived, 1);
        StreamEntry entry = session.Streams.Find(post.StreamId);
        if (entry.State == StreamUse.Open)
            Forward(entry.UpstreamIndex, SessionRecord.Post, entry.Slot, post);
        else
            Refuse(post, PostRefusal.StreamNotOpen); // wire/domains 6.2
    }

    /// <summary>Handles a generic message on the stream of an item.</summary>
    public void ReceiveGeneric(scoped in RwfMsg message)
    {
        session.Counters.Add(Counter.GenericReceived, 1);
        StreamEntry entry = session.Streams.Find(message.StreamId);
        if (entry.State == StreamUse.Open)
            Forward(entry.UpstreamIndex, SessionRecord.Generic, entry.Slot, message);
        else
            session.Counters.Add(Counter.GenericNotSent, 1);
    }

    /// <summary>Discards the acknowledgements that the connection still waits for: it has ended, or its login has.</summary>
    public void Discard()
    {
        if (!_hasPosted)
            return;
        Span<byte> address = stackalloc byte[StreamAddress.Bytes];
        session.Streams.AddressOf(0).Write(address);
        foreach (RingSender source in host.ToSources)
            source.Send(SessionRecord.PosterLeft, 0, address);
        _hasPosted = false;
    }

    // Puts the address of its stream before the message.
    private void Forward(int upstreamIndex, SessionRecord kind, int number, scoped in RwfMsg msg)
    {
        _hasPosted |= msg.MsgClass == MsgClass.Post && msg.Has(PostFlags.Ack);
        Span<byte> address = stackalloc byte[StreamAddress.Bytes];
        session.Streams.AddressOf(msg.StreamId).Write(address);
        host.To(upstreamIndex).Send(kind, number, address, msg.Message);
    }

    private void Refuse(scoped in RwfMsg post, PostRefusal why)
    {
        session.Counters.Add(Counter.PostsRefused, 1);
        if (post.Has(PostFlags.Ack))
            session.Answers.End(PostReflection.EncodeAck(session.Answers.Begin(PostReflection.MaxAckBytes), post, why), MessageKind.Other);
    }
}
