using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfCommon.Tests.Hosting.Reporting;

/// <summary>Snapshots with a different value in every member, so that no two columns can be exchanged unseen.</summary>
internal static class ReportSamples
{
    public static readonly DateTime Utc = new(2026, 11, 21, 10, 12, 33, 45, DateTimeKind.Utc);

    public static readonly ProcessSample Process = new()
    {
        CpuPercent = 3.456,
        CoreCpuPercent = 6.912,
        CpuSeconds = 12.5,
        PeakWorkingSetBytes = 64_225_280,
        WorkingSetBytes = 60_000_000,
        ManagedHeapBytes = 1_234_567,
        Gen0Collections = 3,
        Gen1Collections = 2,
        Gen2Collections = 1,
        GcPauseMillis = 0.75,
    };

    private const long Start = 5_000_000_000;

    public static CollectionInfo Info(int thread = 1, int threads = 1) => new(5, Utc, 5.0, thread, threads);

    public static LatencyFigures Latency(double scale) => new()
    {
        Count = (long)(100 * scale),
        Average = 31.25 * scale,
        Deviation = 4.55 * scale,
        Max = 1702.95 * scale,
        Min = 9.5 * scale,
        P50 = 30 * scale,
        P90 = 49 * scale,
        P99 = 74 * scale,
        P999 = 410 * scale,
        P9999 = 1703 * scale,
    };

    public static ResourceStatistics Resources()
    {
        ResourceStatistics resources = new();
        resources.Add(Process with { CpuPercent = 1, CoreCpuPercent = 2, PeakWorkingSetBytes = 52_428_800 });
        resources.Add(Process);
        return resources;
    }

    public static ConsumerCounts ConsumerCounts() => new()
    {
        RequestsSent = 101,
        RefreshesReceived = 102,
        StartupUpdates = 10_003,
        SteadyUpdates = 490_004,
        DrainedUpdates = 5,
    };

    public static ConsumerCounts BusyConsumerCounts() => ConsumerCounts() with
    {
        PostsSent = 106,
        PostsNotSent = 107,
        GenericSent = 108,
        GenericLatenciesSent = 109,
        GenericNotSent = 110,
        GenericReceived = 111,
        GenericLatenciesReceived = 112,
        StatusesReceived = 113,
        MessagesDropped = 114,
        FieldsSkipped = 115,
        LatencyRecordsDropped = 116,
    };

    public static ConsumerInterval BusyConsumerInterval(int thread = 1, int threads = 1) => new()
    {
        Info = Info(thread, threads),
        Counts = BusyConsumerCounts(),
        UpdateLatency = Latency(1),
        PostLatency = Latency(2),
        GenericLatency = Latency(3),
        RoundTrips = Latency(4),
        SendLag = Latency(5),
        Images = new ImageRetrieval(102, 0.204),
        Process = Process,
    };

    public static ConsumerFigures ConsumerFigures() => new()
    {
        Items = 102,
        FirstRequestNanos = Start,
        ImagesCompleteNanos = Start + 204_000_000,
        FirstUpdateNanos = Start + 4_000_000,
        EndNanos = Start + 5_204_000_000,
        Counts = ConsumerCounts(),
        StartupLatency = Latency(6),
        SteadyLatency = Latency(7),
        OverallLatency = Latency(8),
    };

    public static ConsumerFigures BusyConsumerFigures() => ConsumerFigures() with
    {
        Counts = BusyConsumerCounts(),
        PostLatency = Latency(2),
        GenericLatency = Latency(3) with { NegativeCount = 2 },
        RoundTrips = Latency(4),
        SendLag = Latency(5),
    };

    public static ConsumerSummary BusyConsumerSummary() => new()
    {
        Overall = BusyConsumerFigures(),
        Threads = [BusyConsumerFigures(), new ConsumerFigures { Items = 50, FirstRequestNanos = Start, EndNanos = Start + 2_000_000_000 }],
        Resources = Resources(),
        Outcome = new RunOutcome(ExitCode.Incomplete, "the provider closed the connection\n", "connection reset"),
        Posts = true,
        PostLatencies = true,
        Generic = true,
        GenericLatencies = true,
        Notes = ["Server certificates were not checked."],
    };

    public static ProviderCounts ProviderCounts() => new()
    {
        RequestsReceived = 201,
        ImagesSent = 202,
        UpdatesSent = 500_203,
    };

    public static ProviderCounts BusyProviderCounts() => ProviderCounts() with
    {
        UpdatesNotSent = 204,
        UpdatesStopped = 205,
        UpdateLatenciesSent = 206,
        PostsReceived = 207,
        PostsReflected = 208,
        GenericSent = 209,
        GenericLatenciesSent = 210,
        GenericNotSent = 211,
        GenericReceived = 212,
        GenericLatenciesReceived = 213,
        ClosesReceived = 214,
        MessagesDropped = 215,
        PackedMessages = 2_160,
        PackBuffers = 72,
        LatencyRecordsDropped = 218,
    };

    public static ProviderInterval BusyProviderInterval(int thread = 1, int threads = 1) => new()
    {
        Info = Info(thread, threads),
        Counts = BusyProviderCounts(),
        Totals = BusyProviderCounts() + BusyProviderCounts(),
        GenericLatency = Latency(3),
        RoundTrips = Latency(4),
        SendLag = Latency(5),
        Process = Process,
    };

    public static ProviderFigures BusyProviderFigures() => new()
    {
        FirstGenericSentNanos = Start,
        FirstGenericReceivedNanos = Start + 1_000_000_000,
        EndNanos = Start + 5_000_000_000,
        Counts = BusyProviderCounts(),
        GenericLatency = Latency(3),
        RoundTrips = Latency(4),
        SendLag = Latency(5),
    };

    public static ProviderSummary BusyProviderSummary() => new()
    {
        Overall = BusyProviderFigures(),
        Threads = [BusyProviderFigures(), new ProviderFigures { EndNanos = Start }],
        Resources = Resources(),
        Outcome = new RunOutcome(ExitCode.Terminated, "ended by SIGTERM", "a connection was reset"),
        Updates = true,
        Generic = true,
        GenericLatencies = true,
        Notes = ["Encrypted."],
    };

    public static TransportInterval BusyTransportInterval(int thread = 1, int threads = 1) => new()
    {
        Info = Info(thread, threads),
        Counts = BusyTransportCounts(),
        Latency = Latency(1),
        SendLag = Latency(5),
        Process = Process,
    };

    public static TransportCounts BusyTransportCounts() => new()
    {
        MessagesSent = 500_301,
        BytesSent = 39_523_302,
        MessagesNotSent = 303,
        MessagesStopped = 304,
        MessagesReceived = 400_305,
        BytesReceived = 30_423_306,
        LatencyMessagesReceived = 307,
        DrainedMessages = 308,
        DrainedBytes = 309,
        LatencyRecordsDropped = 310,
    };

    public static TransportFigures BusyTransportFigures() => new()
    {
        ConnectedSeconds = 4.987,
        Counts = BusyTransportCounts(),
        Latency = Latency(1) with { NegativeCount = 1 },
        SendLag = Latency(5),
    };

    public static TransportSummary BusyTransportSummary() => new()
    {
        Overall = BusyTransportFigures(),
        Threads = [BusyTransportFigures(), new TransportFigures()],
        Resources = Resources(),
        Outcome = new RunOutcome(ExitCode.Success, "run time expired", "a peer was killed"),
        ProcessId = 24_806,
        Notes = ["Proxy used."],
    };
}
