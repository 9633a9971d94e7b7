using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Field lists from which the fields that a view lacks are removed.</summary>
public class FieldListFilterTests
{
    private static readonly FieldView SomeFields = new(6, 25, -3);

    // BEGIN of a list: standard data, three entries: 6, 22 with a long length, 25
    private static readonly byte[] List =
        [8, 0, 3, 0, 6, 2, 14, 5, 0, 22, 0xFE, 0, 3, 1, 2, 3, 0, 25, 1, 9];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Filter_SomeFields_KeepsTheirBytesInOrder(bool inPlace)
    {
        byte[] list = [.. List];
        byte[] into = inPlace ? list : new byte[list.Length];
        int bytes = inPlace ? FieldListFilter.Apply(list, SomeFields, out int kept) : FieldListFilter.Copy(list, into, SomeFields, out kept);

        Assert.Equal(2, kept);
        Assert.Equal([8, 0, 2, 0, 6, 2, 14, 5, 0, 25, 1, 9], into[..bytes]);
    }

    [Fact]
    public void Filter_NoneOfTheFields_LeavesAnEmptyList()
    {
        byte[] list = [.. List];
        Assert.Equal(3, FieldListFilter.Apply(list, new FieldView(7), out int kept));
        Assert.Equal(0, kept);
        Assert.Equal([8, 0, 0], list[..3]);
    }

    [Fact]
    public void Filter_ListInfo_StaysAhead()
    {
        byte[] list = [9, 3, 1, 0, 80, 0, 2, 0, 6, 1, 5, 0, 7, 1, 5];
        int bytes = FieldListFilter.Apply(list, SomeFields, out _);
        Assert.Equal([9, 3, 1, 0, 80, 0, 1, 0, 6, 1, 5], list[..bytes]);
    }

    // Data that is laid out by a definition has no ids to check.
    [Fact]
    public void Filter_SetData_StaysWhole()
    {
        byte[] list = [2, 3, 1, 2, 3];
        Assert.Equal(5, FieldListFilter.Apply(list, SomeFields, out int kept));
        Assert.Equal(int.MaxValue, kept);
    }

    [Fact]
    public void Filter_CutAnywhere_StaysWholeAndAsItIs()
    {
        for (int length = 0; length < List.Length; length++)
        {
            byte[] list = List[..length];
            Assert.Equal(length, FieldListFilter.Apply(list, SomeFields, out _));
            Assert.Equal(List[..length], list);
        }
    }

    [Fact]
    public void Filter_RandomLists_IsWhatAReaderOfTheSameFieldsSees()
    {
        Random random = new(7);
        for (int round = 0; round < 2_000; round++)
        {
            byte[] list = CreateList(random, out List<short> ids);
            FieldView view = new(ids.Where(_ => random.Next(2) == 0).Append((short)9_999));
            byte[] into = new byte[list.Length];
            int bytes = FieldListFilter.Copy(list, into, view, out int kept);

            Assert.Equal(Read(list).Where(field => view.Contains(field.Id)), Read(into[..bytes]));
            Assert.Equal(Read(into[..bytes]).Count, kept);
            Assert.Equal(bytes, FieldListFilter.Apply(list, view, out _));
            Assert.Equal(into[..bytes], list[..bytes]);
        }
    }

    [Fact]
    public void Apply_Warm_AllocatesNothing()
    {
        byte[] into = new byte[List.Length];
        FieldListFilter.Copy(List, into, SomeFields, out _);
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
                FieldListFilter.Copy(List, into, SomeFields, out _);
        });
    }

    private static byte[] CreateList(Random random, out List<short> ids)
    {
        ids = [];
        byte[] room = new byte[8_192];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        for (int i = random.Next(30); i > 0; i--)
        {
            ids.Add((short)random.Next(short.MinValue, short.MaxValue));
            writer.BeginField(ids[^1]);
            writer.WriteContent(new byte[random.Next(8) == 0 ? 260 : random.Next(12)]);
        }

        writer.EndFieldList();
        return room[..writer.Written];
    }

    private static List<(short Id, string Content)> Read(byte[] list)
    {
        List<(short, string)> fields = [];
        FieldListReader.TryOpen(list, out FieldListReader reader);
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
            fields.Add((entry.FieldId, Convert.ToHexString(entry.Content)));
        return fields;
    }
}
