using PerfCommon.Codec;

namespace PerfCommon.Load;

/// <summary>Keeps the views of one connection's items: each distinct one has a number while an item uses it.</summary>
/// <remarks>One owner thread. A view beyond the limits gets all fields, which the protocol allows.</remarks>
internal sealed class ItemViews
{
    /// <summary>Number of an item without a view.</summary>
    public const int None = 0;

    private const int MaxViews = 256;
    private const int MaxFieldIds = 256 * 1024; // of all of them

    private readonly Dictionary<FieldView, int> _numbers = [];
    private readonly List<(FieldView? View, int Items)> _views = [(null, 0)]; // by number
    private readonly Stack<int> _free = new();
    private readonly Segments<ushort> _ofSlot = new();
    private int _fieldIds;

    /// <summary>Number of distinct views in use.</summary>
    public int Count => _numbers.Count;

    /// <summary>One more than the greatest number so far.</summary>
    public int NumberLimit => _views.Count;

    /// <summary>Returns the number of an item's view.</summary>
    public int NumberOf(int slot) => slot < _ofSlot.Capacity ? _ofSlot[slot] : None;

    /// <summary>Returns the view of a number.</summary>
    public FieldView? this[int number] => _views[number].View;

    /// <summary>Returns the view of an item; null for all fields.</summary>
    public FieldView? Of(int slot) => _views[NumberOf(slot)].View;

    /// <summary>Sets the view of an item; null for none.</summary>
    public void Set(int slot, FieldView? view)
    {
        int before = NumberOf(slot);
        if (view is null && before == None)
            return;
        int number = view is null ? None : Enter(view);
        _ofSlot.Reserve(slot + 1);
        _ofSlot[slot] = (ushort)number;
        Leave(before);
    }

    private int Enter(FieldView view)
    {
        if (!_numbers.TryGetValue(view, out int number))
        {
            if (_numbers.Count >= MaxViews || _fieldIds + view.Count > MaxFieldIds)
                return None;
            number = _free.Count > 0 ? _free.Pop() : AddNumber();
            _numbers.Add(view, number);
            _views[number] = (view, 0);
            _fieldIds += view.Count;
        }

        _views[number] = _views[number] with { Items = _views[number].Items + 1 };
        return number;
    }

    private int AddNumber()
    {
        _views.Add(default);
        return _views.Count - 1;
    }

    private void Leave(int number)
    {
        if (number == None)
            return;
        (FieldView? view, int items) = _views[number];
        _views[number] = (view, items - 1);
        if (items > 1)
            return;
        _numbers.Remove(view!);
        _fieldIds -= view!.Count;
        _views[number] = default;
        _free.Push(number);
    }
}
