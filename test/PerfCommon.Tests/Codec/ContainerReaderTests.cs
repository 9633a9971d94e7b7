using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>The readers of containers as a harness uses them: by what is public alone.</summary>
[Trait("Category", "Fast")]
public class ContainerReaderTests
{
    private const short Bid = 22;
    private const short Ask = 25;

    private readonly byte[] _room = new byte[1_000];

    [Fact]
    public void Map_OfTwoOrders_ReadsHeadSummaryAndEntries()
    {
        RwfWriter writer = new(_room);
        writer.BeginMap(DataType.Buffer, DataType.FieldList, totalCountHint: 7, keyFieldId: 3_426);
        writer.BeginSummary();
        WritePrice(ref writer, Ask, 9_950);
        writer.EndSummary();
        writer.BeginMapEntry(MapAction.Add, "A1"u8, permData: "secret"u8);
        WritePrice(ref writer, Bid, 10_436);
        writer.EndEntry();
        writer.BeginMapEntry(MapAction.Delete, "B2"u8);
        writer.EndEntry();
        Assert.True(writer.EndMap());

        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(_room.AsSpan(0, writer.Written), out MapReader map));
        Assert.Equal((DataType.Buffer, (short)3_426, DataType.FieldList, 7), (map.KeyType, map.KeyFieldId, map.ContainerType, map.TotalCountHint));
        Assert.Equal(99.5, PriceOf(map, map.Summary, Ask));
        Assert.Equal(DecodeResult.Success, map.TryReadNext(out MapEntry order));
        Assert.Equal((MapAction.Add, "A1", "secret"), (order.Action, Text(order.Key), Text(order.PermData)));
        Assert.Equal(104.36, PriceOf(map, order.Content, Bid));
        Assert.Equal(DecodeResult.Success, map.TryReadNext(out order));
        Assert.Equal((MapAction.Delete, "B2", 0), (order.Action, Text(order.Key), order.Content.Length));
        Assert.Equal(DecodeResult.EndOfContainer, map.TryReadNext(out _));
    }

    /// <summary>Only the map has the definitions by which the set data of its entries is read; without them there are no values.</summary>
    [Fact]
    public void Map_WithSetDefinitions_LaysOutItsEntries()
    {
        RwfWriter writer = new(_room);
        writer.BeginMap(DataType.UInt, DataType.FieldList);
        writer.BeginSetDefinitions();
        writer.BeginSetDefinition(setId: 0);
        writer.AddSetField(Bid, DataType.Real);
        writer.EndSetDefinitions();
        writer.BeginMapEntry(MapAction.Add, key: 300);
        writer.BeginFieldList(ListFlags.HasSetData);
        writer.BeginSetItem(DataType.Real);
        writer.WriteReal(new RwfReal(10_436, 12));
        writer.EndSetData();
        writer.EndFieldList();
        writer.EndEntry();
        Assert.True(writer.EndMap());

        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(_room.AsSpan(0, writer.Written), out MapReader map));
        Assert.Equal(DecodeResult.Success, map.TryReadNext(out MapEntry order));
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadUInt(order.Key, out ulong key));
        Assert.Equal(300UL, key);
        Assert.Equal(104.36, PriceOf(map, order.Content, Bid));
        Assert.False(new FieldValues(order.Content, FieldDictionary.Default).TryGet(Bid, out double _));
    }

    [Fact]
    public void ElementLists_OfAMapAndASeries_AreOpenedWithTheirDefinitions()
    {
        RwfWriter writer = new(_room);
        writer.BeginMap(DataType.UInt, DataType.ElementList);
        writer.BeginMapEntry(MapAction.Update, key: 1);
        WriteElement(ref writer, "Rows"u8, 34);
        writer.EndEntry();
        Assert.True(writer.EndMap());
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(_room.AsSpan(0, writer.Written), out MapReader map));
        Assert.Equal(DecodeResult.Success, map.TryReadNext(out MapEntry entry));
        Assert.Equal(DecodeResult.Success, map.TryOpenElementList(entry.Content, out ElementListReader elements));
        Assert.Equal(("Rows", 34UL), ElementOf(ref elements));

        writer = new(_room);
        writer.BeginSeries(DataType.ElementList);
        writer.BeginSummary();
        WriteElement(ref writer, "Total"u8, 56);
        writer.EndSummary();
        Assert.True(writer.EndSeries());
        Assert.Equal(DecodeResult.Success, SeriesReader.TryOpen(_room.AsSpan(0, writer.Written), out SeriesReader series));
        Assert.Equal(DecodeResult.Success, series.TryOpenElementList(series.Summary, out elements));
        Assert.Equal(("Total", 56UL), ElementOf(ref elements));
        Assert.Equal(DecodeResult.EndOfContainer, series.TryReadNext(out _));
    }

    [Fact]
    public void Vector_Sorted_ReadsActionsAndIndexes()
    {
        RwfWriter writer = new(_room);
        writer.BeginVector(DataType.ElementList, supportsSorting: true, totalCountHint: 2);
        writer.BeginVectorEntry(VectorAction.Insert, index: 70_000);
        WriteElement(ref writer, "Depth"u8, 12);
        writer.EndEntry();
        writer.BeginVectorEntry(VectorAction.Clear, index: 1);
        writer.EndEntry();
        Assert.True(writer.EndVector());

        Assert.Equal(DecodeResult.Success, VectorReader.TryOpen(_room.AsSpan(0, writer.Written), out VectorReader vector));
        Assert.Equal((true, DataType.ElementList, 2), (vector.SupportsSorting, vector.ContainerType, vector.TotalCountHint));
        Assert.True(vector.Summary.IsEmpty);
        Assert.Equal(DecodeResult.Success, vector.TryReadNext(out VectorEntry entry));
        Assert.Equal((VectorAction.Insert, 70_000), (entry.Action, entry.Index));
        Assert.Equal(DecodeResult.Success, vector.TryOpenElementList(entry.Content, out ElementListReader elements));
        Assert.Equal(("Depth", 12UL), ElementOf(ref elements));
        Assert.Equal(DecodeResult.EndOfContainer, elements.TryReadNext(out _));
        Assert.Equal(DecodeResult.Success, vector.TryReadNext(out entry));
        Assert.Equal((VectorAction.Clear, 1, 0), (entry.Action, entry.Index, entry.Content.Length));
        Assert.Equal(DecodeResult.EndOfContainer, vector.TryReadNext(out _));
    }

    [Fact]
    public void Vector_OfFieldLists_ReadsRowsAndSummary()
    {
        RwfWriter writer = new(_room);
        writer.BeginVector(DataType.FieldList);
        writer.BeginSummary();
        WritePrice(ref writer, Bid, 303);
        writer.EndSummary();
        writer.BeginVectorEntry(VectorAction.Set, index: 7);
        WritePrice(ref writer, Bid, 101);
        writer.EndEntry();
        Assert.True(writer.EndVector());

        Assert.Equal(DecodeResult.Success, VectorReader.TryOpen(_room.AsSpan(0, writer.Written), out VectorReader vector));
        Assert.Equal(DecodeResult.Success, vector.TryReadNext(out VectorEntry entry));
        Assert.Equal((VectorAction.Set, 7), (entry.Action, entry.Index));
        Assert.Equal((3.03, 1.01), (BidOf(vector, vector.Summary), BidOf(vector, entry.Content)));
        Assert.Equal(DecodeResult.EndOfContainer, vector.TryReadNext(out _));

        static double BidOf(VectorReader vector, ReadOnlySpan<byte> list)
        {
            Assert.Equal(DecodeResult.Success, vector.TryOpenFieldList(list, out FieldListReader fields));
            Assert.True(new FieldValues(fields, FieldDictionary.Default).TryGet("BID", out double bid));
            return bid;
        }
    }

    [Fact]
    public void Series_OfFieldLists_ReadsRows()
    {
        RwfWriter writer = new(_room);
        writer.BeginSeries(DataType.FieldList, totalCountHint: 2);
        foreach (int cents in (int[])[101, 202])
        {
            writer.BeginSeriesEntry();
            WritePrice(ref writer, Bid, cents);
            writer.EndEntry();
        }

        Assert.True(writer.EndSeries());
        Assert.Equal(DecodeResult.Success, SeriesReader.TryOpen(_room.AsSpan(0, writer.Written), out SeriesReader series));
        Assert.Equal((DataType.FieldList, 2), (series.ContainerType, series.TotalCountHint));
        foreach (double price in (double[])[1.01, 2.02])
        {
            Assert.Equal(DecodeResult.Success, series.TryReadNext(out ReadOnlySpan<byte> row));
            Assert.Equal(DecodeResult.Success, series.TryOpenFieldList(row, out FieldListReader fields));
            Assert.True(new FieldValues(fields, FieldDictionary.Default).TryGet("BID", out double bid));
            Assert.Equal(price, bid);
        }

        Assert.Equal(DecodeResult.EndOfContainer, series.TryReadNext(out _));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void Array_OfNumbers_ReadsItems(int itemLength)
    {
        RwfWriter writer = new(_room);
        writer.BeginArray(DataType.UInt, itemLength);
        foreach (ulong number in (ulong[])[513, 7])
        {
            writer.BeginItem();
            writer.WriteUInt(number);
        }

        Assert.True(writer.EndArray());
        Assert.Equal(DecodeResult.Success, ArrayReader.TryOpen(_room.AsSpan(0, writer.Written), out ArrayReader array));
        Assert.Equal((DataType.UInt, itemLength, 2), (array.ItemType, array.ItemLength, array.Count));
        foreach (ulong number in (ulong[])[513, 7])
        {
            Assert.Equal(DecodeResult.Success, array.TryReadNext(out ReadOnlySpan<byte> content));
            RwfPrimitives.TryReadUInt(content, out ulong read);
            Assert.Equal(number, read);
        }

        Assert.Equal(DecodeResult.EndOfContainer, array.TryReadNext(out _));
    }

    [Fact]
    public void Open_Nothing_SaysSo()
    {
        Assert.Equal(DecodeResult.NoData, MapReader.TryOpen(default, out MapReader map));
        Assert.Equal(DecodeResult.NoData, VectorReader.TryOpen(default, out VectorReader vector));
        Assert.Equal(DecodeResult.NoData, SeriesReader.TryOpen(default, out SeriesReader series));
        Assert.Equal(DecodeResult.NoData, ElementListReader.TryOpen(default, out ElementListReader elements));
        Assert.Equal(DecodeResult.Blank, ArrayReader.TryOpen(default, out ArrayReader array));
        Assert.NotEqual(DecodeResult.Success, map.TryReadNext(out _));
        Assert.NotEqual(DecodeResult.Success, vector.TryReadNext(out _));
        Assert.NotEqual(DecodeResult.Success, series.TryReadNext(out _));
        Assert.NotEqual(DecodeResult.Success, elements.TryReadNext(out _));
        Assert.NotEqual(DecodeResult.Success, array.TryReadNext(out _));
    }

    private static string Text(ReadOnlySpan<byte> bytes) => Encoding.ASCII.GetString(bytes);

    private static void WritePrice(ref RwfWriter writer, short field, long cents)
    {
        writer.BeginFieldList();
        writer.BeginField(field);
        writer.WriteReal(new RwfReal(cents, 12)); // two decimals
        writer.EndFieldList();
    }

    private static void WriteElement(ref RwfWriter writer, ReadOnlySpan<byte> name, ulong value)
    {
        writer.BeginElementList();
        writer.BeginElement(name, DataType.UInt);
        writer.WriteUInt(value);
        writer.EndElementList();
    }

    private static (string Name, ulong Value) ElementOf(ref ElementListReader elements)
    {
        Assert.Equal(DecodeResult.Success, elements.TryReadNext(out ElementEntry element));
        Assert.Equal(DataType.UInt, element.Type);
        RwfPrimitives.TryReadUInt(element.Content, out ulong value);
        return (Text(element.Name), value);
    }

    private static double PriceOf(scoped in MapReader map, ReadOnlySpan<byte> list, short field)
    {
        Assert.Equal(DecodeResult.Success, map.TryOpenFieldList(list, out FieldListReader fields));
        Assert.True(new FieldValues(fields, FieldDictionary.Default).TryGet(field, out double price));
        return price;
    }
}
