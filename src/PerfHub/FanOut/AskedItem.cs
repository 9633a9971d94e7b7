using System.Buffers.Binary;
using PerfCommon.Codec;

namespace PerfHub.FanOut;

/// <summary>A consumer's request as a record holds it: address, options, id of the view if there is one, name.</summary>
internal readonly ref struct AskedItem(StreamAddress address, Asked asked, ReadOnlySpan<byte> name, int view = 0)
{
    private const int AskedAt = StreamAddress.Bytes;
    private const int ViewAt = AskedAt + sizeof(ushort);

    /// <summary>Maximum bytes of one.</summary>
    public const int MaxBytes = ViewAt + sizeof(int) + byte.MaxValue;

    public StreamAddress Address { get; } = address;

    public ReadOnlySpan<byte> Name { get; } = name;

    /// <summary>Id of its view in the table of all views; 0 for all fields.</summary>
    public int View { get; } = view;

    public DomainType Domain => Has(Asked.OrderBook) ? DomainType.MarketByOrder : DomainType.MarketPrice;

    public bool Has(Asked flag) => (asked & flag) != 0;

    public static AskedItem Read(ReadOnlySpan<byte> record)
    {
        Asked asked = (Asked)BinaryPrimitives.ReadUInt16LittleEndian(record[AskedAt..]);
        return (asked & Asked.View) == 0
            ? new(StreamAddress.Read(record), asked, record[ViewAt..])
            : new(StreamAddress.Read(record), asked, record[(ViewAt + sizeof(int))..], BinaryPrimitives.ReadInt32LittleEndian(record[ViewAt..]));
    }

    /// <returns>Bytes written.</returns>
    public int Write(Span<byte> room)
    {
        Address.Write(room);
        BinaryPrimitives.WriteUInt16LittleEndian(room[AskedAt..], (ushort)(asked | (View != 0 ? Asked.View : 0)));
        int nameAt = ViewAt;
        if (View != 0)
        {
            BinaryPrimitives.WriteInt32LittleEndian(room[ViewAt..], View);
            nameAt += sizeof(int);
        }

        Name.CopyTo(room[nameAt..]);
        return nameAt + Name.Length;
    }
}
