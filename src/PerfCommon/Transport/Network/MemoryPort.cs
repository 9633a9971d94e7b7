namespace PerfCommon.Transport;

/// <summary>A port of a network in memory.</summary>
/// <param name="number">Its number.</param>
/// <param name="close">Refuses connections to it from then on.</param>
internal sealed class MemoryPort(int number, Action close) : ListeningPort
{
    public override int Number => number;

    public Queue<MemoryLink> Arrived { get; } = new();

    public override NetworkLink? TryAccept(TimeSpan limit) => Arrived.TryDequeue(out MemoryLink? link) ? link : null;

    public override void Dispose()
    {
        close();
        while (Arrived.TryDequeue(out MemoryLink? link))
            link.Dispose();
    }
}
