using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Answers to a peer that sends requests and does not read.</summary>
public sealed class ReplyQueueTests : IDisposable
{
    private const int ReplyBytes = 2_000;

    private readonly LoopbackPair _pair = new(outputBuffers: 6, kernelBytes: 4_096);
    private readonly MessageOutput _output;

    public ReplyQueueTests() => _output = new MessageOutput(_pair.Server, Packing.None, new CounterSet());

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void Send_SlowReader_KeepsTheRestInOrderAndSaysWhenFull()
    {
        ReplyQueue replies = new(_output);
        int sent = 0;
        while (!replies.IsFull && sent < 20_000)
            replies.Send(Reply(sent++));

        Assert.True(replies.IsFull);
        List<int> received = [];
        _pair.Until(() =>
        {
            replies.TrySendWaiting();
            _pair.Server.Flush();
            while (_pair.Client.TryRead(out ReadOnlySpan<byte> message))
                received.Add(BitConverter.ToInt32(message));
            return received.Count == sent;
        });
        Assert.Equal(Enumerable.Range(0, sent), received);
        Assert.True(replies.TrySendWaiting() && !replies.IsFull);
    }

    [Fact]
    public void Send_WithABufferThatIsFree_DoesNotWait()
    {
        ReplyQueue replies = new(_output);
        for (int sent = 0; sent < 3; sent++)
        {
            replies.Send(Reply(sent));
            Assert.False(replies.IsWaiting);
        }
    }

    [Fact]
    public void IsFull_FewLargeAnswersWait_IsTrueByTheirBytes()
    {
        ReplyQueue replies = new(_output);
        Block();
        int waiting = 0;
        for (; !replies.IsFull && waiting < 1_000; waiting++)
            replies.Send(new byte[100_000]);

        Assert.InRange(waiting, 10, 12);
        replies.Discard();
        Assert.False(replies.IsFull);
    }

    [Fact]
    public void GiveUp_AnswersOfSeveralKindsWait_CountsThoseThatAreCounted()
    {
        ReplyQueue replies = new(_output);
        Block();
        for (int i = 0; i < 3; i++)
        {
            Reply(i).CopyTo(replies.Begin(ReplyBytes));
            replies.End(ReplyBytes, MessageKind.Reflection);
            replies.Send(Reply(i));
        }

        replies.Discard();
        Assert.Equal(3, _output.Counters[Counter.PostsNotReflected]);
        Assert.True(replies.TrySendWaiting());
    }

    [Fact]
    public void Send_RunHasEnded_KeepsNoAnswerThatFindsNoRoom()
    {
        ReplyQueue replies = new(_output);
        Block();
        replies.Discard();
        for (int i = 0; i < 100; i++)
        {
            replies.Begin(100_000);
            replies.End(i % 2 == 0 ? 100_000 : 1, MessageKind.Reflection);
        }

        Assert.False(replies.IsWaiting);
        Assert.Equal(100, _output.Counters[Counter.PostsNotReflected]);
    }

    [Fact]
    public void Send_SendingHasFailed_KeepsNoAnswer()
    {
        ReplyQueue replies = new(_output);
        Assert.True(_pair.Client.TryBeginMessage(100, out _));
        _pair.Client.EndMessage(100);
        _pair.Until(() => _pair.Client.Flush());
        Block();
        _pair.Client.Close(); // with answers that it has not read: sending fails, and the bytes that it sent can still be read
        _pair.Until(() => _pair.Server.Flush() | _pair.Server.HasFailedSending);
        Assert.Equal((ChannelState.Active, true), (_pair.Server.State, _pair.Server.HasFailedSending));
        for (int i = 0; i < 100; i++)
        {
            replies.Begin(100_000);
            replies.End(100_000, MessageKind.Reflection);
        }

        Assert.False(replies.IsWaiting);
        Assert.Equal(100, _output.Counters[Counter.PostsNotReflected]);
    }

    [Fact]
    public void End_NothingEncoded_SendsNothing()
    {
        ReplyQueue replies = new(_output);
        replies.Begin(100);
        replies.End(0, MessageKind.Reflection);
        Block();
        replies.Begin(100);
        replies.End(0, MessageKind.Reflection);

        replies.Discard();
        Assert.Equal((0, 0), (_output.Ledger.Unsettled(MessageKind.Reflection), _output.Counters[Counter.PostsNotReflected]));
    }

    [Fact]
    public void DictionaryReplies_SlowReader_SendsEveryPartOnce()
    {
        DictionaryReplies replies = new(_output, _pair.Server.Info.MaxFragmentBytes);
        DictionaryConsumer download = new(serviceId: 1);
        Ask(replies, download.EncodeFieldRequest);
        Ask(replies, download.EncodeEnumRequest);
        Block();
        Assert.False(replies.SendSome());
        Assert.True(replies.IsWaiting);
        _pair.Until(() =>
        {
            replies.SendSome();
            _pair.Server.Flush();
            while (_pair.Client.TryRead(out ReadOnlySpan<byte> message))
                Take(download, message);
            return download.Dictionary is not null;
        });

        Assert.False(replies.IsWaiting);
        Assert.Equal(SessionSamples.Dictionary.Definitions.Count, download.Dictionary!.Definitions.Count);
    }

    [Fact]
    public void DictionaryReplies_AsManyAsMayWait_AreFullUntilOneWasSent()
    {
        DictionaryReplies replies = new(_output, _pair.Server.Info.MaxFragmentBytes);
        Block();
        for (int waiting = 0; waiting < 64; waiting++)
        {
            Assert.False(replies.IsFull);
            int stream = 100 + waiting;
            for (int asked = 0; asked < 2; asked++) // the second answer of a stream replaces the first
                Ask(replies, room => new DictionaryConsumer(serviceId: 1).EncodeFieldRequest(room), stream);
        }

        Assert.True(replies.IsFull);
        replies.Discard(100);
        Assert.False(replies.IsFull);
    }

    [Fact]
    public void DictionaryReplies_Forget_SendsTheOtherStreamOnly()
    {
        DictionaryReplies replies = new(_output, _pair.Server.Info.MaxFragmentBytes);
        DictionaryConsumer download = new(serviceId: 1);
        int fields = Ask(replies, download.EncodeFieldRequest);
        int enums = Ask(replies, download.EncodeEnumRequest);
        replies.Discard(fields);
        HashSet<int> streams = [];
        _pair.Until(() =>
        {
            bool done = !replies.SendSome() & _pair.Server.Flush();
            bool any = false;
            while (_pair.Client.TryRead(out ReadOnlySpan<byte> message))
                any |= streams.Add(StreamOf(message)) | true;
            return done && !any && streams.Count > 0;
        });

        Assert.Equal([enums], streams);
    }

    private delegate int Encoder(Span<byte> room);

    private static int Ask(DictionaryReplies replies, Encoder encode, int? streamId = null)
    {
        byte[] room = new byte[500];
        int bytes = encode(room);
        RwfMsg.TryDecode(room.AsSpan(0, bytes), out RwfMsg request);
        request.StreamId = streamId ?? request.StreamId;
        new DictionaryProvider(SessionSamples.Dictionary).Receive(request, out DictionaryAnswer? answer);
        replies.Add(answer!);
        return request.StreamId;
    }

    // Fills the path to the client with messages of a domain that the download ignores.
    private void Block()
    {
        while (_output.TryBegin(ReplyBytes, out Span<byte> room))
        {
            room[..ReplyBytes].Clear();
            _output.End(ReplyBytes, MessageKind.Other);
        }
    }

    private static void Take(DictionaryConsumer download, ReadOnlySpan<byte> message)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success && msg.DomainType == DomainType.Dictionary)
            Assert.NotEqual(ConversationStep.Disconnect, download.Receive(msg).Step);
    }

    private static int StreamOf(ReadOnlySpan<byte> message)
    {
        Assert.Equal(DecodeResult.Success, RwfMsg.TryDecode(message, out RwfMsg msg));
        return msg.StreamId;
    }

    private static byte[] Reply(int number)
    {
        byte[] reply = new byte[ReplyBytes];
        BitConverter.TryWriteBytes(reply, number);
        return reply;
    }
}
