using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads field definitions from a text in the vendor's RDMFieldDictionary format.</summary>
internal sealed class FieldDictionaryFile(FieldDictionaryBuilder builder) : DictionaryFileReader(builder)
{
    private const string NoRipple = "NULL";

    private readonly List<(FieldDefinition Definition, string RipplesTo)> _found = [];
    private readonly Dictionary<string, short> _fids = new(StringComparer.Ordinal);
    private readonly HashSet<short> _seen = [];

    protected override string ShippedName => ShippedFiles.FieldDefinitions;

    protected override int FileType => 1;

    protected override void TakeTag(ReadOnlySpan<char> name, string value)
    {
        if (name.SequenceEqual("Version"))
            Builder.Version = Builder.Version with { Fields = value };
    }

    // ACRONYM "DDE ACRONYM" FID RIPPLES-TO FIELD-TYPE LENGTH[ ( ENUM-LENGTH )] RWF-TYPE RWF-LEN
    protected override void ReadDefinition(DictionaryLine line)
    {
        line.TryReadWord(out ReadOnlySpan<char> acronym);
        if (!line.TryReadBetween('"', out ReadOnlySpan<char> longName))
            throw Problem($"field \"{acronym}\" needs its long name in double quotes");
        short fid = (short)ReadNumber(ref line, "field id", short.MinValue, short.MaxValue);
        if (fid == 0)
            throw Problem("field id 0 is reserved");
        if (!_seen.Add(fid))
            throw Problem($"field id {fid} is defined twice");
        if (!line.TryReadWord(out ReadOnlySpan<char> ripplesTo))
            throw Problem("the field it ripples to, or NULL, is missing");

        FieldType fieldType = ReadFieldType(ref line);
        ushort length = (ushort)ReadNumber(ref line, "length", 0, ushort.MaxValue);
        byte enumLength = ReadEnumLength(ref line);
        DataType dataType = ReadDataType(ref line);
        ushort rwfLength = (ushort)ReadNumber(ref line, "RWF length", 0, ushort.MaxValue);

        FieldDefinition definition = new(
            fid, acronym.ToString(), longName.ToString(), 0, fieldType, length, enumLength, dataType, rwfLength);
        _found.Add((definition, ripplesTo.ToString()));
        _fids.TryAdd(definition.Acronym, fid);
    }

    protected override void Finish()
    {
        if (_found.Count == 0)
            throw Problem("the file defines no field");
        foreach ((FieldDefinition definition, string ripplesTo) in _found)
        {
            short target = ripplesTo == NoRipple ? (short)0 : _fids.GetValueOrDefault(ripplesTo);
            if (!Builder.TryAdd(definition with { RipplesTo = target }))
                throw Problem($"field id {definition.Fid} was defined by another file before");
        }
    }

    private FieldType ReadFieldType(ref DictionaryLine line)
    {
        if (!line.TryReadWord(out ReadOnlySpan<char> name))
            throw Problem("field type is missing");
        return DictionaryTypeNames.TryFindFieldType(name, out FieldType type)
            ? type
            : throw Problem($"\"{name}\" is not a field type");
    }

    private DataType ReadDataType(ref DictionaryLine line)
    {
        if (!line.TryReadWord(out ReadOnlySpan<char> name))
            throw Problem("RWF type is missing");
        return DictionaryTypeNames.TryFindDataType(name, out DataType type)
            ? type
            : throw Problem($"\"{name}\" is not an RWF type");
    }

    private byte ReadEnumLength(ref DictionaryLine line)
    {
        if (!line.TrySkip('('))
            return 0;
        byte enumLength = (byte)ReadNumber(ref line, "enum length", 0, byte.MaxValue);
        return line.TrySkip(')') ? enumLength : throw Problem("\")\" expected after the enum length");
    }
}
