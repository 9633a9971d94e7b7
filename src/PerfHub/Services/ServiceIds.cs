using System.Numerics;

namespace PerfHub.Services;

/// <summary>The ids in use, a bit for each. One owner at a time.</summary>
/// <remarks>0 is never given: keys without a service read as 0.</remarks>
internal sealed class ServiceIds
{
    /// <summary>The maximum id, and the number of ids.</summary>
    public const int Max = ushort.MaxValue;

    private const int WordBits = 64;

    private readonly ulong[] _inUse = new ulong[(Max + 1) / WordBits];

    public ServiceIds() => _inUse[0] = 1;

    /// <summary>Reserves the requested id, or the next free one; some must be free.</summary>
    public ushort Allocate(ushort wanted)
    {
        int word = wanted / WordBits;
        ulong free = ~_inUse[word] & (ulong.MaxValue << (wanted % WordBits));
        while (free == 0)
        {
            word = (word + 1) % _inUse.Length;
            free = ~_inUse[word];
        }

        int bit = BitOperations.TrailingZeroCount(free);
        _inUse[word] |= 1UL << bit;
        return (ushort)((word * WordBits) + bit);
    }

    /// <summary>Returns an id.</summary>
    public void Return(ushort id) => _inUse[id / WordBits] &= ~(1UL << (id % WordBits));

    /// <summary>All reserved ids, in order.</summary>
    public IEnumerable<ushort> InUse()
    {
        for (int word = 0; word < _inUse.Length; word++)
        {
            for (ulong left = _inUse[word]; left != 0; left &= left - 1)
            {
                int id = (word * WordBits) + BitOperations.TrailingZeroCount(left);
                if (id > 0)
                    yield return (ushort)id;
            }
        }
    }
}
