using PerfCommon.Codec;
using PerfHub.Cache;

namespace PerfHub.Consumers;

/// <summary>The views of the streams of one connection, each distinct one by a one-byte number. One owner thread.</summary>
/// <remarks>A stream whose view is beyond the limits receives all fields, which every view allows.</remarks>
/// <param name="table">The views of all connections.</param>
internal sealed class ConnectionViews(ViewTable table)
{
    /// <summary>The number of a stream that receives all fields.</summary>
    public const byte None = 0;

    private const int MaxFieldIds = 256 * 1024; // of all views
    private const int OverheadBytes = 128; // approximate bytes of one view, in addition to its fields

    private readonly Dictionary<int, byte> _numbers = []; // by the id in the table
    private readonly List<(int Id, int Streams, int FieldIds)> _views = [default]; // by number
    private readonly Stack<byte> _free = new();
    private int _fieldIds;

    /// <summary>Approximate bytes in memory.</summary>
    public int KeptBytes => (_numbers.Count * OverheadBytes) + (_fieldIds * sizeof(short));

    /// <summary>Adds a stream to a view.</summary>
    /// <returns>Number of the view here; none when a limit is reached.</returns>
    public byte Enter(FieldView? view)
    {
        if (view is null)
            return None;
        int id = table.Enter(view);
        if (_numbers.TryGetValue(id, out byte known))
        {
            table.Leave(id); // the connection has it already
            _views[known] = _views[known] with { Streams = _views[known].Streams + 1 };
            return known;
        }

        if (_numbers.Count >= byte.MaxValue || _fieldIds + view.Count > MaxFieldIds)
        {
            table.Leave(id);
            return None;
        }

        byte number = _free.TryPop(out byte free) ? free : AddNumber();
        _numbers.Add(id, number);
        _views[number] = (id, 1, view.Count);
        _fieldIds += view.Count;
        return number;
    }

    /// <summary>Removes a stream from a view.</summary>
    public void Leave(byte number)
    {
        if (number == None)
            return;
        (int id, int streams, int fieldIds) = _views[number];
        _views[number] = (id, streams - 1, fieldIds);
        if (streams > 1)
            return;
        _numbers.Remove(id);
        _fieldIds -= fieldIds;
        _views[number] = default;
        _free.Push(number);
        table.Leave(id);
    }

    /// <summary>The id of a view for other threads; 0 for none.</summary>
    public int IdOf(byte number) => _views[number].Id;

    private byte AddNumber()
    {
        _views.Add(default);
        return (byte)(_views.Count - 1);
    }
}
