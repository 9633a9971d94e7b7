using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>Waits for sockets by their Linux descriptors.</summary>
internal abstract class DescriptorWaiter : Waiter
{
    public sealed override void Add(WaitSlot slot, WaitSource source) => Add(slot, source.Socket!);

    /// <inheritdoc cref="Add(WaitSlot, WaitSource)"/>
    public abstract void Add(WaitSlot slot, Socket socket);

    /// <summary>Adds an event that Linux reports for a socket to <see cref="Waiter.Found"/>.</summary>
    protected void AddFound(WaitSlot slot, uint events)
    {
        bool isBroken = (events & (Libc.PollError | Libc.PollHangUp)) != 0;
        Found.Add((slot, isBroken || (events & Libc.PollIn) != 0, isBroken || (events & Libc.PollOut) != 0));
    }

    protected static short EventsFor(bool reads, bool writes) => (short)((reads ? Libc.PollIn : 0) | (writes ? Libc.PollOut : 0));
}
