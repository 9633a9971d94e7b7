namespace PerfCommon.Transport;

/// <summary>A connection in memory: established together with its pipe, or never.</summary>
internal sealed class MemoryLink(MemoryPipe pipe, bool answers = true) : NetworkLink
{
    public MemoryPipe Pipe => pipe;

    public bool Answers => answers && pipe.IsConnected;

    public override string? Failure => null;

    public override PipeStatus Look(bool isWritable) => Answers ? PipeStatus.Ready : PipeStatus.Wait;

    public override void Configure(ChannelOptions options)
    {
        // there are no socket options
    }

    public override BytePipe Open(Action wakeOwner)
    {
        pipe.Owner = wakeOwner;
        return pipe;
    }

    public override void Dispose() => pipe.Dispose();
}
