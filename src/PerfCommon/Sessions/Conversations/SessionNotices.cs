using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>The notices of sessions.</summary>
internal static class SessionNotices
{
    public static readonly NoticeKind Connected = NoticeKind.Information(111, "Connected", "Connected.");
    public static readonly NoticeKind Accepted = NoticeKind.Information(112, "Accepted", "Connected: {Channel}");
    public static readonly NoticeKind Closed = NoticeKind.Information(113, "ConnectionClosed", "Connection closed.");
    public static readonly NoticeKind Lost = NoticeKind.Warning(114, "ConnectionLost", "Connection lost: {Reason}", "Connection lost: {Kind}");
    public static readonly NoticeKind Disconnected =
        NoticeKind.Warning(115, "Disconnected", "Connection closed by this side: the peer sent {What}", "Connection closed by this side");

    public static readonly NoticeKind Message = NoticeKind.Information(120, "Message", "{Message}");
    public static readonly NoticeKind LoginRequest = NoticeKind.Information(121, "LoginRequest", "Received Login Request for username: {User}");
    public static readonly NoticeKind LoginResponse = NoticeKind.Information(122, "LoginResponse", "Received login response.");
    public static readonly NoticeKind DirectoryRequest = NoticeKind.Information(123, "DirectoryRequest", "Received Source Directory Request");
    public static readonly NoticeKind DictionaryRequest = NoticeKind.Information(124, "DictionaryRequest", "Received Dictionary Request");
    public static readonly NoticeKind ServiceUp = NoticeKind.Information(125, "ServiceUp", "Service '{Service}' is up again.");
    public static readonly NoticeKind ServiceDown =
        NoticeKind.Warning(126, "ServiceDown", "Service '{Service}' went down: {Reason}. Waiting for it to be up...");
    public static readonly NoticeKind Downloading = NoticeKind.Information(127, "DictionaryDownload", "No {Missing}: downloading from the provider.");
    public static readonly NoticeKind NoEnumTables = NoticeKind.Warning(128, "NoEnumTables", "Warning: {Reason}; going on without enum tables.");
    public static readonly NoticeKind OwnDictionary =
        NoticeKind.Warning(129, "OwnDictionary", "Warning: {Reason}; using the program's own dictionary, fields it lacks are skipped.");

    public static readonly NoticeKind Requesting = NoticeKind.Information(130, "Requesting", "Dictionary ready, requesting items...");
    public static readonly NoticeKind Priming = NoticeKind.Information(131, "Priming", "Dictionary ready, requesting each item once ahead of the run...");
    public static readonly NoticeKind Publishing = NoticeKind.Information(132, "Publishing", "Received login response, publishing {Items} items...");
    public static readonly NoticeKind Silent = NoticeKind.Warning(133, "NotPublishing", "{Reason}; staying connected without sending anything.");
    public static readonly NoticeKind Active = NoticeKind.Information(134, "Active", "Active: the consumer takes its data from here.");
    public static readonly NoticeKind StandingBy = NoticeKind.Information(135, "StandingBy", "Standing by for another provider.");

    public static readonly NoticeKind RequestRejected =
        NoticeKind.Warning(141, "RequestRejected", "Rejected item request on stream {Stream}: {Reason}; further ones are only counted.", "Rejected");

    public static readonly NoticeKind PostRefused =
        NoticeKind.Warning(142, "PostRefused", "Refused a post on stream {Stream}: {Reason}; further ones are only counted.", "Refused");

    public static readonly NoticeKind MessageIgnored =
        NoticeKind.Warning(143, "MessageIgnored", "Ignored an unexpected {Class} message on domain {Domain}; further ones are only counted.", "Ignored");

    public static readonly NoticeKind CloseIgnored =
        NoticeKind.Warning(144, "CloseIgnored", "Ignored a close for stream {Stream}, which is not open; further ones are only counted.", "Ignored");
}
