using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Writes messages and containers front to back into a span, in one pass.</summary>
/// <remarks>
/// The first call that fails ends the writing: it and every later call return false, <see cref="Problem"/> holds the reason, and
/// the bytes in the span must not be sent. Pass a writer by reference; a copy is a different writer.
/// A container is written between its Begin and its End. An entry is begun (<see cref="BeginField"/>, <see cref="BeginElement"/>,
/// <see cref="BeginItem"/>, <see cref="BeginSetItem"/>, that of a map); then write its value by one Write, which ends the entry, or a
/// container and <see cref="EndEntry"/>. Content that is already encoded is written by <see cref="WriteContent"/>.
/// </remarks>
[DebuggerDisplay("{Written} bytes written, room for {RoomLeft}, problem {Problem}")]
public ref partial struct RwfWriter
{
    /// <summary>Greatest depth of nested containers.</summary>
    public const int MaxNesting = 15; // wire/rwf 9.1

    // Frames stored in the writer itself, which is cleared for every message; deeper ones, of rarely sent messages, are in an array.
    private const int InlineNesting = 2;

    private Span<byte> _room;
    private int _position;
    private int _count;
    private Frame _open;
    private int _depth;
    private OuterFrames _outer;
    private Frame[]? _deeper;

    /// <summary>Creates a writer.</summary>
    /// <param name="room">The output buffer; nothing beyond it is written.</param>
    public RwfWriter(Span<byte> room)
        : this(room, LengthForm.Reserved)
    {
    }

    internal RwfWriter(Span<byte> room, LengthForm form)
    {
        _room = room;
        _open.LengthAt = NoLength;
        Form = form;
    }

    internal readonly LengthForm Form { get; }

    /// <summary>Reason why the writing ended; None while it succeeds.</summary>
    public EncodeProblem Problem { get; private set; }

    /// <summary>True when something could not be written; the bytes in the buffer are then invalid.</summary>
    public readonly bool Failed => Problem != EncodeProblem.None;

    /// <summary>Bytes written so far; 0 after a failure.</summary>
    public readonly int Written => _position;

    /// <summary>Bytes of the buffer that are free; 0 after a failure.</summary>
    internal readonly int RoomLeft => _room.Length - _position;

    /// <summary>Writes bytes unchanged: a payload that is already encoded.</summary>
    /// <param name="bytes">The bytes.</param>
    public bool WriteRaw(scoped ReadOnlySpan<byte> bytes)
    {
        PutBytes(bytes);
        return !Failed;
    }

    private void Fail(EncodeProblem problem)
    {
        if (Failed)
            return;
        Problem = problem;
        _room = default;
        _position = 0;
    }

    private bool Push(FrameKind kind)
    {
        if (_depth == MaxNesting + 1)
            Fail(EncodeProblem.TooDeep); // wire/rwf 9.2
        if (Failed)
            return false;
        ReserveLength();
        _open.Count = _count;
        if (_depth < InlineNesting)
            _outer[_depth] = _open;
        else
            SaveDeep();
        _depth++;
        _open = new Frame { Kind = kind, LengthAt = NoLength, HeadAt = _position, CountAt = NoLength, SetDataAt = NoLength };
        _count = 0;
        return true;
    }

    private bool CheckOpen(FrameKind kind)
    {
        if (Failed)
            return false;
        if (_open.Kind != kind)
            ThrowMisuse("another container is open");
        return true;
    }

    private bool Pop()
    {
        if (Failed)
            return false;
        if (_open.LengthAt != NoLength)
            ThrowMisuse("an entry is still open");
        _depth--;
        _open = _depth < InlineNesting ? _outer[_depth] : _deeper![_depth - InlineNesting];
        _count = _open.Count;
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void SaveDeep()
    {
        _deeper ??= new Frame[MaxNesting + 1 - InlineNesting];
        _deeper[_depth - InlineNesting] = _open;
    }

    [DoesNotReturn]
    private static void ThrowMisuse(string what) => throw new InvalidOperationException($"Writer called out of order: {what}.");

    private enum FrameKind : byte
    {
        Root,
        Header,
        FieldList,
        ElementList,
        FilterList,
        Map,
        Vector,
        Series,
        Array,
        SetDefinitions,
    }

    // A container or header that is being written: positions of its parts that are filled in later, NoLength for none.
    private struct Frame
    {
        public int HeadAt;
        public int CountAt;
        public int LengthAt;
        public int Count;
        public int TotalCountHint;
        public int SetDataAt;
        public int ItemLength;
        public int DefinedEntries;
        public FrameKind Kind;
        public DataType ContentType;
        public bool StandardFollows;
    }

    [InlineArray(InlineNesting)]
    private struct OuterFrames
    {
        private Frame _frame;
    }
}
