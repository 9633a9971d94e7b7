using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>The notices of a warm standby pair.</summary>
internal static class StandbyNotices
{
    public static readonly NoticeKind Switched =
        NoticeKind.Warning(151, "StandbySwitch", "{Servers}: {Millis:F1} ms from the loss to the last of {Images} images.");

    public static readonly NoticeKind Gap =
        NoticeKind.Warning(152, "StandbyGap", "No updates for {Millis:F1} ms: about {Missed} were missed, at the rate before.");
}
