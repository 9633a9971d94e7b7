using System.CommandLine;

namespace PerfTools.Hosting.CommandLine;

/// <summary>How the library reads a command line of ours.</summary>
internal static class ParserRules
{
    /// <summary>No bundling (<c>-hots</c> is no host "ots") and no response files (<c>@file</c> is a value).</summary>
    public static ParserConfiguration Configuration { get; } = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

    /// <summary>A leading <c>[word]</c>, which the library takes for a directive and drops silently; null when there is none.</summary>
    public static string? FindDirective(IReadOnlyList<string> args) => args is [['[', ..] directive, ..] ? directive : null;
}
