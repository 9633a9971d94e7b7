using System.Numerics;

namespace PerfHub.Services;

/// <summary>The ids that are given away, a bit for each. One owner at a time.</summary>
/// <remarks>0 is no id of ours: keys without a service read as 0.</remarks>
internal sealed class ServiceIds
{
    /// <summary>The greatest id, and how many there are.</summary>
    public const int Max = ushort.MaxValue;

    private const int WordBits = 64;

    private readonly ulong[] _taken = new ulong[(Max + 1) / WordBits];

    public ServiceIds() => _taken[0] = 1;

    /// <summary>Takes the id that is wanted, or the next one that is free; some must be.</summary>
    public ushort Take(ushort wanted)
    {
        int word = wanted / WordBits;
        ulong free = ~_taken[word] & (ulong.MaxValue << (wanted % WordBits));
        while (free == 0)
        {
            word = (word + 1) % _taken.Length;
            free = ~_taken[word];
        }

        int bit = BitOperations.TrailingZeroCount(free);
        _taken[word] |= 1UL << bit;
        return (ushort)((word * WordBits) + bit);
    }

    /// <summary>Gives an id back.</summary>
    public void Return(ushort id) => _taken[id / WordBits] &= ~(1UL << (id % WordBits));

    /// <summary>All that are taken, in order.</summary>
    public IEnumerable<ushort> Taken()
    {
        for (int word = 0; word < _taken.Length; word++)
        {
            for (ulong left = _taken[word]; left != 0; left &= left - 1)
            {
                int id = (word * WordBits) + BitOperations.TrailingZeroCount(left);
                if (id > 0)
                    yield return (ushort)id;
            }
        }
    }
}
