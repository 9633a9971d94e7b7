using PerfTools.Ranks;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public sealed class RankPulseTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly SetTime _time = new();
    private readonly Rendezvous _own;
    private readonly Rendezvous _other;
    private readonly RankPulse _pulse;
    private readonly RankPulse _others;

    public RankPulseTests()
    {
        (_own, _other) = (Join(0), Join(1));
        (_pulse, _others) = (new(_own, _time), new(_other, _time));
    }

    [Fact]
    public void FindSilent_NumberThatRises_IsNobody()
    {
        for (int i = 0; i < 10; i++)
        {
            _others.Beat();
            _time.Now += TimeSpan.FromSeconds(59);
            Assert.Null(_pulse.FindSilent([1]));
        }
    }

    [Fact]
    public void FindSilent_NumberThatDoesNotChange_IsThatRankUntilItRisesAgain()
    {
        _others.Beat();
        Assert.Null(_pulse.FindSilent([1]));
        _time.Now += RankPulse.Limit;
        Assert.Null(_pulse.FindSilent([1]));
        _time.Now += TimeSpan.FromSeconds(1);
        Assert.Equal(1, _pulse.FindSilent([1]));
        _others.Beat();
        Assert.Null(_pulse.FindSilent([1]));
    }

    /// <summary>A rank that has not written a number may not have started: another limit ends that wait.</summary>
    [Fact]
    public void FindSilent_RankThatHasNotBegun_IsNobody()
    {
        Assert.Null(_pulse.FindSilent([1]));
        _time.Now += TimeSpan.FromHours(1);
        Assert.Null(_pulse.FindSilent([1]));
    }

    [Fact]
    public void FindSilent_RankThatIsDone_IsNobody()
    {
        _others.Beat();
        Assert.Null(_pulse.FindSilent([1]));
        _other.PublishDone();
        _time.Now += TimeSpan.FromHours(1);
        Assert.Null(_pulse.FindSilent([1]));
    }

    [Fact]
    public void Beat_FolderThatIsGone_GoesOn()
    {
        Directory.Delete(_other.Folder, recursive: true);
        _others.Beat();
        Assert.Null(_pulse.FindSilent([1]));
    }

    /// <summary>Results of a rank that was killed do not come: the others are not held up for the whole of their last wait.</summary>
    [Fact]
    public async Task WaitForDone_RankThatIsSilent_IsNotWaitedFor()
    {
        _others.Beat();
        _time.Step = RankPulse.Limit + TimeSpan.FromSeconds(1);
        using RankWatch watch = new(_own, new RankOptions(), _time);
        using CancellationTokenSource limit = new(watch.Farewell / 2);
        await Task.Run(() => watch.WaitForDone([0, 1], limit.Token), TestContext.Current.CancellationToken);
        Assert.False(limit.IsCancellationRequested);
    }

    public void Dispose() => _folder.Dispose();

    private Rendezvous Join(int rank) => Rendezvous.Join(_folder.FullPath, "a", new RankDescription
    {
        Rank = rank,
        Ranks = 2,
        Host = "host",
        Address = "127.0.0.1",
        Roles = [],
        Utc = DateTime.UtcNow,
    });

    private sealed class SetTime : TimeProvider
    {
        public TimeSpan Now { get; set; } = TimeSpan.FromDays(1);

        /// <summary>What passes each time it is asked for.</summary>
        public TimeSpan Step { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => (Now += Step).Ticks;
    }
}
