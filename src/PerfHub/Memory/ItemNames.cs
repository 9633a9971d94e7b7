namespace PerfHub.Memory;

/// <summary>Counts the memory of the item names of one connection. One owner thread.</summary>
internal sealed class ItemNames
{
    /// <summary>Maximum bytes of all names.</summary>
    public const int MaxBytes = 32 * 1024 * 1024;

    private const int MinNameBytes = 16; // a short one uses these, too

    /// <summary>Bytes in use.</summary>
    public int KeptBytes { get; private set; }

    /// <summary>Adds a name.</summary>
    /// <returns>False when the limit is reached.</returns>
    public bool TryAdd(int nameBytes)
    {
        int bytes = Math.Max(nameBytes, MinNameBytes);
        if (KeptBytes + bytes > MaxBytes)
            return false;
        KeptBytes += bytes;
        return true;
    }

    /// <summary>Removes a name.</summary>
    public void Remove(int nameBytes) => KeptBytes -= Math.Max(nameBytes, MinNameBytes);
}
