using PerfCommon.Codec;

namespace PerfHub.Upstream;

/// <summary>Translates messages of sources into the terms of the hub.</summary>
/// <remarks>One owner thread; a result is valid until the next call.</remarks>
internal sealed class MessageTranslator
{
    private const int MaxAddedBytes = 512;

    private byte[] _room = [];

    /// <summary>Returns a message with the hub's service id, where the source's differs, and with the flag of its private stream.</summary>
    public ReadOnlySpan<byte> Translate(CachedItem item, scoped in RwfMsg msg)
    {
        ushort id = item.Service.Service.Id;
        bool namesAnother = msg.Has(HeaderBits.Of(msg.MsgClass).Key) && msg.Key.Has(MsgKeyFlags.HasServiceId) && msg.Key.ServiceId != id;
        int missing = item.Terms.IsPrivate ? ItemForms.PrivateFlagOf(msg.MsgClass) & ~msg.Flags : 0;
        if (!namesAnother && missing == 0)
            return msg.Message;
        int maxBytes = msg.Message.Length + MaxAddedBytes;
        if (_room.Length < maxBytes)
            _room = new byte[maxBytes];
        RwfMsg translated = msg;
        translated.Flags |= missing;
        MsgKey key = msg.Key;
        key.ServiceId = id;
        translated.Key = key;
        RwfWriter writer = new(_room);
        bool isWritten = writer.TryWriteHeader(translated) && writer.WriteRaw(msg.Payload);
        return isWritten ? _room.AsSpan(0, writer.Written) : msg.Message; // it has a value that no sender may write
    }
}
