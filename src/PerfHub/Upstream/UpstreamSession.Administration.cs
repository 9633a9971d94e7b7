using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.Notices;

namespace PerfHub.Upstream;

/// <content>Receives the source's services and its dictionary.</content>
internal sealed partial class UpstreamSession
{
    private void HandleDirectory(scoped in RwfMsg msg)
    {
        ConversationResult result = _directory.Receive(msg);
        if (result.Step == ConversationStep.Ready)
            ReceiveServices(_directory.Changed);
        else
            Conclude(result);
        // Its services are gone with the stream that lists them.
        // wire/domains 3.3
        if (result.Step == ConversationStep.Closed && _dictionary is not null)
            _source.OfferServices(_directory, _directory.Changed, _dictionary);
    }

    private void ReceiveServices(IReadOnlyList<ushort> changed)
    {
        if (_dictionary is not null)
        {
            _source.OfferServices(_directory, changed, _dictionary);
            BeReady();
            return;
        }

        if (_download is not null || FindReady(changed) is not { } service)
            return;
        _download = new DictionaryConsumer(service.Info.Id);
        _dictionaryDueNanos = Time.NowNanos + DictionaryLimitNanos;
        Send(_download.EncodeFieldRequest(Scratch));
        Send(_download.EncodeEnumRequest(Scratch));
    }

    private void HandleDictionary(scoped in RwfMsg msg)
    {
        if (_download is null || _dictionary is not null)
            return;
        ConversationResult result = _download.Receive(msg);
        if (result.Step == ConversationStep.Ready)
            UseDictionary(_download.Dictionary!, problem: null);
        else if (result.Step is ConversationStep.Refused or ConversationStep.Closed)
            UseDictionary(_options.OwnDictionary, result.Reason);
        else
            Conclude(result);
    }

    private void UseDictionary(FieldDictionary dictionary, string? problem)
    {
        if (problem is not null)
            Recording.Notices.Add(HubNotices.OwnDictionary, problem);
        _dictionary = dictionary;
        _dictionaryDueNanos = long.MaxValue;
        _source.OfferServices(_directory, _directory.Services.Select(service => service.Info.Id).ToArray(), dictionary);
        BeReady();
    }

    private void BeReady()
    {
        if (IsReady)
            return;
        IsReady = true;
        _source.OnReady();
    }

    // Finds the service with the lowest id among those that have changed.
    private ListedService? FindReady(IReadOnlyList<ushort> changed)
    {
        ListedService? ready = null;
        foreach (ushort id in changed)
        {
            if (_directory.TryFind(id, out ListedService? service) && service.Info.IsReady && (ready is null || id < ready.Info.Id))
                ready = service;
        }

        return ready;
    }
}
