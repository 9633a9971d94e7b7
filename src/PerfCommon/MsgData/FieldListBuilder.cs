using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>Collects the fields of one message, from a file or added one by one by a program.</summary>
/// <example><code>new FieldListBuilder(FieldDictionary.Default).Add("BID", 104.25m).Add("BIDSIZE", 300).Add("TRADE_DATE",
/// null).Build()</code></example>
/// <param name="dictionary">The dictionary that defines the fields and their types.</param>
public sealed partial class FieldListBuilder(FieldDictionary dictionary)
{
    // 65,535 on the wire, one of them reserved for a time stamp
    internal const int MaxFields = ushort.MaxValue - 1;

    // limited by the two-byte length
    internal const int MaxTextBytes = ushort.MaxValue;

    // limited by the 15-bit length
    internal const int MaxStateTextBytes = short.MaxValue;

    internal const int MaxMessageTextBytes = 15 * 1024 * 1024;

    internal const int MessageEstimate = 64 + 1;
    private const int FieldIdEstimate = 2;

    private readonly List<FieldValue> _fields = [];
    private readonly List<DataType> _types = [];
    private readonly List<byte> _texts = [];
    private int _estimate = MessageEstimate;

    /// <summary>Fields added so far.</summary>
    public int Count => _fields.Count;

    internal int TextBytes => _texts.Count;

    /// <summary>Creates the template of everything added so far.</summary>
    public FieldListTemplate Build() => new([.. _fields], [.. _types], [.. _texts], _estimate);

    internal void Add(FieldValue field, DataType type)
    {
        _fields.Add(field);
        _types.Add(type);
        _estimate += FieldIdEstimate + EstimateOf(type);
    }

    internal void AddBlank(short fieldId, DataType type) => Add(new FieldValue(0, 0, fieldId, FieldKind.Blank), type);

    internal void AddBytes(short fieldId, DataType type, ReadOnlySpan<byte> content)
    {
        if (content.IsEmpty)
            AddBlank(fieldId, type);
        else
            Add(new FieldValue(_texts.Count, content.Length, fieldId, FieldKind.Bytes), type);
        Keep(content);
    }

    internal void AddText(short fieldId, DataType type, string text) => AddBytes(fieldId, type, Encoding.UTF8.GetBytes(text));

    internal void AddState(short fieldId, StreamState stream, DataState data, StateCode code, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        Add(FieldValue.Of(fieldId, stream, data, code, _texts.Count, bytes.Length), DataType.State);
        Keep(bytes);
    }

    // The rule of thumb of the RSSL performance tools; strings add their length.
    private static int EstimateOf(DataType type) => type switch
    {
        DataType.Float or DataType.Date => 4,
        DataType.Real => 16,
        DataType.Time => 6,
        DataType.DateTime => 10,
        DataType.State => 12,
        DataType.Enum => 2,
        _ => 8,
    };

    private void Keep(ReadOnlySpan<byte> content)
    {
        _texts.AddRange(content);
        _estimate += content.Length;
    }
}
