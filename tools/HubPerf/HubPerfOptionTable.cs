using System.Globalization;
using PerfHub.Consumers;
using PerfHub.FanOut;
using PerfHub.Upstream;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace HubPerf;

/// <summary>Every option of HubPerf. The guide has no such tool: rows have ProvPerf's names where they mean the same.</summary>
internal sealed class HubPerfOptionTable : RoleOptionTable<HubPerfOptions>
{
    /// <summary>Maximum of the time that updates may wait, in seconds.</summary>
    public const int MaxSeconds = 60;

    private static readonly ChoiceWord<UncachedAnswer>[] UncachedWords =
        [new("image", UncachedAnswer.Image), new("status", UncachedAnswer.Status), new("closed", UncachedAnswer.Closed)];

    private static readonly ChoiceWord<SlowConsumerPolicy>[] SlowWords =
        [new("cut", SlowConsumerPolicy.Disconnect), new("conflate", SlowConsumerPolicy.Conflate), new("drop", SlowConsumerPolicy.Drop)];

    public HubPerfOptionTable()
        : base("HubPerf", new HubPerfOptions())
    {
        AddFaces();
        AddThreads();
        AddBatches();
        AddFiles();
        EndGuideRows();
        AddFurtherOptions();
        RefuseTunnels();
    }

    /// <summary>The only table; immutable.</summary>
    public static HubPerfOptionTable Instance { get; } = new();

    private void AddFaces()
    {
        Number("-runTime", "s", "seconds the program runs, 0 until a signal", o => o.RunSeconds, (o, v) => o with { RunSeconds = v })
            .AtLeast(0).As("Run Time", o => o.RunSeconds == 0 ? "until a signal" : $"{o.RunSeconds} sec").In(HelpGroup.Common);
        Connection.Port();
        Connection.Kind("Connection type");
        Custom("-upstream", "list", "a list such as host:port;host:port,service",
            "interactive sources, host:port[,service], several separated by semicolons",
            o => o.Upstreams.Count == 0 ? null : string.Join(';', o.Upstreams),
            (o, text) => UpstreamAddress.TryParseList(text) is { } v ? o with { Upstreams = v } : null)
            .As("Upstream").In(HelpGroup.Common);
        Choice("-upstreamConnType", "type", "connection type of interactive sources: socket, encrypted or websocket", ConnectionWords.Kinds,
            o => o.UpstreamKind, (o, v) => o with { UpstreamKind = v }).As("Upstream Connection").In(HelpGroup.Connection);
        Number("-niPort", "port", "port for non-interactive providers, 0 for a free one", o => o.NiPort, (o, v) => o with { NiPort = v })
            .As("NI Port").In(HelpGroup.Common);
        Custom("-service", "list", "a list such as name,id;name,id",
            "services without a source, for posting only: name,id, several separated by semicolons",
            o => o.Services.Count == 0 ? null : string.Join(';', o.Services),
            (o, text) => OwnService.TryParseList(text) is { } v ? o with { Services = v } : null)
            .As("Own Services").In(HelpGroup.Common);
        Custom("-domains", "list", "a list of domains from 6 to 255, such as 6,7,10",
            "domains of items that consumers may request, by their numbers; all that a source has by default",
            o => o.ServedDomains.Count == 0 ? null : string.Join(',', o.ServedDomains),
            (o, text) => DomainList.TryParse(text) is { } v ? o with { ServedDomains = v } : null)
            .As("Domains").In(HelpGroup.Common);
        Choice("-uncached", "answer", "for an item that a non-interactive provider has not published: an empty image, a status, or closed",
            UncachedWords, o => o.Uncached, (o, v) => o with { Uncached = v }).As("Uncached Items").In(HelpGroup.Rates);
        Choice("-cache", "switch", "on: keep images and request each item once; off: open a stream at the source for each watcher",
            [new("on", true), new("off", false)], o => o.IsCaching, (o, v) => o with { IsCaching = v }).As("Cache").In(HelpGroup.Rates);
        Choice("-slow", "policy",
            "what happens to a slow consumer: cut (disconnect), conflate (latest value of each field), or drop updates",
            SlowWords, o => o.Slow, (o, v) => o with { Slow = v }).As("Slow Consumers").In(HelpGroup.Rates);
        Number("-maxQueue", "bytes", "maximum of bytes queued for one connection", o => o.MaxQueueBytes,
            (o, v) => o with { MaxQueueBytes = v })
            .AtLeast(HubSettings.MinQueueBytes).As("Max Queue", o => $"{o.MaxQueueBytes} bytes").In(HelpGroup.Rates);
        Number("-maxPackCount", "n", "messages in one packed buffer, 1 packs nothing", o => o.MaxPackCount,
            (o, v) => o with { MaxPackCount = v })
            .AtLeast(1).As("Packing",
                o => o.MaxPackCount > 1 ? $"Yes(max {o.MaxPackCount} per pack, {o.PackBufferBytes} buffer size)" : "No")
            .In(HelpGroup.Rates);
        Number("-packBufSize", "bytes", "size of a packed buffer", o => o.PackBufferBytes, (o, v) => o with { PackBufferBytes = v })
            .In(HelpGroup.Rates);
    }

    private void AddThreads()
    {
        Number("-sessionThreads", "n", "threads that serve consumers; by default one per processor but four, max 8",
            o => o.SessionThreads, (o, v) => o with { SessionThreads = v })
            .Within(1, ThreadLimits.MaxThreads).As("Session Threads").In(HelpGroup.Common);
        Number("-sourceThreads", "n",
            "threads that read sources, which are shared out over them; 0: the session threads do. By default 0 on two processors, one for "
            + "two of more",
            o => o.SourceThreads, (o, v) => o with { SourceThreads = v })
            .Within(0, ThreadLimits.MaxThreads).As("Source Threads").In(HelpGroup.Common);
    }

    private void AddBatches()
    {
        Seconds("-burstMin", "shortest time that updates of a connection wait for others",
            o => o.BurstMinSeconds, (o, v) => o with { BurstMinSeconds = v }).As("Burst Min");
        Seconds("-burstMax", "longest time that updates wait for others, so that one call sends several; 0 sends each at once",
            o => o.BurstMaxSeconds, (o, v) => o with { BurstMaxSeconds = v }).As("Burst Max");
        Seconds("-burstIncrement", "step by which that time grows after more than three updates in it, and shrinks after none",
            o => o.BurstIncrementSeconds, (o, v) => o with { BurstIncrementSeconds = v }).As("Burst Increment");
        Choice("-burstScope", "of", "updates counted for it: of all connections of a thread, or of each session",
            [new("thread", false), new("session", true)],
            o => o.IsBurstPerSession, (o, v) => o with { IsBurstPerSession = v }).As("Burst Scope").In(HelpGroup.Rates);
        Seconds("-throttle", "time for which updates of an item are merged after a forwarded one, 0 for none",
            o => o.ThrottleSeconds, (o, v) => o with { ThrottleSeconds = v }).As("Throttle");
    }

    private OptionRow<HubPerfOptions> Seconds(string name, string help, Func<HubPerfOptions, double> get,
        Func<HubPerfOptions, double, HubPerfOptions> set) =>
        Custom(name, "s", $"a number of seconds from 0 to {MaxSeconds}", help, o => get(o).ToString(CultureInfo.InvariantCulture),
            (o, text) => double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double v)
                && v <= MaxSeconds ? set(o, v) : null)
            .In(HelpGroup.Rates);

    private void AddFiles()
    {
        Run.SummaryFile();
        Run.WriteStatsInterval();
        Run.StatsFile();
        Run.DisplayStats();
    }

    private void AddFurtherOptions()
    {
        Processors("-bindSession", "pin the session threads to these CPUs", o => o.BindSession,
            (o, v) => o with { BindSession = v }).As("Bind Session");
        Processors("-bindSource", "pin the source threads to these CPUs", o => o.BindSource,
            (o, v) => o with { BindSource = v }).As("Bind Source");
        Run.BusyRead();
        Run.JsonFile();
        Run.HistogramFile();
        Run.Rotate();
        Run.MaxFiles();
        Control.Add();
        Run.CpuPerCore();
        Run.Assert([Threshold.Cpu, Threshold.Memory, Threshold.NotSent, Threshold.Lost, .. Threshold.Latencies]);
        Number("-openLimit", "n", "open items per connection, of a consumer or a publisher", o => o.OpenLimit,
            (o, v) => o with { OpenLimit = v }).AtLeast(1).As("OpenLimit");
        Number("-keepImages", "s", "seconds an image is kept after its publisher has left, while no consumer watches it; 0 for none",
            o => o.KeepImagesSeconds, (o, v) => o with { KeepImagesSeconds = v }).AtLeast(0).AsAmount("Keep Images", "sec");
        Number("-maxFields", "n", "maximum of fields kept of an item", o => o.MaxFields,
            (o, v) => o with { MaxFields = v }).Within(1, ushort.MaxValue).As("Max Fields");
        Connection.OutputBuffers(min: 6);
        Connection.MaxOutputBuffers("-maxOutputBufs", "-maxOutputBuffer").AtLeast(0);
        Connection.MaxFragmentSize();
        Connection.SystemBuffers();
        Connection.HighWaterMark();
        Connection.Interface();
        Connection.TcpDelay();
        Connection.TlsVersions();
        Connection.InsideTls();
        Connection.Certificates();
        Connection.ClientTrust();
        Connection.Trust();
        Connection.WebSocket();
        Connection.Compression();
        Connection.Limits();
        Connection.ServerLimits();
        Session.Dictionaries();
        Session.Times();
    }

    private OptionRow<HubPerfOptions> Processors(
        string name, string help, Func<HubPerfOptions, ThreadPlan?> get, Func<HubPerfOptions, ThreadPlan, HubPerfOptions> set) =>
        Custom(name, "list", "a list of CPU numbers such as 1,3, or -1", help, o => get(o)?.ToString(),
            (o, text) => ThreadPlan.TryParseProcessors(text, out ThreadPlan? plan) ? set(o, plan!) : null);
}
