using System.Runtime.InteropServices;

namespace PerfTools.Processes;

/// <summary>How one role, named as messages call it, is started: the program to run and what it is told.</summary>
internal sealed record RoleCommand(string Role, string FileName, IReadOnlyList<string> Arguments)
{
    private const string Control = "-control";

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

    /// <summary>One of the programs that lie beside this one, or in another folder, started with the runtime that runs this one.</summary>
    public static RoleCommand ForProgram(string role, string program, IReadOnlyList<string> arguments, string? folder = null)
    {
        string path = Path.Combine(folder ?? AppContext.BaseDirectory, program + ".dll");
        return new(role, FindHost(), ["exec", path, .. arguments]) { Program = path };
    }

    /// <summary>The command as a shell would take it.</summary>
    public override string ToString() => string.Join(' ', Arguments.Prepend(FileName).Select(ArgumentText.Quote));

    // The process's own path is no help: it is the launcher of an installed tool, and dotnet otherwise.
    private static string FindHost() => Path.GetFullPath(Path.Combine(
        RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"));
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
