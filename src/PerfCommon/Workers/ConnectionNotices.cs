namespace PerfCommon.Workers;

/// <summary>The notices of connections.</summary>
internal static class ConnectionNotices
{
    public static readonly NoticeKind Channel = NoticeKind.Information(101, "Channel", "{Channel}");
    public static readonly NoticeKind Refused = NoticeKind.Warning(102, "ConnectionRefused", "Connection refused: {Limit} are open.", "Connection refused");
    public static readonly NoticeKind NotCompleted =
        NoticeKind.Warning(103, "ConnectionNotCompleted", "Connection not completed: {Reason}", "Connection not completed: {Kind}");
    public static readonly NoticeKind Failed =
        NoticeKind.Warning(104, "ConnectionFailed", "Connection failed: {Reason}; will retry every {Pace}", "Connection failed: {Kind}");
    public static readonly NoticeKind PackTooLarge =
        NoticeKind.Warning(106, "PackTooLarge", "Connection not used: packs of {PackBytes} bytes are more than the agreed {MaxBytes} bytes.", "Packing");

    public static readonly NoticeKind HeldBack = NoticeKind.Information(105, "HeldBack", "{Summary}");
}
