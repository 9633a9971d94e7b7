using PerfCommon.Codec;
using PerfCommon.Sessions;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace ConsPerf;

/// <summary>Every option of ConsPerf: first the guide's, in the order of its block of test inputs, then the others.</summary>
internal sealed class ConsPerfOptionTable : RoleOptionTable<ConsPerfOptions>
{
    private static readonly StandbyMode[] Modes = [StandbyMode.Login, StandbyMode.Service];

    public ConsPerfOptionTable()
        : base("ConsPerf", new ConsPerfOptions())
    {
        AddConnection();
        AddItemsAndRates();
        AddFiles();
        EndGuideRows();
        AddFurtherOptions();
        SenderClock.Add();
        RefuseTunnels();
        Refuse("not available", "-calcRWFJSONConversionLatency");
    }

    /// <summary>The only table; immutable.</summary>
    public static ConsPerfOptionTable Instance { get; } = new();

    protected override EmaRole? EmaRole => EmaRole.Consumer;

    private void AddConnection()
    {
        Number("-steadyStateTime", "s", "seconds of steady state, and the limit for reaching it; 0 ends with the last image",
            o => o.SteadyStateSeconds, (o, v) => o with { SteadyStateSeconds = v })
            .AtLeast(0).As("Steady State Time").In(HelpGroup.Common);
        Number("-delaySteadyStateCalc", "ms", "delay between the last image and the start of steady-state statistics",
            o => o.DelaySteadyStateMillis, (o, v) => o with { DelaySteadyStateMillis = v })
            .Within(0, 30_000).As("Delay Steady State Time");
        Connection.Kind("Connection Type", isCapitalized: true);
        Connection.Host();
        Connection.Port();
        Text("-serviceName", "name", "service to request items from", o => o.ServiceName, (o, v) => o with { ServiceName = v })
            .As("Service").In(HelpGroup.Common);
        Run.Threads();
        Connection.OutputBuffers(min: 1);
        Connection.InputBuffers();
        Connection.SystemBuffers();
        Connection.Timeouts();
        Connection.HighWaterMark();
        Connection.Interface();
        Connection.TcpDelay();
        Text("-uname", "name", "login name; by default that of the system", o => o.UserName, (o, v) => o with { UserName = v })
            .As("Username", o => o.UserName ?? "(use system login name)").In(HelpGroup.Common);
    }

    private void AddItemsAndRates()
    {
        Number("-itemCount", "n", "items over all threads", o => o.ItemCount, (o, v) => o with { ItemCount = v })
            .AtLeast(1).As("Item Count").In(HelpGroup.Common);
        Number("-commonItemCount", "n", "items that every thread opens", o => o.CommonItemCount, (o, v) => o with { CommonItemCount = v })
            .AtLeast(0).As("Common Item Count").In(HelpGroup.Rates);
        Number("-requestRate", "n", "requests per second per connection", o => o.RequestRate, (o, v) => o with { RequestRate = v })
            .As("Request Rate").In(HelpGroup.Rates);
        Switch("-snapshot", "request images without updates, and end with the last", o => o.Snapshot, (o, v) => o with { Snapshot = v })
            .As("Request Snapshots").In(HelpGroup.Common);
        Number("-postingRate", "n", "posts per second per connection, 0 for none", o => o.PostingRate, (o, v) => o with { PostingRate = v })
            .As("Posting Rate").In(HelpGroup.Rates);
        Number("-postingLatencyRate", "n", "posts per second with a time stamp",
            o => o.PostingLatencyRate, (o, v) => o with { PostingLatencyRate = v }).AtLeast(0).As("Latency Posting Rate")
            .In(HelpGroup.Rates);
        Number("-genericMsgRate", "n", "generic messages per second per connection, 0 for none",
            o => o.GenericMsgRate, (o, v) => o with { GenericMsgRate = v }).As("Generic Msg Rate").In(HelpGroup.Rates);
        Number("-genericMsgLatencyRate", "n", "generic messages per second with a time stamp",
            o => o.GenericMsgLatencyRate, (o, v) => o with { GenericMsgLatencyRate = v }).AtLeast(0).As("Generic Msg Latency Rate")
            .In(HelpGroup.Rates);
    }

    private void AddFiles()
    {
        Text("-itemFile", "file", "list of items", o => o.ItemFile, (o, v) => o with { ItemFile = v }).As("Item File").In(HelpGroup.Files);
        Text("-msgFile", "file", "contents of posts and generic messages, read when a rate is given",
            o => o.MsgFile, (o, v) => o with { MsgFile = v })
            .As("Data File").In(HelpGroup.Files);
        Run.SummaryFile();
        Run.StatsFile();
        Run.LatencyFile("Latency Log File");
        Run.TickRate();
        Run.BusyRead();
    }

    private void AddFurtherOptions()
    {
        Session.Reactor("Reactor Usage", o => o.Watchlist ? "Reactor and Watchlist" : o.Session.Reactor ? "Reactor" : "None");
        Switch("-watchlist", "also recover items: those closed as recoverable, and all when the service is back; implies -reactor",
            o => o.Watchlist, (o, v) => o with { Watchlist = v })
            .As("Watchlist");
        Run.WriteStatsInterval();
        Run.DisplayStats();
        Run.JsonFile();
        Run.HistogramFile();
        Run.Rotate();
        Run.MaxFiles();
        Control.Add();
        Run.CpuPerCore();
        Run.Assert(Threshold.AllBut(Threshold.Rate + Threshold.Share)); // only the provider knows the requested rate
        Run.Part();
        Run.BindThread();
        Connection.MaxOutputBuffers("-maxOutputBuffer", "-maxOutputBufs");
        Connection.TlsVersions();
        Connection.InsideTls();
        Connection.Certificates();
        Connection.Trust();
        Connection.WebSocket();
        Connection.Compression();
        Connection.Proxy();
        Connection.Limits();
        Session.Dictionaries();
        Switch("-strictFields", "end at the first field that the dictionary lacks", o => o.StrictFields,
            (o, v) => o with { StrictFields = v })
            .As("Strict Fields");
        Switch("-useServiceId", "no effect: requests always carry the service id", o => o.UseServiceId,
            (o, v) => o with { UseServiceId = v })
            .As("Use Service ID", o => DescribeIdle(o.UseServiceId));
        Session.Times();
        Run.Stamp();
        Switch("-measureDecode", "measure the decoding time of each update (reads the clock twice more for each)",
            o => o.MeasureDecode, (o, v) => o with { MeasureDecode = v }).As("Measure Decode");
        Switch("-prime", "request each item's image once before the run; excluded from all statistics",
            o => o.Prime, (o, v) => o with { Prime = v }, "-primeJVM").As("Prime");
        Switch("-downcastDecoding", "no effect: accepted for command lines of EMA",
            o => o.DowncastDecoding, (o, v) => o with { DowncastDecoding = v }).As("Downcast Decoding",
            o => DescribeIdle(o.DowncastDecoding));
        Session.ReconnectDelay();
        Session.ReactorThreads();
        Session.Ema("-consumerName", "Consumer Name");
        AddView();
        AddStandby();
    }

    private static string DescribeIdle(bool isGiven) => isGiven ? "Yes(no effect)" : "No";

    private static string Lower(StandbyMode mode) => mode == StandbyMode.Login ? "login" : "service";

    private void AddView() => Custom("-view", "list", FieldIdList.Kind,
        "request these fields only, where the provider offers views (time stamps are always included)",
        o => o.View is { } view ? FieldIdList.Format(view.FieldIds) : null,
        (o, s) => FieldIdList.TryParse(s) is { } ids ? o with { View = new FieldView(ids) } : null)
        .As("View", o => o.View is { } view ? FieldIdList.Format(view.FieldIds) : "(all fields)").In(HelpGroup.Rates);

    private void AddStandby()
    {
        Text("-startingHostName", "host", "warm standby: host of the server that starts as active",
            o => o.Standby.StartingHost, (o, v) => o with { Standby = o.Standby with { StartingHost = v } }).DefaultsTo("-h")
            .As("Starting Host").In(HelpGroup.Connection);
        OptionalNumber("-startingPort", "port", "warm standby: its port",
            o => o.Standby.StartingPort, (o, v) => o with { Standby = o.Standby with { StartingPort = v } }).DefaultsTo("-p")
            .As("Starting Port").In(HelpGroup.Connection);
        Text("-standbyHostName", "host", "warm standby: host of the server that stands by",
            o => o.Standby.StandbyHost, (o, v) => o with { Standby = o.Standby with { StandbyHost = v } }).DefaultsTo("-h")
            .As("Standby Host").In(HelpGroup.Connection);
        OptionalNumber("-standbyPort", "port", "warm standby: its port",
            o => o.Standby.StandbyPort, (o, v) => o with { Standby = o.Standby with { StandbyPort = v } }).DefaultsTo("-p")
            .As("Standby Port").In(HelpGroup.Connection);
        Custom("-warmStandbyMode", "mode", "login or service",
            "warm standby: switch when the connection is lost (login), or also when the service goes down (service)",
            o => o.Standby.Mode is { } mode ? Lower(mode) : null,
            (o, s) => Array.Find(Modes, mode => Lower(mode) == s) is var mode and not StandbyMode.None
                ? o with { Standby = o.Standby with { Mode = mode } } : null)
            .DefaultsTo("login").As("Warm Standby Mode").In(HelpGroup.Connection);
    }
}
