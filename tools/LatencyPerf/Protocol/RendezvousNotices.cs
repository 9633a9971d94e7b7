using PerfCommon.Workers;

namespace LatencyPerf.Protocol;

/// <summary>The notices of a publisher while it waits for its subscribers.</summary>
internal static class RendezvousNotices
{
    public static readonly NoticeKind Admitted = NoticeKind.Information(341, "SubscriberAdmitted", "...[{Place}]");
    public static readonly NoticeKind Gone =
        NoticeKind.Warning(342, "SubscriberGone", "The subscriber with cookie {Cookie} at {Address} is gone: its place is free again");

    public static readonly NoticeKind Dismissed = NoticeKind.Warning(343, "SubscribersDismissed", "Refused: {Reason}");
    public static readonly NoticeKind Refused = NoticeKind.Warning(344, "SubscriberRefused", "Refused cookie {Cookie} at {Address}: {Reason}");
}
