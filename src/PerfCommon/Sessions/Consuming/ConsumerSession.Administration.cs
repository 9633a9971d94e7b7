using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Handles login, directory and dictionary.</content>
public sealed partial class ConsumerSession
{
    private protected override bool IsLoggingIn => Stage == ConsumerStage.Login;

    private protected override void OnAsking(long nowNanos) => Enter(ConsumerStage.Login, nowNanos);

    private protected override void OnLoggedIn()
    {
        Enter(ConsumerStage.Service, Time.NowNanos);
        _handler.OnLoggedIn();
        if (_options.Standby == StandbyMode.Login)
            SendStandby();
    }

    private protected override void OnLoginAck(scoped in RwfMsg ack) => _handler.OnAck(-1, ack);

    private protected override void OnRoundTrip(in RoundTripMessage trip) =>
        _handler.OnRoundTrip(trip.Ticks, trip.LastRoundTrip, trip.TcpRetransmissions);

    private void HandleDirectory(scoped in RwfMsg msg)
    {
        bool wasReady = _directory.IsReady;
        ConversationResult result = _directory.Receive(msg);
        _serviceShortcoming = _directory.Shortcoming;
        if (Stage > ConsumerStage.Service)
            RecordService(wasReady);
        if (result.Step == ConversationStep.Ready)
            UseService(Time.NowNanos);
        else if (result.Step != ConversationStep.Wait || Stage <= ConsumerStage.Service)
            Conclude(result);
    }

    // While the service is down, messages to items pause.
    // wire/domains 3.4
    private void RecordService(bool wasReady)
    {
        bool isReady = _directory.IsReady;
        if (isReady == wasReady)
            return;
        if (!isReady)
            Counters.Add(Counter.ServiceLosses, 1);
        if (!isReady && _watched is not null)
            NotifyLost("the service is down"u8);
        else if (_watched is not null)
            RenewItems();
        _handler.OnServiceChange(isReady);
        string service = PrintableText.From(_options.ServiceName);
        if (isReady)
            Report(SessionNotices.ServiceUp, service);
        else
            Report(SessionNotices.ServiceDown, service, _serviceShortcoming);
    }

    // wire/domains 5.5
    void IServiceItems.SetState(ReadOnlySpan<byte> group, scoped in RwfState state)
    {
        ushort number = group.IsEmpty ? (ushort)0 : _groups.NumberOf(group);
        for (int item = 0; item < _answers.Room; item++)
        {
            if (!IsRequested(item) || !(group.IsEmpty || _groups.IsIn(item, number)))
                continue;
            if (_watched is not null && state.StreamState == StreamState.ClosedRecover)
            {
                Recover(item, state);
                continue;
            }

            if (_watched is not null && DomainMsg.IsFinal(state))
            {
                RecordAnswer(item);
                CloseForGood(item);
            }

            NotifyState(item, state);
        }
    }

    // wire/domains 5.5
    void IServiceItems.MergeGroup(ReadOnlySpan<byte> group, ReadOnlySpan<byte> into) => _groups.Merge(group, into);

    private void UseService(long nowNanos)
    {
        if (Stage != ConsumerStage.Service)
            return;
        if (_options.Standby == StandbyMode.Service)
            SendStandby();
        DictionaryContents missing = MissingOfDictionary;
        if (missing == DictionaryContents.None)
        {
            BeginItems(_options.Dictionary!, nowNanos);
            return;
        }

        Enter(ConsumerStage.Dictionary, nowNanos);
        _download = new DictionaryConsumer(_directory.Service!.Id, _options.Dictionary, missing);
        Recording.Notices.Add(SessionNotices.Downloading, Describe(missing));
        if (missing.HasFlag(DictionaryContents.Fields))
            Send(_download.EncodeFieldRequest(Scratch));
        if (missing.HasFlag(DictionaryContents.Enums))
            Send(_download.EncodeEnumRequest(Scratch));
    }

    /// <summary>Reports to the provider whether it is the standby; without effect before that stage, in which it is reported anyway.</summary>
    internal void SendStandby() // wire/domains 5.11
    {
        bool isDue = IsOpen && SupportsStandby && Stage >= ConsumerStage.Service;
        if (isDue && _options.Standby == StandbyMode.Login)
            Send(ConnectionStatus.Encode(Scratch, _handler.IsStandby));
        else if (isDue && _options.Standby == StandbyMode.Service && _directory.Service is { } service)
            Send(ConsumerStatus.Encode(Scratch, service.Id, _handler.IsStandby));
    }

    private DictionaryContents MissingOfDictionary => _options.Dictionary is null ? DictionaryContents.Both : _options.MissingOfDictionary;

    private static string Describe(DictionaryContents missing) => missing switch
    {
        DictionaryContents.Fields => "file of field definitions",
        DictionaryContents.Enums => "file of enum tables",
        _ => "dictionary files",
    };

    private void HandleDictionary(scoped in RwfMsg msg)
    {
        if (_download is null || Stage != ConsumerStage.Dictionary)
            return;
        _hasNewAnswer = true;
        ConversationResult result = _download.Receive(msg);
        if (result.Step == ConversationStep.Ready)
            BeginItems(_download.Dictionary!, Time.NowNanos);
        else if (result.Step is ConversationStep.Refused or ConversationStep.Closed)
            UseFallbackDictionary(result.Reason ?? "the provider refused the dictionary");
        else
            Conclude(result);
    }

    private void UseFallbackDictionary(string why)
    {
        if (MissingOfDictionary == DictionaryContents.Enums)
        {
            Recording.Notices.Add(SessionNotices.NoEnumTables, why);
            BeginItems(_options.Dictionary!, Time.NowNanos);
            return;
        }

        Recording.Notices.Add(SessionNotices.OwnDictionary, why);
        BeginItems(_options.FallbackDictionary ?? FieldDictionary.Default, Time.NowNanos);
    }

    private void BeginItems(FieldDictionary dictionary, long nowNanos)
    {
        _dictionary = dictionary;
        _download = null; // with its error, where it was aborted
        BeginRequests(_options.Prime && _options.ItemCount > 0 ? ConsumerStage.Priming : ConsumerStage.Items, nowNanos);
        _handler.OnReady();
    }
}
