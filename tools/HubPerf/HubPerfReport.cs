using PerfCommon.Workers;
using PerfHub.Counting;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace HubPerf;

/// <summary>Every figure that HubPerf reports, one row each, in the order of its summary.</summary>
internal static class HubPerfReport
{
    private const double BytesPerKilobyte = 1_024;
    private const double MicrosPerMilli = 1_000;

    /// <summary>Creates the report of a run with these options.</summary>
    public static Report Create(HubPerfOptions options)
    {
        ReportTable table = new("HubPerf")
        {
            Steady = (Moment.Connected, Moment.End),
            CpuPerCore = options.Run.CpuPerCore,
        };
        table.Section("Overall Statistics:");
        AddPeers(table);
        AddMessages(table);
        table.Latency(Series.Through).Json("through").Called("time through the hub")
            .Columns(18, new("Through p50 (usec)", "{4:F1}"), new("Through p99 (usec)", "{6:F1}"), new("Through max (usec)", "{2:F1}"))
            .Console(4, LatencyFormats.PercentileLine("Through(usec)")).Summary(LatencyFormats.SummaryLines("Through"))
            .WithoutValue("No message went through.").Metric([.. LatencyCell.All.Select(cell => cell.Name)]);
        AddLosses(table);
        table.Overall();
        table.Section();
        AddMemory(table);
        AddBatches(table);
        return new Report(table);
    }

    private static void AddPeers(ReportTable table)
    {
        table.Gauge("sources", HubGauge.Sources).Column(2, "Sources").Console(2, "- Sources {0}").Summary("Sources: {0}");
        table.Gauge("consumers", HubGauge.Consumers).Column(3, "Consumers").Console(2, ", consumers {0}").Summary("Consumers: {0}");
        table.Gauge("items", HubGauge.Items).Column(4, "Items").Console(2, ", items {0}").Summary("Items: {0}");
        table.Gauge("watchers", HubGauge.Watchers).Column(5, "Watchers").Console(2, ", watchers {0}").Summary("Watchers: {0}");
    }

    private static void AddMessages(ReportTable table)
    {
        table.Number(f => Math.Truncate(f.PerIntervalSecond(f[HubCounter.UpdatesReceived]))).Interval("receiveRate").Console(1,
            "UpdRate: {0}");
        table.Number(f => Math.Truncate(f.PerIntervalSecond(f[Counter.UpdatesSent]))).Interval("deliveryRate").Console(1,
            ", delivered: {0}");
        table.Count("requestsReceived", Counter.RequestsReceived).Summary("Image requests received: {0}");
        table.Count("requestsSent", Counter.RequestsSent).Summary("Image requests sent: {0}");
        table.Count("updatesReceived", HubCounter.UpdatesReceived).Column(6, "Updates in").Summary("Updates received: {0}");
        table.Count("updatesSent", Counter.UpdatesSent).Column(7, "Updates delivered").Summary("Updates delivered: {0}").OfConnections();
        table.Count("imagesReceived", Counter.RefreshesReceived).Column(8, "Refreshes in").Console(3, "- Received {0} images (total: {1})")
            .Summary("Images received: {0}");
        table.Count("imagesSent", Counter.RefreshesSent).Column(9, "Refreshes delivered").Console(3, ", delivered {0} images (total: {1})")
            .Summary("Images delivered: {0}").OfConnections();
        table.Count("postsReceived", Counter.PostsReceived).Column(10,
            "Posts in").Summary("Posts received: {0}").When(Counter.PostsReceived);
        table.Count("postsSent", Counter.PostsSent, Counter.PostsReflected).Column(11,
            "Posts out").Summary("Posts sent: {0}").When(Counter.PostsReceived);
        table.Count("postsReflected", Counter.PostsReflected);
        Counter[] genericReceived = [Counter.GenericReceived, HubCounter.SourceGenericReceived];
        table.Count("genericReceived", genericReceived).Column(12, "Generics in").Summary("GenMsgs received: {0}").When(genericReceived);
        table.Count("genericSent", Counter.GenericSent, Counter.SourceGenericSent).Column(13,
            "Generics out").Summary("GenMsgs sent: {0}").When(genericReceived);
        table.Count("consumerGenericReceived", Counter.GenericReceived);
        table.Count("consumerGenericSent", Counter.GenericSent);
        table.Count("sourceGenericReceived", HubCounter.SourceGenericReceived);
        table.Count("sourceGenericSent", Counter.SourceGenericSent);
        table.Cpu().Column(21, "CPU usage (%)", "{0:F2}").Console(1, ", CPU: {0:F2}%");
        table.Memory().Column(22, "Memory(MB)", "{0:F2}").Console(1, ", Mem: {0:F2}MB");
    }

    private static void AddLosses(ReportTable table)
    {
        table.Count("updatesConflated", HubCounter.UpdatesConflated).Column(14, "Conflated").Console(5, "- Conflated {0}")
            .Summary("Updates conflated: {0}").When(HubCounter.UpdatesConflated).OfConnections();
        table.Count("updatesDropped", HubCounter.UpdatesDropped).LowerIsBetter().Column(15, "Dropped").Console(5, ", dropped {0}")
            .Summary("Updates dropped: {0}").When(HubCounter.UpdatesDropped).OfConnections();
        table.Count("connectionsCut", HubCounter.ConnectionsCut).LowerIsBetter().Column(16, "Cut connections").Console(5, ", cut {0} connections")
            .Summary("Connections cut: {0}").When(HubCounter.ConnectionsCut);
        table.Loss("connectionsOverShare", "Connections closed for the memory they took", HubCounter.ConnectionsOverShare);
        table.Loss("connectionsBad", "Connections closed for what they sent", Counter.ConnectionsBad);
        table.Loss("connectionsSilent", "Connections closed after their ping timeout", Counter.ConnectionsSilent);
        table.Loss("connectionsRefused", "Connections refused over -maxConnections", Counter.ConnectionsRefused);
        table.Loss("handshakesCut", "Handshakes closed over -maxHandshakes", Counter.HandshakesCut);
        table.Loss("handshakesTimedOut", "Handshakes closed after -handshakeTimeout", Counter.HandshakesTimedOut);
        table.Loss("handshakesFailed", "Handshakes closed for what was sent", Counter.HandshakesFailed);
        table.Loss("updatesUnwatched", "Updates without a watcher", HubCounter.UpdatesUnwatched);
        table.Loss("updatesNotSent", "Updates not sent", Counter.UpdatesNotSent).OfConnections();
        table.Loss("imagesNotSent", "Images not sent", Counter.RefreshesNotSent).OfConnections();
        table.Loss("postsNotSent", "Posts not sent", Counter.PostsNotSent).OfConnections();
        table.Loss("postsNotReflected", "Posts not delivered", Counter.PostsNotReflected).OfConnections();
        table.Loss("genericNotSent", "GenMsgs not sent", Counter.GenericNotSent).OfConnections();
        table.Loss("requestsRejected", "Requests rejected", Counter.RequestsRejected);
        table.Loss("imagesRefused", "Images refused over the limit of items", HubCounter.ImagesRefused);
        table.Loss("servicesRefused", "Services refused", HubCounter.ServicesRefused);
        table.Loss("fieldsNotKept", "Fields not kept over -maxFields", HubCounter.FieldsNotKept);
        table.Loss("postsRefused", "Posts refused", Counter.PostsRefused);
        table.Loss("statusesReceived", "Statuses received", Counter.StatusesReceived);
        table.Loss("closesReceived", "Closes received", Counter.ClosesReceived).NeitherIsBetter();
        table.Number(f =>
            f[Counter.UpdatesNotSent] + f[HubCounter.UpdatesDropped] + f[Counter.RefreshesNotSent] + f[Counter.GenericNotSent]
            + f[Counter.PostsNotSent] + f[Counter.PostsNotReflected] - f[Counter.PostsUnwatched])
            .Metric(Threshold.NotSent);
        table.MessagesDropped();
        table.Count("packedMessages", Counter.PackedMessages);
        table.Count("packBuffers", Counter.PackBuffers);
        table.RoundTrips(line: 6);
    }

    private static void AddBatches(ReportTable table)
    {
        table.Count("sends", HubCounter.Sends).Column(ReportColumn.Ours, "Sends").Summary("Sends: {0}");
        table.Number(f => f[HubCounter.Sends] == 0 ? 0 : f[Counter.UpdatesSent] / (double)f[HubCounter.Sends])
            .Json("updatesPerSend").IsMean()
            .Column(ReportColumn.Ours, "Updates per send", "{0:F2}").Console(2,
                ", updates per send {0:F2}").Summary("Updates per send: {0:F2}");
        table.Gauge("burstMicros", HubGauge.BurstMicros).IsTime("us");
        table.Number(f => f[HubGauge.BurstMicros] / MicrosPerMilli).Column(ReportColumn.Ours, "Burst interval (ms)", "{0:F1}").Console(2,
            ", burst {0:F1} ms");
        table.Count("earlyFlushes", HubCounter.EarlyFlushes).Column(ReportColumn.Ours,
            "Early flushes").Summary("Early flushes: {0}").When(HubCounter.EarlyFlushes);
        table.Count("updatesThrottled", HubCounter.UpdatesThrottled).Column(ReportColumn.Ours,
            "Throttled").Summary("Updates throttled: {0}").When(HubCounter.UpdatesThrottled);
        table.Count("copiesDue", HubCounter.CopiesDue);
        table.Count("copiesUnwatched", Counter.CopiesUnwatched);
        table.Count("postsUnwatched", Counter.PostsUnwatched);
        table.Count("updatesCopied", HubCounter.UpdatesCopied);
        table.Count("postsCopied", HubCounter.PostsCopied);
        table.Count("genericCopied", HubCounter.GenericCopied);
        table.Count("bytesSent", Counter.BytesSent).IsSum("bytes").Column(ReportColumn.Ours, "Bytes out");
        table.Number(f => f[HubGauge.Consumers]).Column(ReportColumn.Ours, "Users");
    }

    private static void AddMemory(ReportTable table)
    {
        table.Gauge("queuedBytesMax", Gauge.QueuedBytesMax).IsMaxMemory("bytes")
            .Column(17, "Queued bytes max").Summary("Queued bytes max: {0}");
        table.Gauge("itemBytes", HubGauge.ItemBytes).IsMemory("bytes").Summary("Item bytes: {0}");
        table.Number(f => f[HubGauge.Items] > 0 ? f[HubGauge.ItemBytes] / BytesPerKilobyte / f[HubGauge.Items] : null)
            .Json("kilobytesPerItem").IsMeanMemory("KB").Called("memory of an item")
            .Summary("Memory per item (KB): {0:F2}");
    }
}
