using System.Text.Json;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Screen;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The processors of a run's roles, in words, and the runs that cannot be compared because of them.</summary>
[Trait("Category", "Fast")]
public sealed class RunPlacementTests
{
    [Theory]
    [InlineData("0:100", "0:100", "provider 0, consumer 0 (shared)", PlacementKind.Shared)]
    [InlineData("0:100", "1:100", "provider 0, consumer 1", PlacementKind.Apart)]
    [InlineData("0:97,1:3", "0:2,1:98", "provider 0, consumer 1", PlacementKind.Apart)]
    [InlineData("0:55,1:45", "1:50,0:50", "provider 0+1, consumer 0+1 (moving)", PlacementKind.Moving)]
    [InlineData("0:80,1:20", "0:80,1:20", "provider 0+1, consumer 0+1 (shared)", PlacementKind.Shared)]
    public void Text_OfTwoRoles_SaysWhereAndWhetherTogether(string provider, string consumer, string text, object kind)
    {
        RunDocument run = Run(("provider", provider), ("consumer", consumer));
        Assert.Equal(text, run.Placement);
        PairPlacement pair = Assert.Single(RunPlacement.TryRead(run)!.Pairs); // though each sends the other something
        Assert.Equal(("provider", "consumer", (PlacementKind)kind), (pair.From, pair.To, pair.Kind));
    }

    [Fact]
    public void Text_OfThreeRoles_NamesThoseThatShare()
    {
        RunDocument run = Run(("provider", "0:100"), ("hub", "1:100"), ("consumer", "0:100"));
        Assert.Equal("provider 0, hub 1, consumer 0 (provider and consumer shared)", run.Placement);
        Assert.Equal("provider 0, hub 1, consumer 2", Run(("provider", "0:100"), ("hub", "1:100"), ("consumer", "2:100")).Placement);
    }

    [Fact]
    public void Text_WhereNobodySaysWhere_IsAbsentEverywhere()
    {
        Assert.Null(SampleFigures.Run.Placement);
        Assert.DoesNotContain("placement", RunFile.CreateText(SampleFigures.Run), StringComparison.Ordinal);
        RunDocument ranks = Run(("provider", "0:100"), ("consumer", "0:100")) with { Ranks = [] };
        Assert.Null(ranks.Placement); // processors of different machines have the same numbers
    }

    [Fact]
    public void Outputs_OfARun_SayIt()
    {
        RunDocument run = Run(("provider", "0:100"), ("consumer", "0:100"));
        Assert.Contains("    processors   provider 0, consumer 0 (shared)", ClosingText.Create(run, "runs/x/"));
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(run));
        Assert.Equal("provider 0, consumer 0 (shared)", written.RootElement.GetProperty("placement").GetString());
        using StringWriter markdown = new();
        PerfTools.Reports.RunMarkdown.Write(markdown, [("", run)], null);
        Assert.Contains("| processors | provider 0, consumer 0 (shared) |", markdown.ToString(), StringComparison.Ordinal);
        Assert.Equal(["provider", "consumer", "together"],
            PerfTools.Reports.RunConditions.Create(run, null).Single(table => table.Title == "Processors").Rows.Select(row => row[0].Text));
    }

    [Fact]
    public void FindConflict_OnePairSharedAndTheOtherApart_IsOne()
    {
        RunPlacement shared = Read(("provider", "0:100"), ("consumer", "0:100")), apart = Read(("provider", "1:100"), ("consumer", "0:100"));
        RunPlacement moving = Read(("provider", "0:50,1:50"), ("consumer", "0:50,1:50"));
        Assert.Equal("placement: A on one processor and B on two processors", RunPlacement.FindConflict([shared, shared], [apart]));
        Assert.Equal("placement: A on two processors and B on one processor", RunPlacement.FindConflict([apart], [shared]));
        Assert.Null(RunPlacement.FindConflict([shared], [shared]));
        Assert.Null(RunPlacement.FindConflict([shared, apart], [apart])); // what A is like was not the same in all of its runs
        Assert.Null(RunPlacement.FindConflict([shared], [moving]));
        Assert.Null(RunPlacement.FindConflict([], [apart]));
    }

    [Fact]
    public void FindConflict_OfSeveralPairs_NamesThePair()
    {
        RunPlacement a = Read(("provider", "0:100"), ("hub", "1:100"), ("consumer", "1:100"));
        RunPlacement b = Read(("provider", "0:100"), ("hub", "1:100"), ("consumer", "2:100"));
        Assert.Equal("placement of hub and consumer: A on one processor and B on two processors", RunPlacement.FindConflict([a], [b]));
        Assert.Equal("provider and hub on two processors, hub and consumer on one processor", RunPlacement.Describe([a]));
    }

    // Links of a ramp name all sources and all processes with users together.
    [Fact]
    public void TryRead_OfARamp_PairsTheHubWithAllOfAKind()
    {
        RunDocument apart = Ramp(("hub", "0:100"), ("source-1", "1:100"), ("source-2", "2:100"), ("users-1", "3:100"), ("users-2", "4:100"));
        Assert.Equal("hub 0, source-1 1, source-2 2, users-1 3, users-2 4", apart.Placement);
        Assert.Equal("sources and hub on two processors, hub and users on two processors",
            RunPlacement.Describe([RunPlacement.TryRead(apart)!]));
        RunDocument shared = Ramp(("hub", "0:100"), ("source-1", "1:100"), ("source-2", "2:100"), ("users-1", "0:90,1:10"), ("users-2", "0:70,1:30"));
        Assert.Equal("placement of hub and users: A on one processor and B on two processors",
            RunPlacement.FindConflict([RunPlacement.TryRead(shared)!], [RunPlacement.TryRead(apart)!]));
        RunDocument half = Ramp(("hub", "0:100"), ("source-1", "1:100"), ("users-1", "0:100"), ("users-2", "1:100"));
        Assert.Equal("sources and hub on two processors, hub and users moving between processors",
            RunPlacement.Describe([RunPlacement.TryRead(half)!]));
        Assert.Single(RunPlacement.TryRead(Ramp(("source-1", "1:100"), ("hub", "0:100")))!.Pairs);
    }

    [Fact]
    public void Compare_RampsOfDifferentPlacement_AreNotCompared()
    {
        using TestFolder folder = new();
        RunSet Write(string name, string users)
        {
            RunFolder place = RunFolder.Open(folder.PathOf(name), "users-low", DateTime.UtcNow, []);
            Assert.Null(RunFile.TryWrite(place, Ramp(("hub", "0:100"), ("source-1", "1:100"), ("users-1", users))));
            return RunSet.Read(name, place.FullPath);
        }

        RunComparison comparison = RunComparison.Of(Write("A", "0:100"), Write("B", "2:100"));
        Assert.Equal(("not comparable", "placement of hub and users: A on one processor and B on two processors"),
            (comparison.Verdict, comparison.Reason));
        Assert.Null(RunComparison.Of(Write("A", "2:100"), Write("B", "3:100")).Reason);
    }

    private static RunDocument Ramp(params (string Name, string Parts)[] roles) => Run(roles) with
    {
        Scenario = "users-low",
        Links = [Link("sources", "hub"), Link("hub", "hub"), Link("hub", "users"), Link("hub", "users"), Link("users", "hub")],
    };

    private static RunPlacement Read(params (string Name, string Parts)[] roles) => RunPlacement.TryRead(Run(roles))!;

    // Roles whose final line says where they ran, each linked with the next, both ways.
    private static RunDocument Run(params (string Name, string Parts)[] roles) => SampleFigures.Run with
    {
        Roles = [.. roles.Select(role => SampleFigures.Run.Roles[0] with { Name = role.Name, Final = Final(role.Parts) })],
        Links = [.. roles.Zip(roles.Skip(1)).SelectMany(pair => (LinkResult[])[Link(pair.First.Name, pair.Second.Name),
            Link(pair.Second.Name, pair.First.Name)])],
    };

    private static LinkResult Link(string from, string to) => SampleFigures.Link("updates", 1, 1) with { From = from, To = to };

    private static JsonElement Final(string parts) => JsonSerializer.SerializeToElement(new
    {
        overall = new
        {
            placement = new
            {
                processors = parts.Split(',').Select(part => part.Split(':')).Select(part =>
                    new { processor = int.Parse(part[0], null), percent = double.Parse(part[1], null) }),
                changes = 3,
                waitMillis = 1.5,
            },
        },
    });
}
