using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace ProvPerf;

/// <summary>Every option of ProvPerf: first those of the guide in the order of its block of test inputs, then the others.</summary>
internal sealed class ProvPerfOptionTable : OptionTable<ProvPerfOptions>
{
    private readonly ConnectionRows<ProvPerfOptions> _connection;
    private readonly RunRows<ProvPerfOptions> _run;
    private readonly SessionRows<ProvPerfOptions> _session;

    public ProvPerfOptionTable()
        : base("ProvPerf", new ProvPerfOptions(), o => o.FindProblem() ?? o.FindUnavailable())
    {
        _connection = new(this, o => o.Connection, (o, v) => o with { Connection = v });
        _run = new(this, o => o.Run, (o, v) => o with { Run = v });
        _session = new(this, o => o.Session, (o, v) => o with { Session = v });
        AddConnection();
        AddRates();
        AddService();
        AddFurtherOptions();
        Refuse("tunnel streams are not part of this tool", "-tunnel", "-tunnelAuth", "-tunnelStreamOutputBufs", "-tunnelStreamBuffersUsed");
    }

    /// <summary>The one table; it never changes.</summary>
    public static ProvPerfOptionTable Instance { get; } = new();

    private void AddConnection()
    {
        Number("-runTime", "s", "seconds the program runs", o => o.RunSeconds, (o, v) => o with { RunSeconds = v })
            .AtLeast(1).As("Steady State Time", o => $"{o.RunSeconds} sec");
        _connection.Port();
        _connection.Kind("Connection type");
        _run.Threads();
        _connection.OutputBuffers(min: 6, o => $"{o.Connection.Server.OutputBuffers}(effective = {o.Connection.Server.OutputBufferLimit})");
        _connection.MaxOutputBuffers("-maxOutputBufs", "-maxOutputBuffer").AtLeast(0);
        _connection.MaxFragmentSize();
        _connection.SystemBuffers();
        _connection.Timeouts();
        _connection.Interface();
        _connection.TcpDelay();
        _run.TickRate();
        _connection.DirectWrite();
        _connection.HighWaterMark();
        _run.LatencyFile("Latency File");
        _run.SummaryFile();
        _run.WriteStatsInterval();
        _run.StatsFile();
        _run.DisplayStats();
    }

    private void AddRates()
    {
        Number("-updateRate", "n", "updates a second and connection, 0 for none", o => o.UpdateRate, (o, v) => o with { UpdateRate = v })
            .As("Update Rate");
        Rate("-latencyUpdateRate", "n", "updates a second with a time stamp, or all",
            o => o.LatencyUpdateRate, (o, v) => o with { LatencyUpdateRate = v }).As("Latency Update Rate");
        Number("-genericMsgRate", "n", "generic messages a second and connection, 0 for none",
            o => o.GenericMsgRate, (o, v) => o with { GenericMsgRate = v }).As("Generic Msg Rate");
        Rate("-genericMsgLatencyRate", "n", "generic messages a second with a time stamp, or all",
            o => o.GenericMsgLatencyRate, (o, v) => o with { GenericMsgLatencyRate = v }).As("Generic Msg Latency Rate");
        Number("-refreshBurstSize", "n", "images sent between two looks at the clock",
            o => o.RefreshBurstSize, (o, v) => o with { RefreshBurstSize = v }).AtLeast(1).As("Refresh Burst Size");
    }

    private void AddService()
    {
        Text("-msgFile", "file", "contents of messages", o => o.MsgFile, (o, v) => o with { MsgFile = v }).As("Data File");
        Number("-maxPackCount", "n", "messages in one packed buffer, 1 packs nothing",
            o => o.MaxPackCount, (o, v) => o with { MaxPackCount = v })
            .AtLeast(1).As("Packing", o => o.MaxPackCount > 1 ? $"Yes(max {o.MaxPackCount} per pack, {o.PackBufferBytes} buffer size)" : "No");
        Number("-packBufSize", "bytes", "size of a packed buffer", o => o.PackBufferBytes, (o, v) => o with { PackBufferBytes = v });
        Text("-serviceName", "name", "service to offer", o => o.ServiceName, (o, v) => o with { ServiceName = v }).As("Service Name");
        Number("-serviceId", "n", "its id", o => o.ServiceId, (o, v) => o with { ServiceId = v })
            .Within(0, 65535).As("Service ID").AlsoSilently("-serviceld"); // the guide's own misspelling
        Number("-openLimit", "n", "open items per connection", o => o.OpenLimit, (o, v) => o with { OpenLimit = v })
            .AtLeast(1).As("OpenLimit");
        _session.Reactor("Use Reactor");
    }

    private void AddFurtherOptions()
    {
        _run.JsonFile();
        _run.Assert();
        _run.BindThread();
        _connection.TlsVersions();
        _connection.InsideTls();
        _connection.Certificates();
        _connection.WebSocket();
        _connection.Compression();
        _connection.Limits();
        _connection.ServerLimits();
        _session.Dictionaries();
        _session.Times();
        Switch("-preEnc", "encode every update once at start and copy it", o => o.PreEncoded, (o, v) => o with { PreEncoded = v })
            .As("Pre-Encoded Updates");
        Switch("-measureEncode", "measure the encoding of messages with a time stamp",
            o => o.MeasureEncode, (o, v) => o with { MeasureEncode = v }).As("Measure Encode");
        Switch("-measureDecode", "measure the decoding of messages", o => o.MeasureDecode, (o, v) => o with { MeasureDecode = v })
            .As("Measure Decode");
        _session.ReactorThreads();
        _session.Ema("-providerName", "Provider Name");
    }
}
