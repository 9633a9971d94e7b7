using PerfHub.Cache;

namespace PerfHub.Services;

/// <summary>
/// The source thread of each item of the non-interactive providers: the first thread that needs an item decides it, for good. Any thread.
/// </summary>
/// <remarks>
/// Used at the first image on a stream and at a request, never for an update. Items whose hashes share a place have the same thread.
/// </remarks>
/// <param name="threads">Number of source threads.</param>
internal sealed class ItemOwners(int threads)
{
    private const uint Places = 1 << 20;

    private readonly byte[] _owners = new byte[threads > 1 ? Places : 0]; // 0 for none, else number of the thread and 1

    /// <summary>Returns the number of the thread that has an item, whatever its service and domain.</summary>
    /// <param name="name">Name of the item.</param>
    /// <param name="claimant">The thread that gets an item without one; null for any thread.</param>
    public int HostOf(ReadOnlySpan<byte> name, int? claimant = null)
    {
        if (threads == 1)
            return 0;
        uint hash = (uint)BytesComparer.Instance.GetHashCode(name);
        ref byte owner = ref _owners[hash % Places];
        byte known = Volatile.Read(ref owner);
        if (known != 0)
            return known - 1;
        byte claimed = (byte)((claimant ?? hash / Places % threads) + 1);
        known = Interlocked.CompareExchange(ref owner, claimed, 0);
        return (known == 0 ? claimed : known) - 1;
    }
}
