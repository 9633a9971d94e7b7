using System.Runtime.CompilerServices;
using System.Threading.Channels;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Telemetry;

/// <summary>
/// Sends every collection to an OpenTelemetry collector, from a separate thread: no worker waits for it. A collector that does not answer loses its
/// data; the run goes on.
/// </summary>
internal sealed class OtlpPush
{
    // Collections that wait while the collector is slow.
    private const int MaxWaiting = 16;
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(10);

    private readonly OtlpOptions _options;
    private readonly string _program;
    private readonly string? _version;
    private readonly Channel<Collection> _waiting = Channel.CreateBounded<Collection>(MaxWaiting);
    private readonly TaskCompletionSource _ready = new();
    private readonly Thread _thread;
    private long _offered; // by the owner
    private long _sent;
    private string? _notice;
    private bool _failed;

    private OtlpPush(OtlpOptions options, string program, string? version)
    {
        (_options, _program, _version) = (options, program, version);
        _thread = new Thread(Run) { IsBackground = true, Name = "otlp" };
        _thread.Start();
    }

    /// <summary>
    /// Starts the thread, and waits until the code that sends is compiled: 0.4 s of a processor, which would be missing during the measurement. Null
    /// where the options name no collector.
    /// </summary>
    /// <param name="options">Address of the collector.</param>
    /// <param name="program">Name of the program.</param>
    /// <param name="version">Version of the program; null where it has none.</param>
    public static OtlpPush? Open(OtlpOptions options, string program, string? version)
    {
        if (options.Endpoint is null)
            return null;
        OtlpPush push = new(options, program, version);
        push._ready.Task.Wait(StartLimit);
        return push;
    }

    /// <summary>Enqueues a collection; it is dropped where too many wait. Never blocks.</summary>
    /// <param name="metrics">Creates the metrics, on the thread that sends them.</param>
    /// <param name="samples">The samples of the interval.</param>
    public void Offer(Func<MetricSet> metrics, IReadOnlyList<SampleCells> samples)
    {
        _offered++;
        _waiting.Writer.TryWrite(new(metrics, samples));
    }

    /// <summary>Returns why a collection did not arrive, once; null for nothing.</summary>
    public string? DequeueNotice() => Interlocked.Exchange(ref _notice, null);

    /// <summary>Sends the waiting collections, within a limit.</summary>
    /// <returns>The number of collections that did not arrive, as a sentence; null when all did.</returns>
    public string? Complete(TimeSpan limit)
    {
        _waiting.Writer.TryComplete();
        _thread.Join(limit);
        long sent = Interlocked.Read(ref _sent);
        return sent == _offered ? null
            : FormattableString.Invariant($"OpenTelemetry: {sent} of {_offered} collections arrived at {_options.Endpoint!.OriginalString}.");
    }

    private void Run()
    {
        try
        {
            Send();
        }
#pragma warning disable CA1031 // whatever the packages throw ends the sending, never the run: it is reported, and the missing collections are counted
        catch (Exception defect)
#pragma warning restore CA1031
        {
            ReportProblem(defect.Message);
            _ready.TrySetResult();
        }
    }

    private void Send()
    {
        if (RuntimeFeature.IsDynamicCodeCompiled)
            OtlpSender.WarmUp(_options, _program, _version);
        using OtlpSender sender = new(OtlpTarget.ForMetrics(_options), _program, _version);
        _ready.SetResult();
        while (TryDequeue(out Collection? collection))
        {
            if (sender.TrySend(collection!.Metrics(), collection.Samples))
                Interlocked.Increment(ref _sent);
            else
                ReportProblem("a collection was not accepted in time; is a collector listening there, and does it speak this protocol (-otlpProtocol)?");
        }
    }

    // Waits for a collection; false after the last.
    private bool TryDequeue(out Collection? collection)
    {
        collection = null;
        while (_waiting.Reader.WaitToReadAsync().AsTask().GetAwaiter().GetResult())
        {
            if (_waiting.Reader.TryRead(out collection))
                return true;
        }

        return false;
    }

    private void ReportProblem(string problem)
    {
        if (_failed)
            return;
        _failed = true;
        Volatile.Write(ref _notice, $"OpenTelemetry: {_options.Endpoint!.OriginalString}: {problem}");
    }

    private sealed record Collection(Func<MetricSet> Metrics, IReadOnlyList<SampleCells> Samples);
}
