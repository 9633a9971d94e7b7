using PerfCommon.Codec;

namespace PerfHub.Cache;

/// <summary>The views of all consumers of a hub, each distinct one once, by a number that threads send each other. Any thread.</summary>
/// <remarks>A view exists while it has users. A message between threads may arrive when its view is gone: no stream needs it then.</remarks>
internal sealed class ViewTable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<FieldView, int> _ids = [];
    private readonly Stack<int> _free = new();
    private (FieldView? View, int Users)[] _views = new (FieldView?, int)[16]; // 0 is no view
    private int _next = 1;

    /// <summary>Number of distinct views.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _ids.Count;
        }
    }

    /// <summary>Adds a user of a view.</summary>
    /// <returns>Number of the view.</returns>
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

    /// <summary>Removes a user of a view.</summary>
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

    /// <summary>Finds the view of a number; null for 0, and for a view without users.</summary>
    public FieldView? Find(int id)
    {
        if (id == 0)
            return null;
        lock (_gate)
            return _views[id].View;
    }
}
