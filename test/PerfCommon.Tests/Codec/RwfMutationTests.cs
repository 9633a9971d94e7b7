using System.Globalization;
using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Seeded damage of the recorded vectors: whatever the bytes, the codec answers with a result.</summary>
public sealed class RwfMutationTests
{
    private const string CasesVariable = "PERFTOOLS_MUTATIONS";
    private const int CasesInCI = 100_000;
    private const int Seed = 20_261_121;
    private const int WalkedEvery = 50; // the slower walk sees one of so many

    [Fact]
    public void Readers_MutatedVectors_GiveResultsOnly()
    {
        RwfVector[] vectors = [.. RwfVector.All.Values];
        Assert.SkipWhen(vectors.Length == 0, "the folder rwf is absent");
        int cases = int.TryParse(Environment.GetEnvironmentVariable(CasesVariable), CultureInfo.InvariantCulture, out int asked) ? asked : CasesInCI;
        Random random = new(Seed);

        for (int i = 0; i < cases; i++)
        {
            RwfVector vector = vectors[random.Next(vectors.Length)];
            byte[] bytes = Mutate(vector.Bytes, random);
            DecodeResult validated = RwfVectorTests.Validate(vector.Type, bytes);
            if (i % WalkedEvery == 0)
                Assert.Equal(RwfVectorTests.Walk(vector.Type, bytes, out _), validated);
        }
    }

    private static byte[] Mutate(byte[] original, Random random)
    {
        List<byte> bytes = [.. original];
        int changes = random.Next(1, 5);
        for (int i = 0; i < changes && bytes.Count > 0; i++)
        {
            int at = random.Next(bytes.Count);
            switch (random.Next(5))
            {
                case 0:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 2:
                    bytes.RemoveRange(at, random.Next(bytes.Count - at));
                    break;
                case 3:
                    bytes.InsertRange(at, bytes.GetRange(at, random.Next(Math.Min(bytes.Count - at, 20))));
                    break;
                default:
                    bytes[at] = (byte)(bytes[at] + 1);
                    break;
            }
        }

        return [.. bytes];
    }
}
