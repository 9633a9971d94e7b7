using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.Sessions;

/// <content>Login, directory, dictionary.</content>
public sealed partial class ConsumerSession
{
    private protected override bool IsLoggingIn => Stage == ConsumerStage.Login;

    private protected override void OnAsking(long nowNanos)
    {
        _requests = CreateRequests();
        Enter(ConsumerStage.Login, nowNanos);
    }

    private protected override void OnLoggedIn()
    {
        Enter(ConsumerStage.Service, Time.NowNanos);
        _handler.OnLoggedIn();
    }

    private protected override void OnLoginAck(scoped in RwfMsg ack) => _handler.OnAck(-1, ack);

    private void HandleDirectory(scoped in RwfMsg msg)
    {
        ConversationResult result = _directory.Take(msg);
        _serviceShortcoming = _directory.Shortcoming;
        if (result.Step == ConversationStep.Ready)
            UseService(Time.NowNanos);
        else
            Conclude(result);
    }

    private void UseService(long nowNanos)
    {
        if (Stage != ConsumerStage.Service)
            return;
        DictionaryContents missing = MissingOfDictionary;
        if (missing == DictionaryContents.None)
        {
            BeginItems(_options.Dictionary!, nowNanos);
            return;
        }

        Enter(ConsumerStage.Dictionary, nowNanos);
        _download = new DictionaryConsumer(_directory.Service!.Id, _options.Dictionary, missing);
        Recording.Notices.Add($"No {Describe(missing)}: downloading from the provider.");
        if (missing.HasFlag(DictionaryContents.Fields))
            Send(_download.EncodeFieldRequest(Scratch));
        if (missing.HasFlag(DictionaryContents.Enums))
            Send(_download.EncodeEnumRequest(Scratch));
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
        _gotAnswer = true;
        ConversationResult result = _download.Take(msg);
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
            Recording.Notices.Add($"Warning: {why}; going on without enum tables.");
            BeginItems(_options.Dictionary!, Time.NowNanos);
            return;
        }

        Recording.Notices.Add($"Warning: {why}; using the program's own dictionary, fields it lacks are skipped.");
        BeginItems(_options.FallbackDictionary ?? FieldDictionary.Default, Time.NowNanos);
    }

    private void BeginItems(FieldDictionary dictionary, long nowNanos)
    {
        _dictionary = dictionary;
        Recording.Notices.Add("Dictionary ready, requesting items...");
        Enter(ConsumerStage.Items, nowNanos);
        _handler.OnReady();
    }
}
