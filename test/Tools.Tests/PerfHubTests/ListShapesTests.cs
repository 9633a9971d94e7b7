using System.Buffers.Binary;
using PerfHub.Cache;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A list has a shape when all but its values are the same bytes, and never otherwise.</summary>
public sealed class ListShapesTests
{
    private const ulong Signature = 77;

    [Theory]
    [InlineData(1, 40)]
    [InlineData(7, 8)]
    [InlineData(16, 6)]
    [InlineData(60, 1)]
    [InlineData(84, 0)]
    public void TryFind_OneByteChanged_FindsItWhereAValueIsAndNowhereElse(int entries, int valueBytes)
    {
        byte[] list = CreateList(entries, valueBytes);
        ListShapes shapes = new();
        shapes.Offer(list, Signature);
        for (int i = 0; i < list.Length; i++)
        {
            byte[] other = [.. list];
            other[i] ^= (byte)(1 << (i % 8));
            bool isValue = i >= 3 && (i - 3) % (valueBytes + 3) >= 3;
            Assert.Equal(isValue, shapes.TryFind(other, out ulong signature));
            Assert.Equal(isValue ? Signature : 0, signature);
        }
    }

    [Fact]
    public void TryFind_OtherLength_FindsNothing()
    {
        byte[] list = CreateList(10, 5);
        ListShapes shapes = new();
        shapes.Offer(list, Signature);
        for (int length = 0; length < list.Length; length++)
            Assert.False(shapes.TryFind(list.AsSpan(0, length), out _));
        Assert.False(shapes.TryFind([.. list, 0], out _));
        Assert.True(shapes.TryFind(list, out _));
    }

    [Theory]
    [InlineData(31, false)]
    [InlineData(32, true)]
    [InlineData(255, true)]
    [InlineData(256, true)]
    [InlineData(257, false)]
    public void Offer_KeepsListsOf32To256Bytes(int length, bool isKept)
    {
        byte[] list = [.. CreateList(1, Math.Min(length - 6, 250)), .. new byte[Math.Max(0, length - 256)]];
        ListShapes shapes = new();
        shapes.Offer(list, Signature);
        Assert.Equal(isKept, shapes.TryFind(list, out _));
    }

    [Fact]
    public void Offer_KeepsTheFirstOfEight()
    {
        ListShapes shapes = new();
        byte[][] lists = [.. Enumerable.Range(1, 17).Select(entries => CreateList(entries + 5, 4))];
        foreach (byte[] list in lists)
            shapes.Offer(list, (ulong)list.Length);
        Assert.Equal([0, 8, 16], Enumerable.Range(0, lists.Length).Where(i => shapes.TryFind(lists[i], out _)));
    }

    [Fact]
    public void TryFind_ManyShapesInTurn_GivesEachItsOwnSignatureOrNone()
    {
        ListShapes shapes = new();
        byte[][] lists = [.. Enumerable.Range(1, 400).Select(i => CreateList(5 + (i % 20), 1 + (i % 8), i))];
        int found = 0;
        for (int turn = 0; turn < 50; turn++)
        {
            for (int i = 0; i < lists.Length; i++)
            {
                if (!shapes.TryFind(lists[i], out ulong signature))
                    shapes.Offer(lists[i], (ulong)i + 1);
                else
                    Assert.Equal(((ulong)i + 1, ++found), (signature, found));
            }
        }

        Assert.True(found > 0);
    }

    private static byte[] CreateList(int entries, int valueBytes, int firstId = 1)
    {
        byte[] list = new byte[3 + (entries * (valueBytes + 3))];
        list[0] = 0x08;
        BinaryPrimitives.WriteUInt16BigEndian(list.AsSpan(1), (ushort)entries);
        for (int i = 0; i < entries; i++)
        {
            Span<byte> entry = list.AsSpan(3 + (i * (valueBytes + 3)));
            BinaryPrimitives.WriteUInt16BigEndian(entry, (ushort)(firstId + i));
            entry[2] = (byte)valueBytes;
            entry.Slice(3, valueBytes).Fill((byte)(i + 1));
        }

        return list;
    }
}
