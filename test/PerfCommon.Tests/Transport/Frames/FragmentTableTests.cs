using System.Text;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Joins fragments by their id, within limits for one message, for all bytes and for the number of messages.</summary>
public class FragmentTableTests
{
    private const int MaxOpen = 64;

    private readonly BufferPool _pool = new();

    [Fact]
    public void TryAdd_LastByteArrives_ReturnsTheMessageOnce()
    {
        FragmentTable table = Create();
        Assert.Null(Add(table, First(1, total: 6), "abc"));
        Assert.Null(Add(table, Next(1), "de"));
        Assert.Equal(1, table.Count);
        Assert.Equal("abcdef", Add(table, Next(1), "f"));
        Assert.Equal(0, table.Count);
    }

    [Fact]
    public void TryAdd_WholeInTheFirst_IsReturnedAtOnce()
    {
        FragmentTable table = Create();
        Assert.Equal("abc", Add(table, First(1, total: 3), "abc"));
        Assert.Equal(0, table.Count);
    }

    [Theory]
    [InlineData(0, CloseKind.ProtocolError, "a fragmented message says it has no byte")]
    [InlineData(2_001, CloseKind.LimitExceeded, "a fragmented message of 2001 bytes is larger than the 2000 allowed")]
    [InlineData(uint.MaxValue, CloseKind.LimitExceeded, "a fragmented message of 4294967295 bytes is larger than the 2000 allowed")]
    public void TryAdd_TotalThatMayNotBe_IsRefused(uint total, CloseKind kind, string text)
    {
        CloseReason? problem = Refuse(Create(maxReassembled: 2_000), First(1, total), "");
        Assert.Equal((kind, text), (problem?.Kind, problem?.Text));
    }

    [Fact]
    public void TryAdd_TotalAsAllowed_IsJoined()
    {
        FragmentTable table = Create(maxReassembled: 2_000);
        Assert.Null(Add(table, First(1, total: 2_000), new string('a', 1_999)));
        Assert.Equal(new string('a', 1_999) + "b", Add(table, Next(1), "b"));
    }

    [Fact]
    public void TryAdd_ContinuationOfNoMessage_IsRefused()
    {
        FragmentTable table = Create();
        Assert.Null(Add(table, First(1, total: 6), "abc"));
        CloseReason? problem = Refuse(table, Next(2), "def");
        Assert.Equal((CloseKind.ProtocolError, "a fragment continues message 2, which has not begun"), (problem?.Kind, problem?.Text));
    }

    [Fact]
    public void TryAdd_ContinuationAfterTheEnd_IsRefused()
    {
        FragmentTable table = Create();
        Assert.NotNull(Add(table, First(1, total: 1), "a"));
        Assert.Equal(CloseKind.ProtocolError, Refuse(table, Next(1), "b")?.Kind);
    }

    [Fact]
    public void TryAdd_MoreBytesThanTheTotal_IsRefused()
    {
        FragmentTable table = Create();
        Assert.Null(Add(table, First(1, total: 6), "abc"));
        CloseReason? problem = Refuse(table, Next(1), "defg");
        Assert.Equal((CloseKind.ProtocolError, "fragments have more bytes than the 6 of their message"), (problem?.Kind, problem?.Text));
    }

    [Fact]
    public void TryAdd_AsManyOpenAsAllowed_OnlyAKnownIdMayBeginAgain()
    {
        FragmentTable table = Create();
        for (int id = 0; id < MaxOpen; id++)
            Assert.Null(Add(table, First(id, total: 2), "a"));
        Assert.Null(Add(table, First(5, total: 3), "xy"));
        Assert.Equal("xyz", Add(table, Next(5), "z"));
        Assert.Null(Add(table, First(MaxOpen, total: 2), "a")); // in place of message 5
        CloseReason? problem = Refuse(table, First(MaxOpen + 1, total: 2), "a");
        Assert.Equal((CloseKind.LimitExceeded, "more than 64 fragmented messages are incomplete"), (problem?.Kind, problem?.Text));
    }

    /// <summary>The limit is for the arrays: the powers of two that hold the received bytes.</summary>
    [Theory]
    [InlineData(3_072, false)]
    [InlineData(3_071, true)]
    public void TryAdd_ArraysReachTheLimit_OnlyMoreIsRefused(int limit, bool refuses)
    {
        FragmentTable table = Create(limit: limit);
        Assert.Null(Add(table, First(1, total: 5_000), new string('a', 2_000)));
        Assert.Null(Add(table, Next(1), new string('a', 48))); // the array holds 2,048
        bool isWhole = table.TryAdd(First(2, total: 5_000), new byte[10], out _, out CloseReason? problem);
        Assert.Equal((false, refuses ? $"incomplete messages hold more than {limit} bytes" : null), (isWhole, problem?.Text));
    }

    [Fact]
    public void TryAdd_MessageGrows_CountsItsPresentArrayAlone()
    {
        FragmentTable table = Create(limit: 4_096);
        Assert.Null(Add(table, First(1, total: 4_000), new string('a', 1_000)));
        Assert.Null(Add(table, Next(1), new string('b', 1_000)));
        Assert.Null(Add(table, Next(1), new string('c', 1_000)));
        Assert.Equal(4_000, Add(table, Next(1), new string('d', 1_000))?.Length);
        Assert.Null(Add(table, First(1, total: 5_000), new string('a', 4_096))); // nothing is held any more
    }

    /// <summary>An array is twice as large as the bytes before it at least, and no larger than the message needs.</summary>
    [Fact]
    public void TryAdd_ShortPieces_CopiesRarelyAndHoldsNoMoreThanNeeded()
    {
        FragmentTable table = Create();
        Assert.Null(Add(table, First(1, total: 10_000), new string('a', 4_000)));
        Assert.Null(Add(table, Next(1), new string('a', 97))); // 4,097 bytes: twice 4,000
        Assert.Equal(4_096 + 8_192, _pool.HeldBytes);
        Assert.Null(Add(table, Next(1), new string('a', 4_096))); // 8,193 of 10,000
        Assert.Equal(4_096 + 8_192 + 16_384, _pool.HeldBytes);
        Assert.Equal(10_000, Add(table, Next(1), new string('a', 10_000 - 8_193))?.Length);
        Assert.Equal(4_096 + 8_192 + 16_384, _pool.HeldBytes);
    }

    [Fact]
    public void ReleaseDelivered_AfterAMessage_ReturnsItsArray()
    {
        FragmentTable table = Create();
        Assert.NotNull(Add(table, First(1, total: 3), "abc"));
        byte[] other = _pool.Rent(1_024); // the message has its array still
        Assert.Equal(2 * 1_024, _pool.HeldBytes);
        table.ReleaseDelivered();
        table.ReleaseDelivered(); // has none: nothing is returned twice
        byte[] returned = _pool.Rent(1_024);
        Assert.NotSame(other, returned);
        Assert.NotSame(returned, _pool.Rent(1_024));
        Assert.Equal(3 * 1_024, _pool.HeldBytes);
    }

    [Fact]
    public void TryAdd_NextMessageIsWhole_ReturnsTheArrayOfTheOneBefore()
    {
        FragmentTable table = Create();
        for (int i = 0; i < 100; i++)
            Assert.NotNull(Add(table, First(i, total: 3), "abc"));
        Assert.Equal(2 * 1_024, _pool.HeldBytes);
    }

    [Fact]
    public void Clear_OpenAndDelivered_ReturnsAllArraysAndTheLimit()
    {
        FragmentTable table = Create(limit: 5_120);
        Assert.NotNull(Add(table, First(1, total: 3), "abc"));
        Assert.Null(Add(table, First(2, total: 3_000), new string('a', 2_500)));
        table.Clear();
        Assert.Equal(0, table.Count);
        Assert.Null(Add(table, First(3, total: 3_000), new string('a', 2_500)));
        Assert.NotNull(Add(table, First(4, total: 1), "b") ?? "");
        Assert.Equal(1_024 + 4_096, _pool.HeldBytes); // those of before
        Assert.Equal(CloseKind.ProtocolError, Refuse(table, Next(2), "a")?.Kind);
    }

    private FragmentTable Create(int maxReassembled = 16_000_000, int limit = 64_000_000) =>
        new(TestChannels.Listen with { MaxReassembledBytes = maxReassembled, ReassemblyLimitBytes = limit }, _pool);

    private static Fragment First(int id, uint total) => new(FrameLayout.FirstFragment, id, total);

    private static Fragment Next(int id) => new(FrameLayout.ContinuationFragment, id, TotalBytes: 0);

    // Returns the message, or null while bytes are missing.
    private static string? Add(FragmentTable table, Fragment fragment, string data)
    {
        bool isWhole = table.TryAdd(fragment, Encoding.ASCII.GetBytes(data), out ReadOnlySpan<byte> message, out CloseReason? problem);
        Assert.Null(problem);
        Assert.Equal(isWhole, message.Length > 0);
        return isWhole ? Encoding.ASCII.GetString(message) : null;
    }

    private static CloseReason? Refuse(FragmentTable table, Fragment fragment, string data)
    {
        Assert.False(table.TryAdd(fragment, Encoding.ASCII.GetBytes(data), out ReadOnlySpan<byte> message, out CloseReason? problem));
        Assert.True(message.IsEmpty);
        return problem;
    }
}
