using PerfTools.Scenarios;
using PerfTools.Search;
using PerfTools.Verbs;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>The valid command lines of a search.</summary>
public sealed class SearchArgumentsTests
{
    [Theory]
    [InlineData("direct", "--stay", "", true)]
    [InlineData("hub-direct", "--stay", "", true)]
    [InlineData("direct", "", "", false)]
    [InlineData("direct", "--fresh", "", false)]
    [InlineData("direct", "--stay --over items", "", false)]
    [InlineData("direct", "--stay --until images>=5", "", false)]
    [InlineData("direct", "--stay", "--posting 5000", true)]
    [InlineData("hub-direct", "--stay", "--external hub=localhost:1", false)]
    [InlineData("transport", "--stay", "", true)]
    [InlineData("reflect", "--stay", "", true)]
    [InlineData("posting", "--stay", "", true)]
    [InlineData("transport", "--stay --over size", "", false)]
    [InlineData("roundtrip", "--stay --over rate", "", false)]
    public void MayStayUp_RateThatCanBeSet_IsTrue(string name, string own, string others, bool expected)
    {
        Scenario scenario = ScenarioList.All.Single(one => one.Name == name);
        SearchOptions search = SearchVerb.Options.Parse(own.Split(' ', StringSplitOptions.RemoveEmptyEntries)).Options!;
        ScenarioOptions options = SearchVerb.OptionsOf(scenario).Parse(others.Split(' ', StringSplitOptions.RemoveEmptyEntries)).Options!;
        Assert.Equal(expected, search.MayStayUp(scenario, options));
    }

    [Theory]
    [InlineData("direct", "--repeat 3", "--repeat: a search repeats what has to be repeated")]
    [InlineData("direct", "--stay --fresh", "--stay cannot be combined with --fresh")]
    [InlineData("direct", "--stay --over items",
        "--stay needs a search over the rate of roles that are started here, and no threshold on images or single roles")]
    [InlineData("direct", "--assert p99<1ms", "--assert: --until has the thresholds of a search")]
    [InlineData("direct", "--steps 1000,2000:5", "--steps: each run of a search has one rate")]
    [InlineData("direct", "--ramp 1000:2000:5", "--ramp: each run of a search has one rate")]
    [InlineData("direct", "--over size", "--over size: direct has no --size")]
    [InlineData("transport", "--over items", "--over items: transport has no --items")]
    [InlineData("ni-hub", "--over threads", "--over threads: ni-hub has no --threads")]
    [InlineData("direct", "--over nothing", "--over: 'nothing' is not one of rate, items, size, threads, connections, users")]
    [InlineData("direct", "--over users", "--over users: direct has no users; search users-low, users-medium, users-high, users-very-high")]
    [InlineData("hub-direct", "--over connections", "--over connections: hub-direct has no --connections; --over takes rate, items")]
    [InlineData("transport", "--over connections --client=-connections=5", "--over connections cannot be combined with -connections of a role")]
    [InlineData("transport", "--over size --server=-msgSize=50", "--over size cannot be combined with -msgSize of a role")]
    [InlineData("roundtrip", "--over rate", "--over rate: roundtrip has no --rate; --over takes size")]
    [InlineData("roundtrip", "--both-curves", "--both-curves: round trips are measured from one time only")]
    [InlineData("roundtrip", "--transport udp,tcp", "give one --transport, and no --one-way with several subscribers: each side is one run")]
    [InlineData("roundtrip", "--samples 500", "--until p99<1ms: 1,000 latency samples needed, --samples is 500")]
    [InlineData("roundtrip", "--stay", "--stay needs a search over the rate")]
    [InlineData("users-low", "--over rate", "--over rate: a load of users is searched over users")]
    [InlineData("users-low", "--stay --fresh", "--stay cannot be combined with --fresh")]
    [InlineData("users-low", "--both-curves", "--both-curves: latency of users counts from the time sent only")]
    [InlineData("users-low", "--until images>5", "--until: 'images>5' is not a list such as")]
    [InlineData("users-low", "--steps 5,6", "--steps: unknown option")]
    [InlineData("users-low", "--set subjects=0", "--set: '0' is no value of subjects")]
    [InlineData("users", "--over users",
        "search: users has several loads, each with its own number of users; name one: users-low, users-medium, users-high, users-very-high")]
    [InlineData("direct", "--until p98<1ms", "--until: 'p98<1ms' is not ")]
    [InlineData("direct", "--until p99.9<1ms", "--until p99.9<1ms: 10,000 latency samples needed, --latency-rate 1000 gives 5,000 in --seconds 5")]
    [InlineData("direct", "--budget 5", "--budget: '5' is not a time of 10s or more such as 90s, 5m or 1h")]
    [InlineData("direct", "--budget 9s", "--budget: '9s' is not a time of 10s or more such as 90s, 5m or 1h")]
    [InlineData("direct", "--from 0", "--from must be 1 to 1000000000")]
    [InlineData("posting", "--no-provider", "--over rate cannot be combined with --no-provider")]
    [InlineData("posting", "--no-updates", "--over rate cannot be combined with --no-updates")]
    [InlineData("direct", "--external provider=localhost:1", "--over rate: the provider is external and accepts no options from here")]
    [InlineData("direct", "--prov=-updateRate=5", "--over rate cannot be combined with -updateRate of the provider")]
    [InlineData("direct", "--over threads --prov=-threads=5", "--over threads cannot be combined with -threads of a role")]
    public void CommandLine_WithAContradiction_IsRefusedInOneLine(string scenario, string line, string expected)
    {
        using StringWriter output = new(), error = new();
        int code = PerfTools.Program.Run(["search", scenario, .. line.Split(' ')], output, error);
        Assert.Equal((2, ""), (code, $"{output}"));
        Assert.StartsWith($"perftools: {expected}", $"{error}", StringComparison.Ordinal);
        Assert.Single($"{error}", '\n');
    }

    [Theory]
    [InlineData("90s", 90, "90s")]
    [InlineData("120s", 120, "2m")]
    [InlineData("5m", 300, "5m")]
    [InlineData("1h", 3600, "1h")]
    public void TryParse_Time_IsRead(string text, int seconds, string shown) =>
        Assert.Equal((seconds, shown), (SearchTime.TryParse(text)!.Value.Seconds, $"{SearchTime.TryParse(text)}"));
}
