namespace PerfCommon.Transport;

/// <summary>The queue that a message waits in; see <see cref="ChannelOptions.FlushOrder"/>.</summary>
public enum WritePriority : byte
{
    /// <summary>Sent most often: pings, and what must not wait.</summary>
    High,

    /// <summary>Ordinary messages.</summary>
    Medium,

    /// <summary>Sent when there is room.</summary>
    Low,
}
