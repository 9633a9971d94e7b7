using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.MsgData;

/// <summary>Collects the fields of one message while its file is read. Lists grow with what was found, never ahead of it.</summary>
internal sealed class FieldListBuilder
{
    /// <summary>Fields of one list: 65,535 by the wire, one of them kept for a time stamp.</summary>
    public const int MostFields = ushort.MaxValue - 1;

    /// <summary>Bytes of one text, by its two-byte length on the wire.</summary>
    public const int MostTextBytes = ushort.MaxValue;

    /// <summary>Bytes of a state's text, by its 15-bit length.</summary>
    public const int MostStateTextBytes = short.MaxValue;

    /// <summary>Bytes of all texts of one message.</summary>
    public const int MostMessageTextBytes = 15 * 1024 * 1024;

    private const int MessageEstimate = 64 + 1;
    private const int FieldIdEstimate = 2;

    private readonly List<FieldValue> _fields = [];
    private readonly List<byte> _texts = [];
    private int _estimate = MessageEstimate;

    public int Count => _fields.Count;

    public int TextBytes => _texts.Count;

    public void Add(FieldValue field, DataType type)
    {
        _fields.Add(field);
        _estimate += FieldIdEstimate + EstimateOf(type);
    }

    public void AddText(short fieldId, DataType type, string text)
    {
        int start = _texts.Count;
        int length = Append(text);
        Add(new FieldValue(start, length, fieldId, length == 0 ? FieldKind.Blank : FieldKind.Bytes), type);
        _estimate += length;
    }

    public void AddState(short fieldId, StreamState stream, DataState data, StateCode code, string text)
    {
        int start = _texts.Count;
        int length = Append(text);
        Add(FieldValue.Of(fieldId, stream, data, code, start, length), DataType.State);
        _estimate += length;
    }

    public FieldListTemplate Build() => new([.. _fields], [.. _texts], _estimate);

    // The family's rule of thumb; strings add their length.
    private static int EstimateOf(DataType type) => type switch
    {
        DataType.Int or DataType.UInt or DataType.Double or DataType.Qos => 8,
        DataType.Float or DataType.Date => 4,
        DataType.Real => 16,
        DataType.Time => 6,
        DataType.DateTime => 10,
        DataType.State => 12,
        DataType.Enum => 2,
        _ => 8,
    };

    private int Append(string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        _texts.AddRange(bytes);
        return bytes.Length;
    }
}
