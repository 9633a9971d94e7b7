namespace PerfCommon.Transport;

/// <summary>How a step of a <see cref="BytePipe"/> ended.</summary>
internal enum PipeStatus : byte
{
    /// <summary>Done; the same step may be taken again at once.</summary>
    Ready,

    /// <summary>Nothing further now: wait until the descriptor is readable (receive) or writable (send), then step again.</summary>
    Wait,

    /// <summary>The peer ended its stream in good order.</summary>
    Ended,

    /// <summary>The connection is broken; <see cref="BytePipe.Failure"/> says how.</summary>
    Failed,
}
