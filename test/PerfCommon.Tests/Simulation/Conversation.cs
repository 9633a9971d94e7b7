using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>Creates both sides of a simulated run, and checks that their counts agree.</summary>
internal abstract class Conversation
{
    /// <summary>Returns the protocol type of a seed's conversation.</summary>
    public static byte ProtocolOf(int seed) => seed % 4 == 3 ? RsslProtocol.TransportPerf : RsslProtocol.Rwf;

    public static Conversation Create(ConversationSettings settings) => (settings.Seed % 4) switch
    {
        0 or 1 => new ConsumersAndProvider(settings),
        2 => new PublishersAndHub(settings),
        _ => new OpaquePair(settings),
    };

    /// <summary>The server's end of a connection.</summary>
    public abstract Connection CreateServing();

    /// <summary>A client's end.</summary>
    public abstract Connection CreateConnecting();

    /// <summary>Checks the counts of every connection separately, once all are closed.</summary>
    public abstract void CheckEach();

    /// <summary>Returns the messages sent and received of each kind, in both directions.</summary>
    public abstract IEnumerable<(string Name, long Sent, long Received)> Balance(CounterSet server, CounterSet client);

    private sealed class ConsumersAndProvider(ConversationSettings settings) : Conversation
    {
        private readonly List<NumberedConsumer> _consumers = [];
        private readonly List<NumberedProvider> _providers = [];

        private readonly ProviderSessionOptions _offered = new()
        {
            Offer = new LoginOffer
            {
                ApplicationName = "test",
                Position = "net",
                SupportOmmPost = true,
                RoundTripLatency = settings.MeasuresRoundTrips
            },
            Service = SessionSamples.Service,
            Dictionary = SessionSamples.Dictionary,
            MaxPackCount = settings.PackCount,
            PackBufferBytes = settings.PackBytes,
        };

        private readonly ConsumerSessionOptions _asked = new()
        {
            Identity = new LoginIdentity
            {
                UserName = "u",
                ApplicationName = "test",
                Position = "net",
                RoundTripLatency = settings.MeasuresRoundTrips
            },
            Poster = new PostUser(PostUser.Loopback, 1),
            ServiceName = SessionSamples.Service.Name,
            Items = ItemList.Create(Enumerable.Range(1, settings.Items).Select(i => $"RDT{i}")),
            Dictionary = settings.Downloads ? null : SessionSamples.Dictionary,
            FallbackDictionary = SessionSamples.Dictionary,
            Prime = settings.Primes,
        };

        public override Connection CreateServing()
        {
            _providers.Add(new NumberedProvider(settings));
            return new ProviderSession(_offered, _providers[^1]);
        }

        public override Connection CreateConnecting()
        {
            _consumers.Add(new NumberedConsumer(settings));
            return new ConsumerSession(_asked, _consumers[^1]);
        }

        public override void CheckEach()
        {
            _consumers.ForEach(consumer => consumer.Check());
            _providers.ForEach(provider => provider.Check());
            foreach (NumberedConsumer consumer in _consumers)
                Assert.NotEqual(ConsumerFailureKind.BadMessage, consumer.Session.Failure?.Kind);
        }

        public override IEnumerable<(string Name, long Sent, long Received)> Balance(CounterSet server, CounterSet client) =>
        [
            ("requests", client[Counter.RequestsSent] + client[Counter.PrimingRequestsSent], server[Counter.RequestsReceived]),
            ("refreshes", server[Counter.RefreshesSent],
                _consumers.Sum(consumer => consumer.Refreshes) + client[Counter.PrimingRefreshesReceived]),
            ("updates", server[Counter.UpdatesSent], _consumers.Sum(consumer => consumer.Updates)),
            ("posts", client[Counter.PostsSent], server[Counter.PostsReceived]),
            ("reflected posts", server[Counter.PostsReflected], _consumers.Sum(consumer => consumer.Reflections)),
            ("generic messages of consumers", client[Counter.GenericSent], server[Counter.GenericReceived]),
            ("generic messages of the provider", server[Counter.GenericSent], _consumers.Sum(consumer => consumer.Generics)),
        ];
    }

    private sealed class PublishersAndHub(ConversationSettings settings) : Conversation
    {
        private readonly List<NumberedPublisher> _publishers = [];
        private readonly List<HubSide> _hubs = [];

        private readonly PublisherSessionOptions _published = new()
        {
            Identity = new LoginIdentity { UserName = "u", ApplicationName = "test", Position = "net", Role = LoginRole.Provider },
            Service = new ServiceOffer { Name = "NI_PUB", Id = 1 },
            Items = ItemList.Create(Enumerable.Range(1, settings.Items).Select(i => $"RDT{i}")),
            MaxPackCount = settings.PackCount,
            PackBufferBytes = settings.PackBytes,
        };

        public override Connection CreateServing()
        {
            _hubs.Add(new HubSide());
            return _hubs[^1];
        }

        public override Connection CreateConnecting()
        {
            _publishers.Add(new NumberedPublisher(settings));
            return new PublisherSession(_published, _publishers[^1]);
        }

        public override void CheckEach() => _publishers.ForEach(publisher => publisher.Check());

        public override IEnumerable<(string Name, long Sent, long Received)> Balance(CounterSet server, CounterSet client) =>
        [
            ("refreshes", client[Counter.RefreshesSent], _hubs.Sum(hub => hub.Refreshes)),
            ("updates", client[Counter.UpdatesSent], _hubs.Sum(hub => hub.Updates)),
        ];
    }

    private sealed class OpaquePair(ConversationSettings settings) : Conversation
    {
        private readonly List<OpaqueSide> _clients = [];
        private readonly List<OpaqueSide> _servers = [];

        public override Connection CreateServing() => Add(_servers);

        public override Connection CreateConnecting() => Add(_clients);

        public override void CheckEach()
        {
            _clients.ForEach(side => side.Check());
            _servers.ForEach(side => side.Check());
        }

        public override IEnumerable<(string Name, long Sent, long Received)> Balance(CounterSet server, CounterSet client) =>
        [
            ("messages of clients", client[Counter.MessagesSent], _servers.Sum(side => side.Received)),
            ("messages of the server", server[Counter.MessagesSent], _clients.Sum(side => side.Received)),
        ];

        private OpaqueSide Add(List<OpaqueSide> sides)
        {
            sides.Add(new OpaqueSide(settings));
            return sides[^1];
        }
    }
}
