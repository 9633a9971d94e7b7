using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>A connection's output buffers: guaranteed ones, and up to the maximum borrowed from those that all share.</summary>
public class FrameLimitTests
{
    private const int Guaranteed = 10;
    private const int Max = 60;

    private readonly SharedBuffers _shared = new(100);

    [Fact]
    public void Limit_NoneShared_IsTheMaximum()
    {
        FrameLimit buffers = Create(shared: null);
        Assert.Equal((Max, Max, Max, false), (buffers.Limit, buffers.Guaranteed, buffers.Max, buffers.HasBorrowed));
        Assert.False(buffers.TryBorrow(1));
    }

    [Fact]
    public void Limit_Shared_IsWhatIsGuaranteed()
    {
        FrameLimit buffers = Create(_shared);
        Assert.Equal((Guaranteed, Guaranteed, Max, false), (buffers.Limit, buffers.Guaranteed, buffers.Max, buffers.HasBorrowed));
        Assert.Equal(100, _shared.Free);
    }

    [Fact]
    public void Limit_NoneGuaranteedByTheOptions_IsOne()
    {
        FrameLimit buffers = new(TestChannels.Listen with { OutputBuffers = 0, MaxOutputBuffers = 0 }, _shared);
        Assert.Equal((1, 1), (buffers.Limit, buffers.Max));
    }

    [Theory]
    [InlineData(1, 16)]
    [InlineData(16, 16)]
    [InlineData(17, 17)]
    [InlineData(1_000, Max - Guaranteed)]
    public void TryBorrow_SomeWanted_TakesSixteenAtLeastAndTheMaximumAtMost(int wanted, int taken)
    {
        FrameLimit buffers = Create(_shared);
        Assert.True(buffers.TryBorrow(wanted));
        Assert.Equal((Guaranteed + taken, 100 - taken, true), (buffers.Limit, _shared.Free, buffers.HasBorrowed));
    }

    [Fact]
    public void TryBorrow_OneIsFree_TakesIt()
    {
        Assert.Equal(99, _shared.Rent(99));
        FrameLimit buffers = Create(_shared);
        Assert.True(buffers.TryBorrow(20));
        Assert.Equal((Guaranteed + 1, 0, true), (buffers.Limit, _shared.Free, buffers.HasBorrowed));
        Assert.False(buffers.TryBorrow(1));
    }

    [Fact]
    public void TryBorrow_AtTheMaximum_TakesNone()
    {
        FrameLimit buffers = Create(_shared);
        Assert.True(buffers.TryBorrow(1_000));
        Assert.False(buffers.TryBorrow(1));
        Assert.Equal((Max, 50), (buffers.Limit, _shared.Free));
    }

    [Theory]
    [InlineData(Guaranteed + 1, 16)]
    [InlineData(Guaranteed, 0)]
    [InlineData(0, 0)]
    public void ReturnUnneeded_FramesInUse_ReturnsAllOnlyWhereTheGuaranteedSuffice(int inUse, int kept)
    {
        FrameLimit buffers = Create(_shared);
        Assert.True(buffers.TryBorrow(1));
        buffers.ReturnUnneeded(inUse);
        Assert.Equal((Guaranteed + kept, 100 - kept, kept > 0), (buffers.Limit, _shared.Free, buffers.HasBorrowed));
    }

    /// <summary>A lower maximum returns at once what is borrowed beyond it, and nothing else.</summary>
    [Theory]
    [InlineData(40, 30)]
    [InlineData(59, 49)]
    [InlineData(60, 50)]
    [InlineData(80, 50)]
    [InlineData(10, 0)]
    [InlineData(5, 0)]
    public void Max_Changed_KeepsWhatIsBorrowedWithinIt(int max, int borrowed)
    {
        FrameLimit buffers = Create(_shared);
        Assert.True(buffers.TryBorrow(1_000));
        buffers.Max = max;
        Assert.Equal((Guaranteed + borrowed, 100 - borrowed), (buffers.Limit, _shared.Free));
        Assert.Equal((Math.Max(max, Guaranteed), borrowed > 0), (buffers.Max, buffers.HasBorrowed));
    }

    /// <summary>More guaranteed ones leave fewer to borrow below the same maximum.</summary>
    [Theory]
    [InlineData(10, 50)]
    [InlineData(30, 30)]
    [InlineData(60, 0)]
    [InlineData(70, 0)]
    [InlineData(5, 50)]
    public void Guaranteed_Changed_KeepsWhatIsBorrowedWithinTheMaximum(int guaranteed, int borrowed)
    {
        FrameLimit buffers = Create(_shared);
        Assert.True(buffers.TryBorrow(1_000));
        buffers.Guaranteed = guaranteed;
        Assert.Equal((guaranteed + borrowed, 100 - borrowed), (buffers.Limit, _shared.Free));
        Assert.Equal((guaranteed, Math.Max(Max, guaranteed)), (buffers.Guaranteed, buffers.Max));
    }

    [Fact]
    public void Max_NoneShared_IsTheLimit()
    {
        FrameLimit buffers = Create(shared: null);
        buffers.Guaranteed = 20;
        buffers.Max = 30;
        Assert.Equal(30, buffers.Limit);
        buffers.Max = 15; // below what is guaranteed
        Assert.Equal(20, buffers.Limit);
    }

    [Theory]
    [InlineData(40, 40, 60)]
    [InlineData(100, 100, 0)]
    [InlineData(101, 100, 0)]
    [InlineData(0, 0, 100)]
    [InlineData(-1, 0, 100)]
    public void Rent_SharedBuffers_GivesWhatIsFree(int wanted, int taken, int free)
    {
        Assert.Equal(taken, _shared.Rent(wanted));
        Assert.Equal(free, _shared.Free);
        _shared.Return(taken);
        Assert.Equal(100, _shared.Free);
    }

    private static FrameLimit Create(SharedBuffers? shared) =>
        new(TestChannels.Listen with { OutputBuffers = Guaranteed, MaxOutputBuffers = Max }, shared);
}
