namespace PerfTools.Hosting.Running;

/// <summary>What the output of a program is shown on.</summary>
internal static class Terminal
{
    private const int UsualColumns = 80;

    /// <summary>True when verdicts may be coloured; the user says no by setting NO_COLOR.</summary>
    public static bool AllowsColours => string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));

    /// <summary>Its width in characters; null when the output goes to a file, a pipe or a test.</summary>
    public static int? FindColumns(TextWriter output)
    {
        bool isScreen = ReferenceEquals(output, Console.Out) && !Console.IsOutputRedirected
            && Environment.GetEnvironmentVariable("TERM") != "dumb";
        return !isScreen ? null : Console.WindowWidth > 0 ? Console.WindowWidth : UsualColumns;
    }
}
