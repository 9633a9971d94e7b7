using System.Net;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>
/// Services that a channel needs from its driver: a clock, links, and calls when bytes may be read or sent, or its timer is due.
/// </summary>
/// <remarks>One per channel; it belongs to the channel's thread except <see cref="Run"/>. Never called per message.</remarks>
internal interface IChannelDriver
{
    /// <summary>The clock of the channel.</summary>
    TimeSource Time { get; }

    /// <summary>Lends the arrays of the channel.</summary>
    BufferPool Pool { get; }

    /// <summary>Resolves the addresses of a host; see <see cref="Network.ResolveAsync"/>.</summary>
    Task<IPAddress[]> ResolveAsync(string host);

    /// <summary>Starts to connect; the channel is called when that has succeeded or failed. See <see cref="Network.Connect"/>.</summary>
    NetworkLink Connect(IPAddress address, ConnectOptions options);

    /// <summary>Stops waiting for the channel's link, which is about to be closed.</summary>
    void Detach();

    /// <summary>Sets the events for which the channel is called.</summary>
    void SetInterest(bool reads, bool writes);

    /// <summary>Sets the latest time at which the channel is called.</summary>
    void ScheduleTimer(long atNanos);

    /// <summary>Marks the channel as ready for its owner.</summary>
    void ListReady();

    /// <summary>Runs a function on the channel's thread soon, with the time; any thread.</summary>
    void Run(Action<long> work);
}
