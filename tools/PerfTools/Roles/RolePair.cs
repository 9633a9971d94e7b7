using System.ComponentModel;
using PerfTools.Hosting.Running;
using PerfTools.Results;

namespace PerfTools.Roles;

/// <summary>Two roles, the one that listens first: started, watched, ended. Nothing here knows what they do.</summary>
internal sealed class RolePair(RunLimits limits, StopRequest stop) : IDisposable
{
    private readonly AutoResetEvent _news = new(false);

    /// <summary>The role that listens; null before it was started.</summary>
    public RoleProcess? Server { get; private set; }

    /// <summary>The role that connects; null before it was started.</summary>
    public RoleProcess? Client { get; private set; }

    /// <summary>The first thing that went wrong; null while nothing did.</summary>
    public RunFailure? Failure { get; private set; }

    /// <summary>Starts the server and waits until it names its port.</summary>
    /// <returns>The port; null when it failed.</returns>
    public int? StartServer(RoleCommand command, string logPath)
    {
        Server = Start(command, logPath);
        if (Server is null)
            return null;
        Deadline deadline = new(limits.Port);
        while (Server.Port is null && !Server.HasExited && !stop.Requested.IsCancellationRequested && !deadline.HasPassed)
            _news.WaitOne(deadline.Next(limits.Look));
        if (Server.Port is { } port)
            return port;

        if (stop.Requested.IsCancellationRequested)
            FailWithStop();
        else if (Server.HasExited && Server.WaitForExit(limits.Farewell))
            Fail(RoleEnd.Describe(Server, ExitCode.NotStarted, "ended before it listened"));
        else
            Fail(new(ExitCode.NotStarted, $"{command.Role} named no port within {limits.Port.TotalSeconds:0.#} s{RoleEnd.Quote(Server)}"));
        return null;
    }

    /// <summary>Starts the client.</summary>
    /// <returns>False when it failed.</returns>
    public bool StartClient(RoleCommand command, string logPath) => (Client = Start(command, logPath)) is not null;

    /// <summary>Blocks until the client has ended, in whatever way.</summary>
    /// <param name="look">Called now and then meanwhile, on this thread.</param>
    public void WaitForClient(Action look)
    {
        Deadline deadline = new(limits.Client);
        while (!Client!.HasExited && !Server!.HasExited && !stop.Requested.IsCancellationRequested && !deadline.HasPassed)
        {
            look();
            _news.WaitOne(deadline.Next(limits.Look));
        }

        if (stop.Requested.IsCancellationRequested)
            Interrupt();
        else if (!Client.HasExited && Server!.HasExited)
            FollowServer();
        else if (!Client.HasExited)
            Fail(new(ExitCode.Incomplete, $"{Client.Command.Role} did not end within {limits.Client.TotalSeconds:0.#} s{RoleEnd.Quote(Client)}"));
        End(Client);
        if (!RoleEnd.IsGood(Client))
            Fail(RoleEnd.Describe(Client, ExitCode.Incomplete));
        look();
    }

    /// <summary>Ends the server: it may end by itself when it is one that does, else it is asked to.</summary>
    public void EndServer(bool endsByItself)
    {
        if (Server is null)
            return;
        bool heardOfIt = stop.Code() == ExitCode.Interrupted; // Ctrl+C reaches it too; a second signal would end it without its files
        if (heardOfIt || (endsByItself && Failure is null))
            Server.WaitForExit(limits.Farewell);
        bool early = Server.HasExited && !Server.WasAskedToEnd && !endsByItself;
        End(Server);
        if (!RoleEnd.IsGood(Server))
            Fail(RoleEnd.Describe(Server, ExitCode.Incomplete));
        else if (early && stop.Code() is null)
            Fail(RoleEnd.Describe(Server, ExitCode.Incomplete, "ended before it was asked to"));
    }

    public void Dispose()
    {
        Client?.Dispose();
        Server?.Dispose();
        _news.Dispose();
    }

    private RoleProcess? Start(RoleCommand command, string logPath)
    {
        try
        {
            return RoleProcess.Start(command, logPath, _news);
        }
        catch (Win32Exception error)
        {
            Fail(new(ExitCode.NotStarted, $"{command.Role} cannot be started: {error.Message}"));
            return null;
        }
    }

    // The server is gone first. A client that notices ends by itself, with the figures it has.
    private void FollowServer()
    {
        Server!.WaitForExit(limits.Farewell);
        if (!RoleEnd.IsGood(Server))
            Fail(RoleEnd.Describe(Server, ExitCode.Incomplete));
        if (!Client!.WaitForExit(limits.Farewell))
            Fail(new(ExitCode.Incomplete, $"{Client.Command.Role} did not end after {Server.Command.Role} had ended"));
    }

    // Ctrl+C in a terminal reaches the roles as well: they are not told a second time, unless they seem not to have heard it.
    private void Interrupt()
    {
        FailWithStop();
        if (stop.Code() == ExitCode.Interrupted && Client!.WaitForExit(limits.Farewell))
            return;
        Client!.AskToEnd();
        Server!.AskToEnd();
    }

    private void End(RoleProcess role)
    {
        if (!role.HasExited && !role.WasAskedToEnd)
            role.AskToEnd();
        if (role.WaitForExit(limits.Terminate))
            return;
        role.Kill();
        Fail(new(ExitCode.Incomplete, $"{role.Command.Role} did not end within {limits.Terminate.TotalSeconds:0.#} s of SIGTERM and was killed"));
    }

    private void FailWithStop() =>
        Fail(new(stop.Code() ?? ExitCode.Interrupted, stop.Code() == ExitCode.Terminated ? "ended by SIGTERM" : "ended by Ctrl+C"));

    private void Fail(RunFailure failure) => Failure ??= failure;
}
