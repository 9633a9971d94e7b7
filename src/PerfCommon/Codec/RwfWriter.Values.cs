using System.Buffers.Binary;

namespace PerfCommon.Codec;

// The value of the open entry: of a field, an element, an array item or a set item. Writing it ends the entry. The types whose
// layout has its own file are written there: Real, Date, Time, DateTime, Qos, State.
public ref partial struct RwfWriter
{
    /// <summary>Writes a signed integer; in a fixed length it must fit.</summary>
    public bool WriteInt(long value) => WriteNumber(value, RwfContent.LengthOf(value)); // wire/rwf 3

    /// <summary>Writes an unsigned integer or an enumerated value; in a fixed length it must fit.</summary>
    public bool WriteUInt(ulong value) => WriteNumber((long)value, RwfContent.LengthOf(value)); // wire/rwf 3

    /// <summary>Writes a single.</summary>
    public bool WriteFloat(float value) // wire/rwf 3
    {
        Span<byte> content = stackalloc byte[sizeof(float)];
        BinaryPrimitives.WriteSingleBigEndian(content, value);
        return WriteContent(content);
    }

    /// <summary>Writes a double.</summary>
    public bool WriteDouble(double value) // wire/rwf 3
    {
        Span<byte> content = stackalloc byte[sizeof(double)];
        BinaryPrimitives.WriteDoubleBigEndian(content, value);
        return WriteContent(content);
    }

    /// <summary>Writes a blank; numbers of a fixed length cannot be blank.</summary>
    public bool WriteBlank() => _open.LengthAt switch // wire/rwf 3.1
    {
        PendingReal => WriteReal(RwfReal.BlankValue),
        PendingFixed => DataTypes.BaseOf(_open.ContentType) switch
        {
            DataType.Date => WriteDate(default),
            DataType.Time => WriteTime(RwfTime.BlankValue),
            DataType.DateTime => WriteDateTime(RwfDateTime.BlankValue),
            _ => WriteContent(default),
        },
        _ => WriteContent(default),
    };

    /// <summary>Fills the open entry, summary or attribute container with bytes: a text, a buffer, or encoded content.</summary>
    /// <param name="content">
    /// The content; empty for blank. Where the length is fixed, content other than strings and buffers must have that length. Longer
    /// strings and buffers are truncated, shorter ones padded with zeros.
    /// </param>
    public bool WriteContent(scoped ReadOnlySpan<byte> content)
    {
        if (Failed)
            return false;
        switch (_open.LengthAt)
        {
            case PendingBuf16:
                PutBuf16(content);
                break;
            case PendingBuf15:
                PutBuf15(content);
                break;
            case PendingFixed:
                PutFixed(content);
                break;
            default:
                ThrowMisuse("no entry waits for content");
                break;
        }

        _open.LengthAt = NoLength;
        return !Failed;
    }

    /// <summary>Ends an entry whose content was written as a container or message; without content it is blank.</summary>
    public bool EndEntry()
    {
        if (Failed)
            return false;
        if (_open.LengthAt == PendingBuf16)
            PutByte(0);
        else if (_open.LengthAt >= 0)
            CloseBuf16(_open.LengthAt);
        _open.LengthAt = NoLength;
        return !Failed;
    }

    private bool BeginEntryContent(int pending)
    {
        _count++;
        _open.LengthAt = pending;
        return !Failed;
    }

    // Length that the value of the open entry must have; 0 when its length is written with it.
    private readonly int FixedLength => _open.LengthAt == PendingFixed ? _open.ItemLength : 0;

    // Writes the value in the fixed length if it fits there, else in its shortest form, which is then refused.
    private bool WriteNumber(long value, int shortest)
    {
        Span<byte> content = stackalloc byte[sizeof(long)];
        int length = Math.Min(Math.Max(shortest, FixedLength), sizeof(long));
        RwfContent.WriteLow(content, value, length);
        return WriteContent(content[..length]);
    }

    private void PutFixed(scoped ReadOnlySpan<byte> content) // wire/rwf 4.7
    {
        int length = _open.ItemLength;
        if (content.Length != length && !DataTypes.IsBytes(_open.ContentType))
            Fail(EncodeProblem.InvalidValue); // wire/rwf 4.7
        Span<byte> item = Reserve(length);
        if (item.IsEmpty)
            return;
        item.Clear();
        content[..Math.Min(content.Length, length)].CopyTo(item);
    }
}
