namespace PerfCommon.Domains;

/// <summary>Names of the login elements that mean something to us.</summary>
internal static class LoginElements
{
    /// <summary>The value that asks for, or offers, round trips on the login stream.</summary>
    public const ulong RoundTripLatencyOn = 2;

    public static ReadOnlySpan<byte> ApplicationId => "ApplicationId"u8;

    public static ReadOnlySpan<byte> ApplicationName => "ApplicationName"u8;

    public static ReadOnlySpan<byte> Position => "Position"u8;

    public static ReadOnlySpan<byte> Role => "Role"u8;

    public static ReadOnlySpan<byte> SingleOpen => "SingleOpen"u8;

    public static ReadOnlySpan<byte> AllowSuspectData => "AllowSuspectData"u8;

    public static ReadOnlySpan<byte> SupportOmmPost => "SupportOMMPost"u8;

    public static ReadOnlySpan<byte> SupportBatchRequests => "SupportBatchRequests"u8;

    public static ReadOnlySpan<byte> RoundTripLatency => "RoundTripLatency"u8;

    public static ReadOnlySpan<byte> Ticks => "Ticks"u8;
}
