using System.Globalization;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>Decides when a run is over and what came of it.</summary>
internal sealed class ConsumerVerdict(ConsPerfOptions options, ConsumerCrew crew, long startNanos, RunSignals signals)
{
    private readonly long _limitNanos = options.SteadyStateSeconds * Clock.NanosPerSecond;

    /// <summary>When the run ends by itself: after the steady state, or when the images took too long; null without a limit.</summary>
    public long? EndNanos => crew.Images.IsComplete
        ? crew.Images.CompleteNanos + (options.Snapshot ? 0 : _limitNanos)
        : options.SteadyStateSeconds == 0 ? null : startNanos + _limitNanos;

    /// <summary>How the run ends, if it does now; null while it goes on.</summary>
    public RunOutcome? FindEnd(long nowNanos)
    {
        if (crew.Defect is { } defect)
            throw defect is SetupException ? defect : new InvalidOperationException($"a worker failed: {defect.Message}", defect);
        if (crew.Workers.Select(worker => worker.Failure).FirstOrDefault(failure => failure is not null) is { } failure)
            return OutcomeOf(failure);
        if (signals.Code is { } code)
            return new RunOutcome(code, code == ExitCode.Interrupted ? "interrupted by SIGINT" : "ended by SIGTERM");
        return nowNanos >= EndNanos ? OutcomeOfTime() : null;
    }

    /// <summary>Adds what only the end of the connections and the files shows; the first failure stays.</summary>
    public RunOutcome Complete(RunOutcome outcome, string? fileFailure)
    {
        if (outcome.Code == ExitCode.Success && FirstLate() is { } failure)
            outcome = OutcomeOf(failure);
        if (outcome.Code == ExitCode.Success && fileFailure is not null)
            outcome = new RunOutcome(ExitCode.OutputFile, fileFailure);
        return outcome with { NotComparableReason = outcome.NotComparableReason ?? FindUndrained() };
    }

    private ConsumerFailure? FirstLate() => crew.Workers.Select(worker => worker.Failure).FirstOrDefault(failure => failure is not null);

    private string? FindUndrained()
    {
        if (FirstLate() is { IsBroken: true } broken)
            return broken.Text;
        bool undrained = crew.Workers.Any(worker => worker.Reached > ConsumerStage.Connecting && !worker.DrainedToEnd && worker.Failure is null);
        return undrained ? "the provider did not end its stream within 3 s" : null;
    }

    private static RunOutcome OutcomeOf(ConsumerFailure failure)
    {
        ExitCode code = failure.Kind is ConsumerFailureKind.LoginRefused or ConsumerFailureKind.NotConnected
            ? ExitCode.NotStarted
            : ExitCode.Incomplete;
        return new RunOutcome(code, failure.Text, failure.IsBroken ? failure.Text : null);
    }

    private RunOutcome OutcomeOfTime()
    {
        string seconds = options.SteadyStateSeconds.ToString(CultureInfo.InvariantCulture);
        if (crew.Images.IsComplete)
        {
            return options.Snapshot
                ? new RunOutcome(ExitCode.Success, "All snapshots received.")
                : new RunOutcome(ExitCode.Success, $"Steady-state time of {seconds} seconds expired.");
        }

        (ExitCode code, string missing) = crew.Workers.Min(worker => worker.Reached) switch
        {
            ConsumerStage.Connecting => (ExitCode.NotStarted, $"not connected to {options.Connection.Client.Host}:{options.Connection.Client.Port.ToString(CultureInfo.InvariantCulture)}"),
            ConsumerStage.Login => (ExitCode.NotStarted, "no answer to the login"),
            ConsumerStage.Service => (ExitCode.NotStarted, $"service {options.ServiceName} is not up"),
            _ => (ExitCode.Incomplete, $"{crew.Workers.Sum(worker => worker.Counters.ItemsWithImage.Value).ToString(CultureInfo.InvariantCulture)} of {options.ItemCount.ToString(CultureInfo.InvariantCulture)} came in"),
        };
        return new RunOutcome(code, $"failed to receive all images within {seconds} seconds: {missing}");
    }
}
