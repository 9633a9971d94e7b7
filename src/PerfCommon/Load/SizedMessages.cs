using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Load;

/// <summary>
/// Creates images and updates of an exact size: numbers, of which the first counts the updates of its item, a text that fills the
/// rest, the stamp.
/// </summary>
/// <remarks>
/// Immutable, shared by all connections; the counts belong to each. An update always has its size: the text compensates for changes of the
/// stamp's length.
/// </remarks>
[DebuggerDisplay("{_bytes} bytes, {_numbers.Length} numbers")]
public sealed class SizedMessages
{
    /// <summary>Minimum bytes of an update.</summary>
    public const int MinBytes = 34;

    /// <summary>Maximum bytes of an update.</summary>
    public const int MaxBytes = 6_000;

    /// <summary>Minimum number of fields: count, text, stamp.</summary>
    public const int MinFields = 3;

    // an update: header 11 | list flags, count 3 | numbers: id 2, length 1, hint 1, value 3 | text: id 2, length 1 or 3, bytes | stamp: id
    // 2, length 1, value
    private const int HeadBytes = MarketPriceHeaders.UpdateHeaderBytes + 3;
    private const int NumberBytes = 7;
    private const int CountAt = HeadBytes + 4;
    private const int EntryHeadBytes = 3;
    private const int LongEntryHeadBytes = 5;
    private const int MaxShortBytes = 253; // wire/rwf 1
    private const int MaxStampBytes = sizeof(ulong);
    private const int UsualStampBytes = 6;

    // always needs three bytes, as all up to the maximum
    internal const int MinCount = 0x8000;
    internal const int MaxCount = 0x7FFFFF;

    /// <summary>The count of an item before its first update.</summary>
    public const int FirstCount = MinCount;

    /// <summary>The byte of which the text consists.</summary>
    internal const byte Filling = (byte)'X';

    private const byte CountHint = RealHint.Exponent0 - 2;

    private static readonly short[] AllNumbers = FindNumbers();
    internal static readonly short TextField = MessageData.Default(FieldDictionary.Default).Refresh.Fields.First(field =>
        field.Type == DataType.RmtesString).FieldId;

    private readonly int _bytes;
    private readonly short[] _numbers;
    private readonly FieldListTemplate[] _updates; // by the length of the stamp; index 0 has none
    private readonly FieldListTemplate _behindCount; // of an image

    /// <summary>Creates the messages.</summary>
    /// <param name="bytes">Bytes of an update, <see cref="MinBytes"/> to <see cref="MaxBytes"/>, header and stamp included.</param>
    /// <param name="fields">Number of its fields, <see cref="MinFields"/> to <see cref="MaxFields"/>, the stamp included.</param>
    /// <exception cref="ArgumentException">No update of that number of fields has that size; the text names the nearest size.</exception>
    public SizedMessages(int bytes, int fields)
    {
        if (FindProblem(bytes, fields, LatencyUnit.Microseconds) is { } problem && FindProblem(bytes, fields, LatencyUnit.Nanoseconds) is not null)
            throw new ArgumentException(problem, nameof(bytes));
        _bytes = bytes;
        _numbers = AllNumbers[..(fields - 2)];
        _updates = [.. Enumerable.Range(0, MaxStampBytes + 1).Select(stamp => Build(_numbers, FindTextBytes(bytes, fields, stamp) ?? 0))];
        int textBytes = FindTextBytes(bytes, fields, UsualStampBytes) ?? 0;
        _behindCount = Build(_numbers.AsSpan(1), textBytes).AppendBlanks([(StampFields.Update, DataType.UInt)]);
        Messages = MessageData.Create(Build(_numbers, textBytes).AppendBlanks([(StampFields.Update, DataType.UInt)]), [_updates[0]]);
    }

    /// <summary>The maximum of fields: the numbers in our dictionary, text and stamp.</summary>
    public static int MaxFields => AllNumbers.Length + 2;

    /// <summary>Maximum bytes of an image's list.</summary>
    public int MaxRefreshBytes => _bytes;

    /// <summary>One image and one update, without a stamp, as the content of a message file.</summary>
    public MessageData Messages { get; }

    /// <summary>Maximum bytes reserved when an update is encoded.</summary>
    internal int MaxUpdateBytes { get => field > 0 ? field : field = _updates.Max(update => default(UpdateMessage).MaxBytes(update)); }

    /// <summary>Returns the default number of fields for an update of the given bytes: 5 for 54, and in proportion.</summary>
    public static int UsualFields(int bytes) => Math.Clamp(bytes * 5 / 54, MinFields, MaxFields);

    /// <summary>Returns why no updates of that size are possible, as the end of a sentence; null when they are.</summary>
    /// <param name="bytes">Bytes of an update.</param>
    /// <param name="fields">Number of its fields.</param>
    /// <param name="unit">Unit of its stamps, which have more bytes in nanoseconds.</param>
    public static string? FindProblem(int bytes, int fields, LatencyUnit unit)
    {
        if (bytes is < MinBytes or > MaxBytes)
            return $"an update has {MinBytes} to {MaxBytes} bytes";
        if (fields < MinFields || fields > MaxFields)
            return $"an update has {MinFields} to {MaxFields} fields";
        if (IsPossible(bytes, fields, unit))
            return null;
        int nearest = Enumerable.Range(MinBytes,
            MaxBytes - MinBytes + 1).Where(size => IsPossible(size, fields, unit)).MinBy(size => Math.Abs(size - bytes));
        return string.Create(CultureInfo.InvariantCulture, $"no update of {fields} fields has that size; the nearest is {nearest}");
    }

    /// <summary>Encodes an image after its header; its count is that of the last update.</summary>
    /// <param name="writer">Where it is written, at least <see cref="MaxRefreshBytes"/>.</param>
    /// <param name="count">The item's count; <see cref="FirstCount"/> before its first update.</param>
    public void EncodeRefresh(ref RwfWriter writer, int count)
    {
        writer.BeginFieldList();
        writer.BeginField(_numbers[0]);
        writer.WriteReal(new RwfReal(count, CountHint));
        _behindCount.EncodeFields(ref writer);
        writer.EndFieldList();
    }

    /// <summary>Encodes the next update of an item.</summary>
    /// <param name="room">At least <see cref="MaxUpdateBytes"/>.</param>
    /// <param name="streamId">The item's stream.</param>
    /// <param name="count">The item's count.</param>
    /// <param name="stamp">The stamp; 0 for none.</param>
    /// <returns>Its length.</returns>
    internal int Encode(Span<byte> room, int streamId, ref int count, ulong stamp)
    {
        count = count == MaxCount ? MinCount : count + 1;
        int bytes = default(UpdateMessage).Encode(room, streamId, _updates[stamp == 0 ? 0 : RwfContent.LengthOf(stamp)], stamp);
        BinaryPrimitives.WriteUInt16BigEndian(room[CountAt..], (ushort)(count >> 8));
        room[CountAt + sizeof(ushort)] = (byte)count;
        return bytes;
    }

    /// <summary>Queues the next update of an item.</summary>
    /// <returns>False while no output buffer is free; the count is then unchanged.</returns>
    internal bool TrySend(MessageOutput output, int streamId, ref int count, ulong stamp)
    {
        if (!output.TryBegin(MaxUpdateBytes, out Span<byte> room))
            return false;
        output.End(Encode(room, streamId, ref count, stamp), MessageKind.Update);
        return true;
    }

    // Tests every length that a stamp may have while a host is up: microseconds of up to nine years, nanoseconds of up to two. Also tests
    // without a stamp.
    private static bool IsPossible(int bytes, int fields, LatencyUnit unit)
    {
        (int from, int to) = unit == LatencyUnit.Microseconds ? (4, UsualStampBytes) : (5, UsualStampBytes + 1);
        int leastText = unit == LatencyUnit.Microseconds ? 1 : 0;
        return FindTextBytes(bytes, fields, to) >= leastText
            && Enumerable.Range(from, to - from).Append(0).All(stamp => FindTextBytes(bytes, fields, stamp) is not null);
    }

    // Null where no text fills the entry: it is too small, or one byte too long for the short form of a length.
    private static int? FindTextBytes(int bytes, int fields, int stampBytes)
    {
        int entry = bytes - HeadBytes - (NumberBytes * (fields - 2)) - (stampBytes == 0 ? 0 : EntryHeadBytes + stampBytes);
        return entry switch
        {
            < EntryHeadBytes => null,
            <= EntryHeadBytes + MaxShortBytes => entry - EntryHeadBytes,
            <= LongEntryHeadBytes + MaxShortBytes => null,
            _ => entry - LongEntryHeadBytes,
        };
    }

    private static FieldListTemplate Build(ReadOnlySpan<short> numbers, int textBytes)
    {
        FieldListBuilder fields = new(FieldDictionary.Default);
        foreach (short number in numbers)
            fields.Add(number, new RwfReal(MinCount, CountHint));
        return fields.Add(TextField, new string((char)Filling, textBytes)).Build();
    }

    // The numbers of the shipped image are first, in its order.
    private static short[] FindNumbers() =>
    [
        .. MessageData.Default(FieldDictionary.Default).Refresh.Fields.Where(field =>
            field.Type == DataType.Real).Select(field => field.FieldId)
            .Concat(FieldDictionary.Default.Definitions.Where(field =>
                field.DataType == DataType.Real).Select(field => field.Fid)).Distinct(),
    ];
}
