using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// Runs two sides against each other over memory before a run, so that their code is compiled when measuring begins.
/// </summary>
/// <remarks>
/// Cold code would make the first refreshes several times slower than all later ones. The same code runs as later; nothing leaves the
/// process, nothing is kept.
/// </remarks>
public static class SessionWarmUp
{
    private const int ItemCount = 2_000;
    private const int ItemsSentTo = 5; // with posts and generic messages, which must not take the time from updates
    private const string ServiceName = "WARM_UP";

    /// <summary>Runs a provider's handler with requests, refreshes, updates, posts and generic messages.</summary>
    /// <param name="options">Options of the provider.</param>
    /// <param name="handler">The handler, which is used for nothing else.</param>
    /// <param name="recording">Receives what it records; not that of the run.</param>
    public static void Provider(ProviderSessionOptions options, ProviderHandler handler, WorkerRecording recording)
    {
        ArgumentNullException.ThrowIfNull(options);
        ServiceOffer service = options.Service with { Name = ServiceName, OpenLimit = 0 };
        ConsumerSession consumer = ConsumerOf(options.Dictionary, new Listener(options.Dictionary));
        ConnectionWarmUp.Run(new ProviderSession(options with { Service = service }, handler), recording, consumer, new WorkerRecording(),
            () => HasStarted(consumer));
    }

    /// <summary>Runs a consumer's handler with refreshes, updates, its posts and generic messages.</summary>
    /// <param name="dictionary">The dictionary of both sides.</param>
    /// <param name="messages">The messages of the provider.</param>
    /// <param name="handler">The handler, which is used for nothing else.</param>
    /// <param name="recording">Receives what it records; not that of the run.</param>
    public static void Consumer(FieldDictionary dictionary, MessageData messages, ConsumerHandler handler, WorkerRecording recording)
    {
        ProviderSessionOptions options = new()
        {
            Offer = LoginOffer.OfThisProcess() with { SupportOmmPost = true },
            Service = new ServiceOffer { Name = ServiceName, Id = 1 },
            Dictionary = dictionary
        };
        ConsumerSession consumer = ConsumerOf(dictionary, handler);
        ConnectionWarmUp.Run(new ProviderSession(options, new WarmUpProvider(messages)), new WorkerRecording(), consumer, recording,
            () => HasStarted(consumer));
    }

    /// <summary>Runs a publisher's handler with refreshes and updates.</summary>
    /// <param name="options">Options of the publisher.</param>
    /// <param name="handler">The handler, which is used for nothing else.</param>
    /// <param name="recording">Receives what it records; not that of the run.</param>
    public static void Publisher(PublisherSessionOptions options, PublisherHandler handler, WorkerRecording recording)
    {
        ArgumentNullException.ThrowIfNull(options);
        PublisherSessionOptions published = options with { Items = CreateItems(), Partition = null };
        PublisherSession publisher = new(published, handler);
        ConnectionWarmUp.Run(new LoginAcceptor(), new WorkerRecording(), publisher, recording,
            () => publisher.Stage == PublisherStage.Publishing || publisher.Failure is not null);
    }

    private static bool HasStarted(ConsumerSession consumer) => consumer.Stage >= ConsumerStage.Items;

    private static ItemList CreateItems() =>
        ItemList.Create(Enumerable.Range(1, ItemCount).Select(i => $"WARM{i}"), ItemFlags.Post | ItemFlags.GenMsg);

    private static ConsumerSession ConsumerOf(FieldDictionary dictionary, ConsumerHandler handler) => new(
        new ConsumerSessionOptions
        {
            ServiceName = ServiceName,
            Items = CreateItems(),
            Dictionary = dictionary,
        },
        handler);

    // Posts to some items, and sends them generic messages.
    private sealed class Listener(FieldDictionary dictionary) : ConsumerHandler
    {
        private readonly FieldListTemplate _noFields = new FieldListBuilder(dictionary).Build();

        protected internal override void OnBatchEnd()
        {
            ulong stamp = (ulong)Session.Time.NowMicros;
            for (int item = 0; item < ItemsSentTo; item++)
            {
                Session.TrySendPost(item, _noFields, stamp);
                Session.TrySendGeneric(item, _noFields, stamp);
            }
        }
    }

    // Sends the refresh of every item and updates of all of them in every tick, for some also generic messages; posts are reflected.
    private sealed class WarmUpProvider(MessageData messages) : ProviderHandler
    {
        protected internal override bool WantsTicks => true;

        protected internal override int MaxRefreshBytes => messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => messages.Refresh.EncodeList(ref writer);

        protected internal override bool OnTick(in TickInfo tick)
        {
            ulong stamp = (ulong)Session.Time.NowMicros;
            for (int i = 0; i < Session.UpdatingItems; i++)
                Session.TrySendUpdate(Session.UpdatingItemAt(i), messages.Updates[i % messages.Updates.Count], (i & 1) == 0 ? stamp : 0);
            for (int i = 0; i < Session.UpdatingItems && i < ItemsSentTo; i++)
                Session.TrySendGeneric(Session.UpdatingItemAt(i), messages.Updates[0], stamp);
            return true;
        }

        protected internal override void OnPost(int item, scoped in RwfMsg post) => Session.Reflect(item, post);
    }

    // Accepts the login of a publisher and reads the rest.
    private sealed class LoginAcceptor : Connection
    {
        private const int MaxAnswerBytes = 1_024;

        private readonly LoginProvider _login = new(new LoginOffer { ApplicationName = ServiceName, Position = "" });
        private readonly byte[] _scratch = new byte[MaxAnswerBytes];

        internal override void OnOpened(long nowNanos)
        {
        }

        internal override void OnReadable(long untilNanos)
        {
            Receiver receiver = new(this);
            Receive(ref receiver, untilNanos);
        }

        private bool Handle(ReadOnlySpan<byte> message)
        {
            bool isLogin = RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success && msg.DomainType == DomainType.Login;
            if (isLogin && _login.Receive(msg).Step == ConversationStep.Send)
                Output.TrySend(_scratch.AsSpan(0, _login.EncodeRefresh(_scratch)), MessageKind.Other);
            return true;
        }

        private readonly struct Receiver(LoginAcceptor taker) : IMessageReceiver
        {
            public bool Receive(ReadOnlySpan<byte> message) => taker.Handle(message);
        }
    }
}
