using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Encodes a dictionary as refreshes, each with the rows that fit; only the last one is marked complete.</summary>
internal abstract class DictionaryParts(scoped in RwfMsg request) : DictionaryAnswer(request.StreamId)
{
    private const byte SetId = 0; // wire/rwf 6.3
    private const int MaxRowBytes = ushort.MaxValue; // wire/rwf 6.3
    private const int MaxLengthBytes = 3;
    private const int PartFlags = RefreshFlags.HasMsgKey | RefreshFlags.Solicited; // wire/domains 4

    [ThreadStatic]
    private static byte[]? _row; // one for all answers of a thread

    private readonly byte[] _name = request.Key.Name.ToArray();
    private int _next;

    /// <summary>The requested extent, bits of <see cref="DictionaryVerbosity"/>.</summary>
    protected uint Verbosity { get; } = request.Key.Filter;

    /// <summary>Service in the key of every part.</summary>
    protected virtual ushort ServiceId { get; } = request.Key.ServiceId;

    /// <summary>Rows of all parts.</summary>
    protected abstract int RowCount { get; }

    public override int EncodeNext(Span<byte> room)
    {
        if (IsDone)
            return 0;
        int rows = Verbosity == DictionaryVerbosity.Info ? 0 : RowCount;
        RwfWriter writer = new(room);
        writer.TryWriteHeader(HeaderOf(_next));
        BeginSeries(ref writer, isFirst: _next == 0);
        int next = WriteRows(ref writer, rows);
        writer.EndSeries();
        if (writer.Failed || (next == _next && next < rows))
            return 0;
        _next = next;
        IsDone = next == rows; // wire/rwf 6.3
        if (IsDone)
            MsgPatch.TrySetFlags(room[..writer.Written], PartFlags | RefreshFlags.RefreshComplete);
        return writer.Written;
    }

    /// <summary>Opens the series and writes its definitions and its summary.</summary>
    protected abstract void BeginSeries(ref RwfWriter writer, bool isFirst);

    /// <summary>Writes one row into its own element list.</summary>
    protected abstract void WriteRow(ref RwfWriter row, int index);

    /// <summary>Text of the state of the part that begins with this row.</summary>
    protected virtual string TextOf(int firstRow) => "";

    /// <summary>Defines the columns of the rows, unless there are no rows.</summary>
    protected void DefineColumns(ref RwfWriter writer, IEnumerable<(string Name, DataType Type)> columns)
    {
        if (Verbosity == DictionaryVerbosity.Info) // wire/rwf 6.3
            return;
        writer.BeginSetDefinitions();
        writer.BeginSetDefinition(SetId);
        foreach ((string name, DataType type) in columns)
            writer.AddSetElement(Encoding.ASCII.GetBytes(name), type);
        writer.EndSetDefinitions();
    }

    /// <summary>Writes the summary: type and number of the dictionary, then its versions by name.</summary>
    protected static void WriteSummary( // wire/rwf 6.3
        ref RwfWriter writer, DictionaryType type, int dictionaryId, params ReadOnlySpan<(string Name, string Version)> versions)
    {
        writer.BeginSummary();
        writer.BeginElementList();
        writer.WriteIntElement(Encoding.ASCII.GetBytes(DictionaryElements.Type), (long)type);
        writer.WriteIntElement(Encoding.ASCII.GetBytes(DictionaryElements.DictionaryId), dictionaryId);
        foreach ((string name, string version) in versions)
            writer.WriteAsciiElement(Encoding.ASCII.GetBytes(name), Encoding.Latin1.GetBytes(version));
        writer.EndElementList();
        writer.EndSummary();
    }

    private RwfMsg HeaderOf(int firstRow) => new() // wire/domains 4
    {
        MsgClass = MsgClass.Refresh,
        DomainType = DomainType.Dictionary,
        StreamId = StreamId,
        Flags = PartFlags,
        ContainerType = DataType.Series,
        State = new RwfState(StreamState.Open, DataState.Ok, StateCode.None, Encoding.ASCII.GetBytes(TextOf(firstRow))),
        GroupId = DomainMsg.GroupId,
        Key = new MsgKey
        {
            Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasFilter,
            ServiceId = ServiceId,
            Name = _name,
            Filter = Verbosity,
        },
    };

    private int WriteRows(ref RwfWriter writer, int rows)
    {
        int next = _next;
        while (next < rows && !writer.Failed)
        {
            byte[] room = _row ??= new byte[MaxRowBytes];
            RwfWriter row = new(room, LengthForm.Shortest);
            WriteRow(ref row, next);
            if (row.Written + MaxLengthBytes > writer.RoomLeft)
                break;
            if (!row.Failed) // a table that is too large for an entry cannot be sent at all
            {
                writer.BeginSeriesEntry();
                writer.WriteContent(room.AsSpan(0, row.Written));
            }

            next++;
        }

        return next;
    }
}
