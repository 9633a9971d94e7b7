using PerfCommon.Workers;

namespace PerfHub.Notices;

/// <summary>The notices of a hub.</summary>
internal static class HubNotices
{
    public static readonly NoticeKind OutOfMemory = NoticeKind.Warning(201, "OutOfMemory",
        "Connection of {Peer} closed: memory is nearly used up, and the greatest part is kept for it, about {Megabytes} MB.", "Memory");

    public static readonly NoticeKind SlowConsumer = NoticeKind.Warning(202, "SlowConsumer",
        "Connection of {Peer} cut: it reads too slowly, {Bytes} bytes wait for it, for {Millis} ms more than the limit of {Limit}.", "Too slow");

    public static readonly NoticeKind TooManyItems = NoticeKind.Warning(203, "TooManyItems",
        "{Peer} publishes more items than the limit of {Limit}, or names of more than {MaxNameBytes} bytes: further images are only counted.",
            "Too many items");

    public static readonly NoticeKind TooManyFields = NoticeKind.Warning(204, "TooManyFields",
        "An item has more fields than the limit of {Limit}; what is beyond is only counted.", "Fields");

    public static readonly NoticeKind StandingBy = NoticeKind.Information(205, "StandingByForServer", "Standing by for another server.");

    public static readonly NoticeKind SourceFailed = NoticeKind.Warning(211, "SourceFailed", "Source {Host}:{Port}: {Reason}", "Source failed");
    public static readonly NoticeKind SourceGone = NoticeKind.Warning(212, "SourceGone", "Source {Host}:{Port} is gone: {Reason}", "Source gone");
    public static readonly NoticeKind SourceMessageIgnored =
        NoticeKind.Warning(213, "SourceMessageIgnored", "Ignored {What} of a source; further messages are only counted.", "Ignored");

    public static readonly NoticeKind OwnDictionary =
        NoticeKind.Warning(214, "HubDictionary", "Warning: {Reason}; consumers get the program's own dictionary.");

    public static readonly NoticeKind ServicesLeftOut = NoticeKind.Warning(221, "ServicesLeftOut",
        "{Source} lists more than {Limit} services, or says too much of one; the rest is not used.");

    public static readonly NoticeKind ServiceTaken =
        NoticeKind.Warning(222, "ServiceTaken", "Service {Service} of {Source} is offered by another source; it {Use}.");
    public static readonly NoticeKind NoRoomForService = NoticeKind.Warning(223, "NoRoomForService",
        "Service {Service} of {Source} finds no room among those of the hub; it is not used.");

    public static readonly NoticeKind ServicesTaken = NoticeKind.Warning(224, "ServicesTaken",
        "{Services} services of {Source} are offered by other sources, or find no room; they stand by or are not used.");

    public static readonly NoticeKind ServiceMoved =
        NoticeKind.Information(225, "ServiceMoved", "Service {Service} and {Items} items of it are those of {Source} now.");
    public static readonly NoticeKind PublisherServiceRefused = NoticeKind.Warning(226, "PublisherServiceRefused",
        "Service {Service} of a non-interactive provider {Reason}; it is not used.");

    public static readonly NoticeKind PublisherServicesRefused = NoticeKind.Warning(227, "PublisherServicesRefused",
        "{Services} services of {Peer} are not used: others have them, or there are more than {Limit}, or one says too much.");
}
