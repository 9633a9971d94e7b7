using PerfCommon.Codec;

namespace HubPerf.Rings;

/// <summary>What a consumer asks, as a record has it: address, what is asked, name.</summary>
internal readonly ref struct AskedItem(StreamAddress address, Asked asked, ReadOnlySpan<byte> name)
{
    private const int AskedAt = StreamAddress.Bytes;
    private const int NameAt = AskedAt + 1;

    /// <summary>Most bytes of one.</summary>
    public const int MaxBytes = NameAt + byte.MaxValue;

    public StreamAddress Address { get; } = address;

    public ReadOnlySpan<byte> Name { get; } = name;

    public DomainType Domain => Has(Asked.OrderBook) ? DomainType.MarketByOrder : DomainType.MarketPrice;

    public bool Has(Asked flag) => (asked & flag) != 0;

    public static AskedItem Read(ReadOnlySpan<byte> record) => new(StreamAddress.Read(record), (Asked)record[AskedAt], record[NameAt..]);

    /// <returns>Its bytes.</returns>
    public int Write(Span<byte> room)
    {
        Address.Write(room);
        room[AskedAt] = (byte)asked;
        Name.CopyTo(room[NameAt..]);
        return NameAt + Name.Length;
    }
}
