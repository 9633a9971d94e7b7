namespace PerfTools.Processes;

/// <summary>How one role, named as messages call it, is started: the program to run and what it is told.</summary>
internal sealed record RoleCommand(string Role, string FileName, IReadOnlyList<string> Arguments)
{
    private const string Control = "-control";
    private const string Hub = "HubPerf";

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
