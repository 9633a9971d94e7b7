using PerfCommon.Load;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace NIProvPerf;

/// <summary>Every option of NIProvPerf: first the guide's, in the order of its block of test inputs, then the others.</summary>
internal sealed class NIProvPerfOptionTable : RoleOptionTable<NIProvPerfOptions>
{
    public NIProvPerfOptionTable()
        : base("NIProvPerf", new NIProvPerfOptions())
    {
        AddConnection();
        AddItemsAndRates();
        AddService();
        EndGuideRows();
        AddFurtherOptions();
        RefuseTunnels();
        Refuse("multicast is not part of this tool", "-mcastStats", "-sa", "-ra", "-sp", "-rp", "-u", "-tp", "-prr");
    }

    /// <summary>The only table; immutable.</summary>
    public static NIProvPerfOptionTable Instance { get; } = new();

    protected override EmaRole? EmaRole => EmaRole.Publisher;

    private void AddConnection()
    {
        Number("-runTime", "s", "seconds the program runs, also the time limit for a connection; 0 until a signal",
            o => o.RunSeconds, (o, v) => o with { RunSeconds = v })
            .AtLeast(0).As("Run Time", o => o.RunSeconds == 0 ? "until a signal" : $"{o.RunSeconds} sec").In(HelpGroup.Common);
        Connection.Kind("Connection Type");
        Connection.Host();
        Connection.Port();
        Run.Threads("Thread List");
        Connection.OutputBuffers(min: 1);
        Connection.MaxFragmentSize("no effect: the hub sets the fragment size");
        Connection.SystemBuffers();
        Connection.HighWaterMark();
        Connection.Interface();
        Text("-uname", "name", "login name; by default that of the system", o => o.UserName, (o, v) => o with { UserName = v })
            .As("Username", o => o.UserName ?? "(use system login name)").In(HelpGroup.Common);
        Connection.TcpDelay();
    }

    private void AddItemsAndRates()
    {
        Number("-itemCount", "n", "items over all threads", o => o.ItemCount, (o, v) => o with { ItemCount = v })
            .AtLeast(1).As("Item Count").In(HelpGroup.Common);
        Number("-commonItemCount", "n", "items that every thread publishes",
            o => o.CommonItemCount, (o, v) => o with { CommonItemCount = v })
            .AtLeast(0).As("Common Item Count").In(HelpGroup.Rates);
        Run.TickRate();
        Connection.DirectWrite();
        Run.SummaryFile();
        Run.StatsFile();
        Run.WriteStatsInterval();
        Run.DisplayStats("True", "False");
        Number("-updateRate", "n", "updates per second per connection, 0 for none", o => o.UpdateRate, (o, v) => o with { UpdateRate = v })
            .As("Update Rate").In(HelpGroup.Common);
        this.Rate("-latencyUpdateRate", "n", "updates per second with a time stamp, or all",
            o => o.LatencyUpdateRate, (o, v) => o with { LatencyUpdateRate = v }).As("Latency Update Rate").In(HelpGroup.Rates);
        Number("-refreshBurstSize", "n", "images sent between two clock readings",
            o => o.RefreshBurstSize, (o, v) => o with { RefreshBurstSize = v }).AtLeast(1).As("Refresh Burst Size").In(HelpGroup.Rates);
    }

    private void AddService()
    {
        Text("-itemFile", "file", "list of items", o => o.ItemFile, (o, v) => o with { ItemFile = v }).As("Item File").In(HelpGroup.Files);
        Text("-msgFile", "file", "contents of messages", o => o.MsgFile, (o, v) => o with { MsgFile = v })
            .As("Data File", o => o.UpdateSize is null ? o.MsgFile : "(none)")
            .In(HelpGroup.Files);
        Number("-maxPackCount", "n", "messages in one packed buffer, 1 packs nothing",
            o => o.MaxPackCount, (o, v) => o with { MaxPackCount = v })
            .AtLeast(1).As("Packing",
                o => o.MaxPackCount > 1 ? $"Yes(max {o.MaxPackCount} per pack, {o.PackBufferBytes} buffer size)" : "No")
            .In(HelpGroup.Rates);
        Number("-packBufSize", "bytes", "size of a packed buffer", o => o.PackBufferBytes, (o, v) => o with { PackBufferBytes = v })
            .AtLeast(0).In(HelpGroup.Rates);
        Number("-serviceId", "n", "its id, with -useServiceId", o => o.ListedServiceId, (o, v) => o with { ListedServiceId = v },
            "-serviceld") // the guide's spelling
            .Within(0, 65535).As("Service ID", o => $"{o.ServiceId}").In(HelpGroup.Common);
        Text("-serviceName", "name", "service to publish", o => o.ServiceName, (o, v) => o with { ServiceName = v })
            .As("Service Name").In(HelpGroup.Common);
    }

    private void AddFurtherOptions()
    {
        Connection.Timeouts("Recv Timeout");
        Session.Reactor("Use Reactor");
        Switch("-useServiceId", "give the service the id of -serviceId instead of 1",
            o => o.UseServiceId, (o, v) => o with { UseServiceId = v }).As("Use Service ID");
        Custom("-updateSize", "bytes[,fields]", "a number of bytes, or of bytes and fields such as 54,5",
            $"create images and updates of this size ({SizedMessages.MinBytes} to {SizedMessages.MaxBytes} bytes) instead of reading -msgFile",
            o => o.UpdateSize?.ToString(), (o, s) => UpdateSize.TryParse(s, out UpdateSize v) ? o with { UpdateSize = v } : null)
            .As("Update Size", o => o.UpdateSize is { } size ? $"{size.Bytes} bytes, {size.Fields} fields" : "(none)").In(HelpGroup.Rates);
        Run.RateProfile();
        Run.Part();
        Run.JsonFile();
        Run.HistogramFile();
        Run.Rotate();
        Run.MaxFiles();
        Control.Add();
        Run.CpuPerCore();
        Run.Assert(Threshold.AllBut([.. Threshold.Latencies, Threshold.Images, Threshold.Images + Threshold.Share]));
        Run.BindThread();
        Run.BusyRead();
        Connection.TlsVersions();
        Connection.InsideTls();
        Connection.Certificates();
        Connection.Trust();
        Connection.WebSocket();
        Connection.Compression();
        Connection.Proxy();
        Connection.Limits();
        Session.Dictionaries();
        Session.NanoTime();
        Run.Stamp();
        Switch("-preEnc", "encode every update once at start and copy it", o => o.PreEncoded, (o, v) => o with { PreEncoded = v })
            .As("Pre-Encoded Updates").In(HelpGroup.Rates);
        Switch("-measureEncode", "measure the encoding of messages with a time stamp",
            o => o.MeasureEncode, (o, v) => o with { MeasureEncode = v }).As("Measure Encode");
        Switch("-measureDecode", "measure the decoding of messages", o => o.MeasureDecode, (o, v) => o with { MeasureDecode = v })
            .As("Measure Decode").NotYet();
        Session.ReconnectDelay();
        Session.ReactorThreads();
        Session.Ema("-providerName", "Provider Name");
    }
}
