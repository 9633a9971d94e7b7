using PerfCommon.Codec;

namespace PerfHub.Upstream;

/// <summary>What identifies an item in its source thread.</summary>
/// <param name="Service">The items of its service.</param>
/// <param name="Name">Its name.</param>
/// <param name="Domain">Its domain.</param>
internal readonly record struct ItemKey(ServiceItems Service, byte[] Name, DomainType Domain)
{
    /// <summary>The hash by which a shared item is found.</summary>
    public uint Hash { get; } = ItemTable.HashOf(Service, Name, Domain);
}
