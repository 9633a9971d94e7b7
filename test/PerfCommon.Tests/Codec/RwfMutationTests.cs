using System.Globalization;
using Fuzz;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Seeded damage of the recorded vectors: for all bytes the codec returns a result.</summary>
public sealed class RwfMutationTests
{
    private const string CasesVariable = "PERFTOOLS_MUTATIONS";
    private const int CasesInCI = 100_000;
    private const int Seed = 20_261_121;
    private const int WalkedEvery = 50; // the slower walk reads one input in this number

    [Fact]
    public void Readers_MutatedVectors_GiveResultsOnly()
    {
        RwfVector[] vectors = [.. RwfVector.All.Values];
        Assert.SkipWhen(vectors.Length == 0, "the folder rwf is absent");
        int cases = int.TryParse(Environment.GetEnvironmentVariable(CasesVariable), CultureInfo.InvariantCulture, out int asked)
            ? asked : CasesInCI;
        Random random = new(Seed);
        FuzzTarget container = FuzzTargets.Find("container")!;

        for (int i = 0; i < cases; i++)
        {
            RwfVector vector = vectors[random.Next(vectors.Length)];
            byte[] bytes = Mutation.Of(vector.Bytes, random);
            container.Run([(byte)vector.Type, .. bytes]);
            if (i % WalkedEvery == 0)
                Assert.Equal(RwfVectorTests.Walk(vector.Type, bytes, out _), RwfVectorTests.Validate(vector.Type, bytes));
        }
    }
}
