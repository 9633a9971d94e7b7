using System.Buffers.Binary;
using PerfCommon.Codec;

namespace PerfHub.FanOut;

/// <summary>A consumer's request as a record holds it: address, options, id of the view if there is one, name.</summary>
internal readonly ref struct RequestedItem(StreamAddress address, ItemRequestMarks asked, ReadOnlySpan<byte> name, int view = 0)
{
    private const int MarksAt = StreamAddress.Bytes;
    private const int ViewAt = MarksAt + sizeof(ushort);

    /// <summary>Maximum bytes of one.</summary>
    public const int MaxBytes = ViewAt + sizeof(int) + byte.MaxValue;

    public StreamAddress Address { get; } = address;

    public ReadOnlySpan<byte> Name { get; } = name;

    /// <summary>Id of its view in the table of all views; 0 for all fields.</summary>
    public int View { get; } = view;

    public DomainType Domain => Has(ItemRequestMarks.OrderBook) ? DomainType.MarketByOrder : DomainType.MarketPrice;

    public bool Has(ItemRequestMarks flag) => (asked & flag) != 0;

    public static RequestedItem Read(ReadOnlySpan<byte> record)
    {
        ItemRequestMarks asked = (ItemRequestMarks)BinaryPrimitives.ReadUInt16LittleEndian(record[MarksAt..]);
        return (asked & ItemRequestMarks.View) == 0
            ? new(StreamAddress.Read(record), asked, record[ViewAt..])
            : new(StreamAddress.Read(record), asked, record[(ViewAt + sizeof(int))..], BinaryPrimitives.ReadInt32LittleEndian(record[ViewAt..]));
    }

    /// <returns>Bytes written.</returns>
    public int Write(Span<byte> room)
    {
        Address.Write(room);
        BinaryPrimitives.WriteUInt16LittleEndian(room[MarksAt..], (ushort)(asked | (View != 0 ? ItemRequestMarks.View : 0)));
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
