using System.Security.Cryptography;

namespace HubPerf.Cache;

/// <summary>What all images of one thread share: where their bytes lie, layouts, and room to merge in. One owner thread.</summary>
internal sealed class FieldMerger
{
    private CachedFields _fields;
    private byte[] _room = new byte[4_096];

    /// <summary>An odd number that no peer knows: lists of other fields do not get the same signature by intent.</summary>
    public ulong Secret { get; } = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong))) | 1;

    /// <summary>The bytes of the images.</summary>
    public FieldStore Store { get; } = new();

    /// <summary>The shapes of updates.</summary>
    public ShapeTable Shapes { get; } = new();

    /// <summary>The layouts in use.</summary>
    public LayoutTable Layouts { get; } = new();

    /// <summary>Begins with a list.</summary>
    public void Begin(ReadOnlySpan<byte> list)
    {
        if (list.IsEmpty)
            _fields.Clear();
        else
            _fields.Replace(list, Layouts, isBrief: true);
    }

    /// <summary>Merges a list into what there is.</summary>
    /// <returns>False when the bytes cannot be decoded.</returns>
    public bool Merge(ReadOnlySpan<byte> list) => _fields.Merge(list, Layouts);

    /// <summary>The result; valid until the next time.</summary>
    public ReadOnlySpan<byte> End()
    {
        Span<byte> room = RoomFor(_fields.MaxEncodedBytes);
        return room[.._fields.Encode(room)];
    }

    /// <summary>Room for a result that is encoded otherwise; valid until the next time.</summary>
    public Span<byte> RoomFor(int bytes)
    {
        if (_room.Length < bytes)
            _room = new byte[bytes];
        return _room.AsSpan(0, bytes);
    }
}
