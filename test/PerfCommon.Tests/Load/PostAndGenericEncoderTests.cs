using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Tests.Workers;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Load;

/// <summary>Bursts of posts and generic messages, received at the other end of a real connection.</summary>
public sealed class PostAndGenericEncoderTests : IDisposable
{
    private static readonly PostUser Poster = new(0x0A010203, 42);

    private readonly LoopbackPair _pair = new();
    private readonly WorkerRecording _recording = new();
    private readonly DirectoryConsumer _directory = ReadyDirectory();

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void Encode_Posts_GoRoundItemsAndTheirTemplates()
    {
        List<Seen> posts = Send(CreatePosts(3, rate: 9));

        Assert.Equal([6, 7, 8, 6, 7, 8, 6, 7, 8], posts.Select(post => post.StreamId));
        Assert.Equal([0, 0, 0, 1, 1, 1, 0, 0, 0], posts.Select(post => IndexOf(post.Content, SessionSamples.Messages.Posts)));
        Assert.All(posts,
            post => Assert.Equal((MsgClass.Post, PostFlags.PostComplete, DataType.Msg), (post.Class, post.Flags, post.Container)));
        Assert.All(posts,
            post => Assert.Equal((Poster, Poster, UpdateFlags.HasPostUserInfo), (post.Poster, post.InnerPoster, post.InnerFlags)));
    }

    [Fact]
    public void Encode_Generics_GoRoundItemsAndTheirTemplates()
    {
        List<Seen> messages = Send(CreateGenerics(2, rate: 8));

        Assert.Equal([6, 7, 6, 7, 6, 7, 6, 7], messages.Select(message => message.StreamId));
        Assert.Equal([0, 0, 1, 1, 0, 0, 1, 1], messages.Select(message => IndexOf(message.Content, SessionSamples.Messages.Generics)));
        Assert.All(messages,
            message => Assert.Equal((MsgClass.Generic, 0, DataType.FieldList), (message.Class, message.Flags, message.Container)));
    }

    [Fact]
    public void Encode_UpdatesAndGenericsOfOneRotation_DoNotDisturbEachOther()
    {
        ItemRotation items = Items(1);
        Burst updates = new Burst<RotatingEncoder<UpdateMessage>>(
            SessionSamples.Updates(rate: 1, stampRate: 0, tickRate: 1), _recording, Output(),
            new RotatingEncoder<UpdateMessage>(default, items, [.. SessionSamples.Messages.Updates]));
        Burst generics = new Burst<RotatingEncoder<GenericMessage>>(
            Plan(MessageKind.Generic, 1), _recording, Output(), new RotatingEncoder<GenericMessage>(default, items, [.. SessionSamples.Messages.Generics]));
        List<Seen> seen = [.. Send(updates), .. Send(generics), .. Send(updates), .. Send(generics)];

        Assert.Equal([0, 0, 1, 1],
            seen.Select(message =>
                IndexOf(message.Content,
                    message.Class == MsgClass.Update ? SessionSamples.Messages.Updates : SessionSamples.Messages.Generics)));
    }

    [Theory]
    [InlineData(MessageKind.Post, StampFields.PostIndex)]
    [InlineData(MessageKind.Generic, StampFields.GenericIndex)]
    internal void Encode_StampDue_IsTheTicksTimeInTheFieldOfItsKind(MessageKind kind, int index)
    {
        BurstPlan plan = new(kind, rate: 4, StampCells.All, tickRate: 1, seed: 1, LatencyUnit.Microseconds, stampsDue: true);
        Burst burst = kind == MessageKind.Post ? CreatePosts(2, plan) : CreateGenerics(2, plan);
        List<Seen> seen = Send(burst, dueNanos: 5_000_000);

        Assert.All(seen, message => Assert.Equal(5_000ul, message.Stamps[index]));
        Assert.All(seen, message => Assert.Single(message.Stamps, stamp => stamp != 0));
        Assert.Equal(4, _recording.Counters[kind.Stamped()!.Value]);
    }

    [Fact]
    public void HasTargets_ServiceDown_PausesBoth()
    {
        Burst posts = CreatePosts(2, rate: 10);
        Burst generics = CreateGenerics(2, rate: 10);
        RwfMsg closed = new()
        {
            MsgClass = MsgClass.Status,
            StreamId = StreamIds.Directory,
            Flags = StatusFlags.HasState,
            State = new RwfState(StreamState.Closed, DataState.Suspect)
        };
        _directory.Receive(closed);

        Assert.False(posts.Begin(TickAt(0), connection: 0) || generics.Begin(TickAt(0), connection: 0));
        Assert.Equal((0, 0L), (posts.Left, _recording.Counters[Counter.PostsNotSent]));
    }

    [Fact]
    public void GiveUp_PostsAndGenericsLeft_AreNotSent()
    {
        Burst posts = CreatePosts(2, rate: 10);
        Burst generics = CreateGenerics(2, rate: 20);
        Assert.True(posts.Begin(TickAt(0), connection: 0) & generics.Begin(TickAt(0), connection: 0));
        posts.Discard();
        generics.Discard();

        Assert.Equal((10, 20), (_recording.Counters[Counter.PostsNotSent], _recording.Counters[Counter.GenericNotSent]));
    }

    [Theory]
    [InlineData(MessageKind.Post)]
    [InlineData(MessageKind.Generic)]
    internal void Send_AfterWarmUp_AllocatesNothing(MessageKind kind)
    {
        MessageOutput output = Output();
        BurstPlan plan = new(kind, rate: 50_000, stampRate: 1_000, tickRate: 1_000, seed: 1, LatencyUnit.Microseconds);
        Burst burst = kind == MessageKind.Post ? CreatePosts(100, plan, output) : CreateGenerics(100, plan, output);
        Run(burst, output, 20_000);
        Allocation.None(() => Run(burst, output, 20_000));
        // counted when the socket accepted it; a pass is repeated if a collection occurred
        Assert.InRange(_recording.Counters[kind.Sent()!.Value], 39_950, long.MaxValue);
    }

    private void Run(Burst burst, MessageOutput output, int messages)
    {
        long deadline = Clock.NowNanos + (60 * Clock.NanosPerSecond);
        for (int received = 0, tick = 0; received < messages && Clock.NowNanos < deadline; tick++)
        {
            Assert.True(burst.Begin(new TickInfo(tick, tick % 1_000, 0, 0, 0), connection: 0));
            burst.Send();
            for (int left = 50; left > 0 && Clock.NowNanos < deadline;)
            {
                _pair.Server.Flush();
                _pair.Glance();
                for (; _pair.Client.TryRead(out _); received++)
                    left--;
            }

            output.Ledger.Settle(_recording.Counters, _pair.Server.MessagesSent);
        }
    }

    private static TickInfo TickAt(int index, long dueNanos = 0) => new(index, InSecond: 0, dueNanos, LagNanos: 0, SkippedBefore: 0);

    private static BurstPlan Plan(MessageKind kind, int rate) =>
        new(kind, rate, stampRate: 0, tickRate: 1, seed: 1, LatencyUnit.Microseconds);

    private Burst<RotatingEncoder<PostMessage>> CreatePosts(int items, int rate) => CreatePosts(items, Plan(MessageKind.Post, rate));

    private Burst<RotatingEncoder<GenericMessage>> CreateGenerics(int items, int rate) => CreateGenerics(items, Plan(MessageKind.Generic, rate));

    private Burst<RotatingEncoder<PostMessage>> CreatePosts(int items, BurstPlan plan, MessageOutput? output = null) => new(
        plan, _recording, output ?? Output(),
        new RotatingEncoder<PostMessage>(
            new PostMessage(Poster), Items(items), [.. SessionSamples.Messages.Posts], directory: _directory));

    private Burst<RotatingEncoder<GenericMessage>> CreateGenerics(int items, BurstPlan plan, MessageOutput? output = null) => new(
        plan, _recording, output ?? Output(), new RotatingEncoder<GenericMessage>(
            default, Items(items), [.. SessionSamples.Messages.Generics], directory: _directory));

    private MessageOutput Output() => new(_pair.Server, Packing.None, _recording.Counters);

    private static ItemRotation Items(int count)
    {
        ItemRotation items = new();
        for (int i = 0; i < count; i++)
            items.Add(i, 6 + i);
        return items;
    }

    private static DirectoryConsumer ReadyDirectory()
    {
        DirectoryConsumer consumer = new(SessionSamples.Service.Name);
        DirectoryProvider provider = new(SessionSamples.Service);
        byte[] room = new byte[4_096];
        RwfMsg.TryDecode(room.AsSpan(0, DirectoryConsumer.EncodeRequest(room)), out RwfMsg request);
        provider.Receive(request);
        RwfMsg.TryDecode(room.AsSpan(0, provider.EncodeRefresh(room)), out RwfMsg refresh);
        Assert.Equal(ConversationStep.Ready, consumer.Receive(refresh).Step);
        return consumer;
    }

    private List<Seen> Send(Burst burst, long dueNanos = 0)
    {
        Assert.True(burst.Begin(TickAt(0, dueNanos), connection: 0));
        int count = burst.Left;
        burst.Send();
        Assert.Equal(0, burst.Left);
        return [.. _pair.Receive(count).Select(Seen.Of)];
    }

    // Finds the template of a content.
    private static int IndexOf(byte[] content, IReadOnlyList<FieldListTemplate> templates) =>
        Enumerable.Range(0, templates.Count).Single(i => Encode(templates[i]).AsSpan().SequenceEqual(content));

    private static byte[] Encode(FieldListTemplate fields)
    {
        byte[] room = new byte[4_096];
        RwfWriter writer = new(room);
        Assert.True(fields.EncodeList(ref writer));
        return room[..writer.Written];
    }

    private sealed record Seen(
        MsgClass Class, int StreamId, int Flags, DataType Container, PostUser Poster, PostUser InnerPoster, int InnerFlags, byte[] Content,
        ulong[] Stamps)
    {
        public static Seen Of(byte[] message)
        {
            Assert.Equal(DecodeResult.Success, RwfMsg.TryDecode(message, out RwfMsg outer));
            RwfMsg inner = outer;
            if (outer.MsgClass == MsgClass.Post)
                Assert.Equal(DecodeResult.Success, RwfMsg.TryDecode(outer.Payload, out inner));
            FieldListDecoder decoder = new(SessionSamples.Dictionary.Types, StampFields.First, StampFields.Count);
            Assert.Equal(DecodeResult.Success, decoder.Decode(inner.Message, inner.PayloadStart));
            return new(
                outer.MsgClass, outer.StreamId, outer.Flags, outer.ContainerType, new(outer.PostUserAddress, outer.PostUserId),
                new(inner.PostUserAddress, inner.PostUserId), inner.Flags, inner.Payload.ToArray(),
                [.. Enumerable.Range(0, StampFields.Count).Select(decoder.Kept)]);
        }
    }
}
