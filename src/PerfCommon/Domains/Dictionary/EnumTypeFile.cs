using System.Globalization;
using System.Text;

namespace PerfCommon.Domains;

/// <summary>Reads enum tables from a text in the vendor's enumtype.def format.</summary>
internal sealed class EnumTypeFile(FieldDictionaryBuilder builder) : DictionaryFileReader(builder)
{
    private readonly List<short> _fids = [];
    private readonly List<EnumValue> _values = [];
    private readonly HashSet<int> _numbers = [];
    private readonly HashSet<int> _taken = [];
    private int _tables;

    protected override string ShippedName => ShippedFiles.EnumTables;

    protected override int FileType => 2; // wire/rwf 6.2

    protected override void ApplyTag(ReadOnlySpan<char> name, string value)
    {
        if (name.SequenceEqual("RT_Version"))
            Builder.Version = Builder.Version with { RecordTemplates = value };
        else if (name.SequenceEqual("DT_Version"))
            Builder.Version = Builder.Version with { DisplayTemplates = value };
    }

    protected override void ReadDefinition(DictionaryLine line)
    {
        line.TryReadWord(out ReadOnlySpan<char> first);
        if (first.IndexOfAnyExceptInRange('0', '9') < 0)
            ReadValue(first, line);
        else
            ReadReference(first.ToString(), line);
    }

    protected override void Finish()
    {
        CloseTable();
        if (_fids.Count > 0)
            throw Problem($"field {_fids[0]} is named without values"); // wire/rwf 6.2
        if (_tables == 0)
            throw Problem("the file has no enum table"); // wire/rwf 6.2
    }

    // wire/rwf 6.2
    private void ReadReference(string acronym, DictionaryLine line)
    {
        CloseTable();
        short fid = (short)ReadNumber(ref line, "field id", short.MinValue, short.MaxValue);
        if (fid == 0)
            throw Problem("field id 0 is reserved"); // wire/rwf 6.1
        if (!_taken.Add(fid))
            throw Problem($"field {fid} has two enum tables"); // wire/rwf 6.2
        _fids.Add(fid);
        Builder.AddReference(acronym, fid, Place);
    }

    // wire/rwf 6.2
    private void ReadValue(ReadOnlySpan<char> digits, DictionaryLine line)
    {
        if (_fids.Count == 0)
            throw Problem($"value {digits} precedes any field"); // wire/rwf 6.2
        if (!ushort.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out ushort value))
            throw Problem($"value {digits} is not in 0 to {ushort.MaxValue}"); // wire/rwf 6.2
        if (!_numbers.Add(value))
            throw Problem($"value {value} occurs twice in one table"); // wire/rwf 6.2
        byte[] display = ReadDisplay(ref line);
        _values.Add(new EnumValue(value, display, line.Rest.ToString()));
    }

    private byte[] ReadDisplay(ref DictionaryLine line)
    {
        if (line.TryReadBetween('"', out ReadOnlySpan<char> text))
            return Encoding.Latin1.GetBytes(text.ToArray());
        if (!line.TryReadBetween('#', out ReadOnlySpan<char> hex))
            throw Problem("a display text in double quotes or between # signs was expected"); // wire/rwf 6.2
        byte[] display = new byte[hex.Length / 2];
        bool good = hex.Length % 2 == 0
            && Convert.FromHexString(hex, display, out _, out _) == System.Buffers.OperationStatus.Done;
        return good ? display : throw Problem($"#{hex}# is not an even number of hexadecimal digits"); // wire/rwf 6.2
    }

    private void CloseTable()
    {
        if (_values.Count == 0)
            return;
        if (!Builder.TryAdd(new EnumTable(_fids, _values), out short fid))
            throw Problem($"field {fid} got an enum table from another file before"); // wire/rwf 6.2
        _tables++;
        _fids.Clear();
        _values.Clear();
        _numbers.Clear();
    }
}
