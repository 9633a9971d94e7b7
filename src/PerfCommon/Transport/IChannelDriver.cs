using System.Net;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>
/// What a channel needs of the one who drives it: a clock, links, and to be called when bytes may come or go, or its time has come.
/// </summary>
/// <remarks>One per channel; it belongs to the channel's thread but for <see cref="Run"/>. Never called per message.</remarks>
internal interface IChannelDriver
{
    /// <summary>The time by which the channel is called.</summary>
    TimeSource Time { get; }

    /// <summary>Lends the arrays of the channel.</summary>
    BufferPool Pool { get; }

    /// <summary>The addresses of a host; see <see cref="Network.ResolveAsync"/>.</summary>
    Task<IPAddress[]> ResolveAsync(string host);

    /// <summary>Begins to connect; the channel is called when that has come about or failed. See <see cref="Network.Connect"/>.</summary>
    NetworkLink Connect(IPAddress address, ConnectOptions options);

    /// <summary>Waits no more for the channel's link: it is about to be closed.</summary>
    void Detach();

    /// <summary>Says what the channel wants to be called for.</summary>
    void SetInterest(bool reads, bool writes);

    /// <summary>Says when the channel wants to be called by itself, if not before.</summary>
    void NoteTimer(long atNanos);

    /// <summary>Says that the channel's owner has something to look at.</summary>
    void ListReady();

    /// <summary>Has something done on the channel's thread soon, with the time; any thread.</summary>
    void Run(Action<long> work);
}
