using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Frames read by themselves: compressed bodies and their parts, memory, and what is counted.</summary>
public sealed class FrameReaderTests : IDisposable
{
    private const byte Compressed = FrameLayout.CompressedFlag;
    private const byte Part = FrameLayout.CompressedFlag | FrameLayout.CompressedPartFlag;

    private readonly BufferPool _pool = new();
    private readonly FrameReader _reader;

    public FrameReaderTests() => _reader = Create(new PlainCompressor());

    public static ChannelInfo Info { get; } = new()
    {
        ConnectionVersion = 14,
        MaxMessageBytes = 1_000,
        PingTimeoutSeconds = 60,
        SendsPings = true,
        ReceivesPings = true,
        ProtocolType = 0,
        MajorVersion = 14,
        MinorVersion = 1,
        IsServer = true,
    };

    public void Dispose() => _reader.Dispose();

    [Fact]
    public void TryReadMessage_CompressedBody_IsInflated()
    {
        Feed([0, 6, Compressed, 0, 5, 7], Plain(1, 2));
        Assert.Equal(["0707070707", "0102"], ReadAll());
        Assert.Equal((2, 11), (_reader.MessagesRead, _reader.BytesRead));
    }

    /// <summary>A body of two parts is inflated as one, and the flags of the first part count.</summary>
    [Fact]
    public void TryReadMessage_BodyInTwoParts_IsJoinedAndInflated()
    {
        Feed([0, 5, Part, 0, 5], [0, 4, Compressed, 7]);
        Feed([0, 4, Part, 0], [0, 5, Compressed, 3, 8]); // and once more
        Assert.Equal(["0707070707", "080808"], ReadAll());
    }

    [Fact]
    public void TryReadMessage_PackOfTwoParts_IsAPack()
    {
        // five zeros: a message of length 0 ends the pack; five ones: a message of 257 bytes
        Feed([0, 5, (byte)(Part | FrameLayout.PackedFlag), 0, 5], [0, 4, Compressed, 0], Plain(9));
        Assert.Equal(["09"], ReadAll());
        Feed([0, 5, (byte)(Part | FrameLayout.PackedFlag), 0, 5], [0, 4, Compressed, 1]);
        Assert.Empty(ReadAll());
        Assert.Equal("a packed message of 257 bytes reaches beyond its frame", _reader.Problem?.Text);
    }

    [Fact]
    public void TryReadMessage_FragmentsCompressed_AreJoinedInflated()
    {
        byte flags = Compressed | FrameLayout.ExtendedFlag;
        Feed([0, 13, flags, FrameLayout.FirstFragment, 0, 0, 0, 6, 0, 1, 0, 4, 7], [0, 9, flags, FrameLayout.ContinuationFragment, 0, 1, 0, 2, 8]);
        Assert.Equal(["070707070808"], ReadAll());
        Assert.False(_reader.IsInsideMessage);
    }

    /// <summary>A fragment in two parts: its header is in the first alone.</summary>
    [Fact]
    public void TryReadMessage_FragmentInTwoParts_IsJoinedInflated()
    {
        byte first = Part | FrameLayout.ExtendedFlag;
        Feed([0, 12, first, FrameLayout.FirstFragment, 0, 0, 0, 4, 0, 1, 0, 4], [0, 4, Compressed | FrameLayout.ExtendedFlag, 7]);
        Assert.Equal(["07070707"], ReadAll());
    }

    [Fact]
    public void TryReadMessage_ThirdPart_IsRefused()
    {
        Feed([0, 5, Part, 0, 5], [0, 4, Part, 7], Plain(1));
        Assert.Empty(ReadAll());
        Assert.Equal((CloseKind.ProtocolError, "a compressed body is split into more than two parts"), (_reader.Problem?.Kind, _reader.Problem?.Text));
    }

    [Theory]
    [InlineData(1_003, true)] // a whole frame
    [InlineData(1_004, false)]
    public void TryReadMessage_InflatedBeyondAFrame_IsRefused(int bytes, bool isGood)
    {
        Feed([0, 6, Compressed, (byte)(bytes >> 8), (byte)bytes, 7], Plain(1));
        Assert.Equal(isGood ? 2 : 0, ReadAll().Count);
        Assert.Equal(isGood ? null : "a compressed body is malformed or inflates to more than 1003 bytes", _reader.Problem?.Text);
    }

    [Fact]
    public void TryReadMessage_BodyThatInflatesToNothing_IsNoMessage()
    {
        Feed([0, 6, Compressed, 0, 0, 7], Plain(1));
        Assert.Equal(["01"], ReadAll());
        Assert.Equal(1, _reader.MessagesRead);
    }

    [Fact]
    public void TryReadMessage_CompressedWithoutAgreement_IsRefused()
    {
        using FrameReader reader = Create(compressor: null);
        byte[] frame = [0, 6, Compressed, 0, 5, 7];
        frame.CopyTo(reader.Room());
        reader.Advance(frame.Length);
        Assert.False(reader.TryReadMessage(out _));
        Assert.Equal("a frame is compressed, which was not agreed", reader.Problem?.Text);
    }

    [Fact]
    public void TryReadMessage_PingsBetween_AreCounted()
    {
        Feed([0, 3, 2], Plain(1), [0, 3, 0], [0, 3, 2], Plain(2));
        Assert.Equal(["01", "02"], ReadAll());
        Assert.Equal((3, 2), (_reader.Pings, _reader.MessagesRead));
    }

    /// <summary>A flood of frames without a message pauses, and goes on when it is asked again.</summary>
    [Theory]
    [InlineData(1_023, false)]
    [InlineData(1_024, true)]
    public void TryReadMessage_ManyPings_PausesAfterThousand(int pings, bool pauses)
    {
        Feed([.. Enumerable.Repeat(new byte[] { 0, 3, 2 }, pings), Plain(5)]);
        Assert.Equal(!pauses, _reader.TryReadMessage(out _));
        Assert.Equal((pauses, pings), (_reader.HasPaused, _reader.Pings));
        Assert.Equal(pauses, _reader.TryReadMessage(out _));
        Assert.False(_reader.TryReadMessage(out _));
        Assert.False(_reader.HasPaused);
    }

    [Fact]
    public void IsDrainedAndInside_WhileBytesOrPacksOrFragmentsWait_SaySo()
    {
        Assert.Equal((true, false), (_reader.IsDrained, _reader.IsInsideMessage));
        Feed([0, 9, 0x12, 0, 1, 5, 0, 1, 6]);
        Assert.Equal((false, true), (_reader.IsDrained, _reader.IsInsideMessage));
        Assert.True(_reader.TryReadMessage(out _));
        Assert.Equal((false, false), (_reader.IsDrained, _reader.IsInsideMessage)); // a packed message is left
        Assert.True(_reader.TryReadMessage(out _));
        Assert.True(_reader.IsDrained);
        Feed([0, 8, 0x12, 0, 1, 5, 0, 0]);
        Assert.True(_reader.TryReadMessage(out _));
        Assert.False(_reader.IsDrained);
        Assert.False(_reader.TryReadMessage(out _)); // a length of 0 ends a pack
        Assert.True(_reader.IsDrained);
        Feed([0, 11, 3, FrameLayout.FirstFragment, 0, 0, 0, 6, 0, 1, 5]);
        Assert.False(_reader.TryReadMessage(out _));
        Assert.Equal((true, true), (_reader.IsDrained, _reader.IsInsideMessage));
    }

    /// <summary>An array that is full to its end has room again for what was read of it, also where that is little.</summary>
    [Fact]
    public void Room_ArrayFullToItsEnd_IsWhatWasRead()
    {
        int room = _reader.Room().Length, frames = 0;
        for (; frames * 16 < room; frames++)
        {
            byte[] frame = [0, 16, FrameLayout.DataFlag, .. Enumerable.Repeat((byte)(frames % 251), 13)];
            frame.CopyTo(_reader.Room());
            _reader.Advance(frame.Length);
        }

        Assert.True(_reader.TryReadMessage(out _));
        Assert.Equal(16, _reader.Room().Length);
        for (int i = 1; i < frames; i++)
        {
            Assert.True(_reader.TryReadMessage(out ReadOnlySpan<byte> message));
            Assert.Equal(i % 251, message[0]);
        }
    }

    [Fact]
    public void EndBatch_AllOfAPack_LeavesNothingOfIt()
    {
        Feed([0, 15, 0x12, 0, 2, 5, 5, 0, 2, 6, 6, 0, 2, 7, 7]);
        Assert.True(_reader.TryReadMessage(out _));
        _reader.BeginBatch(out ReceiveBatch batch);
        Assert.True(batch.TryRead(out ReadOnlySpan<byte> message));
        Assert.Equal(6, message[0]);
        Assert.True(batch.TryRead(out message));
        Assert.Equal(7, message[0]);
        _reader.EndBatch(batch);
        Assert.Equal((true, 3), (_reader.IsDrained, _reader.MessagesRead));
    }

    [Fact]
    public void ReleaseWhenEmpty_NothingHeld_ReturnsItsArrays()
    {
        Feed([0, 13, 3, FrameLayout.FirstFragment, 0, 0, 0, 3, 0, 1, 5, 6, 7]);
        Assert.Equal(["050607"], ReadAll());
        long held = _pool.HeldBytes;
        _reader.ReleaseWhenEmpty();
        byte[] message = _pool.Rent(1_024);
        byte[] input = _pool.Rent(64 * 1024);
        Assert.Equal(held, _pool.HeldBytes); // both were in the pool
        Feed(Plain(1)); // with a separate array
        Assert.Equal(held + (64 * 1024), _pool.HeldBytes);
        Assert.Equal(["01"], ReadAll());
        _pool.Return(message);
        _pool.Return(input);
    }

    [Theory]
    [InlineData(4)] // a part of a frame
    [InlineData(9)] // a packed message
    public void ReleaseWhenEmpty_SomethingHeld_KeepsIt(int bytes)
    {
        byte[] frame = [0, 9, 0x12, 0, 1, 5, 0, 1, 6];
        Feed(frame[..bytes]);
        bool read = _reader.TryReadMessage(out _);
        _reader.ReleaseWhenEmpty();
        _pool.Rent(64 * 1024).AsSpan().Fill(0xEE); // another one
        Feed(frame[bytes..]);
        Assert.Equal(read ? ["06"] : ["05", "06"], ReadAll());
    }

    [Fact]
    public void Dispose_InTheMiddle_ReturnsEveryArray()
    {
        Feed([0, 6, Compressed, 0, 5, 7], [0, 5, Part, 0, 5], [0, 4, Compressed, 7], [0, 11, 3, FrameLayout.FirstFragment, 0, 0, 0, 6, 0, 1, 5], [0]);
        Assert.Equal(2, ReadAll().Count);
        long held = _pool.HeldBytes;
        _reader.Dispose();
        foreach (int bytes in new[] { 1_024, 1_003, 64 * 1024, 2 * ushort.MaxValue })
            _pool.Rent(bytes);
        Assert.Equal(held, _pool.HeldBytes);
    }

    private FrameReader Create(FrameCompressor? compressor) => new(Info, TestChannels.Listen, _pool, compressor);

    private static byte[] Plain(params byte[] message) => [0, (byte)(FrameLayout.HeaderBytes + message.Length), FrameLayout.DataFlag, .. message];

    private void Feed(params byte[][] frames)
    {
        foreach (byte[] frame in frames)
        {
            frame.CopyTo(_reader.Room());
            _reader.Advance(frame.Length);
        }
    }

    private List<string> ReadAll()
    {
        List<string> messages = [];
        while (_reader.TryReadMessage(out ReadOnlySpan<byte> message))
            messages.Add(Convert.ToHexString(message));
        return messages;
    }
}
