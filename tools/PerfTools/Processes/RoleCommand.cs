using PerfTools.Hosting.Options;

namespace PerfTools.Processes;

/// <summary>The command that starts one role, named as in messages: the program and its arguments.</summary>
internal sealed record RoleCommand(string Role, string FileName, IReadOnlyList<string> Arguments)
{
    private const string Control = "-control";
    private const string Hub = "HubPerf";
    private const string NewSession = "setsid", Environment = "env", LineBuffer = "stdbuf";

    // The collector's settings are built into a native program: those of perftools suit every role but the hub (HubPerf.csproj).
    private static readonly (string, string) HubMemory = ("DOTNET_GCConserveMemory", "0");

    /// <summary>The text that it prints before its port once others can connect; null when the run does not wait for it.</summary>
    public string? ReadyLine { get; init; }

    public RoleEnding Ending { get; init; }

    /// <summary>The file that <see cref="FileName"/> executes; null when it is itself the program.</summary>
    public string? Program { get; init; }

    /// <summary>The token that permits changes of the role while it runs; null where it accepts none.</summary>
    public string? Token { get; private init; }

    /// <summary>The same with a role that accepts changes from clients with a token.</summary>
    public RoleCommand WithControl(string token) =>
        this with
        {
            Token = token,
            Arguments = [.. Arguments, .. new RoleArguments(Arguments).IsGiven(Control) ? [] : (string[])[Control]]
        };

    /// <summary>The attributes of the run in its metrics, for the variable of OpenTelemetry; null for none.</summary>
    public string? Attributes { get; private init; }

    /// <summary>The same with a role whose metrics name their run, and are sent to the collector that the options name.</summary>
    public RoleCommand WithTelemetry(OtlpOptions otlp, IReadOnlyList<(string Name, string Value)> attributes) =>
        this with
        {
            Attributes = RunAttributes.Write(attributes),
            Arguments = [.. Arguments, .. new RoleArguments(Arguments).IsGiven(ControlOptions.OtlpName) ? [] : otlp.CreateArguments()]
        };

    /// <summary>The working folder; null for that of this process.</summary>
    public string? WorkingFolder { get; init; }

    /// <summary>The port on which it listens once it is ready; null where a line says so, or the run does not wait.</summary>
    public int? ListenPort { get; init; }

    /// <summary>Receives every line that it prints, on the threads that read them; may be null.</summary>
    public Action<string>? OnLine { get; init; }

    /// <summary>True for a program that does not watch its standard input: it is ended by SIGINT.</summary>
    public bool EndsBySignal { get; private init; }

    /// <summary>True when it leads a session: signals are sent to all of the session.</summary>
    public bool IsSession { get; private init; }

    /// <summary>Creates the command of a program that is none of ours.</summary>
    /// <param name="role">The name of the role in messages.</param>
    /// <param name="words">The program and its arguments.</param>
    /// <param name="writesInBlocks">True when it must be made to write every line at once.</param>
    /// <remarks>
    /// Where the system has the commands for it, the program leads a new session, so that a terminal's Ctrl+C does not end all roles at once,
    /// and has the default handling of SIGINT, which a shell may have disabled.
    /// </remarks>
    public static RoleCommand ForOther(string role, IReadOnlyList<string> words, bool writesInBlocks)
    {
        bool hasAll = OperatingSystem.IsLinux() && ToolFolder.IsOnPath(NewSession) && ToolFolder.IsOnPath(Environment);
        string[] start = hasAll ? [NewSession, Environment, "--default-signal=INT"] : [];
        string[] lines = hasAll && writesInBlocks && ToolFolder.IsOnPath(LineBuffer) ? [LineBuffer, "-oL"] : [];
        string[] all = [.. start, .. lines, .. words];
        return new(role, all[0], all[1..]) { EndsBySignal = true, IsSession = hasAll };
    }

    /// <summary>A variable added to the environment of this process.</summary>
    public (string Name, string Value)? Variable { get; private init; }

    /// <summary>Creates the command of one of our programs, next to this one or in another folder, in whichever form it is there.</summary>
    public static RoleCommand ForProgram(string role, string program, IReadOnlyList<string> arguments, string? folder = null)
    {
        (string file, string starter, IReadOnlyList<string> words) = ToolFolder.Find(folder, program);
        bool isAllInOne = words is [var verb] && verb == RolePrograms.VerbOf(program);
        return new(role, starter, [.. words, .. arguments]) { Program = file, Variable = isAllInOne && program == Hub ? HubMemory : null };
    }

    /// <summary>The command as a shell would accept it.</summary>
    public override string ToString() => string.Join(' ', Arguments.Prepend(FileName).Select(ArgumentText.Quote));
}

/// <summary>How a role ends.</summary>
internal enum RoleEnding
{
    /// <summary>It serves until the run ends it; an earlier end is a failure.</summary>
    OnRequest,

    /// <summary>It measures for its time and ends by itself: a run lasts until all roles of this kind have ended.</summary>
    ByItself,

    /// <summary>It ends by itself once its clients have disconnected.</summary>
    AfterOthers,
}
