namespace PerfTools.Hosting.Running;

/// <summary>What the output of a program is shown on.</summary>
internal static class Terminal
{
    private const int UsualColumns = 80;

    /// <summary>True when verdicts may be coloured; the user says no by setting NO_COLOR.</summary>
    public static bool AllowsColours => string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));

    /// <summary>Its width in characters; null when the output goes to a file, a pipe, a test or the log of a CI system.</summary>
    public static int? FindColumns(TextWriter output)
    {
        bool isScreen = ReferenceEquals(output, Console.Out) && !Console.IsOutputRedirected
            && MayChangeLines(Environment.GetEnvironmentVariable);
        return !isScreen ? null : Console.WindowWidth > 0 ? Console.WindowWidth : UsualColumns;
    }

    /// <summary>
    /// False for a screen that cannot go back to a line, or that nobody watches: the consoles of CI systems, which set <c>CI</c>, keep
    /// every line for ever.
    /// </summary>
    /// <param name="variable">Gives a variable of the environment.</param>
    public static bool MayChangeLines(Func<string, string?> variable) =>
        variable("TERM") != "dumb" && variable("CI") is null or "" or "false";
}
