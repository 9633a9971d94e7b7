namespace PerfCommon.Measurement;

/// <summary>The part of a run that a sample belongs to.</summary>
internal enum RunPhase
{
    /// <summary>Until the last image is in.</summary>
    Startup,

    /// <summary>After the last image, while <c>-delaySteadyStateCalc</c> lasts: counted overall only.</summary>
    Between,

    /// <summary>After that.</summary>
    Steady,
}
