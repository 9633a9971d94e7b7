namespace PerfHub.Memory;

/// <summary>The names of the items of one connection, by what they take. One owner thread.</summary>
internal sealed class ItemNames
{
    /// <summary>What all of them may take.</summary>
    public const int MaxBytes = 32 * 1024 * 1024;

    private const int MinNameBytes = 16; // what a short one takes, too

    /// <summary>What they take.</summary>
    public int KeptBytes { get; private set; }

    /// <summary>Adds a name.</summary>
    /// <returns>False when there is no room for it.</returns>
    public bool TryAdd(int nameBytes)
    {
        int bytes = Math.Max(nameBytes, MinNameBytes);
        if (KeptBytes + bytes > MaxBytes)
            return false;
        KeptBytes += bytes;
        return true;
    }

    /// <summary>Takes a name out.</summary>
    public void Remove(int nameBytes) => KeptBytes -= Math.Max(nameBytes, MinNameBytes);
}
