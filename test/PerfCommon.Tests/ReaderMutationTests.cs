using System.Globalization;
using Fuzz;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>
/// Damaged inputs for every reader of external bytes: no exception, no byte read beyond the input, and turns and allocations in proportion
/// to it.
/// </summary>
/// <remarks>Seeded; more inputs by PERFTOOLS_MUTATIONS. An input that fails is read again by <c>Fuzz TARGET FILE</c>.</remarks>
public sealed class ReaderMutationTests
{
    private const string CasesVariable = "PERFTOOLS_MUTATIONS";
    private const int CasesInCI = 4_000;
    private const int Seed = 20_261_122;

    public static TheoryData<string> Names => [.. FuzzTargets.All.Select(target => target.Name)];

    private static int Cases =>
        int.TryParse(Environment.GetEnvironmentVariable(CasesVariable), CultureInfo.InvariantCulture, out int asked) ? asked : CasesInCI;

    [Theory, MemberData(nameof(Names))]
    public void Run_GoodInputs_AreWithinTheirLimits(string name)
    {
        FuzzTarget target = FuzzTargets.Find(name)!;
        Assert.NotEmpty(target.GoodInputs);
        foreach (byte[] input in target.GoodInputs)
            target.Run(input);
    }

    [Theory, MemberData(nameof(Names))]
    public void Run_DamagedInputs_StayWithinTheirLimits(string name) => FuzzTargets.Find(name)!.RunDamaged(Seed, Cases);

    [Fact]
    public void Run_MoreTurnsThanTheInputIsWorth_IsFound() =>
        AssertFails(new FuzzTarget("turns", TurnForEver, () => [], FixedBytes: 1_000_000, BytesPerByte: 0), "more turns");

    [Fact]
    public void Run_MoreBytesThanTheInputIsWorth_IsFound() =>
        AssertFails(new FuzzTarget("bytes", AllocateMuch, () => [], FixedBytes: 50_000, BytesPerByte: 10), "were allocated");

    private static void AssertFails(FuzzTarget target, string words) =>
        Assert.Contains(words, Assert.Throws<FuzzException>(() => target.Run(new byte[100])).Message, StringComparison.Ordinal);

    private static void TurnForEver(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        while (true)
            turns.Take();
    }

    private static void AllocateMuch(ReadOnlySpan<byte> input, ref FuzzTurns turns) => GC.KeepAlive(new byte[100_000 + input.Length]);
}
