using PerfCommon.Codec;

namespace PerfHub.Upstream;

/// <summary>
/// What a hub has of an item whose images it does not keep field by field: the request that opened it at its source, or, of a non-interactive
/// provider, the parts of its last image, whole as they came.
/// </summary>
internal sealed class PassedStream
{
    /// <summary>Most bytes of an image that is kept.</summary>
    public const int MaxImageBytes = 16 * 1024 * 1024;

    /// <summary>Most bytes of a request.</summary>
    public const int MaxRequestBytes = 64 * 1024;

    // header and key grow by the hub's own service id and a wider flag word
    private const int Slack = 32;

    private List<byte[]> _parts = []; // of the last whole image
    private List<byte[]> _coming = []; // of the one that is not whole yet
    private int _imageBytes;
    private int _comingBytes;
    private bool _isTooLarge; // until its last part

    /// <summary>The request as its consumer sent it last; empty for an item that is not asked for.</summary>
    public byte[] Request { get; set; } = [];

    /// <summary>True until the image is complete that the consumer asked for.</summary>
    public bool IsAwaited { get; set; }

    /// <summary>Bytes that it takes.</summary>
    public int HeldBytes => Request.Length + _imageBytes + _comingBytes;

    /// <summary>True once there is a whole image.</summary>
    public bool HasImage => _parts.Count > 0;

    /// <summary>Keeps an image, or a part of one.</summary>
    /// <returns>False when there is no room for it: the last whole one stays.</returns>
    public bool TryKeep(scoped in RwfMsg refresh)
    {
        if (refresh.Has(RefreshFlags.ClearCache))
            ForgetParts();
        _isTooLarge |= _comingBytes + refresh.Message.Length > MaxImageBytes;
        bool isKept = !_isTooLarge;
        bool isLast = refresh.Has(RefreshFlags.RefreshComplete);
        if (isKept)
            Add(refresh.Message);
        if (isKept && isLast)
            (_parts, _imageBytes, _coming, _comingBytes) = (_coming, _comingBytes, [], 0);
        else if (!isKept || isLast)
            ForgetParts();
        _isTooLarge &= !isLast;
        return isKept;
    }

    /// <summary>The parts of the image as somebody gets them who asks now, each behind its length.</summary>
    /// <param name="head">What stands before the first.</param>
    /// <param name="about">What their headers say.</param>
    public byte[] Encode(ReadOnlySpan<byte> head, PassedHead about)
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

    /// <summary>Bytes that a request may be longer at the source.</summary>
    public static int RoomBeyond => Slack;

    private static int Encode(Span<byte> room, byte[] part, PassedHead about, bool isFirst)
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
        bool isWritten = writer.TryWriteHeader(msg) && writer.WriteRaw(msg.Payload);
        return isWritten ? writer.Written : throw new InvalidOperationException("a message that is passed on does not fit the room made for it");
    }

    private void Add(ReadOnlySpan<byte> part)
    {
        _coming.Add(part.ToArray());
        _comingBytes += part.Length;
    }

    private void ForgetParts()
    {
        _coming.Clear();
        _comingBytes = 0;
    }
}

/// <summary>What the headers of an image say that somebody gets later.</summary>
/// <param name="StreamId">Its stream.</param>
/// <param name="ServiceId">The hub's id of its service.</param>
/// <param name="Stream">Open, or not for a snapshot.</param>
/// <param name="IsOk">False where the publisher is gone.</param>
/// <param name="IsSolicited">True for the answer to a request.</param>
/// <param name="IsPrivate">True on a private stream.</param>
internal readonly record struct PassedHead(int StreamId, ushort ServiceId, StreamState Stream, bool IsOk, bool IsSolicited, bool IsPrivate);
