using PerfCommon.Transport;

namespace PerfCommon.Tests.Simulation;

/// <summary>Reports connections in any order, some of them late, some without an event.</summary>
internal sealed class SeededWaiter(SeededNetwork network) : MemoryWaiter
{
    public override void Wait(long timeoutNanos)
    {
        base.Wait(timeoutNanos);
        for (int left = Found.Count; left > 1; left--)
        {
            int other = network.Random.Next(left);
            (Found[left - 1], Found[other]) = (Found[other], Found[left - 1]);
        }
    }

    protected override (bool Readable, bool Writable) Look(MemoryLink link, bool reads, bool writes)
    {
        (bool readable, bool writable) = base.Look(link, reads, writes);
        if (((SeededPipe)link.Pipe).IsBroken)
            return (true, true); // always reported
        if (!network.Happens(network.Weather.ReadinessShare))
            return (readable, writable);
        if (readable || writable)
        {
            network.Faults.Add(Fault.LateReadiness);
            return default;
        }

        network.Faults.Add(Fault.IdleReadiness);
        return (reads && link.Answers, writes && link.Answers);
    }
}
