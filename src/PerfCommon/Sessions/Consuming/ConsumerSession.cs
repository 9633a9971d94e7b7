using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// A consumer's connection: logs in, waits for the service, gets the dictionary, requests items, and notifies a handler of their messages.
/// </summary>
/// <remarks>
/// Add it to a worker by <see cref="Worker.Connect(Connection, ConnectOptions)"/>. It belongs to that worker's thread unless stated
/// otherwise.
/// </remarks>
public sealed partial class ConsumerSession : ClientSession, IServiceItems
{
    // wire/domains 4
    private const long DictionaryLimitNanos = 5 * Clock.NanosPerSecond;

    private readonly ConsumerSessionOptions _options;
    private readonly ConsumerHandler _handler;
    private readonly DirectoryConsumer _directory;
    private readonly ItemGroups _groups;
    private readonly WatchedItems? _watched;
    private readonly HandleDispatcher _dispatcher;
    private readonly ItemAnswers _answers;
    private DictionaryConsumer? _download;
    private FieldDictionary? _dictionary;
    private PostMessage? _posts; // once there are any
    private Dictionary<int, FieldView?>? _views; // of items whose view was changed
    private long _stageNanos;
    private long _lastAnswerNanos;
    private bool _hasNewAnswer; // since the last call of OnReadable
    private volatile int _stage;
    private volatile ConsumerFailure? _failure;
    private volatile string _serviceShortcoming = "the provider has not answered the directory request";

    /// <summary>Creates a session.</summary>
    /// <param name="options">Its requests.</param>
    /// <param name="handler">Handles the events.</param>
    public ConsumerSession(ConsumerSessionOptions options, ConsumerHandler handler)
        : base(IdentityOf(options))
    {
        ArgumentNullException.ThrowIfNull(handler);
        _options = options;
        _handler = handler;
        _directory = new DirectoryConsumer(options.ServiceName, this);
        _watched = options.Watched;
        int items = Math.Max(options.ItemCount, _watched?.Count ?? 0);
        _answers = new ItemAnswers(items);
        _groups = new ItemGroups(items);
        _dispatcher = new HandleDispatcher(handler, _watched);
        handler.Join(this);
    }

    /// <summary>The furthest stage that the connection has reached. Any thread.</summary>
    public ConsumerStage Stage => (ConsumerStage)_stage;

    /// <summary>The reason why the connection cannot continue; null otherwise. Any thread.</summary>
    public ConsumerFailure? Failure => _failure;

    /// <summary>The reason why the service is not ready, as a sentence; not valid while it is ready. Any thread.</summary>
    public string ServiceShortcoming => _serviceShortcoming;

    /// <summary>The dictionary in use; from <see cref="ConsumerHandler.OnReady"/> on.</summary>
    public FieldDictionary Dictionary => _dictionary ?? throw new InvalidOperationException("The dictionary is not there yet.");

    /// <summary>Returns a reader of a message's values, by field id or name; from <see cref="ConsumerHandler.OnReady"/> on.</summary>
    public FieldValues ValuesOf(scoped in UpdateHeader update) =>
        new(update.ContainerType == DataType.FieldList ? update.Payload : default, Dictionary);

    /// <summary>Returns a reader of a message's values, by field id or name; from <see cref="ConsumerHandler.OnReady"/> on.</summary>
    public FieldValues ValuesOf(scoped in RwfMsg message) =>
        new(message.ContainerType == DataType.FieldList ? message.Payload : default, Dictionary);

    /// <summary>Returns a reader of a field list's values, such as those of an entry of a map.</summary>
    public FieldValues ValuesOf(FieldListReader list) => new(list, Dictionary);

    /// <summary>Number of items of this session; of a watchlist the number of handles so far, released ones included.</summary>
    public int ItemCount => _watched?.Handles.Count ?? _options.ItemCount;

    /// <summary>Returns the name of an item.</summary>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1; no released handle.</param>
    public ReadOnlySpan<byte> NameOf(int item) =>
        _watched is null ? _options.Items.NameOf(_options.ListIndexOf(item)) : _watched.Handles.NameOf(item);

    /// <summary>Returns the uses of an item.</summary>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1; no released handle.</param>
    public ItemFlags FlagsOf(int item) =>
        _watched is null ? _options.Items.FlagsOf(_options.ListIndexOf(item)) : _watched.Handles.FlagsOf(_watched.Handles.ItemOf(item));

    /// <summary>The posting user, as in reflected posts.</summary>
    public PostUser Poster => _options.Poster;

    internal PostMessage Posts => _posts ??= new(Poster);

    /// <summary>Posts to an item that was requested: an update on its stream.</summary>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1.</param>
    /// <param name="fields">The fields of the update.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, before the item was requested, or when the connection is closed.</returns>
    public bool TrySendPost(int item, FieldListTemplate fields, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(fields);
        if (!IsOpen || !IsAsked(item) || !Output.TryBegin(Posts.MaxBytes(fields), out Span<byte> room))
            return false;
        Output.End(Posts.Encode(room, StreamIdOf(item), fields, stamp), MessageKind.Post);
        return true;
    }

    /// <summary>Closes the login, and with it all items; the provider may end the connection afterwards.</summary>
    /// <returns>False while no output buffer is free: then the end of the connection tells it.</returns>
    public bool TryLogOut() // wire/domains 2.3
    {
        if (!IsOpen || !Output.TryBegin(MarketPriceHeaders.MaxRequestBytes(0), out Span<byte> room))
            return false;
        Output.End(MarketPriceConsumer.EncodeClose(room, StreamIds.Login, DomainType.Login), MessageKind.Other);
        Output.EndBurst();
        return true;
    }

    /// <summary>Requests an item once more on its stream: a reissue, which is answered with another refresh.</summary>
    /// <remarks>Not every provider supports it: that of the C# edition ends.</remarks>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1.</param>
    /// <param name="wantsRefresh">False requests no refresh.</param>
    /// <returns>
    /// False while no output buffer is free or the service is down, before the item was requested, or when the connection is closed.
    /// </returns>
    // wire/domains 5.5
    public bool TryReissue(int item, bool wantsRefresh = true)
    {
        FieldView? view = AcceptsViews ? ViewOf(item) : null;
        int maxBytes = MarketPriceConsumer.MaxRequestBytes(ItemList.MaxNameBytes, view);
        if (!IsOpen || !IsAsked(item) || !_directory.IsReady || !Output.TryBegin(maxBytes, out Span<byte> room))
            return false;
        ItemFlags flags = FlagsOf(item);
        int bytes = MarketPriceConsumer.EncodeRequest(
            room, StreamIdOf(item), _directory.Service!, NameOf(item), _options.Streams(flags), wantsRefresh,
            (flags & ItemFlags.PrivateStream) != 0, DomainOf(item), view);
        Output.End(bytes, MessageKind.Request);
        return true;
    }

    /// <summary>Requests other fields of an item that was requested: a reissue, which is answered with another refresh.</summary>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1. In a watchlist it applies to all handles of the item.</param>
    /// <param name="view">The fields; null for all.</param>
    /// <returns>As <see cref="TryReissue"/>; false as well where the provider does not support views.</returns>
    // wire/domains 5.9
    public bool TryChangeView(int item, FieldView? view)
    {
        if (!AcceptsViews || !IsAsked(item))
            return false;
        FieldView? before = ViewOf(item);
        SetView(item, view);
        if (TryReissue(item))
            return true;
        SetView(item, before);
        return false;
    }

    /// <summary>Sends a generic message on the stream of an item that was requested.</summary>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1.</param>
    /// <param name="fields">Its fields.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for providers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, before the item was requested, or when the connection is closed.</returns>
    public bool TrySendGeneric(int item, FieldListTemplate fields, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(fields);
        if (!IsOpen || !IsAsked(item) || !Output.TryBegin(default(GenericMessage).MaxBytes(fields), out Span<byte> room))
            return false;
        Output.End(default(GenericMessage).Encode(room, StreamIdOf(item), fields, stamp), MessageKind.Generic);
        return true;
    }

    private DomainType DomainOf(int item) =>
        _watched is null ? ItemDomain.Of(FlagsOf(item)) : _watched.Handles.DomainOf(_watched.Handles.ItemOf(item));

    private FieldView? ViewOf(int item) => _watched is null
        ? _views?.TryGetValue(item, out FieldView? changed) == true ? changed : _options.View
        : _watched.Handles.ViewOf(_watched.Handles.ItemOf(item));

    private void SetView(int item, FieldView? view)
    {
        if (_watched is null)
            (_views ??= [])[item] = view;
        else
            _watched.Handles.SetView(_watched.Handles.ItemOf(item), view);
    }

    // In a watchlist's session a number is a handle.
    private bool IsAsked(int item) => IsRequested(_watched?.Handles.ItemOf(item) ?? item);

    /// <summary>Returns the stream of an item; in a watchlist it changes with each request.</summary>
    // wire/domains 1
    public int StreamIdOf(int item) => _watched?.StreamIdOf(_watched.Handles.ItemOf(item)) ?? StreamIds.FirstItem + item;

    /// <summary>The directory with the state of the service; while it is down, messages to items pause.</summary>
    internal DirectoryConsumer Directory => _directory;

    /// <summary>True while the service is up and accepts requests. Owning thread, or after the worker has ended.</summary>
    public bool IsServiceUp => _directory.IsReady;

    internal override long NextDueNanos => IsFinishing
        ? long.MaxValue
        : Stage switch
        {
            ConsumerStage.Dictionary => Math.Min(_stageNanos + DictionaryLimitNanos, _lastAnswerNanos + AnswerLimitNanos),
            ConsumerStage.Priming or ConsumerStage.Items when _answers.IsWaiting =>
                Math.Min(_lastAnswerNanos + AnswerLimitNanos, NextRetryNanos),
            ConsumerStage.Items => NextRetryNanos,
            _ => long.MaxValue,
        };

    /// <summary>Ends sending because of a received message; the first failure is kept (<see cref="ConsumerFailure"/>).</summary>
    public override void Fail(ConsumerFailureKind kind, string text, bool isBroken = false)
    {
        _failure ??= new ConsumerFailure(kind, text, isBroken);
        Finish(Time.NowNanos);
    }

    internal override void OnAttemptFailed(CloseReason reason) => _handler.OnConnectFailed(reason);

    internal override void OnDue(long nowNanos)
    {
        if (Stage == ConsumerStage.Dictionary && nowNanos - _stageNanos >= DictionaryLimitNanos)
            UseFallbackDictionary("the provider sent no dictionary within 5 s");
        _watched?.Retry(nowNanos);
        if (!_answers.IsWaiting && Stage != ConsumerStage.Dictionary)
            return;
        if (nowNanos - _lastAnswerNanos < AnswerLimitNanos)
            return;
        _lastAnswerNanos = nowNanos;
        // wire/domains 16
        Channel.SendPing();
    }

    internal override void OnFinishing()
    {
        if (WillBeFollowed)
            return;
        RecordEnd();
        _handler.OnFinishing();
    }

    internal override void OnClosed(CloseReason reason)
    {
        bool isOrderly = reason.Kind is CloseKind.PeerClosed or CloseKind.Local;
        if (WillBeFollowed)
            NotifyLost("the connection was lost"u8);
        if (!IsFinishing)
            Fail(ConsumerFailureKind.ConnectionLost, $"connection lost: {reason.Text}", isBroken: true);
        else if (!isOrderly)
            Fail(ConsumerFailureKind.ConnectionLost, $"connection lost at the end: {reason.Text}", isBroken: true);
        if (!WillBeFollowed)
            RecordEnd();
        _handler.OnClosed(reason);
    }

    // The end of one of many sessions is not recorded here: their worker records it.
    private void RecordEnd()
    {
        if (!_options.IsOneOfMany)
            Recording.RecordFirst(Moment.End, Time.NowNanos);
    }

    private void Enter(ConsumerStage stage, long nowNanos)
    {
        _stage = (int)stage;
        _stageNanos = nowNanos;
        _lastAnswerNanos = nowNanos;
    }

    private static LoginIdentity IdentityOf(ConsumerSessionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.Identity ?? LoginIdentity.OfThisProcess();
    }
}
