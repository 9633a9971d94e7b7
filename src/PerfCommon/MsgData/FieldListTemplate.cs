using System.Diagnostics;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>The field list of one message, as typed values that are encoded anew every time. <see cref="FieldListBuilder"/> makes one.</summary>
/// <remarks>Immutable, so any number of threads may encode from it. Encoding allocates nothing.</remarks>
[DebuggerDisplay("{FieldCount} fields, {EncodedBytes} bytes")]
public sealed class FieldListTemplate
{
    /// <summary>Most bytes a time stamp adds behind the fields.</summary>
    public const int MaxStampBytes = StampFields.MaxFieldBytes;

    // flags | u16 entry count
    private const int ListHeadBytes = 3;

    private readonly FieldValue[] _fields;
    private readonly byte[] _texts;

    internal FieldListTemplate(FieldValue[] fields, byte[] texts, int estimatedBytes)
    {
        _fields = fields;
        _texts = [.. texts, .. new byte[FieldListEncoder.TextPadding]];
        EstimatedBytes = estimatedBytes;
        EncodedBytes = Measure();
    }

    /// <summary>Number of fields, without a time stamp.</summary>
    public int FieldCount => _fields.Length;

    /// <summary>Size of a message with this list by the family's rule of thumb, without a name in its key.</summary>
    public int EstimatedBytes { get; }

    /// <summary>Exact size of the encoded list in bytes, without a time stamp and without any message header.</summary>
    public int EncodedBytes { get; }

    /// <summary>Encodes the list as the payload of a message whose header was written.</summary>
    /// <returns>False when the room is too small; the writer has then failed.</returns>
    public bool EncodeList(ref RwfWriter writer)
    {
        writer.BeginFieldList();
        EncodeFields(ref writer);
        return writer.EndFieldList();
    }

    /// <summary>Encodes the list with a time stamp as its last field.</summary>
    /// <param name="writer">Stands where the payload begins.</param>
    /// <param name="stampFieldId">Field that carries the stamp, such as 3902.</param>
    /// <param name="stamp">Microseconds or nanoseconds of the sender's clock.</param>
    /// <returns>False when the room is too small; the writer has then failed.</returns>
    public bool EncodeList(ref RwfWriter writer, short stampFieldId, ulong stamp)
    {
        writer.BeginFieldList();
        EncodeFields(ref writer);
        writer.WriteUIntField(stampFieldId, stamp);
        return writer.EndFieldList();
    }

    /// <summary>Encodes the fields one by one into a field list that the caller has begun and ends.</summary>
    public void EncodeFields(ref RwfWriter writer) => FieldListEncoder.EncodeFields(ref writer, _fields, _texts);

    private int Measure()
    {
        // More than any field takes without its text: id, a three-byte length and 16 bytes of value.
        const int MostFieldBytes = 2 + 3 + 16;
        byte[] room = new byte[ListHeadBytes + (_fields.Length * MostFieldBytes) + _texts.Length];
        RwfWriter writer = new(room);
        return EncodeList(ref writer)
            ? writer.Written
            : throw new InvalidOperationException("a field list does not fit its own measure");
    }
}
