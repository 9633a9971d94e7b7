using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Running;

namespace HubPerf;

/// <summary>What the system allows the hub: each connection is a file.</summary>
internal static class HubLimits
{
    /// <summary>The options with no more connections than files; the usual number gives way, one that was asked for does not.</summary>
    /// <param name="options">As typed.</param>
    /// <param name="maxFiles">What the system allows; null where it is not known.</param>
    /// <exception cref="SetupException">It allows fewer than was asked for (exit code 4).</exception>
    public static HubPerfOptions Apply(HubPerfOptions options, long? maxFiles)
    {
        int asked = options.Connection.Server.MaxConnections, needed = asked + SystemLimits.OtherFiles;
        if (!(needed > maxFiles))
            return options;
        if (asked != HubPerfOptions.DefaultMaxConnections || maxFiles <= SystemLimits.OtherFiles)
        {
            throw new SetupException(SetupProblem.NotStarted,
                Say($"-maxConnections {asked} needs {needed} files, {SystemLimits.DescribeFiles(maxFiles)}"));
        }

        int fewer = (int)(maxFiles.Value - SystemLimits.OtherFiles);
        return options with { Connection = options.Connection with { Server = options.Connection.Server with { MaxConnections = fewer } } };
    }

    private static string Say(FormattableString sentence) => sentence.ToString(CultureInfo.InvariantCulture);
}
