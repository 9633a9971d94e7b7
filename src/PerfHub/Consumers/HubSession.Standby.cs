using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <content>Handles warm standby: whether another server is the consumer's active one.</content>
internal sealed partial class HubSession // wire/domains 5.11
{
    private StandbyParts? _standby; // null: never requested to stand by

    private bool IsSwitching => _standby is { IsChanging: true };

    private bool IsSwitchHeld => _host.IsFull || Channel.BytesQueued > _host.Settings.MaxQueueBytes / 4;

    private protected override void OnStandby(bool isStandby)
    {
        if (_relay is null && (_standby ??= new()).SetLogin(isStandby))
            BeginSwitch(StandbyParts.AllServices);
    }

    private void ReceiveConsumerStatus(scoped in RwfMsg msg)
    {
        List<(ushort ServiceId, bool IsStandby)> said = [];
        if (!ConsumerStatus.TryRead(msg, said))
            return;
        _standby ??= new();
        ushort[] changed = [.. said.Where(one => _standby.Set(one.ServiceId, one.IsStandby)).Select(one => one.ServiceId)];
        if (changed.Length > 0)
            BeginSwitch(changed.Length == 1 ? changed[0] : StandbyParts.AllServices);
    }

    // A request without a service name belongs to an open stream.
    private bool StandsByFor(scoped in ItemRequest request) => _standby is not null
        && ((request.KeyFlags & MsgKeyFlags.HasServiceId) == 0 ? _standby.IsAny : _standby.Includes(request.ServiceId));

    private void BeginSwitch(ushort serviceId)
    {
        Recording.Notices.Add(_standby!.IsAny ? "Standing by for another server." : "Active: the consumer takes its data from here.");
        _standby.Begin(serviceId, _streams.PositiveIds());
        ContinueSwitch();
    }

    // Some in each turn; the connection is not read meanwhile. A request whose stream is about to be opened is awaited.
    private void ContinueSwitch()
    {
        for (int i = 0; i < BatchItemsAtOnce && IsSwitching && !IsSwitchHeld; i++)
        {
            int streamId = _standby!.NextStream;
            StreamEntry entry = _streams.Find(streamId);
            if (entry is { State: StreamUse.Requested, Slot: 0 })
                return;
            if (entry.State == StreamUse.Open)
                Switch(streamId, entry);
            _standby.MoveNext();
        }
    }

    private void Switch(int streamId, StreamEntry entry)
    {
        RecordReissue(entry.UpstreamIndex, ConnectionViews.None);
        Span<byte> parts = stackalloc byte[StandbyParts.MaxBytes];
        parts = parts[.._standby!.Write(parts)];
        ItemRequestMarks asked = ItemRequestMarks.Switch | (_madePrivate?.Contains(streamId) == true ? ItemRequestMarks.Private : 0);
        Span<byte> room = stackalloc byte[RequestedItem.MaxBytes];
        RequestedItem item = new(new StreamAddress(SlotNumber, streamId, _connectionSerial), asked, parts, _views.IdOf(entry.View));
        _host.To(entry.UpstreamIndex).Send(SessionRecord.Reissue, entry.Slot, room[..item.Write(room)]);
    }
}
