using PerfTools.Editions;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Editions;

/// <summary>The arguments of our tools, translated for the programs of other editions.</summary>
public class EditionArgumentsTests
{
    private static readonly string[] Usual =
        ["-h", "127.0.0.1", "-p", "4711", "-itemCount", "100", "-statsFile", "/r/ConsStats", "-jsonFile", "/r/c.jsonl", "-hlogFile", "/r/Cons"];

    [Theory]
    [InlineData("c", "-threads 2", "-threads -1,-1")]
    [InlineData("c", "-threads 3,5", "-threads 3,5")]
    [InlineData("c", "-bindThread 3", "-threads 3")]
    [InlineData("ema-cpp", "-threads 2", "-threads -1,-1")]
    [InlineData("java", "-threads 2", "-threads 2")]
    [InlineData("csharp", "-threads 2", "-threads 2")]
    [InlineData("c", "-compressionType zlib", "-compressionType 1")]
    [InlineData("c", "-compressionType lz4", "-compressionType 2")]
    [InlineData("c", "-connType encrypted -castore /r/ca.pem", "-connType encrypted -castore /r/ca.pem")]
    [InlineData("java", "-updateRate 5 -tickRate 5", "-updateRate 5 -tickRate 5")]
    [InlineData("java", "-if 127.0.0.1 -control -jsonFile x", "")]
    [InlineData("java", "-maxPackCount 1", "-maxPackCount 1")]
    [InlineData("ema-java", "-maxPackCount 1", "")]
    [InlineData("ema-java", "-compressionType zlib", "")] // EmaConfig.xml has it
    [InlineData("ema-java", "-outputBufs 7 -inputBufs 8", "")]
    [InlineData("java", "-outputBufs 7 -inputBufs 8", "-outputBufs 7 -inputBufs 8")]
    [InlineData("java", "-reflectMsgs -msgRate 3", "-reflectMsgs -msgRate 3")]
    public void Translate_WhatItCanDo_IsSaidInItsOptions(string edition, string ours, string expected)
    {
        IReadOnlyList<string> words = Translate(edition, "NIProvPerf", ours.Split(' '), out string? problem);
        Assert.Null(problem);
        Assert.Equal(expected, string.Join(' ', words));
    }

    [Theory]
    [InlineData("java", "NIProvPerf", "-threads 3,5", "the Java edition binds no threads to processors (--bind auto)")]
    [InlineData("csharp", "NIProvPerf", "-bindThread 1", "the C# edition binds no threads to processors (--bind auto)")]
    [InlineData("c", "NIProvPerf", "-rateProfile 5:5", "the C edition knows no --steps and --ramp")]
    [InlineData("java", "NIProvPerf", "-stamp due", "the Java edition knows no --stamp")]
    [InlineData("ema-java", "ConsPerf", "-rtt", "EMA Java knows no --rtt")]
    [InlineData("ema-java", "TransportPerf", "-msgRate 5", "EMA Java has no TransportPerf")]
    [InlineData("c", "HubPerf", "-p 5", "the C edition has no HubPerf")]
    [InlineData("ema-java", "NIProvPerf", "-maxPackCount 9", "EMA Java packs no messages (--pack)")]
    [InlineData("java", "NIProvPerf", "-compressionType zlib", "the Java edition knows no compression (--compression)")]
    [InlineData("java", "ProvPerf", "-connType encrypted",
        "the Java edition is not driven over encrypted connections: its certificates are no PEM files (--connection)")]
    [InlineData("csharp", "ConsPerf", "-castore ca.pem", "the C# edition has no option for trusted authorities (--connection encrypted)")]
    [InlineData("c", "ConsPerf", "-connType websocket -websocket rwf", "the C edition knows no --connection websocket")]
    public void Translate_WhatItCannotDo_IsRefusedWithTheReason(string edition, string tool, string ours, string expected)
    {
        Translate(edition, tool, ours.Split(' '), out string? problem);
        Assert.Equal($"the role: {expected}", problem);
    }

    [Fact]
    public void Translate_Consumer_GetsItsLatenciesAndLeavesOutTheBeginning()
    {
        IReadOnlyList<string> words = Translate("c", "ConsPerf", Usual, out _, latencyStem: "Latency");
        Assert.Equal("-h 127.0.0.1 -p 4711 -itemCount 100 -statsFile /r/ConsStats -latencyFile /f/Latency -delaySteadyStateCalc 1000", string.Join(' ', words));
    }

    [Fact]
    public void Translate_ConsumerOfAProviderThatHoldsBack_AsksSlowly()
    {
        Assert.EndsWith("-requestRate 2000", string.Join(' ', Translate("java", "ConsPerf", Usual, out _, peer: Edition.CSharp)), StringComparison.Ordinal);
        IReadOnlyList<string> own = Translate("java", "ConsPerf", [.. Usual, "-requestRate", "77"], out _, peer: Edition.CSharp);
        Assert.Contains("-requestRate 77", string.Join(' ', own), StringComparison.Ordinal);
        Assert.DoesNotContain("2000", own);
        Assert.DoesNotContain("-requestRate", Translate("java", "ConsPerf", Usual, out _, peer: Edition.Java));
    }

    [Fact]
    public void Translate_WhoListens_GetsThePortItWillBeFoundAt()
    {
        Assert.Equal("-p 4711", string.Join(' ', Translate("java", "ProvPerf", ["-p", "0"], out _, port: 4711)));
        Assert.Empty(Translate("ema-java", "ProvPerf", ["-p", "0"], out _, port: 4711));
    }

    [Fact]
    public void Translate_EveryEdition_TakesWhatAUsualRunSays()
    {
        foreach (EditionFacts facts in EditionFacts.All.Where(facts => facts.Edition != Edition.Ours))
        {
            IReadOnlyList<string> words = Translate(facts.Word, "ConsPerf", Usual, out string? problem);
            Assert.True(problem is null, facts.Word);
            Assert.Equal(facts.IsEma, !words.Contains("-h"));
            Assert.DoesNotContain("-jsonFile", words);
        }
    }

    private static IReadOnlyList<string> Translate(
        string edition, string tool, string[] ours, out string? problem, int? port = null, Edition? peer = null, string? latencyStem = null) =>
        EditionArguments.Translate(
            new EditionRequest
            {
                Edition = EditionFacts.Find(edition)!.Value,
                Role = "the role",
                Tool = tool,
                Arguments = ours,
                ListenPort = port,
                Peer = peer,
                Folder = "/f",
                LatencyStem = latencyStem,
            }, out problem);
}
