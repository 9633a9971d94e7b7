using PerfCommon.Load;

namespace PerfCommon.Sessions;

/// <summary>Finds slots by their hash: 8 bytes a slot, and never a pause to rehash all of them.</summary>
/// <remarks>
/// It has at least one chain of slots per slot. With each added slot one chain is split in two, in turn (linear hashing); while there
/// are four times as many chains as slots, up to four are joined again with each removed slot. One owner.
/// </remarks>
internal sealed class SlotChains
{
    private const int None = -1;
    private const int MinChains = 64;
    private const int SparseShare = 4;

    private readonly Func<int, uint> _hashOf;
    // chains split in this round, chains still to be split, chains created by the splits
    private readonly Segments<int> _heads = new(None);
    private readonly Segments<int> _next = new();
    private int _chains = MinChains;
    private int _round = MinChains; // chains when this round began; twice that number when it ends

    /// <param name="hashOf">Returns the hash of a slot, which must not change while the slot is added.</param>
    public SlotChains(Func<int, uint> hashOf)
    {
        _hashOf = hashOf;
        _heads.Reserve(MinChains);
    }

    /// <summary>Number of slots.</summary>
    public int Count { get; private set; }

    /// <summary>Returns the first slot that may have this hash; -1 for none.</summary>
    public int First(uint hash) => _heads[ChainOf(hash)];

    /// <summary>Returns the slot after one that may have the same hash; -1 for none.</summary>
    public int Next(int slot) => _next[slot];

    /// <summary>Enumerates all slots, unordered; none may be added or removed meanwhile.</summary>
    public IEnumerable<int> Slots()
    {
        for (int chain = 0; chain < _chains; chain++)
        {
            for (int slot = _heads[chain]; slot != None; slot = _next[slot])
                yield return slot;
        }
    }

    /// <summary>Adds a slot that was not added yet.</summary>
    public void Add(int slot)
    {
        _next.Reserve(slot + 1);
        Push(ChainOf(_hashOf(slot)), slot);
        if (++Count > _chains)
            Split();
    }

    /// <summary>Removes a slot; false when it was not added.</summary>
    public bool Remove(int slot)
    {
        ref int link = ref _heads[ChainOf(_hashOf(slot))];
        while (link != slot && link != None)
            link = ref _next[link];
        if (link == None)
            return false;
        link = _next[slot];
        Count--;
        for (int i = 0; i < SparseShare && _chains > MinChains && Count < _chains / SparseShare; i++)
            Join();
        return true;
    }

    /// <summary>Releases memory of slots from a number on; none of them may be added.</summary>
    public void Trim(int slots) => _next.Trim(slots);

    private int ChainOf(uint hash)
    {
        int chain = (int)(hash & ((2 * _round) - 1));
        return chain < _chains ? chain : chain - _round;
    }

    private void Push(int chain, int slot) => (_next[slot], _heads[chain]) = (_heads[chain], slot);

    // Undoes the last split: the slots of the last chain return to the chain from which they were split.
    private void Join()
    {
        if (_chains == _round)
            _round /= 2;
        int last = --_chains;
        int slot = _heads[last];
        _heads[last] = None;
        while (slot != None)
        {
            int next = _next[slot];
            Push(last - _round, slot);
            slot = next;
        }

        if ((_chains & (Segments<int>.SegmentLength - 1)) == 0)
            _heads.Trim(_chains);
    }

    private void Split()
    {
        _heads.Reserve(_chains + 1);
        int chain = _chains - _round;
        int slot = _heads[chain];
        _heads[chain] = None;
        _chains++;
        while (slot != None)
        {
            int next = _next[slot];
            Push(ChainOf(_hashOf(slot)), slot);
            slot = next;
        }

        if (_chains == 2 * _round)
            _round = _chains;
    }
}
