using System.Text.Json.Nodes;
using Fuzz.Targets;
using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Every vector of every file of the folder "rwf": decoded, encoded again, truncated and damaged.</summary>
[Trait("Category", "Vectors")]
public sealed class RwfVectorTests
{
    public static TheoryData<string> WithDecoded => Names(v => v.Decoded is not null);

    public static TheoryData<string> Canonical => Names(v => v.Form is "minimal" or "reserved" or "both");

    public static TheoryData<string> Malformed => Names(v => v.Expect is not null);

    public static TheoryData<string> Everything => Names(_ => true);

    [Theory(SkipTestWithoutData = true), MemberData(nameof(WithDecoded))]
    public void Readers_Vector_GiveItsValues(string name)
    {
        RwfVector vector = RwfVector.All[name];

        JsonNode actual = new VectorDecoder().Decode(vector.Type, vector.Bytes);

        AssertSame(VectorJson.Normalise(vector.Decoded!), actual);
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Canonical))]
    public void Writer_ValuesOfVector_GivesItsBytes(string name)
    {
        RwfVector vector = RwfVector.All[name];
        JsonNode decoded = VectorJson.Normalise(vector.Decoded!);

        if (vector.Form is "minimal" or "both")
        {
            Assert.Equal(Convert.ToHexString(vector.Bytes),
                Convert.ToHexString(VectorEncoder.Encode(vector.Type, decoded, LengthForm.Shortest)));
        }

        if (vector.Form is "reserved" or "both")
        {
            Assert.Equal(Convert.ToHexString(vector.Bytes),
                Convert.ToHexString(VectorEncoder.Encode(vector.Type, decoded, LengthForm.Reserved)));
        }
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Malformed))]
    public void Readers_MalformedVector_ReportAsExpected(string name)
    {
        RwfVector vector = RwfVector.All[name];

        DecodeResult result = Walk(vector.Type, vector.Bytes, out _);

        if (vector.Expect == "error")
            Assert.NotEqual(DecodeResult.Success, result);
        if (vector.Expect == "ok")
            Assert.Equal(DecodeResult.Success, result);
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Everything))]
    public void Validator_Vector_AgreesWithTheWalk(string name)
    {
        RwfVector vector = RwfVector.All[name];

        Assert.Equal(Walk(vector.Type, vector.Bytes, out _), Validate(vector.Type, vector.Bytes));
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Everything))]
    public void Readers_VectorCutAnywhere_GiveNoValueThatIsNotThere(string name)
    {
        RwfVector vector = RwfVector.All[name];
        Walk(vector.Type, vector.Bytes, out List<string> whole);

        for (int length = 0; length < vector.Bytes.Length; length++)
        {
            byte[] cut = vector.Bytes[..length];
            DecodeResult validated = Validate(vector.Type, cut);
            if (!IsWalkedAt(vector, length))
                continue;
            Assert.Equal(Walk(vector.Type, cut, out List<string> leaves), validated);
            if (TypeNames.IsStructured(vector.Type))
                AssertPrefix(whole, leaves);
        }
    }

    [Theory(SkipTestWithoutData = true), MemberData(nameof(Everything))]
    public void Readers_VectorDamagedInAnyByte_NeverThrow(string name)
    {
        RwfVector vector = RwfVector.All[name];
        byte[] damaged = [.. vector.Bytes];

        for (int at = 0; at < damaged.Length; at++)
        {
            foreach (byte value in (ReadOnlySpan<byte>)[0x00, 0x80, 0xFE, 0xFF])
            {
                damaged[at] = value;
                Validate(vector.Type, damaged);
            }

            damaged[at] = (byte)(vector.Bytes[at] ^ 0x01);
            DecodeResult validated = Validate(vector.Type, damaged);
            if (IsWalkedAt(vector, at))
                Assert.Equal(Walk(vector.Type, damaged, out _), validated);
            damaged[at] = vector.Bytes[at];
        }
    }

    // The walk that keeps every value is slow: of the few long vectors it reads every 29th position, the validator reads all.
    private static bool IsWalkedAt(RwfVector vector, int place) => vector.Bytes.Length <= 700 || place % 29 == 0;

    /// <summary>Walks the bytes and returns the codec's result; any exception of the codec passes through.</summary>
    internal static DecodeResult Walk(DataType type, byte[] bytes, out List<string> leaves)
    {
        VectorDecoder decoder = new();
        leaves = decoder.Leaves;
        try
        {
            decoder.Decode(type, bytes);
            return DecodeResult.Success;
        }
        catch (BadBytesException e)
        {
            return e.Result;
        }
    }

    internal static DecodeResult Validate(DataType type, byte[] bytes) => new RwfValidator(RwfVector.FieldTypes).Check(type, bytes);

    // Each value must equal the one at its place in the whole; only a payload without a length may end early, and is the last.
    private static void AssertPrefix(List<string> whole, List<string> leaves)
    {
        Assert.True(leaves.Count <= whole.Count);
        for (int i = 0; i < leaves.Count; i++)
        {
            bool same = i == leaves.Count - 1 ? whole[i].StartsWith(leaves[i], StringComparison.Ordinal) : whole[i] == leaves[i];
            Assert.True(same, $"{leaves[i]} is not {whole[i]}");
        }
    }

    private static void AssertSame(JsonNode expected, JsonNode actual)
    {
        if (!VectorJson.AreEqual(expected, actual))
            Assert.Equal(expected.ToJsonString(), actual.ToJsonString());
    }

    private static TheoryData<string> Names(Func<RwfVector, bool> choose) =>
        [.. RwfVector.All.Where(v => choose(v.Value)).Select(v => v.Key)];
}
