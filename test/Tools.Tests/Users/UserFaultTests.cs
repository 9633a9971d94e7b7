using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Tools.Tests.PerfHubTests;
using Tools.Tests.PerfHubTests.Upstream;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>Feeds that lose, repeat, swap or delay one update: the users count exactly that, in the period and in the run.</summary>
[Trait("Category", "Fast")]
public sealed class UserFaultTests
{
    private const string Ramp = "-steps 1 -warmup 0 -settle 1 -period 4 -loginRate 10";

    [Theory]
    [InlineData("", 200, 0, 0, 0)]
    [InlineData("lose 40", 199, 1, 0, 0)]
    [InlineData("lose 40 41 42", 197, 3, 0, 0)]
    [InlineData("lose 1", 199, 1, 0, 0)] // the first after the image
    [InlineData("repeat 40", 201, 0, 0, 1)]
    [InlineData("repeat 1", 201, 0, 0, 1)]
    [InlineData("swap 40", 200, 0, 1, 0)]
    [InlineData("swap 40, lose 60, repeat 80, repeat 81", 201, 1, 1, 2)]
    public void Period_OfAFeedWithAFault_HasExactlyThat(string faults, int updates, int missing, int outOfOrder, int repeated)
    {
        using UsersBench bench = new(Ramp);
        bench.Until(() => bench.In == 1);
        bench.Until(() => bench.Time.NowNanos >= bench.Schedule.Steps[0].FromNanos);
        List<int> numbers = [.. Enumerable.Range(1, 100)];
        foreach (string fault in faults.Split(", ", StringSplitOptions.RemoveEmptyEntries))
            Apply(fault, numbers);

        foreach (int number in numbers)
        {
            bench.Feeds[0].Send(0, number);
            bench.Turn();
        }

        bench.Feeds[0].Send(1, Enumerable.Range(1, 100)); // the other item of the user is as it should be
        Period period = bench.TakePeriod();

        Assert.Equal(updates, period.Updates);
        Assert.Equal(new PeriodCounts(0, missing, outOfOrder, repeated), period.Counts);
        Assert.Equal((updates, (long)updates), (period.Count, bench[Counter.SteadyUpdates]));
        Assert.Equal((missing, outOfOrder, repeated),
            (bench[Counter.UpdatesSkipped] - bench[Counter.UpdatesLate], bench[Counter.UpdatesOutOfOrder], bench[Counter.UpdatesRepeated]));
        Assert.Equal((0, 0), (period.MinMicros, period.MaxMicros)); // no time passes
    }

    [Fact]
    public void Period_OfAFeedThatHoldsOneUpdateBack_HasItsDelayOnce()
    {
        using UsersBench bench = new(Ramp);
        bench.Until(() => bench.In == 1);
        bench.Until(() => bench.Time.NowNanos >= bench.Schedule.Steps[0].FromNanos);
        bench.Feeds[0].Send(0, Enumerable.Range(1, 99));
        bench.Turn();
        long made = bench.Time.NowNanos;
        bench.Pass(70);
        bench.Feeds[0].SendMade(0, 100, made);
        bench.Turn();
        bench.Feeds[0].Send(0, Enumerable.Range(101, 100));
        Period period = bench.TakePeriod();

        Assert.Equal((200L, 200L), (period.Updates, period.Count));
        Assert.Equal((0, 70_000, 70_000), (period.MinMicros, period.MaxMicros, period.SumMicros));
        Assert.Equal(default, period.Counts);
    }

    [Fact]
    public void Period_OfSeveralThreads_IsTheSumOfThem()
    {
        using UsersBench bench = new("-steps 3 -warmup 0 -settle 1 -period 4 -loginRate 10 -threads 3");
        bench.Until(() => bench.In == 3);
        bench.Until(() => bench.Time.NowNanos >= bench.Schedule.Steps[0].FromNanos);
        bench.Feeds[0].Send(0, 1, 3, 4); // 1 lost
        bench.Feeds[1].Send(0, 1, 2, 2, 2, 3); // 2 repeated
        bench.Feeds[2].Send(0, 1, 5, 2, 3, 4, 6, 10); // 3 late, 3 lost
        bench.Turn();
        Period period = bench.TakePeriod();

        Assert.Equal((3, 15L, 15L), (period.UsersIn, period.Updates, period.Count));
        Assert.Equal(new PeriodCounts(0, 4, 3, 2), period.Counts);
        Assert.Equal([3L, 5, 7], bench.Threads.Select(thread => thread.Recording.Counters[Counter.SteadyUpdates]));
    }

    [Fact]
    public void Image_InMidStream_BeginsTheCountsAnew()
    {
        using UsersBench bench = new(Ramp);
        bench.Until(() => bench.In == 1);
        bench.Feeds[0].Send(0, 1, 2, 3);
        bench.Feeds[0].SendImage(0, 20); // what came before it is part of it
        bench.Feeds[0].Send(0, 21, 22);
        bench.Feeds[0].Send(0, 20);
        bench.Turn();

        Assert.Equal((0, 0, 1), (bench[Counter.UpdatesSkipped], bench[Counter.UpdatesOutOfOrder], bench[Counter.UpdatesRepeated]));
        Assert.Equal((3, 2, 1), (bench[Counter.RefreshesReceived], bench[Counter.ItemsWithRefresh], bench.In));
    }

    [Fact]
    public void Updates_AfterTheEnd_AreCountedApartAndInNoPeriod()
    {
        using UsersBench bench = new(Ramp);
        bench.Until(() => bench.In == 1);
        bench.Until(() => bench.Time.NowNanos >= bench.Schedule.Steps[0].FromNanos);
        bench.Feeds[0].Send(0, 1, 2, 3);
        bench.Turn();
        bench.RequestEnd();
        bench.Feeds[0].Send(0, 4, 5, 6, 7); // on their way when the users leave
        bench.Until(() => bench.HasEnded);

        Assert.Equal((3, 4), (bench[Counter.SteadyUpdates], bench[Counter.DrainedUpdates]));
        Assert.Equal((0, 0), (bench[Counter.UpdatesSkipped], bench[UserCounter.UsersLost]));
        Assert.Equal(3, bench.Threads[0].Recording[Series.Updates].CollectRest().Count);
    }

    /// <summary>A user is in while it has all of its images: each time that it becomes complete, or incomplete, is counted.</summary>
    [Fact]
    public void Entries_OfAUser_AreOddWhileItHasAllImages()
    {
        using UsersBench bench = new(Ramp);
        User user = new(bench.Threads[0]);
        byte[] image = SourceBench.Image(HostileMessages.List(22, 1));
        for (int session = 0; session < 3; session++)
        {
            user.OnRefresh(0, Wire.Decode(image));
            user.OnRefresh(0, Wire.Decode(image)); // the same item's once more
            Assert.Equal((2 * session, 0L), (user.Entries, bench.In));
            user.OnRefresh(1, Wire.Decode(image));
            Assert.Equal(((2 * session) + 1, 1L), (user.Entries, bench.In));
            user.OnFinishing();
            user.OnFinishing();
            Assert.Equal(((2 * session) + 2, 0L), (user.Entries, bench.In));
        }

        Assert.Equal((9, 6), (bench[Counter.RefreshesReceived], bench[Counter.ItemsWithRefresh]));
    }

    private static void Apply(string fault, List<int> numbers)
    {
        string[] words = fault.Split(' ');
        foreach (int number in words.Skip(1).Select(word => int.Parse(word, System.Globalization.CultureInfo.InvariantCulture)))
        {
            int at = numbers.IndexOf(number);
            switch (words[0])
            {
                case "lose":
                    numbers.RemoveAt(at);
                    break;
                case "repeat":
                    numbers.Insert(at, number);
                    break;
                case "swap":
                    (numbers[at], numbers[at + 1]) = (numbers[at + 1], numbers[at]);
                    break;
                default:
                    throw new ArgumentException(fault);
            }
        }
    }
}
