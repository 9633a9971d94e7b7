using System.Collections.Concurrent;
using System.Globalization;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>
/// Whole conversations on a network that delays, splits, stalls and resets, by the thousand. A failing seed is repeated by
/// <c>test/network-seeds.sh 1 seed</c>; a night's worth by <c>test/network-seeds.sh 1000000</c>.
/// </summary>
public sealed class NetworkSeedTests(ITestOutputHelper output)
{
    private const string CountVariable = "PERFTOOLS_NETWORK_SEEDS";
    private const string FirstVariable = "PERFTOOLS_NETWORK_FIRST";
    private const int CountInCI = 1_000;
    private const int MaxFailuresShown = 5;

    // Objects that are created once for all runs belong to no run's allocation.
    private static readonly Lazy<int> WarmRuns = new(() => Enumerable.Range(0, 8).Count(seed =>
    {
        using SimulatedRun run = new(seed);
        return TryPlay(run, seed) is null;
    }));

    [Fact]
    public void Play_ManySeeds_KeepsCountsOrderAndLimits()
    {
        Assert.InRange(WarmRuns.Value, 0, int.MaxValue);
        int first = Read(FirstVariable, 0);
        int count = Read(CountVariable, CountInCI);
        FaultCounts faults = new();
        (long messages, int comparable) = (0, 0);
        ParallelOptions threads = new()
        {
            MaxDegreeOfParallelism = count > CountInCI ? Environment.ProcessorCount : 1,
            CancellationToken = TestContext.Current.CancellationToken
        };
        ConcurrentQueue<string> failures = new();
        Lock books = new();
        Parallel.For(first, first + count, threads, (seed, all) =>
        {
            using SimulatedRun run = new(seed);
            if (TryPlay(run, seed) is { } failure)
                failures.Enqueue(failure);
            if (failures.Count >= MaxFailuresShown)
                all.Stop();
            lock (books)
            {
                faults.Add(run.Faults);
                messages += run.Messages;
                comparable += run.IsComparable ? 1 : 0;
            }
        });
        output.WriteLine($"{count:N0} seeds from {first}: {messages:N0} messages received, {comparable:N0} runs ended in good order");
        output.WriteLine($"{faults.Total:N0} faults: {faults}");
        Assert.True(failures.IsEmpty, string.Join("\n\n", failures));
        Assert.True(count < CountInCI || Enum.GetValues<Fault>().All(fault => faults[fault] > 0), $"a fault never came: {faults}");
        Assert.True(count < CountInCI || (comparable > count / 10 && messages > count), "hardly any run was worth it");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(3)]
    public void Play_SameSeedTwice_IsTheSameRun(int seed)
    {
        Assert.InRange(WarmRuns.Value, 0, int.MaxValue);
        using SimulatedRun once = Play(seed);
        using SimulatedRun again = Play(seed);
        Assert.Equal(Describe(once), Describe(again));
    }

    [Fact]
    public void Play_EncryptedSeedsTwice_AreTheSameRuns()
    {
        Assert.SkipUnless(SimulatedCertificate.IsPossible, "this system does not let a program choose the suites of TLS");
        Assert.All(Enumerable.Range(0, 200).Where(IsEncrypted).Take(3), Play_SameSeedTwice_IsTheSameRun);
    }

    private static bool IsEncrypted(int seed)
    {
        using SimulatedRun run = new(seed);
        return run.IsEncrypted;
    }

    private static string Describe(SimulatedRun run) =>
        $"{run.Messages} messages, {run.BytesTaken} bytes, {run.SimulatedNanos} ns, {run.Faults}";

    private static SimulatedRun Play(int seed)
    {
        SimulatedRun run = new(seed);
        Assert.Null(TryPlay(run, seed));
        return run;
    }

    // Null, or the error and the command to repeat it.
    private static string? TryPlay(SimulatedRun run, int seed)
    {
        try
        {
            run.Play();
            return null;
        }
        catch (Exception problem) when (problem is not OperationCanceledException)
        {
            return $"seed {seed} fails; to repeat: test/network-seeds.sh 1 {seed}\n{problem}\n{run.Describe()}";
        }
    }

    private static int Read(string variable, int usual) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : usual;
}
