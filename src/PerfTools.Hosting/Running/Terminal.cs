namespace PerfTools.Hosting.Running;

/// <summary>What the output of a program is shown on.</summary>
internal static class Terminal
{
    private const int UsualColumns = 80;

    /// <summary>True when verdicts may be coloured; the user says no by setting NO_COLOR.</summary>
    public static bool AllowsColours => string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));

    // What CI systems set: their consoles keep every line for ever.
    private static bool IsWatchedByNobody => Environment.GetEnvironmentVariable("CI") is { Length: > 0 } and not "false";

    /// <summary>Its width in characters; null when the output goes to a file, a pipe, a test or the log of a CI system.</summary>
    public static int? FindColumns(TextWriter output)
    {
        bool isScreen = ReferenceEquals(output, Console.Out) && !Console.IsOutputRedirected
            && Environment.GetEnvironmentVariable("TERM") != "dumb" && !IsWatchedByNobody;
        return !isScreen ? null : Console.WindowWidth > 0 ? Console.WindowWidth : UsualColumns;
    }
}
