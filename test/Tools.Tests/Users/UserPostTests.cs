using PerfCommon.Measurement;
using PerfCommon.Workers;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>Users who post: which, how often, and the answers.</summary>
public sealed class UserPostTests
{
    private const string Ramp = "-warmup 0 -settle 1 -period 4 -loginRate 100";

    [Fact]
    public void Users_WhoPost_DoItAtTheirRateToEachOfTheirItems()
    {
        using UsersBench bench = new($"-steps 5 {Ramp} -postRate 2 -contributors 3");
        bench.Until(() => bench.In == 5);
        bench.Until(() => bench.Time.NowNanos >= bench.Schedule.Steps[0].FromNanos);
        Period period = bench.TakePeriod();

        Assert.Equal([true, true, true, false, false], bench.Feeds.Select(feed => feed.Posts > 0));
        Assert.Equal((24L, 24L), (period.Posts, period.Updates)); // of 3 users, 2 a second, in 4 s
        Assert.Equal((0L, 0L), (period.PostSumMicros, period.PostMaxMicros)); // no time passes on the way
        Assert.Equal(0, period.Count); // a post has no stamp of a source
        Assert.Equal(default, period.Counts);
        Assert.Equal((bench[Counter.PostsSent], 0L), (bench.Feeds.Sum(feed => (long)feed.Posts), bench[Counter.PostsNotSent]));
    }

    [Theory]
    [InlineData(0, 7, 8)] // one is lost
    [InlineData(2, 9, 8)] // one comes twice
    public void Posts_LostOrRepeated_AreCountedExactly(int copiesOfThird, int received, int sent)
    {
        using UsersBench bench = new($"-steps 1 {Ramp} -postRate 2") { Reflects = number => number == 2 ? copiesOfThird : 1 };
        bench.Until(() => bench.In == 1);
        bench.Until(() => bench.Feeds[0].Posts == sent);
        bench.Turn();

        Assert.Equal((sent, received), (bench[Counter.PostsSent], bench[Counter.SteadyUpdates]));
        Assert.Equal(received, bench.Threads[0].Recording[Series.Posts].CollectRest().Count);
        Assert.Equal((0, 0, 0), (bench[Counter.UpdatesSkipped], bench[Counter.UpdatesOutOfOrder], bench[Counter.UpdatesRepeated]));
    }

    [Fact]
    public void Posts_BetweenUpdates_LeaveTheirOrderAlone()
    {
        using UsersBench bench = new($"-steps 1 {Ramp} -postRate 100");
        bench.Until(() => bench.In == 1);
        for (int number = 1; number <= 200; number++)
        {
            bench.Feeds[0].Send(number % 2, (number + 1) / 2);
            bench.Pass(7);
        }

        Assert.True(bench[Counter.PostsSent] > 100);
        Assert.Equal((0, 0, 0), (bench[Counter.UpdatesSkipped], bench[Counter.UpdatesOutOfOrder], bench[Counter.UpdatesRepeated]));
    }

    [Fact]
    public void Posts_OfAThreadThatStoodStill_AreSentLateUpToASecond()
    {
        using UsersBench bench = new($"-steps 1 {Ramp} -postRate 10");
        bench.Until(() => bench.In == 1);
        bench.Until(() => bench.Feeds[0].Posts == 1);
        bench.Time.Advance(3 * Clock.NanosPerSecond);
        bench.Pass(5);

        Assert.InRange(bench[Counter.PostsSent], 11, 12); // those of the last second, and the first
        Assert.InRange(bench[Counter.PostsNotSent], 19, 20);
        Assert.Equal(31, bench[Counter.PostsSent] + bench[Counter.PostsNotSent]);
    }

    [Fact]
    public void Users_WhoAreLost_PostNoMore()
    {
        using UsersBench bench = new($"-steps 2 {Ramp} -postRate 10 -reconnect on");
        bench.Until(() => bench.In == 2);
        bench.Until(() => bench.Feeds[1].Posts > 2);
        bench.Feeds[0].Session.Channel.Close();
        bench.Until(() => bench.Feeds.Count == 3 && bench.In == 2);
        int before = bench.Feeds[2].Posts;
        bench.Pass(2_000);

        Assert.InRange(bench.Feeds[2].Posts - before, 19, 21); // at his own rate, not at twice that
    }

    /// <summary>A post counts as sent in its turn, also where nothing comes back.</summary>
    [Fact]
    public void Posts_WithoutAnAnswer_AreCountedAtOnce()
    {
        using UsersBench bench = new($"-steps 1 {Ramp} -postRate 2") { Reflects = _ => 0 };
        bench.Until(() => bench.In == 1);
        for (int post = 1; post <= 3; post++)
        {
            bench.Until(() => bench.Feeds[0].Posts == post);
            bench.Turn();
            Assert.Equal((post, post), (bench[Counter.PostsSent], bench[Counter.PostStampsSent]));
        }
    }

    /// <summary>A user that is back before his next post was due begins a new interval; the post of his former session is not sent.</summary>
    [Fact]
    public void Users_WhoAreBackBeforeTheirNextPost_PostInOneIntervalOnly()
    {
        using UsersBench bench = new($"-steps 1 {Ramp} -postRate 0.5 -reconnect on");
        bench.Until(() => bench.In == 1);
        bench.Feeds[0].Session.Channel.Close();
        int away = bench.Until(() => bench.Feeds.Count == 2 && bench.In == 1);
        Assert.InRange(away, 400, 1_900); // before the first post

        Assert.InRange(bench.Until(() => bench.Feeds[1].Posts == 1), 1_995, 2_005);
        Assert.InRange(bench.Until(() => bench.Feeds[1].Posts == 2), 1_995, 2_005);
        Assert.Equal((0, 2), (bench.Feeds[0].Posts, bench[Counter.PostsSent]));
    }

    /// <summary>What a user receives while leaving belongs to no period, be it an update of a source or a post.</summary>
    [Fact]
    public void Posts_ThatComeBackToAUserWhoLeaves_AreInNoPeriod()
    {
        using UsersBench bench = new($"-steps 1 {Ramp} -postRate 2");
        IWorkerTask thread = bench.Threads[0];
        bench.Until(() => bench.In == 1);
        bench.Until(() => bench.Time.NowNanos > bench.Schedule.Steps[0].FromNanos + Clock.NanosPerSecond);
        long leaves = thread.NextDueNanos; // with the next post on its way
        bench.Threads[0].Approach(new UserTarget(Users: 0, Before: 0, leaves, Rate: 100));
        Period period = bench.TakePeriod();

        Assert.Equal((0, 1L), (bench.In, bench[Counter.DrainedUpdates]));
        Assert.Equal(bench[Counter.PostsSent], bench[Counter.SteadyUpdates] + 1);
        Assert.Equal(period.Posts, period.Updates);
    }

    [Fact]
    public void Provider_ThatTakesNoPosts_LosesThoseWhoPostAndSaysWhy()
    {
        using UsersBench bench = new($"-steps 3 {Ramp} -postRate 10 -contributors 1", takesPosts: false);
        bench.Until(() => bench.In == 2 && bench[UserCounter.UsersLost] == 1);
        bench.Pass(3_000);

        Assert.Equal((1, 0), (bench[UserCounter.UsersLost], bench[UserCounter.LoginsRetried]));
        Assert.Equal("the provider does not support posting, as its login refresh says", bench.Threads[0].FirstFailure);
    }

    // 2 sets of items, users in turn: those with the same set get a post each
    [Theory]
    [InlineData(4, int.MaxValue, 2, 1, 1, 8)] // each of 4 posts to 2
    [InlineData(4, 1, 2, 1, 1, 2)]
    [InlineData(5, int.MaxValue, 2, 1, 1, 13)] // 3 x 3 + 2 x 2
    [InlineData(5, 2, 2, 1, 1, 5)]
    [InlineData(5, int.MaxValue, 1, 1, 1, 25)] // all have the same
    [InlineData(5, 0, 2, 1, 1, 0)]
    [InlineData(5, int.MaxValue, 2, 2, 1, 9)] // part 1 has users 0, 2, 4
    [InlineData(5, int.MaxValue, 2, 2, 2, 4)]
    public void RateTo_OfPosts_IsACopyForEachWhoHasTheItem(int users, int contributors, int groups, int parts, int part, double rate) =>
        Assert.Equal(rate * 0.5, new UserPosts(0.5, contributors).RateTo(users, groups, parts, part));

    [Theory]
    [InlineData("-contributors 5", "-contributors needs -postRate: it says who posts")]
    [InlineData("-postRate 0.0001", "'0.0001'")]
    [InlineData("-postRate -1", "'-1'")]
    public void Options_ThatMakeNoSense_AreRefused(string line, string part) =>
        Assert.Contains(part, OptionLines.Refuse(UsersPerfOptionTable.Instance, line), StringComparison.Ordinal);
}
