namespace PerfCommon.Transport;

/// <summary>Messages that are still being put together from fragments, by id. Memory grows with the bytes received, not with those announced.</summary>
internal sealed class FragmentTable(ChannelOptions options, BufferPool pool)
{
    private sealed class Assembly
    {
        public byte[] Bytes = [];
        public int Count;
        public int Total;
    }

    private readonly Dictionary<int, Assembly> _open = [];
    private readonly Stack<Assembly> _spare = new();
    private long _heldBytes;
    private byte[] _delivered = [];

    /// <summary>Messages that are not complete.</summary>
    public int Count => _open.Count;

    /// <summary>Adds the data of a fragment.</summary>
    /// <param name="fragment">Its header.</param>
    /// <param name="data">Its data.</param>
    /// <param name="message">The message when this completed it; valid until <see cref="ReleaseDelivered"/> or the next one.</param>
    /// <param name="problem">What is wrong; null when nothing is.</param>
    public bool TryAdd(Fragment fragment, ReadOnlySpan<byte> data, out ReadOnlySpan<byte> message, out CloseReason? problem)
    {
        message = default;
        Assembly? assembly = fragment.Kind == FrameLayout.FirstFragment ? TryStart(fragment, out problem) : TryFind(fragment, out problem);
        if (assembly is null)
            return false;

        problem = FindProblem(assembly, data.Length);
        if (problem is not null)
            return false;
        Append(assembly, data);
        if (assembly.Count < assembly.Total)
            return false;

        _open.Remove(fragment.Id);
        _heldBytes -= assembly.Count;
        ReleaseDelivered();
        _delivered = assembly.Bytes;
        message = _delivered.AsSpan(0, assembly.Total);
        assembly.Bytes = [];
        _spare.Push(assembly);
        return true;
    }

    /// <summary>Ends the life of the message that was given out last.</summary>
    public void ReleaseDelivered()
    {
        pool.Return(_delivered);
        _delivered = [];
    }

    /// <summary>Drops everything.</summary>
    public void Clear()
    {
        foreach (Assembly assembly in _open.Values)
            pool.Return(assembly.Bytes);
        _open.Clear();
        _heldBytes = 0;
        ReleaseDelivered();
    }

    private Assembly? TryStart(Fragment fragment, out CloseReason? problem)
    {
        problem = null;
        if (fragment.TotalBytes == 0)
            problem = new CloseReason(CloseKind.ProtocolError, "a fragmented message says it has no byte");
        else if (fragment.TotalBytes > (uint)options.MaxReassembledBytes)
            problem = new CloseReason(CloseKind.LimitExceeded, $"a fragmented message of {fragment.TotalBytes} bytes is larger than the {options.MaxReassembledBytes} allowed");
        else if (!_open.ContainsKey(fragment.Id) && _open.Count >= options.MaxOpenFragments)
            problem = new CloseReason(CloseKind.LimitExceeded, $"more than {options.MaxOpenFragments} fragmented messages are incomplete");
        if (problem is not null)
            return null;

        if (_open.TryGetValue(fragment.Id, out Assembly? assembly))
        {
            _heldBytes -= assembly.Count; // the same id again: the new message replaces the old
        }
        else
        {
            assembly = _spare.TryPop(out Assembly? spare) ? spare : new Assembly();
            _open.Add(fragment.Id, assembly);
        }
        assembly.Count = 0;
        assembly.Total = (int)fragment.TotalBytes;
        return assembly;
    }

    private Assembly? TryFind(Fragment fragment, out CloseReason? problem)
    {
        bool isKnown = _open.TryGetValue(fragment.Id, out Assembly? assembly);
        problem = isKnown ? null : new CloseReason(CloseKind.ProtocolError, $"a fragment continues message {fragment.Id}, which has not begun");
        return assembly;
    }

    private CloseReason? FindProblem(Assembly assembly, int dataBytes)
    {
        if (dataBytes > assembly.Total - assembly.Count)
            return new CloseReason(CloseKind.ProtocolError, $"fragments have more bytes than the {assembly.Total} of their message");
        if (_heldBytes + dataBytes > options.ReassemblyLimitBytes)
            return new CloseReason(CloseKind.LimitExceeded, $"incomplete messages hold more than {options.ReassemblyLimitBytes} bytes");
        return null;
    }

    private void Append(Assembly assembly, ReadOnlySpan<byte> data)
    {
        int needed = assembly.Count + data.Length;
        if (needed > assembly.Bytes.Length)
        {
            byte[] larger = pool.Rent(Math.Max(needed, Math.Min(assembly.Total, assembly.Count * 2)));
            assembly.Bytes.AsSpan(0, assembly.Count).CopyTo(larger);
            pool.Return(assembly.Bytes);
            assembly.Bytes = larger;
        }
        data.CopyTo(assembly.Bytes.AsSpan(assembly.Count));
        assembly.Count = needed;
        _heldBytes += data.Length;
    }
}
