using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace PerfCommon.Tests.Hosting.CommandLine;

/// <summary>Options with one of every kind, for tests of the table alone.</summary>
internal sealed record SampleOptions
{
    public string Host { get; init; } = "localhost";
    public int Port { get; init; } = 14002;
    public int TickRate { get; init; } = 1000;
    public bool Reactor { get; init; }
    public LatencyRate Rate { get; init; } = LatencyRate.Of(10);
    public RunOptions Run { get; init; } = new();
    public Secret Password { get; init; } = new(null, "PERFTOOLS_TEST_PASSWORD");
    public int? Cpu { get; init; }
    public int ServiceId { get; init; } = 1;
}

internal sealed class SampleTable : OptionTable<SampleOptions>
{
    public SampleTable()
        : base("Sample", new SampleOptions(), o => o.TickRate < 1 ? "-tickRate must be at least 1" : null)
    {
        Text("-h", "host", "host to connect to", o => o.Host, (o, v) => o with { Host = v }).As("Hostname");
        Number("-p", "port", "port to connect to", o => o.Port, (o, v) => o with { Port = v }).As("Port");
        Number("-tickRate", "n", "bursts per second", o => o.TickRate, (o, v) => o with { TickRate = v }).As("Tick Rate",
            o => $"{o.TickRate}/s");
        Switch("-reactor", "use the session layer", o => o.Reactor, (o, v) => o with { Reactor = v }, "-session").As("Reactor");
        this.Rate("-rate", "n", "stamped messages", o => o.Rate, (o, v) => o with { Rate = v });
        new RunRows<SampleOptions>(this, o => o.Run, (o, v) => o with { Run = v }).Threads();
        this.Password("-keypasswd", "text", "password", o => o.Password, (o, v) => o with { Password = v });
        OptionalNumber("-bindThread", "cpu", "bind it", o => o.Cpu, (o, v) => o with { Cpu = v });
        Number("-serviceId", "n", "its id", o => o.ServiceId, (o, v) => o with { ServiceId = v }, "-serviceld");
        Refuse("tunnel streams are not part of this tool", "-tunnel");
    }
}
