using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfHub.Cache;

/// <summary>Encodes refreshes from the images that a hub stores.</summary>
/// <remarks>
/// One owner thread; a result is valid until the next call. A refresh encoded without a stream id gets one by a patch.
/// </remarks>
internal sealed class ImageEncoder
{
    /// <summary>Flags of every refresh of a hub, solicited or not; so wide that every other set takes the same number of bytes.</summary>
    public const int Flags = RefreshFlags.HasMsgKey | RefreshFlags.RefreshComplete | RefreshFlags.HasQos | RefreshFlags.ClearCache;
    // wire/domains 11

    // header, key and group; a name has at most 255 bytes
    private const int MaxHeaderBytes = 512;

    private byte[] _room = new byte[4_096];

    /// <summary>Encodes the image of an item.</summary>
    /// <param name="about">The values of the header.</param>
    /// <param name="payload">The image.</param>
    /// <param name="view">The requested fields; null for all.</param>
    public ReadOnlySpan<byte> Encode(scoped in ImageHead about, scoped ReadOnlySpan<byte> payload, FieldView? view = null)
    {
        int maxBytes = MaxHeaderBytes + payload.Length;
        if (_room.Length < maxBytes)
            _room = new byte[maxBytes];
        RwfWriter writer = new(_room);
        WriteHeader(ref writer, about);
        int headBytes = writer.Written;
        writer.WriteRaw(payload);
        return view is null ? _room.AsSpan(0, writer.Written)
            : _room.AsSpan(0, headBytes + FieldListFilter.Apply(_room.AsSpan(headBytes, payload.Length), view, out _));
    }

    private static void WriteHeader(ref RwfWriter writer, scoped in ImageHead about)
    {
        MsgKey key = new();
        key.Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | (about.HasNameType ? MsgKeyFlags.HasNameType : 0);
        key.ServiceId = about.ServiceId;
        key.Name = about.Name;
        key.NameType = MarketPriceHeaders.RicNameType;

        RwfMsg refresh = new();
        refresh.MsgClass = MsgClass.Refresh;
        refresh.DomainType = about.Domain;
        refresh.StreamId = about.StreamId;
        refresh.Flags = Flags | (about.IsSolicited ? RefreshFlags.Solicited : 0) | (about.IsPrivate ? RefreshFlags.PrivateStream : 0);
        refresh.ContainerType = MarketPriceHeaders.PayloadOf(about.Domain);
        refresh.State = about.State;
        refresh.GroupId = DomainMsg.GroupId;
        refresh.Qos = about.Qos;
        refresh.Key = key;
        writer.TryWriteHeader(refresh);
    }
}

/// <summary>The values in the header of an image.</summary>
internal ref struct ImageHead
{
    public int StreamId { get; set; }
    public DomainType Domain { get; set; }
    public ushort ServiceId { get; set; }
    public ReadOnlySpan<byte> Name { get; set; }
    public bool HasNameType { get; set; }
    public bool IsSolicited { get; set; }
    public bool IsPrivate { get; set; }
    public RwfState State { get; set; }
    public RwfQos Qos { get; set; }
}
