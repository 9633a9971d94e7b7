using System.ComponentModel;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Verdicts;

namespace PerfTools.Processes;

/// <summary>Starts the roles of a run in order, watches them, and ends them in reverse order. It does not know their work.</summary>
internal sealed class RoleGroup(RunLimits limits, StopRequest stop) : IDisposable
{
    private readonly AutoResetEvent _news = new(false);
    private readonly List<RoleProcess> _roles = [];

    /// <summary>The started roles, in order.</summary>
    public IReadOnlyList<RoleProcess> Roles => _roles;

    /// <summary>
    /// The outputs of roles and logs that could not be written, except the one that <see cref="Failure"/> names; null when there are none.
    /// </summary>
    public string? Unwritten
    {
        get
        {
            string[] failures = [.. _roles.Select(role => role.LogFailure).Concat(_roles.Select(FindUnwritten)).OfType<string>()];
            return failures is [] ? null : string.Join("; ", failures);
        }
    }

    /// <summary>The first failure; null without one.</summary>
    public RunFailure? Failure { get; private set; }

    private IEnumerable<RoleProcess> Measuring => _roles.Where(role => role.Command.Ending == RoleEnding.ByItself);

    private IEnumerable<RoleProcess> Serving => _roles.Where(role => role.Command.Ending != RoleEnding.ByItself);

    private bool IsStopped => stop.Requested.IsCancellationRequested;

    /// <summary>Records a failure outside of the roles, unless there is an earlier one.</summary>
    public void RecordFailure(RunFailure failure) => Fail(failure);

    /// <summary>Starts the next role, and waits for the port of one that listens.</summary>
    /// <returns>The role; null when it failed.</returns>
    public RoleProcess? Start(RoleCommand command, string logPath)
    {
        if (command.Program is { } program && !File.Exists(program))
        {
            Fail(new(ExitCode.NotStarted, $"{command.Role} cannot be started: {program}: no such file"));
            return null;
        }

        try
        {
            RoleProcess role = RoleProcess.Start(command, logPath, _news);
            _roles.Add(role);
            return command is { ReadyLine: null, ListenPort: null } || WaitForPort(role) ? role : null;
        }
        catch (Win32Exception error)
        {
            Fail(new(ExitCode.NotStarted, $"{command.Role} cannot be started: {error.Message}"));
            return null;
        }
        catch (SetupException problem)
        {
            Fail(new(ExitCode.OutputFile, problem.Message));
            return null;
        }
    }

    /// <summary>Blocks until the roles so far have reached the state that the next one needs.</summary>
    /// <param name="isReached">Checks the state; called at intervals, on this thread.</param>
    /// <param name="next">The name of the next role in messages.</param>
    /// <returns>False when the state cannot be reached any more, or took too long.</returns>
    public bool WaitUntil(Func<bool> isReached, string next)
    {
        Deadline deadline = new(limits.Run);
        while (!isReached())
        {
            if (IsStopped)
            {
                FailWithStop();
            }
            else if (_roles.FirstOrDefault(role => role.HasExited) is { } gone)
            {
                Fail(RoleEnd.Describe(gone, ExitCode.Incomplete, $"ended before {next} was started"));
            }
            else if (deadline.HasPassed)
            {
                Fail(new(ExitCode.Incomplete,
                    $"{next} was not started: what it waits for did not come within {limits.Run.TotalSeconds:0.#} s"));
            }

            if (Failure is not null)
                return false;
            _news.WaitOne(deadline.Next(limits.Look));
        }

        return true;
    }

    /// <summary>Blocks while the serving roles continue, until a condition outside of this group holds.</summary>
    /// <param name="isReached">Checks the condition; called at intervals, on this thread.</param>
    /// <param name="limit">The maximum wait.</param>
    /// <param name="describe">Describes the failure when the limit passes; null when that is no failure.</param>
    /// <returns>False when something failed.</returns>
    public bool ServeUntil(Func<bool> isReached, TimeSpan limit, Func<string>? describe = null)
    {
        Deadline deadline = new(limit);
        while (Failure is null && !isReached())
        {
            bool hasPassed = deadline.HasPassed; // once: it may pass between two looks
            if (IsStopped)
                FailWithStop();
            else if (Serving.FirstOrDefault(role => role.HasExited && !role.IsEndRequested) is { } gone)
                Fail(RoleEnd.Describe(gone, ExitCode.Incomplete, "ended before it was asked to"));
            else if (hasPassed && describe is null)
                return true;
            else if (hasPassed)
                Fail(new(ExitCode.NotStarted, describe!()));
            _news.WaitOne(deadline.Next(limits.Look));
        }

        return Failure is null;
    }

    /// <summary>Blocks until every role that ends by itself has ended, in whatever way.</summary>
    /// <param name="look">Called at intervals meanwhile, on this thread.</param>
    public void WaitForEnd(Action look)
    {
        Deadline deadline = new(limits.Run);
        while (IsMeasuring() && !IsStopped && !deadline.HasPassed)
        {
            look();
            _news.WaitOne(deadline.Next(limits.Look));
        }

        RoleProcess? unfinished = Measuring.FirstOrDefault(role => !role.HasExited);
        if (IsStopped)
            Interrupt();
        else if (unfinished is not null && Serving.FirstOrDefault(role => role.HasExited) is { } gone)
            Follow(gone);
        else if (Measuring.FirstOrDefault(HasFailed) is { } failed)
            End(failed);
        else if (unfinished is not null)
            Fail(ExitCode.Incomplete, unfinished, $"did not end within {limits.Run.TotalSeconds:0.#} s{RoleEnd.Quote(unfinished)}");
        foreach (RoleProcess role in Measuring.Reverse())
            End(role);
        look();
    }

    /// <summary>Asks the roles that would end by themselves to end now; others wait for them.</summary>
    public void EndMeasuring()
    {
        foreach (RoleProcess role in Measuring.Where(role => !role.HasExited && !role.IsEndRequested))
            role.RequestEnd();
    }

    /// <summary>Ends the roles that still run, the last started first; a role that ends after the others may do so by itself.</summary>
    public void EndAll() => EndAllBut(0);

    /// <summary>Ends the roles that still run, except the first few that were started.</summary>
    public void EndAllBut(int first)
    {
        // Ctrl+C has reached them too; a second signal would end them without their files.
        bool allHeardOfIt = stop.Code() == ExitCode.Interrupted;
        foreach (RoleProcess role in _roles.Skip(first).Reverse())
        {
            if ((allHeardOfIt && !role.Command.IsSession) || (role.Command.Ending == RoleEnding.AfterOthers && Failure is null))
                role.WaitForExit(limits.Farewell);
            bool isEarly = role.HasExited && !role.IsEndRequested && role.Command.Ending == RoleEnding.OnRequest;
            End(role);
            if (isEarly && stop.Code() is null)
                Fail(RoleEnd.Describe(role, ExitCode.Incomplete, "ended before it was asked to"));
        }
    }

    public void Dispose()
    {
        foreach (RoleProcess role in _roles.AsEnumerable().Reverse())
            role.Dispose();
        _news.Dispose();
    }

    private static bool HasFailed(RoleProcess role) => role.HasExited && !RoleEnd.IsGood(role);

    private string? FindUnwritten(RoleProcess role) =>
        role is { HasExited: true, ExitCode: (int)ExitCode.OutputFile, LastErrorLine: not null } && RoleEnd.Quote(role) is var quoted
            && Failure?.Reason.Contains(quoted, StringComparison.Ordinal) != true ? quoted[RoleEnd.Colon.Length..] : null;

    private bool IsMeasuring() =>
        Measuring.Any(role => !role.HasExited) && !Measuring.Any(HasFailed) && !Serving.Any(role => role.HasExited);

    private bool WaitForPort(RoleProcess role)
    {
        Deadline deadline = new(limits.Port);
        while (role.Port is null && !role.HasExited && !IsStopped && !deadline.HasPassed)
            _news.WaitOne(deadline.Next(limits.Look));
        bool hasEnded = role.HasExited && role.WaitForExit(limits.Farewell); // only after that its last line has been read
        if (role.Port is not null)
            return true;

        if (IsStopped)
        {
            FailWithStop();
        }
        else if (hasEnded)
        {
            Fail(RoleEnd.Describe(role, ExitCode.NotStarted, "ended before it listened"));
        }
        else
        {
            Fail(ExitCode.NotStarted, role,
                $"{(role.Command.ListenPort is null ? "named no port" : "did not listen")} within {limits.Port.TotalSeconds:0.#} s{RoleEnd.Quote(role)}");
        }

        return false;
    }

    // Called when a role that others connect to has ended. Those that notice it end by themselves, with the figures they have.
    private void Follow(RoleProcess gone)
    {
        gone.WaitForExit(limits.Farewell);
        if (!RoleEnd.IsGood(gone))
            Fail(RoleEnd.Describe(gone, ExitCode.Incomplete));
        foreach (RoleProcess role in Measuring.Where(role => !role.WaitForExit(limits.Farewell)))
            Fail(ExitCode.Incomplete, role, $"did not end after {gone.Command.Role} had ended");
    }

    // Ctrl+C in a terminal reaches the roles as well: they get no second signal unless they seem to have missed the first.
    private void Interrupt()
    {
        FailWithStop();
        if (stop.Code() == ExitCode.Interrupted && Measuring.All(role => !role.Command.IsSession && role.WaitForExit(limits.Farewell)))
            return;
        foreach (RoleProcess role in _roles.AsEnumerable().Reverse())
            role.RequestEnd();
    }

    private void End(RoleProcess role)
    {
        if (!role.HasExited && !role.IsEndRequested)
            role.RequestEnd();
        if (!role.WaitForExit(limits.Ask))
            role.Terminate();
        if (!role.WaitForExit(limits.Terminate))
        {
            role.Kill();
            Fail(ExitCode.Incomplete, role,
                $"did not end within {limits.Terminate.TotalSeconds:0.#} s of SIGTERM and was killed{(role.Command.EndsBySignal ? RoleEnd.Quote(role) : "")}");
        }

        if (!RoleEnd.IsGood(role))
            Fail(RoleEnd.Describe(role, ExitCode.Incomplete));
    }

    private void FailWithStop() =>
        Fail(new(stop.Code() ?? ExitCode.Interrupted, DescribeStop()));

    private string DescribeStop() => stop.Reason() ?? stop.Code() switch
    {
        ExitCode.HungUp => "ended by SIGHUP",
        ExitCode.Terminated => "ended by SIGTERM",
        _ => "ended by Ctrl+C",
    };

    private void Fail(ExitCode code, RoleProcess role, string what) => Fail(new(code, $"{role.Command.Role} {what}"));

    private void Fail(RunFailure failure) => Failure ??= failure;
}

/// <summary>Decides what the end of a role means for the run.</summary>
internal static class RoleEnd
{
    public const string Colon = ": ";
    private const int MaxQuotedChars = 1_024;

    /// <summary>True for exit code 0, and for that of a signal that the run sent.</summary>
    public static bool IsGood(RoleProcess role) =>
        role.ExitCode == 0 || (role.IsEndRequested && !role.WasKilled && ((ExitCode)role.ExitCode).IsOfSignal());

    /// <summary>Creates the failure of a role that ended: its exit code where that is one of ours, and its last line.</summary>
    /// <param name="role">A role that has exited.</param>
    /// <param name="otherwise">The exit code when the role's says nothing.</param>
    /// <param name="how">How it ended wrongly, when the exit code does not say so.</param>
    public static RunFailure Describe(RoleProcess role, ExitCode otherwise, string? how = null)
    {
        ExitCode code = role.ExitCode is > 0 and <= (int)ExitCode.OutputFile ? (ExitCode)role.ExitCode : otherwise;
        return new(code, $"{role.Command.Role} {how ?? "ended"} with exit code {role.ExitCode}{Quote(role)}");
    }

    /// <summary>Its last line on stderr, or on both streams for a program that is none of ours, after a colon; empty when there is none.</summary>
    public static string Quote(RoleProcess role) =>
        (role.LastErrorLine ?? (role.Command.EndsBySignal ? role.LastLine : null)) is { } line ? Colon + PrintableText.From(line, MaxQuotedChars) : "";
}
