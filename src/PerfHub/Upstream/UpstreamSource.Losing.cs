using PerfCommon.Domains;

namespace PerfHub.Upstream;

/// <content>Loses items: all of them with the connection, or those of services that the source withdraws.</content>
internal sealed partial class UpstreamSource
{
    // True while another source may take over its items of a service: this one has it no longer, and its consumers are notified.
    private bool Lacks(ServiceItems service) => !_losing.IsOn && !_withdrawing.IsOn && !Has(service);

    private bool Has(ServiceItems service) => service.AtSource is { } info && _services.GetValueOrDefault(info.Id) == service;

    // An id that has another name now is another service: the source has the one before no longer.
    private void AddRenamed(List<ListedService> listed, List<ushort> gone)
    {
        Dictionary<ushort, string> standby = [];
        foreach (ListedService service in _standby.Values)
            standby[service.Info.Id] = service.Info.Name!;
        foreach (ServiceInfo info in listed.Select(service => service.Info))
        {
            string? before = _services.TryGetValue(info.Id, out ServiceItems? items) ? items.Service.Offer.Name : standby.GetValueOrDefault(info.Id);
            if (before is not null && before != info.Name)
                gone.Add(info.Id);
        }
    }

    // Removes services by the source's ids: they go down, and it stands by for them no longer.
    // wire/domains 11
    private void Withdraw(List<ushort> ids)
    {
        List<ServiceItems> gone = [];
        foreach (ushort id in ids)
        {
            if (_services.Remove(id, out ServiceItems? lost))
                gone.Add(lost);
        }

        if (ids.Count > 0 && _standby.Count > 0)
        {
            HashSet<ushort> withdrawn = [.. ids];
            foreach (ListedService service in _standby.Values.Where(service => withdrawn.Contains(service.Info.Id)).ToArray())
                _standby.Remove(service.Info.Name!);
        }

        _host.Items.SetDown(gone);
        if (gone.Count > 0)
            _withdrawing.Begin();
    }

    // Once all consumers are notified another source may take over the items.
    private void LoseSome()
    {
        for (int i = 0; i < UpstreamThread.MaxRecordsPerTurn && _host.Broadcaster.HasRoom() && _losing.TryGetNext(out CachedItem? item); i++)
        {
            if (item is not { IsOver: false } || item.Service.Source != this || item.StreamId == 0)
                continue;
            item.StreamId = 0;
            _host.Receiver.Suspect(item);
        }

        if (!_losing.IsOn)
            _host.FailOver();
    }

    // The source may still have the streams: they are closed there.
    private void WithdrawSome()
    {
        for (int i = 0; i < UpstreamThread.MaxRecordsPerTurn && _host.Broadcaster.HasRoom() && _withdrawing.TryGetNext(out CachedItem? item); i++)
        {
            if (item is not { IsOver: false } || item.Service.Source != this || item.StreamId == 0 || Has(item.Service))
                continue;
            _session!.CloseItem(item);
            _host.Receiver.Suspect(item);
        }

        if (!_withdrawing.IsOn)
            _host.FailOver();
    }
}
