using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfHub.FanOut;
using PerfHub.Notices;

namespace PerfHub.Consumers;

/// <summary>Handles warm standby: whether another server is the consumer's active one, and what that changes for its streams.</summary>
/// <param name="session">The consumer's connection.</param>
/// <param name="host">Its thread.</param>
internal sealed class StandbySwitch(HubSession session, ConsumerThread host) // wire/domains 5.11
{
    private StandbyParts? _parts; // null: never requested to stand by

    /// <summary>True while a change still has to reach streams.</summary>
    public bool IsOn => _parts is { IsChanging: true };

    /// <summary>True while there is no space to continue.</summary>
    public bool IsHeld => host.IsFull || session.Channel.BytesQueued > host.Settings.MaxQueueBytes / 4;

    /// <summary>Handles what the login states.</summary>
    public void SetLogin(bool isStandby)
    {
        if ((_parts ??= new()).SetLogin(isStandby))
            Begin(StandbyParts.AllServices);
    }

    /// <summary>Handles what a directory message states of each service.</summary>
    public void Receive(scoped in RwfMsg msg)
    {
        List<(ushort ServiceId, bool IsStandby)> said = [];
        if (!ConsumerStatus.TryRead(msg, said))
            return;
        _parts ??= new();
        ushort[] changed = [.. said.Where(one => _parts.Set(one.ServiceId, one.IsStandby)).Select(one => one.ServiceId)];
        if (changed.Length > 0)
            Begin(changed.Length == 1 ? changed[0] : StandbyParts.AllServices);
    }

    /// <summary>True where another server is the active one for a requested item.</summary>
    // A request without a service name belongs to an open stream.
    public bool Includes(scoped in ItemRequest request) => _parts is not null
        && ((request.KeyFlags & MsgKeyFlags.HasServiceId) == 0 ? _parts.IsAny : _parts.Includes(request.ServiceId));

    /// <summary>Continues a change.</summary>
    // Some in each turn; the connection is not read meanwhile. A request whose stream is about to be opened is awaited.
    public void Continue()
    {
        for (int i = 0; i < ConsumerRequests.ItemsAtOnce && IsOn && !IsHeld; i++)
        {
            int streamId = _parts!.NextStream;
            StreamEntry entry = session.Streams.Find(streamId);
            if (entry is { State: StreamUse.Requested, Slot: 0 })
                return;
            if (entry.State == StreamUse.Open)
                Switch(streamId, entry);
            _parts.MoveNext();
        }
    }

    /// <summary>Ends a change: it reaches no further stream.</summary>
    public void End() => _parts?.End();

    private void Begin(ushort serviceId)
    {
        session.Recording.Notices.Add(_parts!.IsAny ? HubNotices.StandingBy : SessionNotices.Active);
        _parts.Begin(serviceId, session.Streams.Ids);
        Continue();
    }

    private void Switch(int streamId, StreamEntry entry)
    {
        ConsumerStreams streams = session.Streams;
        streams.RecordReissue(entry.UpstreamIndex, ConnectionViews.None);
        Span<byte> parts = stackalloc byte[StandbyParts.MaxBytes];
        parts = parts[.._parts!.Write(parts)];
        ItemRequestMarks asked = ItemRequestMarks.Switch | (streams.IsMadePrivate(streamId) ? ItemRequestMarks.Private : 0);
        Span<byte> room = stackalloc byte[RequestedItem.MaxBytes];
        RequestedItem item = new(streams.AddressOf(streamId), asked, parts, streams.Views.IdOf(entry.View));
        host.To(entry.UpstreamIndex).Send(SessionRecord.Reissue, entry.Slot, room[..item.Write(room)]);
    }
}
