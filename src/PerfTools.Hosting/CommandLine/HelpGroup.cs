namespace PerfTools.Hosting.CommandLine;

/// <summary>The groups of options in the help, in the order of printing.</summary>
internal enum HelpGroup
{
    Common,
    Connection,
    Rates,
    Files,
    Advanced,
}
