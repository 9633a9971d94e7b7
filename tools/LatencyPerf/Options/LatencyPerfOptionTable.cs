using System.Globalization;
using System.Net;
using LatencyPerf.Links;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Options;

/// <summary>Every option of LatencyPerf: first those of the guide, then ours.</summary>
internal sealed class LatencyPerfOptionTable : OptionTable<LatencyPerfOptions>
{
    public const string Tool = "LatencyPerf";
    private const int MaxSpinMicros = 1000;

    public LatencyPerfOptionTable()
        : base(Tool, new LatencyPerfOptions(), o => o.FindProblem())
    {
        AddRoles();
        AddGuide();
        EndGuideRows();
        AddWaiting();
        AddDelivery();
        AddSecurity();
        AddFiles();
        new ControlRows<LatencyPerfOptions>(this, o => o.Control, (o, v) => o with { Control = v }).Add();
    }

    /// <summary>The only table; it is immutable.</summary>
    public static LatencyPerfOptionTable Instance { get; } = new();

    private void AddRoles()
    {
        Switch("-publish", "send, and measure the way there and back", o => o.Publish,
            (o, v) => o with { Publish = v }).In(HelpGroup.Common);
        Switch("-subscribe", "receive; the one with the highest cookie sends back", o => o.Subscribe,
            (o, v) => o with { Subscribe = v }).In(HelpGroup.Common);
    }

    private void AddGuide()
    {
        Number("-domainId", "n", $"keeps tests apart, 0 to {TestPorts.MaxDomain}: it chooses ports and names", o => o.DomainId,
            (o, v) => o with { DomainId = v })
            .As("Domain").In(HelpGroup.Common);
        OptionalNumber("-cookie", "n", "the subscriber's number, 1 to 32", o => o.GivenCookie, (o, v) => o with { GivenCookie = v })
            .DefaultsTo("1").As("Cookie", o => o.Subscribe ? Invariant(o.Cookie) : null).In(HelpGroup.Common);
        Text("-nic", "ip", "address or name of the interface to use", o => o.Nic,
            (o, v) => o with { Nic = v }).As("Interface").In(HelpGroup.Connection);
        Switch("-noecho", "never send back: for all subscribers but the one with the highest cookie", o => o.NoEcho,
            (o, v) => o with { NoEcho = v })
            .As("No Echo", o => o.Subscribe ? (o.NoEcho ? "Yes" : "No") : null).In(HelpGroup.Common);
        AddTransport();
        Custom("-peer", "host", "a host", "where others are: hosts that may take part, or the publisher's; may be given 32 times",
            o => o.Peers is [] ? null : string.Join(", ", o.Peers), (o, s) => s.Length > 0 ? o with { Peers = [.. o.Peers, s] } : null)
            .Repeatable().DefaultsTo("this host").As("Peers").In(HelpGroup.Connection);
        Switch("-reliable",
            $"repeat lost datagrams, on both sides alike; no effect with transports {LinkKinds.Numbers(kind => kind.IsStream, "and")}", o => o.Reliable,
            (o, v) => o with { Reliable = v })
            .As("Reliable",
                o => o.Reliable && o.Transport.IsStream
                ? "Yes(no effect: a stream)" : o.Reliable ? "Yes" : "No").In(HelpGroup.Connection);
        Custom("-mcast_rcv_addr", "ip", "an address", "group on which this side receives; needs -nic", o => o.Group?.ToString(),
            (o, s) => IPAddress.TryParse(s, out IPAddress? v) ? o with { Group = v } : null).As("Group").In(HelpGroup.Connection);
        Number("-multicast_ttl", "n", "TTL or hop limit of what this side sends to a group", o => o.Ttl, (o, v) => o with { Ttl = v })
            .Within(0, 255).As("TTL").In(HelpGroup.Connection);
        OptionalNumber("-subscribers", "n", "how many subscribers take part, 1 to 32", o => o.GivenSubscribers,
            (o, v) => o with { GivenSubscribers = v })
            .DefaultsTo("1").As("Subscribers", o => o.Publish ? Invariant(o.Subscribers) : null).In(HelpGroup.Common);
        Custom("-numIter", "n", "a whole number", "samples of each size", o => o.NumIter.ToString(CultureInfo.InvariantCulture),
            (o, s) => long.TryParse(s, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long v)
                ? o with { NumIter = v } : null)
            .As("Samples").In(HelpGroup.Rates);
        Number("-minSize", "bytes", "smallest packet, 16 to 65000; each further one is twice as large", o => o.MinBytes,
            (o, v) => o with { MinBytes = v })
            .As("Min Size").In(HelpGroup.Rates);
        Number("-maxSize", "bytes", "largest packet", o => o.MaxBytes,
            (o, v) => o with { MaxBytes = v }).As("Max Size").In(HelpGroup.Rates);
    }

    private void AddTransport()
    {
        ChoiceWord<int>[] words =
            [.. LinkKinds.All.SelectMany(kind => (ChoiceWord<int>[])[new(Invariant(kind.Number), kind.Number), new(kind.Word, kind.Number)])];
        Choice("-transport", "n", $"{LinkKinds.Words(kind => !kind.IsStream)}; for comparison {LinkKinds.Words(kind => kind.IsStream)}", words,
            o => o.Transport.Number, (o, v) => o with { Transport = LinkKinds.Of(v) }).As("Transport", o => o.Transport.Name).In(HelpGroup.Connection);
    }

    private void AddWaiting()
    {
        Switch("-busyRead", "never sleep: poll for input (takes a whole processor)", o => o.BusyRead,
            (o, v) => o with { BusyRead = v }).As("Busy Read");
        Number("-spin", "us", "time to poll for input before sleeping", o => o.SpinMicros, (o, v) => o with { SpinMicros = v })
            .Within(0, MaxSpinMicros).As("Spin");
        Number("-interval", "us", "time between the starts of two rounds, 0 for none", o => o.IntervalMicros,
            (o, v) => o with { IntervalMicros = v })
            .AtLeast(0).As("Interval").In(HelpGroup.Rates);
        OptionalNumber("-bindThread", "cpu", "pin the thread of the test to this CPU", o => o.Run.BindThread,
            (o, v) => o with { Run = o.Run with { BindThread = v } })
            .AtLeast(0).As("Bind Thread");
        Number("-waitTime", "s", "longest wait for the other side, 0 until a signal", o => o.WaitSeconds,
            (o, v) => o with { WaitSeconds = v })
            .AtLeast(0).As("Wait Time").In(HelpGroup.Connection);
        Number("-basePort", "port", "first port of domain 0; each domain has 36", o => o.BasePort, (o, v) => o with { BasePort = v })
            .Within(1, TestPorts.MaxBase).As("Base Port").In(HelpGroup.Connection);
    }

    private void AddDelivery()
    {
        Number("-replyTimeout", "ms", "without -reliable: when a round is lost", o => o.ReplyTimeoutMillis,
            (o, v) => o with { ReplyTimeoutMillis = v })
            .AtLeast(1).As("Reply Timeout");
        Number("-window", "n", "with -reliable: datagrams kept, a power of two from 2 to 1024", o => o.Window,
            (o, v) => o with { Window = v }).As("Window");
        Switch("-verify", "compare every reply byte for byte", o => o.Verify, (o, v) => o with { Verify = v }).As("Verify");
        Custom("-dropRate", "p[,seed]", "a share from 0 to 1, and a seed", "for tests: share of the datagrams to drop on arrival",
            o => o.Drop.ToString(), (o, s) => DropRate.TryParse(s, out DropRate v) ? o with { Drop = v } : null).As("Drop Rate");
    }

    private void AddSecurity()
    {
        ConnectionRows<LatencyPerfOptions> rows = new(this, o => o.Connection, (o, v) => o with { Connection = v });
        rows.Kind("Connection Type");
        rows.TlsVersions();
        rows.Certificates();
        rows.ClientTrust();
        rows.Trust();
    }

    private void AddFiles()
    {
        Switch("-oneWay", "print half of the round trip as well, with one subscriber", o => o.OneWay, (o, v) => o with { OneWay = v })
            .As("One Way").In(HelpGroup.Files);
        Text("-baseline", "file", "results with one subscriber (JSON lines or run.json): print the one-way time to the last of several",
            o => o.Baseline, (o, v) => o with { Baseline = v }).As("Baseline").In(HelpGroup.Files);
        Custom("-assert", "list", SizedThresholds.Kind(), SizedThresholds.Help(),
            o => o.Run.Thresholds is { } all ? string.Join(',', all) : null,
            (o, s) => SizedThresholds.TryParse(s) is { } v ? o with { Run = o.Run with { Thresholds = v } } : null).As("Thresholds").In(HelpGroup.Files);
        Text("-jsonFile", "file", "file for JSON lines, one per size, the last with every figure", o => o.Run.JsonFile,
            (o, v) => o with { Run = o.Run with { JsonFile = v } })
            .As("JSON File").In(HelpGroup.Files);
        Text("-hlogFile", "base", "base name of the histograms, a file per size", o => o.Run.HistogramFile,
            (o, v) => o with { Run = o.Run with { HistogramFile = v } })
            .As("Histogram Files").In(HelpGroup.Files);
        Text("-summaryFile", "file", "file for a copy of the output", o => o.SummaryFile, (o, v) => o with { SummaryFile = v })
            .As("Summary File").In(HelpGroup.Files);
        Custom("-rotate", "size[,keep]", FileRotation.Kind, "JSON lines: rotate at this size, keep n old files (default 8)",
            o => o.Run.Rotation?.ToString(), (o, s) => FileRotation.TryParse(s) is { } v ? o with { Run = o.Run with { Rotation = v } } : null)
            .As("Rotate").In(HelpGroup.Files);
        Text("-optionsFile", "file", "file with options, one \"-name value\" a line; the command line wins", o => o.OptionsFile,
            (o, v) => o with { OptionsFile = v })
            .As("Options File").In(HelpGroup.Files);
    }

    private static string Invariant(int value) => value.ToString(CultureInfo.InvariantCulture);
}
