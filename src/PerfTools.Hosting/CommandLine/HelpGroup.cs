namespace PerfTools.Hosting.CommandLine;

/// <summary>Where the help lists an option; groups stand in this order.</summary>
internal enum HelpGroup
{
    Common,
    Connection,
    Rates,
    Files,
    Advanced,
}
