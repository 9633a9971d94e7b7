using System.Runtime.InteropServices;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Converts the first SIGHUP, SIGINT or SIGTERM into a request to end the run; another one more than a second later ends the process at once.
/// </summary>
/// <remarks>
/// <c>timeout</c> and many CI runners signal the process and its group: a signal within a second counts as the same one. A role started by
/// <c>perftools run</c> also ends, as by SIGTERM, with its standard input: perftools closes it to end the role, and a perftools that has ended, even
/// by a kill, leaves no role running. Otherwise no tool reads its standard input.
/// </remarks>
internal sealed class RunSignals : IDisposable
{
    /// <summary>The environment variable by which perftools declares that the standard input ends with it.</summary>
    public const string ParentVariable = "PERFTOOLS_PARENT";

    private readonly CancellationTokenSource _stop = new();
    private readonly PosixSignalRegistration[] _registrations;
    private long _firstNanos;
    private int _code;

    public RunSignals()
        : this(Environment.GetEnvironmentVariable(ParentVariable) is null ? null : Console.OpenStandardInput())
    {
    }

    /// <param name="parent">A stream that ends with the program that started this one; null for none.</param>
    internal RunSignals(Stream? parent)
        : this([PosixSignal.SIGHUP, PosixSignal.SIGINT, PosixSignal.SIGTERM], parent)
    {
    }

    private RunSignals(PosixSignal[] signals, Stream? parent)
    {
        _registrations = [.. signals.Select(signal => PosixSignalRegistration.Create(signal, Handle))];
        if (parent is not null)
            new Thread(() => WaitForEnd(parent)) { IsBackground = true, Name = "parent" }.Start();
    }

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken StopRequested => _stop.Token;

    /// <summary>The exit code of a signal; null before one has arrived.</summary>
    public ExitCode? Code => Volatile.Read(ref _code) is int code and not 0 ? (ExitCode)code : null;

    /// <summary>The outcome of a run that a signal ends; null before one has arrived.</summary>
    public RunOutcome? Outcome => Code is { } code ? new(code, TextOf(code)) : null;

    /// <summary>
    /// Creates the signals of a program that runs on a thread: it ignores those of the process, <see cref="Receive"/> gives it its own.
    /// </summary>
    public static RunSignals OfThread() => new([], parent: null);

    /// <summary>Ends the run by a signal, unless an earlier one has already.</summary>
    /// <param name="signal">SIGHUP, SIGINT or SIGTERM.</param>
    /// <returns>False when the process is to end at once: more than a second has passed since the first.</returns>
    public bool Receive(PosixSignal signal)
    {
        long now = Clock.NowNanos;
        long first = Interlocked.CompareExchange(ref _firstNanos, now, 0);
        if (first == 0)
            RequestStop(CodeOf(signal));
        return first == 0 || now - first <= Clock.NanosPerSecond;
    }

    /// <summary>Restores the default action of the signals.</summary>
    public void Dispose()
    {
        foreach (PosixSignalRegistration registration in _registrations)
            registration.Dispose();
        _stop.Dispose();
    }

    private static string TextOf(ExitCode code) => code switch
    {
        ExitCode.HungUp => "ended by SIGHUP",
        ExitCode.Interrupted => "interrupted by SIGINT",
        _ => "ended by SIGTERM",
    };

    private static ExitCode CodeOf(PosixSignal signal) => signal switch
    {
        PosixSignal.SIGHUP => ExitCode.HungUp,
        PosixSignal.SIGINT => ExitCode.Interrupted,
        _ => ExitCode.Terminated,
    };

    private void Handle(PosixSignalContext context) => context.Cancel = Receive(context.Signal);

    private void WaitForEnd(Stream parent)
    {
        byte[] ignored = new byte[16];
        try
        {
            while (parent.Read(ignored) > 0)
                continue;
        }
        catch (IOException)
        {
            // the same as its end
        }

        if (Interlocked.CompareExchange(ref _firstNanos, Clock.NowNanos, 0) == 0)
            RequestStop(ExitCode.Terminated);
    }

    private void RequestStop(ExitCode code)
    {
        Volatile.Write(ref _code, (int)code);
        try
        {
            _stop.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // the run was over
        }
    }
}
