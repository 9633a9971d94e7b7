namespace PerfCommon.Transport;

/// <summary>
/// Reassembles messages from fragments, by id. Memory grows with the bytes received, not with those announced.
/// </summary>
/// <remarks>The limit applies to the memory in use: the whole of every array.</remarks>
internal sealed class FragmentTable(ChannelOptions options, BufferPool pool)
{
    /// <summary>Maximum incomplete messages of one connection.</summary>
    private const int MaxOpen = 64; // wire/transport 4

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

    public int Count => _open.Count;

    /// <summary>Adds the data of a fragment.</summary>
    /// <returns>True with the message that it completed, valid until <see cref="ReleaseDelivered"/> or the next one.</returns>
    public bool TryAdd(Fragment fragment, ReadOnlySpan<byte> data, out ReadOnlySpan<byte> message, out CloseReason? problem)
    {
        message = default;
        _open.TryGetValue(fragment.Id, out Assembly? assembly);
        problem = fragment.Kind == FrameLayout.FirstFragment ? Start(fragment, ref assembly) : null;
        problem ??= FindProblem(fragment, assembly, data.Length);
        if (problem is not null)
            return false;
        Append(assembly!, data);
        if (assembly!.Count < assembly.Total)
            return false;

        _open.Remove(fragment.Id);
        _heldBytes -= assembly.Bytes.Length;
        ReleaseDelivered();
        _delivered = assembly.Bytes;
        message = _delivered.AsSpan(0, assembly.Total);
        (assembly.Bytes, assembly.Count) = ([], 0);
        _spare.Push(assembly);
        return true;
    }

    /// <summary>Releases the message that was delivered last.</summary>
    public void ReleaseDelivered()
    {
        pool.Return(_delivered);
        _delivered = [];
    }

    public void Clear()
    {
        foreach (Assembly assembly in _open.Values)
            pool.Return(assembly.Bytes);
        _open.Clear();
        _heldBytes = 0;
        ReleaseDelivered();
    }

    private CloseReason? Start(Fragment fragment, ref Assembly? assembly)
    {
        if (fragment.TotalBytes == 0)
            // wire/transport 10
            return new CloseReason(CloseKind.ProtocolError, "a fragmented message says it has no byte");
        (uint total, int allowed) = (fragment.TotalBytes, options.MaxReassembledBytes);
        if (total > (uint)allowed)
            // wire/transport 4
            return new CloseReason(CloseKind.LimitExceeded, $"a fragmented message of {total} bytes is larger than the {allowed} allowed");
        if (assembly is null && _open.Count >= MaxOpen)
            // wire/transport 4
            return new CloseReason(CloseKind.LimitExceeded, $"more than {MaxOpen} fragmented messages are incomplete");

        if (assembly is null)
            _open.Add(fragment.Id, assembly = _spare.TryPop(out Assembly? spare) ? spare : new Assembly());
        _heldBytes -= assembly.Bytes.Length; // wire/transport 4
        pool.Return(assembly.Bytes);
        (assembly.Bytes, assembly.Count, assembly.Total) = ([], 0, (int)total);
        return null;
    }

    private CloseReason? FindProblem(Fragment fragment, Assembly? assembly, int dataBytes)
    {
        if (assembly is null)
            // wire/transport 10
            return new CloseReason(CloseKind.ProtocolError, $"a fragment continues message {fragment.Id}, which has not begun");
        if (dataBytes > assembly.Total - assembly.Count)
            // wire/transport 10
            return new CloseReason(CloseKind.ProtocolError, $"fragments have more bytes than the {assembly.Total} of their message");
        if (_heldBytes - assembly.Bytes.Length + CapacityFor(assembly, dataBytes) > options.ReassemblyLimitBytes)
            // wire/transport 4
            return new CloseReason(CloseKind.LimitExceeded, $"incomplete messages hold more than {options.ReassemblyLimitBytes} bytes");
        return null;
    }

    private void Append(Assembly assembly, ReadOnlySpan<byte> data)
    {
        int capacity = CapacityFor(assembly, data.Length);
        if (capacity > assembly.Bytes.Length)
        {
            byte[] larger = pool.Rent(capacity);
            assembly.Bytes.AsSpan(0, assembly.Count).CopyTo(larger);
            _heldBytes += larger.Length - assembly.Bytes.Length;
            pool.Return(assembly.Bytes);
            assembly.Bytes = larger;
        }

        data.CopyTo(assembly.Bytes.AsSpan(assembly.Count));
        assembly.Count += data.Length;
    }

    // Twice the current size, so that a long message is not copied for every fragment.
    private static int CapacityFor(Assembly assembly, int dataBytes)
    {
        int needed = assembly.Count + dataBytes;
        return needed <= assembly.Bytes.Length
            ? assembly.Bytes.Length
            : BufferPool.CapacityFor(Math.Max(needed, Math.Min(assembly.Total, assembly.Count * 2)));
    }
}
