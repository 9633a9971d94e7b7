using System.Text.Json;
using PerfCommon.Tests.Transport.Compression;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Recorded sessions, both directions: fed whole, split in two at every seventh position (at every one at night), byte by byte.</summary>
[Trait("Category", "Vectors")]
public class SessionVectorTests
{
    public static TheoryData<string> Names => new(TransportVectors.Sessions.Keys);

    public static TheoryData<string> PlainNames => new(TransportVectors.Sessions.Keys.Where(IsPlain));

    public static TheoryData<string> CompressedNames => new(TransportVectors.Sessions.Keys.Where(name => !IsPlain(name)));

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Names))]
    public void TryRead_SessionOfClient_GivesItsMessages(string name) => CheckDirection(name, fromClient: true, SplitPositions.Usual);

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Names))]
    public void TryRead_SessionOfServer_GivesItsMessages(string name) => CheckDirection(name, fromClient: false, SplitPositions.Usual);

    [LongTheory(SkipTestWithoutData = true)]
    [MemberData(nameof(Names))]
    public void TryRead_SessionSplitEverywhere_GivesItsMessages(string name)
    {
        CheckDirection(name, fromClient: true, SplitPositions.Every);
        CheckDirection(name, fromClient: false, SplitPositions.Every);
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Names))]
    public void BeginRun_SessionSplit_GivesWhatTryReadGives(string name) => CheckRuns(name, SplitPositions.Usual);

    [LongTheory(SkipTestWithoutData = true)]
    [MemberData(nameof(Names))]
    public void BeginRun_SessionSplitEverywhere_GivesWhatTryReadGives(string name) => CheckRuns(name, SplitPositions.Every);

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(PlainNames))]
    public void EndMessage_PlainSessionWrittenAgain_GivesTheRecordedFrames(string name)
    {
        TransportVector[] session = TransportVectors.Sessions[name];
        TransportVector[] frames = [.. session.Where(entry => entry.FromClient && entry.Message is null)];
        List<byte[]> messages = ReadPieces(session, fromClient: true, frames.Select(frame => (ReadOnlyMemory<byte>)frame.Bytes), out _);
        RsslChannel writer = OpenOther(session, out FeedPipe pipe);
        int next = 0;
        foreach (TransportVector frame in frames)
            WriteAgain(writer, frame, messages, ref next);
        writer.Flush();
        byte[] sent = pipe.Sent.ToArray();
        if (HasSlack(session, frames))
            CheckSame(messages, ReadPieces(session, fromClient: true, [sent], out _));
        else
            Assert.Equal(frames.Where(frame => frame.Bytes.Length > 3).SelectMany(frame => frame.Bytes), sent);
    }

    // Compressed bytes differ between zlib or lz4 implementations: compared are the inflated ones.
    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(CompressedNames))]
    public void EndMessage_CompressedSessionWrittenAgain_InflatesToTheSameMessagesWithoutASplit(string name)
    {
        TransportVector[] session = TransportVectors.Sessions[name];
        TransportVector[] frames = [.. session.Where(entry => entry.FromClient && entry.Message is null)];
        List<byte[]> messages = ReadPieces(session, fromClient: true, frames.Select(frame => (ReadOnlyMemory<byte>)frame.Bytes), out _);
        RsslChannel writer = OpenOther(session, out FeedPipe pipe);
        int next = 0;
        foreach (TransportVector frame in frames)
            WriteAgain(writer, frame, messages, ref next);
        writer.Flush();

        byte[] sent = pipe.Sent.ToArray();
        int compressed = 0;
        for (int at = 0; at < sent.Length; at += sent[at] << 8 | sent[at + 1])
        {
            Assert.Equal(0, sent[at + 2] & 0x08);
            compressed += sent[at + 2] >> 2 & 1;
        }

        // a body that arrived in two parts did not shrink, and ours is sent plain
        Assert.True(compressed > 0 || !frames.Any(IsCompressed) || frames.Any(IsPart));
        CheckSame(messages, ReadPieces(session, fromClient: true, [sent], out _));
    }

    // A writer may leave space in its fragments (C does): then ours, which are full, are different, and their messages are compared.
    private static bool HasSlack(TransportVector[] session, TransportVector[] frames)
    {
        int maxBytes = TransportVectors.State(session).GetProperty("maxUserMsgSize").GetInt32() + 3;
        return frames.Any(frame => (frame.Bytes[2] & 0x01) != 0 && frame.Messages.Count == 0 && frame.Bytes.Length < maxBytes);
    }

    private static bool IsCompressed(TransportVector frame) => (frame.Bytes[2] & 0x04) != 0;

    private static bool IsPart(TransportVector frame) => (frame.Bytes[2] & 0x08) != 0;

    private static bool IsPlain(string name) =>
        TransportVectors.State(TransportVectors.Sessions[name]).GetProperty("compression").GetString() == "none";

    private static void CheckRuns(string name, int step)
    {
        foreach (bool fromClient in new[] { true, false })
        {
            TransportVector[] session = TransportVectors.Sessions[name];
            byte[] all = [.. session.Where(entry =>
                entry.FromClient == fromClient && entry.Message is null).SelectMany(frame => frame.Bytes)];
            List<byte[]> expected = ReadPieces(session, fromClient, [all], out _);
            foreach (int split in SplitPositions.Of(all.Length, step))
            {
                CheckSame(expected,
                    ReadPieces(session, fromClient, [all.AsMemory(0, split), all.AsMemory(split)], out _, TestChannels.ReadAllByRuns));
            }
        }
    }

    private static void CheckDirection(string name, bool fromClient, int step)
    {
        TransportVector[] session = TransportVectors.Sessions[name];
        TransportVector[] frames = [.. session.Where(entry => entry.FromClient == fromClient && entry.Message is null)];
        List<JsonElement> expected = [.. frames.SelectMany(frame => frame.Messages)];
        byte[] all = [.. frames.SelectMany(frame => frame.Bytes)];

        List<byte[]> messages = ReadPieces(session, fromClient, frames.Select(frame => (ReadOnlyMemory<byte>)frame.Bytes),
            out List<int> counts);
        Check(expected, messages);
        Assert.Equal(frames.Select(frame => frame.Messages.Count), counts);
        CheckSame(messages,
            ReadPieces(session, fromClient, Enumerable.Range(0, all.Length).Select(at => (ReadOnlyMemory<byte>)all.AsMemory(at, 1)),
                out _));
        foreach (int split in SplitPositions.Of(all.Length, step))
            CheckSame(messages, ReadPieces(session, fromClient, [all.AsMemory(0, split), all.AsMemory(split)], out _));
    }

    private static void CheckSame(List<byte[]> expected, List<byte[]> messages)
    {
        Assert.Equal(expected.Count, messages.Count);
        for (int i = 0; i < messages.Count; i++)
            Assert.True(expected[i].AsSpan().SequenceEqual(messages[i]), $"message {i} differs");
    }

    private static void Check(List<JsonElement> expected, List<byte[]> messages)
    {
        Assert.Equal(expected.Count, messages.Count);
        for (int i = 0; i < messages.Count; i++)
        {
            Assert.Equal(expected[i].GetProperty("length").GetInt32(), messages[i].Length);
            Assert.Equal(expected[i].GetProperty("crc32").GetString(), PayloadCrc.Hex(messages[i]));
        }
    }

    /// <summary>Opens our side with the recorded handshake, then feeds the pieces.</summary>
    private static List<byte[]> ReadPieces(
        TransportVector[] session, bool fromClient, IEnumerable<ReadOnlyMemory<byte>> pieces, out List<int> counts,
        Func<RsslChannel, List<byte[]>>? readAll = null)
    {
        RsslChannel channel = fromClient ? OpenServer(session, out FeedPipe pipe) : OpenClient(session, out pipe);
        List<byte[]> messages = [];
        counts = [];
        foreach (ReadOnlyMemory<byte> piece in pieces)
        {
            pipe.Feed(piece);
            List<byte[]> read = (readAll ?? TestChannels.ReadAll)(channel);
            messages.AddRange(read);
            counts.Add(read.Count);
        }

        Assert.True(channel.Closed is null, channel.Closed?.ToString());
        channel.Close();
        return messages;
    }

    private static RsslChannel OpenServer(TransportVector[] session, out FeedPipe pipe)
    {
        JsonElement ack = session.Single(entry => entry.Message == "connectAck").Decoded;
        TransportVector request = session.Single(entry => entry.Message == "connectRequest");
        (RsslChannel channel, pipe) = TestChannels.OpenServer(new ListenOptions
        {
            Port = 0,
            MaxFragmentSize = ack.GetProperty("maxUserMsgSize").GetInt32(),
            ProtocolType = ProtocolOf(request),
            CompressionType = (CompressionType)ack.GetProperty("compressionType").GetInt32(),
            CompressionLevel = ack.GetProperty("compressionLevel").GetInt32(),
            ForceCompression = true,
        });
        pipe.Feed(request.Bytes);
        if (session.SingleOrDefault(entry => entry.Message == "clientKey") is TransportVector key)
            pipe.Feed(key.Bytes);
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        if (channel.State == ChannelState.Connecting)
            channel.OnTimer(nowNanos: long.MaxValue / 2); // the pause where no key follows
        Assert.Equal(ChannelState.Active, channel.State);
        Assert.Equal(ack.GetProperty("compressionType").GetInt32(), (int)channel.Info.CompressionType);
        return channel;
    }

    private static RsslChannel OpenClient(TransportVector[] session, out FeedPipe pipe)
    {
        TransportVector request = session.Single(entry => entry.Message == "connectRequest");
        int version = TransportVectors.State(session).GetProperty("ripc").GetInt32();
        (RsslChannel channel,
            pipe) = TestChannels.OpenClient(new ConnectOptions { Host = "", Port = 0, ProtocolType = ProtocolOf(request) }, version);
        pipe.Feed(session.Single(entry => entry.Message == "connectAck").Bytes);
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        Assert.Equal(ChannelState.Active, channel.State);
        return channel;
    }

    private static RsslChannel OpenOther(TransportVector[] session, out FeedPipe pipe)
    {
        RsslChannel client = OpenClient(session, out pipe);
        pipe.ClearSent();
        return client;
    }

    private static byte ProtocolOf(TransportVector request) =>
        request.Decoded.TryGetProperty("protocolType", out JsonElement type) && type.ValueKind == JsonValueKind.Number
            ? type.GetByte() : RsslProtocol.Rwf;

    private static void WriteAgain(RsslChannel writer, TransportVector frame, List<byte[]> messages, ref int next)
    {
        if (frame.Messages.Count == 0)
            return;
        if ((frame.Bytes[2] & 0x10) == 0)
        {
            TestChannels.Write(writer, messages[next++]);
            return;
        }

        Assert.True(writer.TryBeginPack(writer.Info.MaxMessageBytes));
        for (int i = 0; i < frame.Messages.Count; i++, next++)
        {
            Assert.True(writer.TryBeginPackedMessage(messages[next].Length, out Span<byte> room));
            messages[next].CopyTo(room);
            writer.EndPackedMessage(messages[next].Length);
        }

        writer.EndPack();
    }
}
