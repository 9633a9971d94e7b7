using PerfCommon.Codec;
using PerfHub.Cache;

namespace PerfHub.Consumers;

/// <summary>The views of the streams of one connection, each distinct one by a number of a byte. One owner thread.</summary>
/// <remarks>What a consumer asks beyond the limits gets all fields, which every view allows.</remarks>
/// <param name="table">Those of all connections.</param>
internal sealed class ConnectionViews(ViewTable table)
{
    /// <summary>Of a stream that gets all fields.</summary>
    public const byte None = 0;

    private const int MaxFieldIds = 256 * 1024; // of all of them
    private const int OverheadBytes = 128; // of one, beside its fields, about

    private readonly Dictionary<int, byte> _numbers = []; // by the id in the table
    private readonly List<(int Id, int Streams, int FieldIds)> _views = [default]; // by number
    private readonly Stack<byte> _free = new();
    private int _fieldIds;

    /// <summary>Bytes that they take, about.</summary>
    public int KeptBytes => (_numbers.Count * OverheadBytes) + (_fieldIds * sizeof(short));

    /// <summary>A stream has a view.</summary>
    /// <returns>Its number here; none where there is no room for it.</returns>
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

    /// <summary>A stream has it no longer.</summary>
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

    /// <summary>What other threads know a view by; 0 for none.</summary>
    public int IdOf(byte number) => _views[number].Id;

    private byte AddNumber()
    {
        _views.Add(default);
        return (byte)(_views.Count - 1);
    }
}
