using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>
/// Users who are refused or disconnected before their login is accepted retry; a user who is lost afterwards stays away unless an option changes
/// that.
/// </summary>
[Trait("Category", "Fast")]
public sealed class UserLoginTests
{
    private const string Ramp = "-steps 8 -warmup 0 -settle 5 -period 2 -loginRate 100";

    [Fact]
    public void Connection_CutBeforeTheLogin_IsTriedAgainAndCounted()
    {
        using UsersBench bench = new(Ramp) { Cuts = 11 };
        int millis = bench.Until(() => bench.In == 8);

        Assert.Equal((11, 0, 0), (bench[UserCounter.LoginsRetried], bench[UserCounter.UsersLost], bench[UserCounter.UsersRefused]));
        Assert.Equal("Log-ins tried again: 11 (11 times: connection lost: the peer closed the connection)",
            bench.Threads[0].Retries.Describe());
        Assert.Null(bench.Threads[0].FirstFailure);
        Assert.InRange(millis, 400 + 800, 3_000); // the first three twice: 0.4 to 0.6 s, then twice that
        Period period = bench.TakePeriod();
        Assert.Equal((8, 11L, 0L), (period.UsersIn, period.LoginRetries, period.Counts.Lost));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" -reconnect on")] // they were not lost
    public void Approach_FewerUsers_CloseTheirLoginsAndTheHighestNumbersGo(string option)
    {
        using UsersBench bench = new(Ramp + option);
        bench.Until(() => bench.In == 8);
        bench.Threads[0].Approach(new UserTarget(Users: 3, Before: 8, bench.Time.NowNanos, Rate: 100));
        bench.Pass(26); // one after 10 ms, another after 20
        Assert.Equal(6, bench.Threads[0].Recording[UserGauge.UsersAsked]);
        bench.Until(() => bench.In == 3 && bench.Feeds.Count(feed => feed.Session.Peer is null) == 5);

        Assert.Equal([true, true, true, false, false, false, false, false], bench.Feeds.Select(feed => feed.Session.Peer is not null));
        bench.Pass(10_000);
        Assert.Equal((8, 3), (bench.Feeds.Count, bench.Threads[0].Recording[UserGauge.UsersAsked]));
        Assert.Equal((0, 16), (bench[UserCounter.UsersLost], bench[Counter.RefreshesReceived]));
        bench.Threads[0].Approach(new UserTarget(Users: 4, Before: 3, bench.Time.NowNanos, Rate: 100));
        bench.Until(() => bench.In == 4);
        Assert.Equal((9, 18, 4), // users that stay keep their images
            (bench.Feeds.Count, bench[Counter.RefreshesReceived], bench.Threads[0].Recording[UserGauge.UsersAsked]));
    }

    /// <summary>Who is lost and then cut before the next login is accepted is lost once, and tries again.</summary>
    [Fact]
    public void Users_CutAfterALoss_AreLostOnceAndTryAgain()
    {
        using UsersBench bench = new("-steps 1 -warmup 0 -settle 5 -period 2 -loginRate 100 -reconnect on");
        bench.Until(() => bench.In == 1);
        bench.Cuts = 1;
        bench.Feeds[0].Session.Channel.Close();
        bench.Until(() => bench.Feeds.Count == 2 && bench.In == 1);

        Assert.Equal((0, 1, 1), (bench.Cuts, bench[UserCounter.UsersLost], bench[UserCounter.LoginsRetried]));
    }

    [Fact]
    public void User_WhoseItemIsClosedByAnImage_IsLost()
    {
        using UsersBench bench = new("-steps 1 -warmup 0 -settle 5 -period 2 -loginRate 100");
        bench.Until(() => bench.In == 1);
        bench.Feeds[0].SendImage(1, 0, StreamState.Closed);
        bench.Until(() => bench.In == 0);

        Assert.Equal((1, "received unexpected final state for stream 7"), (bench[UserCounter.UsersLost], bench.Threads[0].FirstFailure));
    }

    /// <summary>By another clock a sample is its distance above the least of the time before the period, and 0 below that.</summary>
    [Fact]
    public void Latencies_OfAnotherClock_AreAboveTheLeast()
    {
        using UsersBench bench = new("-steps 1 -warmup 0 -settle 5 -period 2 -loginRate 100 -measure check");
        bench.Until(() => bench.In == 1);
        Receive(bench, 1, 9);
        Receive(bench, 2, 5);
        bench.Until(() => bench.Time.NowNanos > bench.Schedule.Steps[0].FromNanos);
        Receive(bench, 3, 12);
        Receive(bench, 4, 3);
        Period period = bench.TakePeriod();
        Assert.Equal((2L, 0L, 7_000L), (period.Count, period.MinMicros, period.MaxMicros));
    }

    [Fact]
    public void Users_CutTogether_ComeBackOneByOne()
    {
        using UsersBench bench = new("-steps 8 -warmup 0 -settle 5 -period 2 -loginRate 1000000") { Cuts = 8 };
        bench.Until(() => bench[UserCounter.LoginsRetried] == 8);
        HashSet<int> times = [];
        for (int millis = 0; bench.In < 8; millis++)
        {
            long before = bench.In;
            bench.Pass(1);
            if (bench.In > before)
                times.Add(millis);
            Assert.True(millis < 1_000);
        }

        Assert.Equal(8, times.Count); // each has a wait of his own
    }

    [Fact]
    public void Hub_ThatIsFull_IsAskedAgainUntilThereIsRoom()
    {
        using UsersBench bench = new("-steps 3 -warmup 0 -settle 5 -period 2 -loginRate 100", maxConnections: 2);
        bench.Until(() => bench[UserCounter.LoginsRetried] == 3);
        Assert.Equal((2, 0), (bench.In, bench[UserCounter.UsersLost]));
        bench.Feeds[0].Session.Channel.Close(); // one leaves
        bench.Until(() => bench.In == 2 && bench[UserCounter.UsersLost] == 1);

        Assert.Equal((1, 0), (bench[UserCounter.UsersLost], bench[UserCounter.UsersRefused]));
        Assert.Contains("Too many connections.", bench.Threads[0].Retries.FindMain(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("off", 1, 7)]
    [InlineData("on", 1, 8)]
    public void Connection_CutAfterTheLogin_IsALoss(string reconnect, long lost, int there)
    {
        using UsersBench bench = new($"{Ramp} -reconnect {reconnect}");
        bench.Until(() => bench.In == 8);
        bench.Feeds[3].Session.Channel.Close();
        bench.Until(() => bench[UserCounter.UsersLost] == 1);
        bench.Pass(5_000);

        Assert.Equal((lost, there), (bench[UserCounter.UsersLost], bench.In));
        Assert.Equal(0, bench[UserCounter.LoginsRetried]);
        Assert.Equal("connection lost: the peer closed the connection", bench.Threads[0].FirstFailure);
    }

    [Fact]
    public void Reasons_Many_AreKeptInPartAndAddUp()
    {
        LoginRetries retries = new();
        for (int i = 0; i < 20; i++)
            retries.Add($"reason {i % 10}");
        LoginRetries all = new();
        all.Add(retries);
        all.Add(retries);

        Assert.Equal("other reasons", all.FindMain());
        Assert.StartsWith("Log-ins tried again: 40 (8 times: other reasons; 4 times: reason 0; ", all.Describe(), StringComparison.Ordinal);
        Assert.Null(new LoginRetries().Describe());
        Assert.Null(new LoginRetries().FindMain());
    }
    private static void Receive(UsersBench bench, int number, int millisAgo)
    {
        bench.Feeds[0].SendMade(0, number, bench.Time.NowNanos - (millisAgo * Clock.NanosPerMilli));
        bench.Turn();
    }
}
