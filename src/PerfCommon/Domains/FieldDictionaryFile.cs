using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads field definitions from a text in the vendor's RDMFieldDictionary format.</summary>
internal static class FieldDictionaryFile
{
    /// <summary>Reads a file into a builder.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="builder">Receives every field of the file and its version.</param>
    /// <exception cref="SetupException">The file cannot be read, or a line does not follow the format.</exception>
    public static void Read(string path, FieldDictionaryBuilder builder) =>
        new Reader(Path.GetFileName(path), builder).ReadFile(path);

    /// <summary>Reads a stream, which stays open, into a builder.</summary>
    /// <param name="stream">The lines.</param>
    /// <param name="name">Name shown in messages.</param>
    /// <param name="builder">Receives every field of the stream and its version.</param>
    /// <exception cref="SetupException">The stream cannot be read, or a line does not follow the format.</exception>
    public static void Read(Stream stream, string name, FieldDictionaryBuilder builder) =>
        new Reader(name, builder).ReadStream(stream, name);

    /// <summary>Reads the one the library carries into a builder.</summary>
    /// <param name="builder">Receives everything in it.</param>
    public static void ReadShipped(FieldDictionaryBuilder builder)
    {
        using Stream stream = ShippedFiles.Open(ShippedFiles.FieldDefinitions);
        Read(stream, ShippedFiles.FieldDefinitions, builder);
    }

    /// <summary>Reads a text into a builder.</summary>
    /// <param name="text">The lines.</param>
    /// <param name="name">Name shown in messages.</param>
    /// <param name="builder">Receives every field of the text and its version.</param>
    /// <exception cref="SetupException">A line does not follow the format.</exception>
    public static void Read(TextReader text, string name, FieldDictionaryBuilder builder) =>
        new Reader(name, builder).Read(text);

    private sealed class Reader(string fileName, FieldDictionaryBuilder builder) : DictionaryFileReader(fileName, builder)
    {
        private const string NoRipple = "NULL";

        private readonly List<(FieldDefinition Definition, string RipplesTo)> _found = [];
        private readonly Dictionary<string, short> _fids = new(StringComparer.Ordinal);
        private readonly HashSet<short> _seen = [];

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
}
