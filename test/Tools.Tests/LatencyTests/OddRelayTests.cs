using System.Text.Json;
using LatencyPerf.Protocol;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>The same with whole programs and real sockets: what they print and leave says exactly what happened to the one datagram.</summary>
public sealed class OddRelayTests : IDisposable
{
    private const int Samples = 30;
    private const ulong Odd = 9;
    private static readonly string[] LossNames = ["lost", "late", "duplicates"];

    private readonly RunDirectory _folder = new();
    private readonly int _domain = RoundtripRuns.NextDomain;

    public void Dispose() => _folder.Dispose();

    // rounds lost, late, duplicates at the publisher; lost, late, duplicates at the silent subscriber and at the echoer
    [Theory]
    [InlineData("Data", 1, "Lost", "0 0 0", "1 0 0", "0 0 0", "subscriber with cookie 1: lost 1\n")]
    [InlineData("Data", 1, "Repeated", "0 0 0", "0 0 1", "0 0 0", "subscriber with cookie 1: duplicates 1\n")]
    [InlineData("Data", 1, "Overtaken", "0 0 0", "0 1 0", "0 0 0", "subscriber with cookie 1: late 1\n")]
    [InlineData("Data", 2, "Lost", "1 0 0", "0 0 0", "1 0 0", "lost 1 (no reply within 10000 ms), late 0\n")]
    [InlineData("Data", 2, "Repeated", "0 0 0", "0 0 0", "0 0 1", "")]
    [InlineData("Data", 2, "Delayed", "0 0 0", "0 0 0", "0 0 0", "")]
    [InlineData("Reply", 2, "Repeated", "0 0 1", "0 0 0", "0 0 0", "duplicates 1\n")]
    public void Run_OneOddDatagram_IsInEveryOutput(
        string kind, int cookie, string oddity, string publisher, string silent, string echoer, string said)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the addresses of the loopback");
        using OddRelay relay = new(_domain, 2, Enum.Parse<DatagramKind>(kind), cookie, Odd, Enum.Parse<Oddity>(oddity));
        RoundtripRuns runs = RoundtripRuns.Run(
            $"-domainId {_domain} -nic {OddRelay.PublisherAddress} -peer {OddRelay.Address} -subscribers 2 -numIter {Samples} -maxSize 16 "
            + $"-replyTimeout 10000 -jsonFile {_folder.File("0")}",
            Subscriber(1, "-noecho"), Subscriber(2, ""));

        Assert.All(runs.Sides, side => Assert.Equal((0, ""), (side.ExitCode, side.Error)));
        Assert.Equal((publisher, silent, echoer), (Read("0"), Read("1"), Read("2")));
        JsonElement final = _folder.ReadFinal("0"), size = final.GetProperty("sizes")[0];
        Assert.Equal((Samples, publisher), (size.GetProperty("samples").GetInt32(), Describe(size)));
        Assert.Equal((silent, echoer), (Describe(final.GetProperty("told")[0]), Describe(final.GetProperty("told")[1])));
        Assert.Contains(said, runs.Publisher.Output, StringComparison.Ordinal);
        Assert.Equal(said.Length > 0, runs.Publisher.Output.Split('\n').Any(line => line.StartsWith("lost", StringComparison.Ordinal)
            || line.StartsWith("subscriber", StringComparison.Ordinal) || line.StartsWith("duplicates", StringComparison.Ordinal)));
        Assert.True(oddity != "Delayed" || size.GetProperty("maxMicros").GetDouble() >= 300_000);
    }

    private string Subscriber(int cookie, string more) =>
        $"-domainId {_domain} -cookie {cookie} -nic {OddRelay.AddressOf(cookie)} -peer {OddRelay.Address} {more} -jsonFile {_folder.File($"{cookie}")}";

    private string Read(string name) => Describe(_folder.ReadFinal(name).GetProperty("overall").GetProperty("counts"));

    private static string Describe(JsonElement counts) =>
        string.Join(' ', LossNames.Select(name => counts.GetProperty(name).GetRawText()));
}
