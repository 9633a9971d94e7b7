using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>The options that every role has.</summary>
internal abstract record RoleOptions
{
    public ConnectionOptions Connection { get; init; } = new();
    public RunOptions Run { get; init; } = new();
    public SessionOptions Session { get; init; } = new();
    public ControlOptions Control { get; init; } = new();

    /// <summary>The clock that made the stamps, for a role that receives them.</summary>
    public ClockOptions SenderClock { get; init; } = new();

    /// <summary>Returns the options with the service of an EMA configuration, for a role that has one.</summary>
    public virtual RoleOptions WithService(EmaService service) => this;

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public abstract string? FindProblem();
}

/// <summary>The table of a role's options, with the rows that several roles have.</summary>
internal abstract class RoleOptionTable<T> : OptionTable<T>
    where T : RoleOptions
{
    protected RoleOptionTable(string tool, T defaults)
        : base(tool, defaults, o => o.FindProblem() ?? o.Control.FindProblem() ?? o.SenderClock.FindProblem())
    {
        Connection = new(this, o => o.Connection, (o, v) => (T)((RoleOptions)o with { Connection = v }));
        Run = new(this, o => o.Run, (o, v) => (T)((RoleOptions)o with { Run = v }));
        Session = new(this, o => o.Session, (o, v) => (T)((RoleOptions)o with { Session = v }));
        Control = new(this, o => o.Control, (o, v) => (T)((RoleOptions)o with { Control = v }));
        SenderClock = new(this, o => o.SenderClock, (o, v) => (T)((RoleOptions)o with { SenderClock = v }));
    }

    /// <summary>The role of its section in an EMA configuration; null for a program that reads none.</summary>
    protected virtual EmaRole? EmaRole => null;

    /// <inheritdoc/>
    public override T? FindDefaults(T options) => EmaRole is null ? null : (T?)EmaConfigFile.FindDefaults(options, EmaRole, Defaults);

    protected ConnectionRows<T> Connection { get; }
    protected RunRows<T> Run { get; }
    protected SessionRows<T> Session { get; }
    protected ControlRows<T> Control { get; }
    protected ClockRows<T> SenderClock { get; }

    protected void RefuseTunnels() =>
        Refuse("tunnel streams are not part of this tool", "-tunnel", "-tunnelAuth", "-tunnelStreamOutputBufs", "-tunnelStreamBuffersUsed");
}
