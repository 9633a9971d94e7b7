using PerfTools.Hosting.Options;

namespace PerfTools.Processes;

/// <summary>How one role, named as messages call it, is started: the program to run and what it is told.</summary>
internal sealed record RoleCommand(string Role, string FileName, IReadOnlyList<string> Arguments)
{
    private const string Control = "-control";
    private const string Hub = "HubPerf";
    private const string NewSession = "setsid", Environment = "env", LineBuffer = "stdbuf";

    // The collector's settings are built into a native program: those of perftools suit every role but the hub (HubPerf.csproj).
    private static readonly (string, string) HubMemory = ("DOTNET_GCConserveMemory", "0");

    /// <summary>What it prints in front of its port once others can connect; null when nobody waits for it.</summary>
    public string? ReadyLine { get; init; }

    public RoleEnding Ending { get; init; }

    /// <summary>The file that <see cref="FileName"/> is to run; null when it is itself the program.</summary>
    public string? Program { get; init; }

    /// <summary>What who changes it while it runs must know; null where it takes no changes.</summary>
    public string? Token { get; private init; }

    /// <summary>The same with a role that takes changes from whoever knows a token.</summary>
    public RoleCommand WithControl(string token) =>
        this with
        {
            Token = token,
            Arguments = [.. Arguments, .. new RoleArguments(Arguments).IsGiven(Control) ? [] : (string[])[Control]]
        };

    /// <summary>What its metrics say of the run, by the variable of OpenTelemetry; null where it says nothing.</summary>
    public string? Attributes { get; private init; }

    /// <summary>The same with a role whose metrics say of which run they are, and are sent where the options name a collector.</summary>
    public RoleCommand WithTelemetry(OtlpOptions otlp, IReadOnlyList<(string Name, string Value)> attributes) =>
        this with
        {
            Attributes = RunAttributes.Write(attributes),
            Arguments = [.. Arguments, .. new RoleArguments(Arguments).IsGiven(ControlOptions.OtlpName) ? [] : otlp.CreateArguments()]
        };

    /// <summary>The folder that it works in; null for that of this process.</summary>
    public string? WorkingFolder { get; init; }

    /// <summary>The port on which it is ready once somebody listens there; null where a line says so, or nobody waits.</summary>
    public int? ListenPort { get; init; }

    /// <summary>Gets every line that it prints, on the threads that read them; null for nobody.</summary>
    public Action<string>? OnLine { get; init; }

    /// <summary>True of a program that knows nothing of its parent: it is asked to end by SIGINT.</summary>
    public bool EndsBySignal { get; private init; }

    /// <summary>True when it is the first of a session of its own: signals are for all of that.</summary>
    public bool IsSession { get; private init; }

    /// <summary>A program that is none of ours.</summary>
    /// <param name="role">What messages call the role.</param>
    /// <param name="words">The program and what it is told.</param>
    /// <param name="writesInBlocks">True when it must be told to write every line as it comes.</param>
    /// <remarks>
    /// Where the system has the commands for it, it gets a session of its own, so that a terminal's Ctrl+C does not end all roles at once,
    /// and SIGINT at its default, which a shell may have taken from it.
    /// </remarks>
    public static RoleCommand ForOther(string role, IReadOnlyList<string> words, bool writesInBlocks)
    {
        bool hasAll = OperatingSystem.IsLinux() && ToolFolder.IsOnPath(NewSession) && ToolFolder.IsOnPath(Environment);
        string[] start = hasAll ? [NewSession, Environment, "--default-signal=INT"] : [];
        string[] lines = hasAll && writesInBlocks && ToolFolder.IsOnPath(LineBuffer) ? [LineBuffer, "-oL"] : [];
        string[] all = [.. start, .. lines, .. words];
        return new(role, all[0], all[1..]) { EndsBySignal = true, IsSession = hasAll };
    }

    /// <summary>What its environment has besides this process's own.</summary>
    public (string Name, string Value)? Variable { get; private init; }

    /// <summary>One of the programs that lie beside this one, or in another folder, in whichever form they are there.</summary>
    public static RoleCommand ForProgram(string role, string program, IReadOnlyList<string> arguments, string? folder = null)
    {
        (string file, string starter, IReadOnlyList<string> words) = ToolFolder.Find(folder, program);
        bool isAllInOne = words is [var verb] && verb == RolePrograms.VerbOf(program);
        return new(role, starter, [.. words, .. arguments]) { Program = file, Variable = isAllInOne && program == Hub ? HubMemory : null };
    }

    /// <summary>The command as a shell would take it.</summary>
    public override string ToString() => string.Join(' ', Arguments.Prepend(FileName).Select(ArgumentText.Quote));
}

/// <summary>How a role comes to its end.</summary>
internal enum RoleEnding
{
    /// <summary>It serves until it is told to end; an earlier end is a failure.</summary>
    WhenTold,

    /// <summary>It measures for its time and ends by itself: a run lasts until all roles of this kind have ended.</summary>
    ByItself,

    /// <summary>It ends by itself once those that connect to it are gone.</summary>
    AfterOthers,
}
