namespace PerfTools.Processes;

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
