namespace PerfCommon.Codec;

/// <summary>Code of a state; up to 127, unknown values are no error.</summary>
public enum StateCode : byte
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Not found.</summary>
    NotFound = 1,

    /// <summary>Timeout.</summary>
    Timeout = 2,

    /// <summary>Not entitled.</summary>
    NotEntitled = 3,

    /// <summary>Invalid argument.</summary>
    InvalidArgument = 4,

    /// <summary>Usage error.</summary>
    UsageError = 5,

    /// <summary>Preempted.</summary>
    Preempted = 6,

    /// <summary>Jit conflation started.</summary>
    JitConflationStarted = 7,

    /// <summary>Realtime resumed.</summary>
    RealtimeResumed = 8,

    /// <summary>Failover started.</summary>
    FailoverStarted = 9,

    /// <summary>Failover completed.</summary>
    FailoverCompleted = 10,

    /// <summary>Gap detected.</summary>
    GapDetected = 11,

    /// <summary>No resources.</summary>
    NoResources = 12,

    /// <summary>Too many items.</summary>
    TooManyItems = 13,

    /// <summary>Already open.</summary>
    AlreadyOpen = 14,

    /// <summary>Source unknown.</summary>
    SourceUnknown = 15,

    /// <summary>Not open.</summary>
    NotOpen = 16,

    /// <summary>Non updating item.</summary>
    NonUpdatingItem = 19,

    /// <summary>Unsupported view type.</summary>
    UnsupportedViewType = 20,

    /// <summary>Invalid view.</summary>
    InvalidView = 21,

    /// <summary>Full view provided.</summary>
    FullViewProvided = 22,

    /// <summary>Unable to request as batch.</summary>
    UnableToRequestAsBatch = 23,

    /// <summary>No batch view support in req.</summary>
    NoBatchViewSupportInReq = 26,

    /// <summary>Exceeded max mounts per user.</summary>
    ExceededMaxMountsPerUser = 27,

    /// <summary>Error.</summary>
    Error = 28,

    /// <summary>Dacs down.</summary>
    DacsDown = 29,

    /// <summary>User unknown to perm sys.</summary>
    UserUnknownToPermSys = 30,

    /// <summary>Dacs max logins reached.</summary>
    DacsMaxLoginsReached = 31,

    /// <summary>Dacs user access to app denied.</summary>
    DacsUserAccessToAppDenied = 32,

    /// <summary>Gap fill.</summary>
    GapFill = 34,

    /// <summary>App authorization failed.</summary>
    AppAuthorizationFailed = 35,
}
