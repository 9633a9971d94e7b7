using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace TransportPerf;

/// <summary>Every option of TransportPerf: first those of the guide in the order of its block of test inputs, then the others.</summary>
internal sealed class TransportPerfOptionTable : OptionTable<TransportPerfOptions>
{
    private const string Reflecting = "0(reflecting)";
    private static readonly (string, bool)[] Sides = [("server", true), ("client", false)];

    private readonly ConnectionRows<TransportPerfOptions> _connection;
    private readonly RunRows<TransportPerfOptions> _run;

    public TransportPerfOptionTable()
        : base("TransportPerf", new TransportPerfOptions(), o => o.FindProblem() ?? o.FindUnavailable())
    {
        _connection = new(this, o => o.Connection, (o, v) => o with { Connection = v });
        _run = new(this, o => o.Run, (o, v) => o with { Run = v });
        AddSideAndMessages();
        AddConnection();
        AddFiles();
        AddFurtherOptions();
        Refuse("multicast is not part of this tool", "-mcastStats", "-sa", "-ra", "-sp", "-rp", "-u", "-tp", "-prr");
        Refuse("not available", "-pdomain", "-krbfile");
    }

    /// <summary>The one table; it never changes.</summary>
    public static TransportPerfOptionTable Instance { get; } = new();

    private void AddSideAndMessages()
    {
        Number("-runTime", "s", "seconds the program runs", o => o.RunSeconds, (o, v) => o with { RunSeconds = v })
            .AtLeast(1).As("Runtime", o => $"{o.RunSeconds} sec");
        _connection.Kind("Connection Type");
        _connection.Host();
        _connection.PortOfEitherSide();
        Choice("-appType", "type", "server or client", Sides,
            o => o.Connection.IsServer, (o, v) => o with { Connection = o.Connection with { IsServer = v } }).As("App Type");
        _run.Threads();
        _run.BusyRead();
        Number("-msgSize", "bytes", "size of a message, 16 or more", o => o.MsgBytes, (o, v) => o with { MsgBytes = v })
            .AtLeast(RawMessage.MinBytes).As("Msg Size");
        Number("-msgRate", "n", "messages a second and connection, 0 for none", o => o.MsgRate, (o, v) => o with { MsgRate = v })
            .As("Msg Rate", o => o.Reflect ? Reflecting : $"{o.MsgRate}");
        Rate("-latencyMsgRate", "n", "messages a second with a time stamp, or all",
            o => o.LatencyMsgRate, (o, v) => o with { LatencyMsgRate = v })
            .As("Latency Msg Rate", o => o.Reflect ? Reflecting : $"{o.LatencyMsgRate}");
    }

    private void AddConnection()
    {
        _connection.OutputBuffers(min: 0);
        _connection.MaxFragmentSize();
        _connection.SystemBuffers();
        _connection.HighWaterMark();
        _connection.Compression();
        _connection.Interface();
        _connection.TcpDelay();
        _run.TickRate();
        _connection.DirectWrite();
    }

    private void AddFiles()
    {
        _run.LatencyFile("Latency Log File");
        _run.SummaryFile(o => o.FileNames.Summary, "TransportSummary_<pid>.out", "-summaryFileStatic");
        _run.StatsFile(o => o.FileNames.Statistics(1), "TransportStats<n>_<pid>.csv", "-statsFileStatic");
        _run.WriteStatsInterval();
        _run.DisplayStats();
        Number("-pack", "n", "messages in one packed buffer, 1 packs nothing", o => o.PackCount, (o, v) => o with { PackCount = v })
            .AtLeast(1).As("Packing", o => o.PackCount > 1 ? $"Yes({o.PackCount} per pack)" : "No");
        _connection.Proxy();
    }

    private void AddFurtherOptions()
    {
        Switch("-reflectMsgs", "send back what is received, and nothing else", o => o.Reflect, (o, v) => o with { Reflect = v })
            .As("Reflect Msgs");
        _run.JsonFile();
        _run.Assert();
        _run.BindThread();
        _connection.TlsVersions();
        _connection.InsideTls();
        _connection.Certificates();
        _connection.Trust();
        _connection.WebSocket();
        _connection.Limits();
        _connection.ServerLimits();
    }
}
