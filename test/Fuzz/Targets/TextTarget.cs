using System.Text;
using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace Fuzz.Targets;

/// <summary>
/// Input files: messages and items in XML, field definitions and enum tables as text. An error is reported as a sentence.
/// </summary>
internal static class TextTarget
{
    private const string Name = "file";
    private const int ItemsRead = 3;

    private static readonly FieldDictionary Dictionary = FieldDictionary.Default;

    public static void ReadFields(ReadOnlySpan<byte> input, ref FuzzTurns turns) =>
        Read(input, text => new FieldDictionaryFile(new FieldDictionaryBuilder()).Read(text, Name));

    public static void ReadEnums(ReadOnlySpan<byte> input, ref FuzzTurns turns) =>
        Read(input, text => new EnumTypeFile(new FieldDictionaryBuilder()).Read(text, Name));

    public static void ReadMessages(ReadOnlySpan<byte> input, ref FuzzTurns turns) =>
        Read(input, text => MessageData.Load(text, Name, Dictionary));

    public static void ReadItemList(ReadOnlySpan<byte> input, ref FuzzTurns turns) => Read(input, text =>
    {
        using XmlInput items = XmlInput.Open(text, Name);
        ItemListReader.Read(items, ItemsRead);
    });

    public static IEnumerable<byte[]> CreateFieldFiles() => [ShippedBytes(ShippedFiles.FieldDefinitions)];

    public static IEnumerable<byte[]> CreateEnumFiles() => [ShippedBytes(ShippedFiles.EnumTables)];

    public static IEnumerable<byte[]> CreateMessageFiles() => [ShippedBytes(ShippedFiles.Messages)];

    public static IEnumerable<byte[]> CreateItemFiles() =>
    [
        Encoding.ASCII.GetBytes(
            "<?xml version=\"1.0\"?><itemList><item domain=\"MarketPrice\" name=\"RDT1\" post=\"true\"/>"
            + "<item domain=\"MarketPrice\" name=\"RDT2\" genMsg=\"true\"/><item domain=\"MarketPrice\" name=\"RDT3\" snapshot=\"true\"/></itemList>"),
    ];

    private static byte[] ShippedBytes(string name)
    {
        using Stream file = ShippedFiles.Open(name);
        using MemoryStream bytes = new();
        file.CopyTo(bytes);
        return bytes.ToArray();
    }

    private static void Read(ReadOnlySpan<byte> input, Action<Stream> read)
    {
        using MemoryStream text = new(input.ToArray());
        try
        {
            read(text);
        }
        catch (SetupException)
        {
            // a sentence with its line: the expected result
        }
    }
}
