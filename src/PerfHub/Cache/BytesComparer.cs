namespace PerfHub.Cache;

/// <summary>Compares names and keys that peers chose.</summary>
/// <remarks>Hashes from a secret start value, so that a peer cannot choose keys that all collide.</remarks>
internal sealed class BytesComparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    public static BytesComparer Instance { get; } = new();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    public int GetHashCode(byte[] name) => GetHashCode(name.AsSpan());

    public int GetHashCode(ReadOnlySpan<byte> name)
    {
        HashCode hash = new();
        hash.AddBytes(name);
        return hash.ToHashCode();
    }

    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
}
