using PerfHub.Cache;

namespace PerfHub.Services;

/// <summary>
/// Which source thread has which item of the non-interactive providers: whoever needs an item first decides it, for good. Any thread.
/// </summary>
/// <remarks>
/// Asked at the first image on a stream and at a request, never for an update. Items that share a place by chance have the same thread.
/// </remarks>
/// <param name="threads">How many source threads there are.</param>
internal sealed class ItemOwners(int threads)
{
    private const uint Places = 1 << 20;

    private readonly byte[] _owners = new byte[threads > 1 ? Places : 0]; // 0 for nobody, else number of the thread and 1

    /// <summary>Number of the thread that has an item, whatever its service and domain.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="claimant">Who gets it where nobody has it; null for one thread or another.</param>
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
