using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>Data that a server can make a client keep (docs/limits.md): endless dictionaries, directories and texts.</summary>
public sealed class ClientLimitsTests
{
    private const int ValuesPerTable = 10_000;
    private const int LongestText = 255;
    private const long Megabyte = 1024 * 1024;

    private delegate void Rows(ref RwfWriter writer);

    [Fact]
    public void Dictionary_TablesWithoutEnd_IsRefusedBeforeItTakesMuch()
    {
        DictionaryConsumer consumer = new(1);
        byte[] room = new byte[100_000];
        ConversationResult result = ConversationResult.Ignore;
        long before = GC.GetAllocatedBytesForCurrentThread();
        int tables = 0;
        for (; result.Step == ConversationStep.Ignore; tables++)
        {
            result = consumer.Receive(
                Wire.Decode(EncodePart(room, StreamIds.EnumDictionary, (ref writer) => WriteTable(ref writer, tables + 1))));
        }

        Assert.Equal("enum tables from the provider: it is larger than the 64 MB that are kept", result.Reason);
        Assert.InRange(tables, 40, 60);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 400 * Megabyte); // most of it is temporary, for one row
    }

    [Theory]
    [InlineData(LongestText, true)]
    [InlineData(LongestText + 1, false)]
    public void Dictionary_NameOfAField_HasAtMost255Bytes(int bytes, bool isTaken)
    {
        byte[] name = new byte[bytes];
        Array.Fill(name, (byte)'N');
        ReadOnlySpan<byte> part = EncodePart(new byte[10_000], StreamIds.FieldDictionary, (ref writer) =>
        {
            writer.WriteAsciiElement("NAME"u8, name);
            WriteInt(ref writer, "FID"u8, 22);
            writer.WriteUIntElement("RWFTYPE"u8, (ulong)DataType.Real);
        });
        Assert.Equal(isTaken ? ConversationStep.Ignore : ConversationStep.Refused, new DictionaryConsumer(1).Receive(Wire.Decode(part)).Step);
    }

    [Theory]
    [InlineData(LongestText, true)]
    [InlineData(LongestText + 1, false)]
    public void Dictionary_DisplayOfAValue_HasAtMost255Bytes(int bytes, bool isTaken)
    {
        ReadOnlySpan<byte> part = EncodePart(new byte[10_000], StreamIds.EnumDictionary, (ref writer) =>
        {
            WriteFid(ref writer, 4);
            WriteNumbers(ref writer, 1);
            WriteDisplays(ref writer, 1, new byte[bytes]);
        });
        Assert.Equal(isTaken ? ConversationStep.Ignore : ConversationStep.Refused, new DictionaryConsumer(1).Receive(Wire.Decode(part)).Step);
    }

    [Fact]
    public void Directory_ServicesWithoutEnd_EndTheConnection()
    {
        DirectoryListing listing = new();
        byte[] vendor = new byte[20_000];
        Array.Fill(vendor, (byte)'v');
        ConversationResult result = ConversationResult.Ready;
        int services = 0;
        for (; result.Step == ConversationStep.Ready; services++)
            result = listing.Receive(Wire.Decode(DirectoryMessages.Announce((ushort)services, "NAME"u8.ToArray(), vendor)));

        Assert.Equal(new ConversationResult(ConversationStep.Disconnect, "the service directory is larger than the 16 MB that are kept"),
            result);
        Assert.InRange(services, 500, 1_000);
        Assert.Empty(listing.Services);
    }

    [Theory]
    [InlineData(LongestText, true)]
    [InlineData(LongestText + 1, false)]
    public void Directory_NameOfAService_HasAtMost255Bytes(int bytes, bool isTaken)
    {
        byte[] name = new byte[bytes];
        Array.Fill(name, (byte)'S');
        ConversationResult result = new DirectoryConsumer("X").Receive(Wire.Decode(DirectoryMessages.Announce(1, name, vendor: [])));
        Assert.Equal(isTaken ? ConversationStep.Wait : ConversationStep.Disconnect, result.Step);
    }

    [Fact]
    public void Directory_OtherServices_AreKeptUpToNine()
    {
        DirectoryConsumer consumer = new("X");
        for (ushort id = 1; id <= 1_000; id++)
            consumer.Receive(Wire.Decode(DirectoryMessages.Announce(id, System.Text.Encoding.ASCII.GetBytes($"S{id}"), vendor: [])));
        Assert.Equal("the provider offers S1, S2, S3, S4, S5, S6, S7, S8, ...", consumer.Shortcoming);
        Assert.Equal(9, consumer.OthersKept);
    }

    private static ReadOnlySpan<byte> EncodePart(byte[] room, int streamId, Rows writeRow)
    {
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.Dictionary,
            StreamId = streamId,
            ContainerType = DataType.Series,
            State = new RwfState(StreamState.Open, DataState.Ok),
        });
        writer.BeginSeries(DataType.ElementList);
        writer.BeginSeriesEntry();
        writer.BeginElementList();
        writeRow(ref writer);
        writer.EndElementList();
        writer.EndEntry();
        writer.EndSeries();
        Assert.False(writer.Failed);
        return room.AsSpan(0, writer.Written);
    }

    private static void WriteTable(ref RwfWriter writer, int fid)
    {
        WriteFid(ref writer, fid);
        WriteNumbers(ref writer, ValuesPerTable);
        WriteDisplays(ref writer, ValuesPerTable, []);
    }

    private static void WriteFid(ref RwfWriter writer, int fid)
    {
        writer.BeginElement("FIDS"u8, DataType.Array);
        writer.BeginArray(DataType.Int);
        writer.BeginItem();
        writer.WriteInt(fid);
        writer.EndArray();
        writer.EndEntry();
    }

    private static void WriteNumbers(ref RwfWriter writer, int count)
    {
        writer.BeginElement("VALUE"u8, DataType.Array);
        writer.BeginArray(DataType.Enum, itemLength: 2);
        for (int number = 0; number < count; number++)
            writer.WriteItem([(byte)(number >> 8), (byte)number]);
        writer.EndArray();
        writer.EndEntry();
    }

    private static void WriteDisplays(ref RwfWriter writer, int count, ReadOnlySpan<byte> display)
    {
        writer.BeginElement("DISPLAY"u8, DataType.Array);
        writer.BeginArray(DataType.AsciiString);
        for (int i = 0; i < count; i++)
            writer.WriteItem(display);
        writer.EndArray();
        writer.EndEntry();
    }

    private static void WriteInt(ref RwfWriter writer, ReadOnlySpan<byte> name, int value)
    {
        writer.BeginElement(name, DataType.Int);
        writer.WriteInt(value);
        writer.EndEntry();
    }
}
