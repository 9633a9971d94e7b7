using PerfCommon.Transport.WebSockets;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace TransportPerf;

/// <summary>Every option of TransportPerf: first the guide's, in the order of its block of test inputs, then the others.</summary>
internal sealed class TransportPerfOptionTable : RoleOptionTable<TransportPerfOptions>
{
    private const string Reflecting = "0(reflecting)";
    private static readonly ChoiceWord<bool>[] Sides = [new("server", true), new("client", false)];
    private static readonly ChoiceWord<bool>[] JsonBodies = [new("raw", false), new("object", true)];

    public TransportPerfOptionTable()
        : base("TransportPerf", new TransportPerfOptions())
    {
        AddSideAndMessages();
        AddConnection();
        AddFiles();
        EndGuideRows();
        AddFurtherOptions();
        Refuse("multicast is not part of this tool", "-mcastStats", "-sa", "-ra", "-sp", "-rp", "-u", "-tp", "-prr");
        Refuse("not available", "-pdomain", "-krbfile");
    }

    /// <summary>The only table; immutable.</summary>
    public static TransportPerfOptionTable Instance { get; } = new();

    private void AddSideAndMessages()
    {
        Number("-runTime", "s", "seconds the program runs", o => o.RunSeconds, (o, v) => o with { RunSeconds = v })
            .AtLeast(1).As("Runtime", o => $"{o.RunSeconds} sec").In(HelpGroup.Common);
        Connection.Kind("Connection Type");
        Connection.Host();
        Connection.PortOfEitherSide();
        Choice("-appType", "type", "server or client", Sides,
            o => o.Connection.IsServer, (o, v) => o with { Connection = o.Connection with { IsServer = v } })
            .As("App Type").In(HelpGroup.Common);
        Run.Threads();
        Run.BusyRead();
        Number("-msgSize", "bytes", "size of a message, 16 or more", o => o.MsgBytes, (o, v) => o with { MsgBytes = v })
            .AtLeast(RawMessage.MinBytes).As("Msg Size").In(HelpGroup.Rates);
        Number("-msgRate", "n", "messages per second per connection, 0 for none", o => o.MsgRate, (o, v) => o with { MsgRate = v })
            .As("Msg Rate", o => o.Reflect ? Reflecting : $"{o.MsgRate}").In(HelpGroup.Rates);
        this.Rate("-latencyMsgRate", "n", "messages per second with a time stamp, or all",
            o => o.LatencyMsgRate, (o, v) => o with { LatencyMsgRate = v })
            .As("Latency Msg Rate", o => o.Reflect ? Reflecting : $"{o.LatencyMsgRate}").In(HelpGroup.Rates);
    }

    private void AddConnection()
    {
        Connection.OutputBuffers(min: 1);
        Connection.MaxFragmentSize();
        Connection.SystemBuffers();
        Connection.HighWaterMark();
        Connection.Compression();
        Connection.Interface();
        Connection.TcpDelay();
        Run.TickRate();
        Connection.DirectWrite();
    }

    private void AddFiles()
    {
        Run.LatencyFile("Latency Log File");
        Run.SummaryFile(o => o.FileNames.Summary, "TransportSummary_<pid>.out", "-summaryFileStatic");
        Run.StatsFile(o => o.Run.StatsFile is { Length: > 0 } named ? named : "TransportStats", "TransportStats<n>_<pid>.csv",
            "-statsFileStatic");
        Run.WriteStatsInterval();
        Run.DisplayStats();
        Number("-pack", "n", "messages in one packed buffer, 1 packs nothing", o => o.PackCount, (o, v) => o with { PackCount = v })
            .AtLeast(1).As("Packing", o => o.PackCount > 1 ? $"Yes({o.PackCount} per pack)" : "No").In(HelpGroup.Rates);
        Connection.Proxy();
    }

    private void AddFurtherOptions()
    {
        Switch("-reflectMsgs", "send back what is received, and nothing else", o => o.Reflect, (o, v) => o with { Reflect = v })
            .As("Reflect Msgs").In(HelpGroup.Common);
        Run.JsonFile();
        Run.HistogramFile();
        Run.Rotate();
        Run.MaxFiles();
        Control.Add();
        Run.CpuPerCore();
        Run.Assert(Threshold.AllBut(Threshold.Images, Threshold.Images + Threshold.Share, Threshold.Lost));
        Run.BindThread();
        Run.Stamp();
        Run.RateProfile("messages", "-msgRate");
        Connection.TlsVersions();
        Connection.InsideTls();
        Connection.Certificates();
        Connection.ClientTrust();
        Connection.Trust();
        Connection.WebSocket([.. WebSocketProtocol.All]);
        Choice("-jsonBody", "form", "message body with a JSON sub-protocol: raw (binary, as the C and Java editions) or object; both are received",
            JsonBodies, o => o.JsonObjects, (o, v) => o with { JsonObjects = v }).As("JSON Body");
        Number("-connections", "n", "connections of a client, in turn over its threads; 0 for one of each thread", o => o.ClientConnections,
            (o, v) => o with { ClientConnections = v }).Within(0, TransportPerfOptions.MaxClientConnections).In(HelpGroup.Common);
        Connection.Limits();
        Connection.ServerLimits();
        SenderClock.Add();
    }
}
