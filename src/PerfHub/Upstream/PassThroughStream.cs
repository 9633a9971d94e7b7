using PerfCommon.Codec;

namespace PerfHub.Upstream;

/// <summary>
/// The data of an item whose images are not cached field by field: the request that opened it at its source, or, of a non-interactive provider, the
/// parts of its last image, unchanged.
/// </summary>
internal sealed class PassThroughStream
{
    /// <summary>Maximum bytes of an image that is kept.</summary>
    public const int MaxImageBytes = 16 * 1024 * 1024;

    /// <summary>Maximum bytes of a request.</summary>
    public const int MaxRequestBytes = 64 * 1024;

    // header and key grow by the hub's service id and a wider flag word
    private const int Slack = 32;

    private List<byte[]> _parts = []; // of the last complete image
    private List<byte[]> _coming = []; // of the incomplete one
    private int _imageBytes;
    private int _comingBytes;
    private bool _isTooLarge; // until its last part

    /// <summary>The request as its consumer sent it last; empty for an item without a request.</summary>
    public byte[] Request { get; set; } = [];

    /// <summary>True until the image that the consumer requested is complete.</summary>
    public bool IsAwaited { get; set; }

    /// <summary>Bytes in memory.</summary>
    public int HeldBytes => Request.Length + _imageBytes + _comingBytes;

    /// <summary>True once there is a complete image.</summary>
    public bool HasImage => _parts.Count > 0;

    /// <summary>Stores an image, or a part of one.</summary>
    /// <returns>False when it is too large: the last complete one stays.</returns>
    public bool TryKeep(scoped in RwfMsg refresh)
    {
        if (refresh.Has(RefreshFlags.ClearCache))
            DiscardParts();
        _isTooLarge |= _comingBytes + refresh.Message.Length > MaxImageBytes;
        bool isKept = !_isTooLarge;
        bool isLast = refresh.Has(RefreshFlags.RefreshComplete);
        if (isKept)
            Add(refresh.Message);
        if (isKept && isLast)
            (_parts, _imageBytes, _coming, _comingBytes) = (_coming, _comingBytes, [], 0);
        else if (!isKept || isLast)
            DiscardParts();
        _isTooLarge &= !isLast;
        return isKept;
    }

    /// <summary>Encodes the parts of the image for a later request, each after its length.</summary>
    /// <param name="head">Bytes before the first part.</param>
    /// <param name="about">The values of their headers.</param>
    public byte[] Encode(ReadOnlySpan<byte> head, PassThroughHead about)
    {
        byte[] room = new byte[head.Length + _imageBytes + (_parts.Count * (sizeof(int) + Slack))];
        head.CopyTo(room);
        int at = head.Length;
        bool isFirst = true;
        foreach (byte[] part in _parts)
        {
            int bytes = Encode(room.AsSpan(at + sizeof(int)), part, about, isFirst);
            BitConverter.TryWriteBytes(room.AsSpan(at), bytes);
            at += sizeof(int) + bytes;
            isFirst = false;
        }

        return room[..at];
    }

    /// <summary>Encodes the request for the source.</summary>
    /// <param name="room">At least as long as the request and <see cref="RoomBeyond"/>.</param>
    /// <param name="streamId">Its stream there.</param>
    /// <param name="serviceId">The source's id of its service.</param>
    public int EncodeRequest(Span<byte> room, int streamId, ushort serviceId)
    {
        RwfMsg.TryDecode(Request, out RwfMsg request);
        MsgKey key = request.Key;
        key.ServiceId = serviceId;
        request.Key = key;
        request.StreamId = streamId;
        return Write(room, request);
    }

    /// <summary>Bytes by which a request may grow for the source.</summary>
    public static int RoomBeyond => Slack;

    private static int Encode(Span<byte> room, byte[] part, PassThroughHead about, bool isFirst)
    {
        RwfMsg.TryDecode(part, out RwfMsg refresh);
        refresh.StreamId = about.StreamId;
        refresh.Flags = (refresh.Flags & ~(RefreshFlags.Solicited | RefreshFlags.ClearCache | RefreshFlags.PrivateStream))
            | (about.IsSolicited ? RefreshFlags.Solicited : 0) | (isFirst ? RefreshFlags.ClearCache : 0)
            | (about.IsPrivate ? RefreshFlags.PrivateStream : 0);
        refresh.State = new RwfState(about.Stream, about.IsOk ? refresh.State.DataState : DataState.Suspect, refresh.State.Code, refresh.State.Text);
        if (refresh.Has(RefreshFlags.HasMsgKey))
        {
            MsgKey key = refresh.Key;
            key.ServiceId = about.ServiceId;
            refresh.Key = key;
        }

        return Write(room, refresh);
    }

    private static int Write(Span<byte> room, scoped in RwfMsg msg)
    {
        RwfWriter writer = new(room);
        if (writer.TryWriteHeader(msg) && writer.WriteRaw(msg.Payload))
            return writer.Written;
        if (writer.Problem == EncodeProblem.NoRoom)
            throw new InvalidOperationException("a message that is passed on does not fit the room made for it");
        msg.Message.CopyTo(room); // it has a value that no sender may write: it is sent as it came
        MsgPatch.SetStreamId(room, msg.StreamId);
        return msg.Message.Length;
    }

    private void Add(ReadOnlySpan<byte> part)
    {
        _coming.Add(part.ToArray());
        _comingBytes += part.Length;
    }

    private void DiscardParts()
    {
        _coming.Clear();
        _comingBytes = 0;
    }
}

/// <summary>The header values of an image that is sent again.</summary>
/// <param name="StreamId">Its stream.</param>
/// <param name="ServiceId">The hub's id of its service.</param>
/// <param name="Stream">Open, or not for a snapshot.</param>
/// <param name="IsOk">False when the publisher is disconnected.</param>
/// <param name="IsSolicited">True for the answer to a request.</param>
/// <param name="IsPrivate">True on a private stream.</param>
internal readonly record struct PassThroughHead(int StreamId, ushort ServiceId, StreamState Stream, bool IsOk, bool IsSolicited, bool IsPrivate);
