using System.Runtime.CompilerServices;

namespace PerfHub.FanOut;

/// <summary>What each connection of a thread gets and was not handed yet, by the numbers of the connections.</summary>
/// <remarks>Side by side for all of them: an update that waits touches nothing of its connection. One owner thread.</remarks>
internal sealed class DeliveryNotes
{
    private NoteList[] _lists = new NoteList[64];

    /// <summary>The notes of all connections that were reserved for, by their numbers. Valid until another is.</summary>
    public Span<NoteList> All => _lists;

    /// <summary>The notes of a connection that was reserved for. Valid until another is.</summary>
    public ref NoteList this[int session] => ref _lists[session];

    /// <summary>Makes room for a connection.</summary>
    public void Reserve(int session)
    {
        if (session >= _lists.Length)
            Array.Resize(ref _lists, Math.Max(session + 1, _lists.Length * 2));
        _lists[session] = new NoteList();
    }
}

/// <summary>What one connection gets, in order.</summary>
internal struct NoteList()
{
    private const int MinLarge = 4_096; // notes
    private const int SparseShare = 8;
    private const int MaxSparseTakes = 64;

    private Delivery[] _deliveries = [];
    private byte _sparseTakes; // one after the other, of a large array with little in it

    /// <summary>The turn in which the last update that waits was kept; -1 for none.</summary>
    public int LastTurn = -1;

    /// <summary>Updates since the connection was looked at last.</summary>
    public int Arrived;

    /// <summary>Its messages wait until a time that was set.</summary>
    public bool IsHeld;

    /// <summary>It is among those that are handed theirs with the run.</summary>
    public bool IsNoted;

    /// <summary>It is among those that are looked at when the turn ends.</summary>
    public bool IsFresh;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes of the updates that wait for others.</summary>
    public int Bytes;

    /// <summary>Adds a message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(Delivery delivery)
    {
        Delivery[] deliveries = _deliveries;
        int count = Count;
        if ((uint)count >= (uint)deliveries.Length)
        {
            AddToMore(delivery);
            return;
        }

        Count = count + 1;
        deliveries[count] = delivery;
    }

    /// <summary>Takes all; valid until the next is added.</summary>
    public ReadOnlySpan<Delivery> Take()
    {
        ReadOnlySpan<Delivery> taken = _deliveries.AsSpan(0, Count);
        if (_deliveries.Length > MinLarge)
            GiveBackWhenSparse();
        (Count, Bytes, IsHeld) = (0, 0, false);
        return taken;
    }

    // What many messages had it take once is not kept for few.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void GiveBackWhenSparse()
    {
        _sparseTakes = Count < _deliveries.Length / SparseShare ? (byte)(_sparseTakes + 1) : (byte)0;
        if (_sparseTakes < MaxSparseTakes)
            return;
        (_deliveries, _sparseTakes) = ([], 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddToMore(Delivery delivery)
    {
        Array.Resize(ref _deliveries, Math.Max(_deliveries.Length * 2, 8));
        _deliveries[Count++] = delivery;
    }
}
