using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Two field lists merged into one that has the last value of each field.</summary>
public class FieldListMergerTests
{
    private readonly FieldListMerger _merger = new();

    [Theory]
    [InlineData("1=a 2=b", "2=c 3=d", "1=a 2=c 3=d")]
    [InlineData("1=a 2=b", "2=c 1=d", "1=d 2=c")]
    [InlineData("1=a", "", "1=a")]
    [InlineData("", "1=a", "1=a")]
    [InlineData("1=a 1=b", "1=c", "1=c")]
    [InlineData("2=a", "1=b 1=c", "2=a 1=c")]
    [InlineData("-1=a", "-1=", "-1=")]
    public void TryMerge_TwoLists_HasTheLastValueOfEachField(string older, string newer, string expected)
    {
        Assert.True(_merger.TryMerge(List(older), List(newer), out ReadOnlySpan<byte> merged));
        Assert.Equal(expected, Show(merged));
    }

    [Fact]
    public void TryMerge_LongValuesAndManyFields_KeepTheirLengths()
    {
        string older = string.Join(' ', Enumerable.Range(1, 200).Select(i => $"{i}={new string('x', i * 2)}"));
        string newer = string.Join(' ', Enumerable.Range(100, 200).Select(i => $"{i}={new string('y', i)}"));
        Assert.True(_merger.TryMerge(List(older), List(newer), out ReadOnlySpan<byte> merged));
        string expected = string.Join(
            ' ', Enumerable.Range(1, 299).Select(i => i < 100 ? $"{i}={new string('x', i * 2)}" : $"{i}={new string('y', i)}"));
        Assert.Equal(expected, Show(merged));
    }

    [Fact]
    public void TryMerge_NothingAtAll_IsAnEmptyList()
    {
        Assert.True(_merger.TryMerge([], [], out ReadOnlySpan<byte> merged));
        Assert.Equal("", Show(merged));
    }

    [Fact]
    public void TryMerge_CutOrWithSetData_IsRefused()
    {
        byte[] whole = List("1=abc 2=def");
        for (int length = 1; length < whole.Length; length++)
        {
            Assert.False(_merger.TryMerge(whole.AsSpan(0, length), List("2=c"), out _), $"older, {length} bytes");
            Assert.False(_merger.TryMerge(List("2=c"), whole.AsSpan(0, length), out _), $"newer, {length} bytes");
        }

        byte[] withSet = [(byte)(ListFlags.HasSetData | ListFlags.HasStandardData), 0, 0, 0];
        Assert.False(_merger.TryMerge(whole, withSet, out _));
        Assert.False(_merger.TryMerge(withSet, whole, out _));
    }

    [Fact]
    public void TryMerge_Warm_AllocatesNothing()
    {
        byte[] older = List("1=a 2=b 3=c"), newer = List("2=d 4=e");
        _merger.TryMerge(older, newer, out _);
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
                _merger.TryMerge(older, newer, out _);
        });
    }

    private static byte[] List(string fields)
    {
        if (fields.Length == 0)
            return [];
        byte[] room = new byte[100_000];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        foreach (string field in fields.Split(' '))
        {
            string[] parts = field.Split('=');
            writer.BeginField(short.Parse(parts[0], System.Globalization.CultureInfo.InvariantCulture));
            writer.WriteContent(System.Text.Encoding.ASCII.GetBytes(parts[1]));
        }

        Assert.True(writer.EndFieldList());
        return room[..writer.Written];
    }

    private static string Show(ReadOnlySpan<byte> list)
    {
        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(list, out FieldListReader reader));
        List<string> fields = [];
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
            fields.Add($"{entry.FieldId}={System.Text.Encoding.ASCII.GetString(entry.Content)}");
        Assert.Equal(DecodeResult.EndOfContainer, result);
        return string.Join(' ', fields);
    }
}
