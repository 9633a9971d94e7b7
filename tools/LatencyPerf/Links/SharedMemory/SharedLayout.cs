using LatencyPerf.Protocol;

namespace LatencyPerf.Links;

/// <summary>The layout of the shared memory of a test: a head, the ring of data, a ring of replies for each cookie.</summary>
/// <param name="Slots">The slots of each ring, a power of two.</param>
/// <param name="MaxBytes">The maximum bytes of a datagram.</param>
/// <param name="Subscribers">The number of rings of replies.</param>
internal readonly record struct SharedLayout(int Slots, int MaxBytes, int Subscribers)
{
    // head: magic u64 | slots u32 | maxBytes u32 | subscribers u32; at 128 the publisher's bell u32, at 192 its sleepers u32
    private const ulong Magic = 0x5254_5348_4D45_4D01;
    private const int SlotsAt = 8, MaxBytesAt = 12, SubscribersAt = 16, HeadBytes = 256;

    public const int BellAt = 128, SleepersAt = 192;

    /// <summary>Returns the layout that a publisher with these options needs.</summary>
    public static SharedLayout Of(LinkOptions options) => new(
        Math.Max(Windows.Usual, options.Window), Math.Max(TestIdentity.MaxControlBytes, DatagramHeader.Bytes + options.MaxBytes),
        options.Subscribers);

    public long TotalBytes => HeadBytes + ((Subscribers + 1L) * RingBytes);

    private long RingBytes => SharedRing.BytesOf(Slots, MaxBytes);

    /// <summary>The ring of data, or of the replies of a cookie.</summary>
    public SharedRing RingOf(SharedRegion region, int side) => new(region, HeadBytes + (side * RingBytes), Slots, MaxBytes);

    /// <summary>Writes the head, as the last step of a publisher before others may join.</summary>
    public void Write(SharedRegion region)
    {
        region.Word(SlotsAt) = (uint)Slots;
        region.Word(MaxBytesAt) = (uint)MaxBytes;
        region.Word(SubscribersAt) = (uint)Subscribers;
        Volatile.Write(ref region.Long(0), Magic);
    }

    /// <summary>Reads the head; null when it is invalid, or describes more than the memory has.</summary>
    public static SharedLayout? TryRead(SharedRegion region)
    {
        if (region.Bytes < HeadBytes || Volatile.Read(ref region.Long(0)) != Magic)
            return null;
        uint slots = region.Word(SlotsAt), maxBytes = region.Word(MaxBytesAt), subscribers = region.Word(SubscribersAt);
        bool isPossible = slots <= Windows.Max && Windows.IsWindow((int)slots) && maxBytes <= DatagramHeader.Bytes + DataPacket.MaxBytes
            && subscribers is >= 1 and <= TestPorts.MaxCookie;
        SharedLayout layout = new((int)slots, (int)maxBytes, (int)subscribers);
        return isPossible && layout.TotalBytes <= region.Bytes ? layout : null;
    }
}
