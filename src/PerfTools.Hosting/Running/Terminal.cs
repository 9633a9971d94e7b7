namespace PerfTools.Hosting.Running;

/// <summary>Detects the properties of a program's terminal.</summary>
internal static class Terminal
{
    private const int UsualColumns = 80;

    /// <summary>True when verdicts may be coloured; a user disables colours with NO_COLOR.</summary>
    public static bool AllowsColours => string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));

    /// <summary>Returns its width in characters; null when the output is a file, a pipe, a test or the log of a CI system.</summary>
    public static int? FindColumns(TextWriter output)
    {
        bool isScreen = StandardStreams.IsOpenOutput(output) && !Console.IsOutputRedirected
            && MayChangeLines(Environment.GetEnvironmentVariable);
        return !isScreen ? null : Console.WindowWidth > 0 ? Console.WindowWidth : UsualColumns;
    }

    /// <summary>
    /// False for a screen that cannot rewrite a line: the consoles of CI systems, which set <c>CI</c>, are not watched and keep every line.
    /// </summary>
    /// <param name="variable">Reads an environment variable.</param>
    public static bool MayChangeLines(Func<string, string?> variable) =>
        variable("TERM") != "dumb" && variable("CI") is null or "" or "false";
}
