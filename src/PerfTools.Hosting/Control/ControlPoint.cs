using PerfCommon;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Control;

/// <summary>
/// Shows and changes a run while it goes on. Main thread only; clients are answered on threads of the pool.
/// </summary>
internal sealed class ControlPoint : IDisposable
{
    /// <summary>Prefix of the address in the line that announces where changes are accepted.</summary>
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

    /// <summary>The lines that announce its address.</summary>
    public IReadOnlyList<string> Description { get; }

    /// <inheritdoc cref="RunControl.Outcome"/>
    public RunOutcome? Outcome => _control.Outcome;

    /// <summary>Returns its failure since the last call, as a sentence; the run goes on. Null for none.</summary>
    /// <param name="describe">Describes an internal error in a sentence; called once at most.</param>
    public string? DequeueNotice(Func<Exception, string> describe) =>
        Interlocked.Exchange(ref _defect, null) is { } defect ? describe(defect) : _listener.DequeueNotice();

    /// <summary>Begins to listen; null where the options configure neither metrics nor control.</summary>
    /// <param name="options">The options of access.</param>
    /// <param name="tool">The program's name.</param>
    /// <param name="settings">The settings that may be changed; null for those of every program alone.</param>
    /// <param name="writeMetrics">Writes the metrics. Any thread.</param>
    /// <param name="maxFiles">Open files that the system allows; null where it is not known.</param>
    /// <param name="collects">False for a program that has no collections during the run.</param>
    /// <exception cref="SetupException">The port cannot be bound, or the token cannot be read or is missing.</exception>
    public static ControlPoint? Open(ControlOptions options, string tool, RoleSettings? settings, Func<string> writeMetrics,
        long? maxFiles, bool collects = true)
    {
        if (!options.Listens)
            return null;
        ControlAccess? access = options.TakesChanges ? ControlAccess.Of(options) : null;
        Func<string>? metrics = options.MetricsPort is null ? null : writeMetrics;
        return new(options, tool, new RunControl(tool, access, settings, metrics, collects), maxFiles);
    }

    /// <summary>Returns the JSON lines of the changes since the last call.</summary>
    public IReadOnlyList<Action<Stream>> DequeueJsonLines() =>
        [.. _control.DequeueEvents().Select(one => (Action<Stream>)(stream => one.WriteJsonLine(stream, _tool)))];

    /// <inheritdoc cref="RunControl.DequeueCollectionRequest"/>
    public bool DequeueCollectionRequest() => _control.DequeueCollectionRequest();

    public void Dispose() => _listener.Dispose();

    // An internal error in an answer is reported once, and the run goes on.
    private ControlReply Answer(ControlRequest request)
    {
        try
        {
            return _control.Answer(request);
        }
#pragma warning disable CA1031 // a client must not end the run: the error is reported, with its crash file
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
