using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Running;

/// <summary>Limits the connections of a server to the files it may open: each connection is one, and the program needs some itself.</summary>
/// <remarks>
/// With no file left the runtime can neither start a thread nor load an assembly: it ends the process, and its results are lost.
/// </remarks>
internal static class ServerFiles
{
    private const int ShareOfHandshakes = 4;

    /// <inheritdoc cref="Fit(ConnectionOptions, int, long?)"/>
    public static ConnectionOptions Fit(ConnectionOptions connection) =>
        Fit(connection, ConnectionOptions.UsualConnections, SystemLimits.MaxFiles);

    /// <summary>Returns the options with no more connections than files; the default number is reduced, a given one is not.</summary>
    /// <param name="connection">The options as typed.</param>
    /// <param name="usual">The number where none was given.</param>
    /// <param name="maxFiles">Number of files that the system allows; null where it is not known.</param>
    /// <exception cref="SetupException">It allows fewer than were given (exit code 4).</exception>
    public static ConnectionOptions Fit(ConnectionOptions connection, int usual, long? maxFiles)
    {
        int asked = connection.Server.MaxConnections;
        if (!connection.IsServer || maxFiles is not { } allowed)
            return connection;
        long others = SystemLimits.OtherFiles + ConnectionOptions.RefusedAtOnce + ControlListener.ConnectionsOf(allowed);
        if (asked + others <= allowed)
            return connection;
        if (asked != usual || allowed <= others)
        {
            throw new SetupException(SetupProblem.NotStarted, string.Create(CultureInfo.InvariantCulture,
                $"-maxConnections {asked} needs {asked + others} files, {SystemLimits.DescribeFiles(maxFiles)}"));
        }

        int fewer = (int)(allowed - others);
        return connection.WithConnections(fewer, Math.Max(1, fewer / ShareOfHandshakes));
    }
}
