using PerfCommon.Codec;

namespace PerfHub.Cache;

/// <summary>The views of all consumers of a hub, each distinct one once, by a number that threads tell each other. Any thread.</summary>
/// <remarks>A view is there while somebody has it. What is told of it on its way between threads may find none: nobody wants it then.</remarks>
internal sealed class ViewTable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<FieldView, int> _ids = [];
    private readonly Stack<int> _free = new();
    private (FieldView? View, int Users)[] _views = new (FieldView?, int)[16]; // 0 is no view
    private int _next = 1;

    /// <summary>Distinct views.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _ids.Count;
        }
    }

    /// <summary>Somebody has a view.</summary>
    /// <returns>Its number.</returns>
    public int Enter(FieldView view)
    {
        lock (_gate)
        {
            if (!_ids.TryGetValue(view, out int id))
            {
                id = _free.TryPop(out int free) ? free : _next++;
                if (id == _views.Length)
                    Volatile.Write(ref _views, [.. _views, .. new (FieldView?, int)[_views.Length]]);
                _ids.Add(view, id);
                _views[id].View = view;
            }

            _views[id].Users++;
            return id;
        }
    }

    /// <summary>Somebody has it no longer.</summary>
    public void Leave(int id)
    {
        lock (_gate)
        {
            if (--_views[id].Users > 0)
                return;
            _ids.Remove(_views[id].View!);
            _views[id].View = null;
            _free.Push(id);
        }
    }

    /// <summary>The view of a number; null for 0, and where nobody has it any more.</summary>
    public FieldView? Find(int id)
    {
        if (id == 0)
            return null;
        lock (_gate)
            return _views[id].View;
    }
}
