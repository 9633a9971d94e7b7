using System.Runtime.CompilerServices;

namespace PerfHub.FanOut;

/// <summary>The pending deliveries of each connection of a thread, by the numbers of the connections.</summary>
/// <remarks>Contiguous for all connections: a waiting update touches no other data of its connection. One owner thread.</remarks>
internal sealed class PendingDeliveries
{
    private DeliveryList[] _lists = new DeliveryList[64];

    /// <summary>The lists of all reserved connections, by their numbers. Valid until another is reserved.</summary>
    public Span<DeliveryList> All => _lists;

    /// <summary>The list of a reserved connection. Valid until another is reserved.</summary>
    public ref DeliveryList this[int session] => ref _lists[session];

    /// <summary>Reserves a list for a connection.</summary>
    public void Reserve(int session)
    {
        if (session >= _lists.Length)
            Array.Resize(ref _lists, Math.Max(session + 1, _lists.Length * 2));
        _lists[session] = new DeliveryList();
    }
}

/// <summary>The pending deliveries of one connection, in order.</summary>
internal struct DeliveryList()
{
    private const int MinLarge = 4_096; // deliveries
    private const int SparseShare = 8;
    private const int MaxSparseTakes = 64;

    private Delivery[] _deliveries = [];
    private byte _sparseTakes; // consecutive ones, of a large array with few entries

    /// <summary>The turn in which the last waiting update was kept; -1 for none.</summary>
    public int LastTurn = -1;

    /// <summary>Updates since the connection was last checked.</summary>
    public int Arrived;

    /// <summary>True while its messages wait until a set time.</summary>
    public bool IsHeld;

    /// <summary>True while it is among the connections that receive their messages with the batch.</summary>
    public bool IsListed;

    /// <summary>True while it is among the connections that are checked at the end of the turn.</summary>
    public bool IsFresh;

    /// <summary>Number of deliveries.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes of the waiting updates.</summary>
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

    /// <summary>Returns and removes all; valid until the next is added.</summary>
    public ReadOnlySpan<Delivery> Drain()
    {
        ReadOnlySpan<Delivery> taken = _deliveries.AsSpan(0, Count);
        if (_deliveries.Length > MinLarge)
            ShrinkWhenSparse();
        (Count, Bytes, IsHeld) = (0, 0, false);
        return taken;
    }

    // Capacity that many messages once needed is not kept for few.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ShrinkWhenSparse()
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
