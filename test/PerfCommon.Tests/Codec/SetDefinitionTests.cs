using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Set definitions: up to 15 of them, with ids from 0 to 15, each id once.</summary>
public class SetDefinitionTests
{
    [Theory]
    [InlineData(0, true)]
    [InlineData(15, true)]
    [InlineData(16, false)]
    [InlineData(-1, false)]
    public void BeginSetDefinition_AnyId_IsWrittenUpTo15(int setId, bool isGood)
    {
        RwfWriter writer = new(new byte[100]);
        writer.BeginSeries(DataType.FieldList);
        writer.BeginSetDefinitions();
        Assert.Equal(isGood, writer.BeginSetDefinition(setId));
        Assert.Equal(isGood ? EncodeProblem.None : EncodeProblem.InvalidValue, writer.Problem);
    }

    [Theory]
    [InlineData(15, true)]
    [InlineData(16, false)]
    public void BeginSetDefinition_MoreThanAllowed_IsRefused(int count, bool isGood)
    {
        RwfWriter writer = new(new byte[200]);
        writer.BeginSeries(DataType.FieldList);
        writer.BeginSetDefinitions();
        for (int i = 0; i < count; i++)
            writer.BeginSetDefinition(i);
        Assert.Equal(isGood, !writer.Failed);
    }

    /// <summary>The definition of each id is found by it, and no other.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(7)]
    [InlineData(15)]
    public void TryFind_DefinedId_IsItsEntries(int setId)
    {
        RwfReader reader = new(Definitions([setId]));
        SetDefinitions definitions = SetDefinitions.Read(ref reader, DataType.FieldList);
        Assert.Equal(DecodeResult.Success, reader.Result);
        for (int other = -1; other <= 16; other++)
            Assert.Equal(other == setId, definitions.TryFind(other, out _));
        Assert.True(definitions.TryFind(setId, out SetDefinition definition));
        Assert.Equal(1, definition.EntryCount);
        SetDefinitionReader entries = definition.OpenEntries();
        Assert.Equal(DecodeResult.Success, entries.TryReadNext(out SetDefinitionEntry entry));
        Assert.Equal((100 + setId, DataType.Real4RB), (entry.FieldId, entry.Type));
        Assert.Equal(DecodeResult.EndOfContainer, entries.TryReadNext(out _));
    }

    [Theory]
    [InlineData(new int[0], DecodeResult.Invalid)] // no definition at all
    [InlineData(new[] { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 }, DecodeResult.Success)]
    [InlineData(new[] { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }, DecodeResult.Invalid)]
    [InlineData(new[] { 16 }, DecodeResult.Invalid)]
    [InlineData(new[] { 3, 3 }, DecodeResult.Invalid)]
    public void Read_ManyDefinitions_AreRefusedWhereTheyMayNotBe(int[] ids, DecodeResult result)
    {
        RwfReader reader = new(Definitions(ids));
        SetDefinitions.Read(ref reader, DataType.FieldList);
        Assert.Equal(result, reader.Result);
    }

    [Fact]
    public void Read_ContainerWithoutSets_IsRefused()
    {
        RwfReader reader = new(Definitions([0]));
        SetDefinitions.Read(ref reader, DataType.Map);
        Assert.Equal(DecodeResult.Invalid, reader.Result);
    }

    [Fact]
    public void Read_CutAnywhere_IsIncomplete()
    {
        byte[] whole = Definitions([3, 4]);
        for (int length = 1; length < whole.Length; length++)
        {
            byte[] cut = whole[..length];
            cut[0] = (byte)(length - 1);
            RwfReader reader = new(cut);
            SetDefinitions.Read(ref reader, DataType.FieldList);
            Assert.Equal(DecodeResult.Incomplete, reader.Result);
        }
    }

    // length | flags | count | { id | 1 entry | field 100 + id | Real4RB }
    private static byte[] Definitions(int[] ids)
    {
        List<byte> bytes = [0, 0, (byte)ids.Length];
        foreach (int id in ids)
            bytes.AddRange([(byte)id, 1, 0, (byte)(100 + id), (byte)DataType.Real4RB]);
        bytes[0] = (byte)(bytes.Count - 1);
        return [.. bytes];
    }
}
