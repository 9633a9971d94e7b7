using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>The scenario of LatencyPerf with one or more subscribers: one message out, one back, for every size.</summary>
internal static class RoundtripScenario
{
    private const int WaitSeconds = 30;
    private const int LimitSeconds = 600;
    private const string PublisherAddress = "127.0.0.1";
    private const string Version6Address = "::1";
    private const string ReplyGroup = "225.1.2.3";
    private const string DataGroup = "225.3.2.1";

    /// <summary><c>perftools run roundtrip</c></summary>
    public static Scenario Roundtrip { get; } = new()
    {
        Name = MeasuredPaths.RoundTrip.Scenario,
        Summary = "LatencyPerf: round trips of every size, to one subscriber or the last of several",
        Title = "Round trips",
        Load = Describe,
        RateUnit = "round trips/s",
        Defaults = new ScenarioOptions { Seconds = LimitSeconds },
        Roles = [CreatePublisher(), .. Enumerable.Range(1, RoundtripOptions.MaxSubscribers).Select(CreateSubscriber)],
        Links = [.. Enumerable.Range(1, RoundtripOptions.MaxSubscribers).SelectMany(CreateLinks)],
        Figures = new()
        {
            Measured = MeasuredPaths.RoundTrip,
            Rate = "overall.roundTripRate",
            Seconds = "overall.seconds",
            Latency = "overall.latency",
            Sizes = "sizes",
            HasNoRate = true,
            RateOption = "-rate",
            PackOption = "-pack",
        },
        OwnOptions = [AddOptions],
        AddCommon = ScenarioRows.AddSizedJudging,
        Headline = options => $"Round trips, domain {options.Roundtrip.Domain}: {Describe(options)}",
        Series = new(options => options.Roundtrip.RunCount,
            "give one --transport, and no --one-way with several subscribers: each side is one run", RoundtripRun.Run),
        Complete = options =>
            options with { Roundtrip = options.Roundtrip with { Domain = options.Roundtrip.Domain ?? FreeDomain.Draw() } },
        FindOwnProblem = FindProblem,
        OwnInputs =
        [
            ("transport", o => o.Roundtrip.Transport), ("subscribers", o => o.Roundtrip.Subscribers),
            ("reliable", o => o.Roundtrip.Reliable),
            ("multicast", o => o.Roundtrip.Multicast), ("samples", o => o.Roundtrip.Samples), ("busy", o => o.Roundtrip.Busy),
            ("oneWay", o => o.Roundtrip.OneWay), ("domain", o => o.Roundtrip.Domain),
        ],
    };

    /// <summary>The file with the results of the publisher, in the folder of a run on the rank that has it.</summary>
    public static string PublisherFile => Roundtrip.Roles[0].JsonFile;

    private static string Describe(ScenarioOptions options)
    {
        RoundtripOptions asked = options.Roundtrip;
        string[] parts =
        [
            asked.Transport, asked.Subscribers == 1 ? "1 subscriber" : $"{asked.Subscribers} subscribers",
            asked.Reliable ? "reliable" : "best effort",
            .. asked.Multicast ? ["groups"] : Array.Empty<string>(), .. asked.Busy ? ["never asleep"] : Array.Empty<string>(),
            string.Create(CultureInfo.InvariantCulture, $"{asked.Samples:N0} samples a size"),
        ];
        return string.Join(", ", parts);
    }

    private static string? FindProblem(ScenarioOptions options)
    {
        RoundtripOptions asked = options.Roundtrip;
        if (asked.Multicast && asked.Transports.Any(transport => transport != RoundtripTransport.Udp))
            return "--multicast needs --transport udp";
        if (options.Ranks.Rank is not null && asked.Transports.Contains(RoundtripTransport.SharedMemory))
            return "--rank: shared memory is of one machine; give another --transport";
        if (options.External.Count == 0)
            return null;
        if (asked.Transports.Contains(RoundtripTransport.SharedMemory))
            return "--external: shared memory is of this host alone";
        if (Roundtrip.Roles.FirstOrDefault(role => role.IsLeftOut(options) && options.External.ContainsKey(role.Name)) is { } absent)
            return $"--external: the {absent.Name} takes no part in this run";
        return asked.Domain is null ? "--external: give --domain, as the subscriber there was given -domainId" : null;
    }

    private static void AddOptions(OptionTable<ScenarioOptions> table)
    {
        OptionRows<ScenarioOptions, RoundtripOptions> rows = table.Part(o => o.Roundtrip, (o, v) => o with { Roundtrip = v });
        rows.Custom("-transport", "list", $"one or several of {RoundtripTransport.AllWords}",
            $"what carries the datagrams, of {RoundtripTransport.AllWords}; several with commas are run one after another and compared",
            o => string.Join(',', o.Transports), (o, s) => RoundtripTransport.TryParse(s) is { } v ? o with { Transports = v } : null);
        rows.Number("-subscribers", "n", "subscribers, of which the last one sends back", o => o.Subscribers,
            (o, v) => o with { Subscribers = v })
            .Within(1, RoundtripOptions.MaxSubscribers);
        rows.Switch("-reliable", "nothing may get lost", o => o.Reliable, (o, v) => o with { Reliable = v });
        rows.Switch("-multicast", "send data and replies to groups (udp)", o => o.Multicast, (o, v) => o with { Multicast = v });
        rows.Number("-samples", "n", "samples of each size", o => o.Samples, (o, v) => o with { Samples = v }).AtLeast(1);
        rows.OptionalNumber("-size", "bytes", "the only size of data (default every one from 16 to 8192, each twice as large)", o => o.Size,
            (o, v) => o with { Size = v }).Within(RoundtripOptions.MinSize, RoundtripOptions.MaxSize);
        rows.Switch("-busy", "no side ever sleeps (takes a processor each)", o => o.Busy, (o, v) => o with { Busy = v });
        rows.Switch("-one-way", "derive one-way times; with several subscribers a baseline with one is run first", o => o.OneWay,
            (o, v) => o with { OneWay = v });
        rows.OptionalNumber("-domain", "n", "keeps tests apart, 0 to 232 (default a free one)", o => o.Domain,
            (o, v) => o with { Domain = v })
            .Within(0, RoundtripOptions.MaxDomain);
        ScenarioRows.AddBinding(table);
    }

    private static string SubscriberName(int cookie) => string.Create(CultureInfo.InvariantCulture, $"subscriber{cookie}");

    private static Role CreatePublisher() => new()
    {
        Name = RoleNames.Publisher,
        Title = "LatencyPerf publisher",
        Tool = "LatencyPerf",
        FileStem = "LatencyPublisher",
        HasOwnFiles = true,
        Ending = RoleEnding.ByItself,
        ShortOption = "-publisher",
        AddArguments = (arguments, context) => AddPublisher(arguments.Switch("-publish").SetWorkers(context, 1), context),
    };

    private static Role CreateSubscriber(int cookie) => new()
    {
        Name = SubscriberName(cookie),
        Title = $"LatencyPerf subscriber {cookie}",
        Tool = "LatencyPerf",
        FileStem = string.Create(CultureInfo.InvariantCulture, $"LatencySubscriber{cookie}"),
        HasOwnFiles = true,
        Ending = RoleEnding.ByItself,
        IsMetByHost = true,
        IsLeftOut = options => cookie > options.Roundtrip.Subscribers,
        AddArguments = (arguments, context) =>
            AddSubscriber(arguments.Switch("-subscribe").SetWorkers(context, 1), cookie, context),
    };

    private static IEnumerable<Link> CreateLinks(int cookie)
    {
        yield return new(RoleNames.Publisher, SubscriberName(cookie), "data")
        {
            Sent = ["overall.counts.messagesSent"],
            Received = ["overall.counts.messagesReceived"],
            Lost = ["overall.counts.lost"],
        };
        yield return new(SubscriberName(cookie), RoleNames.Publisher, "replies")
        {
            Sent = ["overall.counts.repliesSent"],
            Received = ["overall.counts.repliesReceived"],
            Lost = ["overall.counts.repliesLost"],
            IsLeftOut = options => cookie != options.Roundtrip.Subscribers,
        };
    }

    // The guide's own arguments, in its order.
    private static RoleArguments AddPublisher(RoleArguments arguments, RoleContext context)
    {
        RoundtripOptions asked = context.Options.Roundtrip;
        AddCommon(arguments, asked, context.Options.External.Count == 0 ? OwnAddressOf(context, RoleNames.Publisher, 0) : null);
        for (int cookie = 1; cookie <= asked.Subscribers && !IsShared(asked); cookie++)
        {
            arguments.Set("-peer", context.Options.External.GetValueOrDefault(SubscriberName(cookie))?.Host
                ?? AddressOf(context, SubscriberName(cookie), cookie));
        }

        if (asked.Multicast)
            arguments.Set("-mcast_rcv_addr", ReplyGroup).Set("-multicast_ttl", 1);
        arguments.Set("-subscribers", asked.Subscribers).Set("-numIter", asked.Samples).Set("-hlogFile",
            context.Folder.PathOf("LatencyPublisher"));
        if (asked.Size is { } size)
            arguments.Set("-minSize", size).Set("-maxSize", size);
        if (asked.Baseline is { } baseline)
            return arguments.Set("-baseline", baseline);
        return asked is { OneWay: true, Subscribers: 1 } ? arguments.Switch("-oneWay") : arguments;
    }

    private static RoleArguments AddSubscriber(RoleArguments arguments, int cookie, RoleContext context)
    {
        RoundtripOptions asked = context.Options.Roundtrip;
        AddCommon(arguments, asked, OwnAddressOf(context, SubscriberName(cookie), cookie));
        if (!IsShared(asked))
            arguments.Set("-peer", AddressOf(context, RoleNames.Publisher, 0));
        if (asked.Multicast)
            arguments.Set("-mcast_rcv_addr", DataGroup).Set("-multicast_ttl", 1);
        arguments.Set("-cookie", cookie);
        return cookie < asked.Subscribers ? arguments.Switch("-noecho") : arguments;
    }

    // Without an address a side uses all interfaces: the route to a side that runs elsewhere is unknown here.
    private static void AddCommon(RoleArguments arguments, RoundtripOptions asked, string? address)
    {
        arguments.Set("-domainId", asked.Domain ?? 0);
        if (address is not null)
            arguments.Set("-nic", address);
        arguments.Set("-transport", RoundtripTransport.NumberOf(asked.Transport));
        if (IsShared(asked))
            arguments.Set("-peer", "shmem://");
        if (asked.Reliable)
            arguments.Switch("-reliable");
        if (asked.Busy)
            arguments.Switch("-busyRead");
        arguments.Set("-waitTime", WaitSeconds);
    }

    private static bool IsShared(RoundtripOptions asked) => asked.Transport == RoundtripTransport.SharedMemory;

    // The address at which a side is found: that of its rank, where there are several.
    private static string AddressOf(RoleContext context, string role, int cookie) =>
        context.Ranks?.HostOf(role) ?? LoopbackOf(context.Options.Roundtrip, cookie);

    // Null where the address of this rank is a name, or that of another machine in front of it.
    private static string? OwnAddressOf(RoleContext context, string role, int cookie) =>
        context.Ranks?.HostOf(role) is null ? LoopbackOf(context.Options.Roundtrip, cookie) : context.Ranks.OwnInterface;

    // Linux has the whole of 127.0.0.0/8 on its loopback, so that each side can have a separate address as in the guide; other systems have
    // one.
    private static string LoopbackOf(RoundtripOptions asked, int cookie) => RoundtripTransport.NumberOf(asked.Transport) == 8
        ? Version6Address
        : OperatingSystem.IsLinux() && !IsShared(asked)
            ? string.Create(CultureInfo.InvariantCulture, $"127.0.0.{cookie + 1}") : PublisherAddress;
}
