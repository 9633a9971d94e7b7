using System.Runtime.InteropServices;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>Turns the first SIGINT or SIGTERM into a request to end the run; one that comes more than a second later ends the process at once.</summary>
/// <remarks><c>timeout</c> and many CI runners signal the process and its group: what comes within a second is the same signal once more.</remarks>
internal sealed class RunSignals : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly PosixSignalRegistration _interrupt;
    private readonly PosixSignalRegistration _terminate;
    private long _firstNanos;
    private int _code;

    public RunSignals()
    {
        _interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Handle);
        _terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Handle);
    }

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken StopRequested => _stop.Token;

    /// <summary>What the program exits with because of a signal; null while none has come.</summary>
    public ExitCode? Code => Volatile.Read(ref _code) is int code and not 0 ? (ExitCode)code : null;

    /// <summary>How the run ends because of a signal; null while none has come.</summary>
    public RunOutcome? Outcome =>
        Code is { } code ? new(code, code == ExitCode.Interrupted ? "interrupted by SIGINT" : "ended by SIGTERM") : null;

    /// <summary>Gives both signals their default action back.</summary>
    public void Dispose()
    {
        _interrupt.Dispose();
        _terminate.Dispose();
        _stop.Dispose();
    }

    private void Handle(PosixSignalContext context)
    {
        long now = Clock.NowNanos;
        long first = Interlocked.CompareExchange(ref _firstNanos, now, 0);
        context.Cancel = first == 0 || now - first <= Clock.NanosPerSecond;
        if (first != 0)
            return;
        Volatile.Write(ref _code, (int)(context.Signal == PosixSignal.SIGINT ? ExitCode.Interrupted : ExitCode.Terminated));
        _stop.Cancel();
    }
}
