using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Writes messages and containers front to back into a span it is given, in one pass.</summary>
/// <remarks>
/// The first call that fails ends the writing: it and every later call answer false, <see cref="Problem"/> tells why, and
/// nothing of what is in the room may be sent. Pass a writer by reference; a copy is a different writer.
/// A container is written between its Begin and its End. An entry is begun (<see cref="BeginField"/>, <see cref="BeginElement"/>,
/// <see cref="BeginItem"/>, <see cref="BeginSetItem"/>, that of a map); then comes its value by one Write, which ends the entry, or a
/// container and <see cref="EndEntry"/>. Content whose bytes are at hand goes by <see cref="WriteContent"/>.
/// </remarks>
[DebuggerDisplay("{Written} bytes written, room for {RoomLeft}, problem {Problem}")]
public ref partial struct RwfWriter
{
    /// <summary>Most containers inside each other.</summary>
    public const int MaxNesting = 15; // wire/rwf 9.1

    // Frames kept in the writer itself, which is cleared for every message; deeper ones, of cold messages, go to an array.
    private const int InlineNesting = 2;

    private Span<byte> _room;
    private int _position;
    private int _count;
    private Frame _open;
    private int _depth;
    private OuterFrames _outer;
    private Frame[]? _deeper;

    /// <summary>Makes a writer.</summary>
    /// <param name="room">Where to write; nothing beyond it is touched.</param>
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

    /// <summary>Why the writing ended; None while it goes well.</summary>
    public EncodeProblem Problem { get; private set; }

    /// <summary>True when something could not be written; what is in the room is then of no use.</summary>
    public readonly bool Failed => Problem != EncodeProblem.None;

    /// <summary>Bytes written so far; 0 after a failure.</summary>
    public readonly int Written => _position;

    /// <summary>Bytes of room left; 0 after a failure.</summary>
    internal readonly int RoomLeft => _room.Length - _position;

    /// <summary>Writes bytes as they are: a payload that was encoded before.</summary>
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

    // A container or header that is being written: where its parts stand that are patched later, NoLength for none.
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
