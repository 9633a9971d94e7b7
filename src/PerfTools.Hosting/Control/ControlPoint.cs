using PerfCommon;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Control;

/// <summary>
/// Where a run is looked at, and changed, while it goes on. Main thread only; whoever asks is answered on threads of the pool.
/// </summary>
internal sealed class ControlPoint : IDisposable
{
    /// <summary>In front of the address in the line that says where changes are taken.</summary>
    public const string ControlLine = "Control on ";

    private readonly string _tool;
    private readonly RunControl _control;
    private readonly ControlListener _listener;
    private Exception? _defect;
    private bool _hasDefect;

    private ControlPoint(ControlOptions options, string tool, RunControl control, long? maxFiles)
    {
        (_tool, _control) = (tool, control);
        _listener = ControlListener.Start(options, Answer, maxFiles);
        string address = FormattableString.Invariant($"{options.Host}:{_listener.Port}");
        string? metrics = options.MetricsPort is null ? null : $"Metrics on http://{address}/metrics";
        Description = [.. new[] { metrics, options.TakesChanges ? ControlLine + address : null }.OfType<string>()];
    }

    /// <summary>The lines that say where it is.</summary>
    public IReadOnlyList<string> Description { get; }

    /// <inheritdoc cref="RunControl.Outcome"/>
    public RunOutcome? Outcome => _control.Outcome;

    /// <summary>What went wrong with it since the last call, as a sentence: the run goes on. Null for nothing.</summary>
    /// <param name="describe">Makes a sentence of a defect of ours; asked once at most.</param>
    public string? TakeNotice(Func<Exception, string> describe) =>
        Interlocked.Exchange(ref _defect, null) is { } defect ? describe(defect) : _listener.TakeNotice();

    /// <summary>Begins to listen; null where the options ask for nothing.</summary>
    /// <param name="options">Who may see what.</param>
    /// <param name="tool">The program's name.</param>
    /// <param name="settings">What may be changed; null for nothing but what every program takes.</param>
    /// <param name="writeMetrics">Gives the metrics. Any thread.</param>
    /// <param name="maxFiles">Open files that the system allows; null where it is not known.</param>
    /// <param name="collects">False for a program that has no collections in mid-run.</param>
    /// <exception cref="SetupException">The port cannot be had, or the token cannot be read or is missing.</exception>
    public static ControlPoint? Open(ControlOptions options, string tool, RoleSettings? settings, Func<string> writeMetrics,
        long? maxFiles, bool collects = true)
    {
        if (!options.Listens)
            return null;
        ControlAccess? access = options.TakesChanges ? ControlAccess.Of(options) : null;
        Func<string>? metrics = options.MetricsPort is null ? null : writeMetrics;
        return new(options, tool, new RunControl(tool, access, settings, metrics, collects), maxFiles);
    }

    /// <summary>The JSON lines of what was set since the last call.</summary>
    public IReadOnlyList<Action<Stream>> TakeJsonLines() =>
        [.. _control.TakeEvents().Select(one => (Action<Stream>)(stream => one.WriteJsonLine(stream, _tool)))];

    /// <inheritdoc cref="RunControl.TakeCollectionWish"/>
    public bool TakeCollectionWish() => _control.TakeCollectionWish();

    public void Dispose() => _listener.Dispose();

    // A defect in an answer is told once, and the run goes on.
    private ControlReply Answer(ControlRequest request)
    {
        try
        {
            return _control.Answer(request);
        }
#pragma warning disable CA1031 // who asks must not end the run: the defect is told, with its crash file
        catch (Exception defect)
#pragma warning restore CA1031
        {
            if (!_hasDefect)
                Volatile.Write(ref _defect, defect);
            _hasDefect = true;
            return ControlReply.Refuse(ControlReply.Defect, "internal error");
        }
    }
}
