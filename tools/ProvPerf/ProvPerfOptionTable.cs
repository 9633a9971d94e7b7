using PerfCommon.Load;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace ProvPerf;

/// <summary>Every option of ProvPerf: first the guide's, in the order of its block of test inputs, then the others.</summary>
internal sealed class ProvPerfOptionTable : RoleOptionTable<ProvPerfOptions>
{
    public ProvPerfOptionTable()
        : base("ProvPerf", new ProvPerfOptions())
    {
        AddConnection();
        AddRates();
        AddService();
        EndGuideRows();
        AddFurtherOptions();
        RefuseTunnels();
    }

    /// <summary>The only table; immutable.</summary>
    public static ProvPerfOptionTable Instance { get; } = new();

    protected override EmaRole? EmaRole => EmaRole.Provider;

    private void AddConnection()
    {
        Number("-runTime", "s", "seconds the program runs", o => o.RunSeconds, (o, v) => o with { RunSeconds = v })
            .AtLeast(1).As("Steady State Time", o => $"{o.RunSeconds} sec").In(HelpGroup.Common);
        Connection.Port();
        Connection.Kind("Connection type", isCapitalized: true);
        Run.Threads();
        Connection.ServerOutputBuffers(min: 6);
        Connection.MaxFragmentSize();
        Connection.SystemBuffers();
        Connection.Timeouts();
        Connection.Interface();
        Connection.TcpDelay();
        Run.TickRate();
        Connection.DirectWrite();
        Connection.HighWaterMark();
        Run.LatencyFile("Latency File");
        Run.SummaryFile();
        Run.WriteStatsInterval();
        Run.StatsFile();
        Run.DisplayStats("True", "False");
    }

    private void AddRates()
    {
        Number("-updateRate", "n", "updates per second per connection, 0 for none", o => o.UpdateRate, (o, v) => o with { UpdateRate = v })
            .As("Update Rate").In(HelpGroup.Common);
        this.Rate("-latencyUpdateRate", "n", "updates per second with a time stamp, or all",
            o => o.LatencyUpdateRate, (o, v) => o with { LatencyUpdateRate = v }).As("Latency Update Rate").In(HelpGroup.Rates);
        Number("-genericMsgRate", "n", "generic messages per second per connection, 0 for none",
            o => o.GenericMsgRate, (o, v) => o with { GenericMsgRate = v }).As("Generic Msg Rate").In(HelpGroup.Rates);
        this.Rate("-genericMsgLatencyRate", "n", "generic messages per second with a time stamp, or all",
            o => o.GenericMsgLatencyRate, (o, v) => o with { GenericMsgLatencyRate = v }).As("Generic Msg Latency Rate")
            .In(HelpGroup.Rates);
        Number("-refreshBurstSize", "n", "images sent between two clock readings",
            o => o.RefreshBurstSize, (o, v) => o with { RefreshBurstSize = v }).AtLeast(1).As("Refresh Burst Size").In(HelpGroup.Rates);
    }

    private void AddService()
    {
        Text("-msgFile", "file", "contents of messages", o => o.MsgFile, (o, v) => o with { MsgFile = v }).As("Data File",
            o => o.UpdateSize is null ? o.MsgFile : "(none)")
            .In(HelpGroup.Files);
        Number("-maxPackCount", "n", "messages in one packed buffer, 1 packs nothing",
            o => o.MaxPackCount, (o, v) => o with { MaxPackCount = v })
            .AtLeast(1).As("Packing",
                o => o.MaxPackCount > 1 ? $"Yes(max {o.MaxPackCount} per pack, {o.PackBufferBytes} buffer size)" : "No")
            .In(HelpGroup.Rates);
        Number("-packBufSize", "bytes", "size of a packed buffer", o => o.PackBufferBytes, (o, v) => o with { PackBufferBytes = v })
            .AtLeast(0).In(HelpGroup.Rates);
        Text("-serviceName", "name", "service to offer", o => o.ServiceName, (o, v) => o with { ServiceName = v })
            .As("Service Name").In(HelpGroup.Common);
        Number("-serviceId", "n", "its id", o => o.ServiceId, (o, v) => o with { ServiceId = v }, "-serviceld") // the guide's spelling
            .Within(0, 65535).As("Service ID").In(HelpGroup.Common);
        Number("-openLimit", "n", "open items per connection", o => o.OpenLimit, (o, v) => o with { OpenLimit = v })
            .AtLeast(1).As("OpenLimit");
    }

    private void AddFurtherOptions()
    {
        Session.ServingReactor("Use Reactor");
        Custom("-updateSize", "bytes[,fields]", "a number of bytes, or of bytes and fields such as 54,5",
            $"create images and updates of this size ({SizedMessages.MinBytes} to {SizedMessages.MaxBytes} bytes) instead of reading -msgFile",
            o => o.UpdateSize?.ToString(), (o, s) => UpdateSize.TryParse(s, out UpdateSize v) ? o with { UpdateSize = v } : null)
            .As("Update Size", o => o.UpdateSize is { } size ? $"{size.Bytes} bytes, {size.Fields} fields" : "(none)").In(HelpGroup.Rates);
        Text("-itemFile", "file", "items of the symbol list; without it RDT1, RDT2 and so on",
            o => o.ItemFile, (o, v) => o with { ItemFile = v }).As("Item File", o => o.ItemFile ?? "(RDT1 to RDT<count>)").In(HelpGroup.Files);
        Number("-itemCount", "n", "items in the symbol list; any item may be requested", o => o.ItemCount, (o, v) => o with { ItemCount = v })
            .Within(0, 10_000_000).As("Item Count");
        Run.RateProfile();
        Run.JsonFile();
        Run.HistogramFile();
        Run.Rotate();
        Run.MaxFiles();
        Control.Add();
        Run.CpuPerCore();
        Run.Assert(Threshold.AllBut(Threshold.Images, Threshold.Images + Threshold.Share));
        Run.BindThread();
        Run.BusyRead();
        Connection.TlsVersions();
        Connection.InsideTls();
        Connection.Certificates();
        Connection.ClientTrust();
        Connection.WebSocket();
        Connection.Compression();
        Connection.Limits();
        Connection.ServerLimits();
        Session.Dictionaries();
        Session.Times();
        Run.Stamp();
        Switch("-loginOptional", "answer requests also before the login", o => o.LoginOptional, (o, v) => o with { LoginOptional = v })
            .As("Login Optional");
        Switch("-preEnc", "encode every update once at start and copy it", o => o.PreEncoded, (o, v) => o with { PreEncoded = v })
            .As("Pre-Encoded Updates").In(HelpGroup.Rates);
        Switch("-measureEncode", "measure the encoding of messages with a time stamp",
            o => o.MeasureEncode, (o, v) => o with { MeasureEncode = v }).As("Measure Encode");
        Switch("-measureDecode", "measure the decoding of messages", o => o.MeasureDecode, (o, v) => o with { MeasureDecode = v })
            .As("Measure Decode").NotYet();
        Session.ReactorThreads();
        Session.Ema("-providerName", "Provider Name");
    }
}
