using System.Text.Json;
using System.Text.Json.Nodes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>docs/run.schema.json, and the documents that it accepts or refuses.</summary>
[Trait("Category", "Fast")]
public class RunSchemaTests
{
    private static readonly JsonSchema Schema = Load();

    public static TheoryData<string> Scenarios => new(ScenarioList.All.Select(scenario => scenario.Name));

    public static TheoryData<string, string> Changes => new()
    {
        { "format", "\"perftools-run-1\"" },
        { "verdict", "\"GOOD\"" },
        { "exitCode", "0.5" },
        { "startUtc", "\"2026-11-21 10:12:33\"" },
        { "figures", "{}" },
        { "roles", "[{}]" },
        { "links", "[{\"from\":1}]" },
        { "machine", "null" },
    };

    internal static JsonSchema Load() => JsonSchema.Load(Path.Combine(RepositoryRoot.FullPath, "docs", "run.schema.json"));

    [Theory]
    [MemberData(nameof(Scenarios))]
    public void Document_OfEveryScenario_IsAsTheSchemaSays(string name)
    {
        Scenario scenario = ScenarioList.All.First(scenario => scenario.Name == name);
        Assert.Empty(FindProblems(SampleFigures.Of(scenario)));
        Assert.Empty(
            FindProblems(SampleFigures.Of(scenario) with { Verdict = "FAILED", Reason = "why", Figures = null, Roles = [], Links = [] }));
    }

    [Theory]
    [MemberData(nameof(Changes))]
    public void Document_WithAMemberOfAnotherKind_IsNot(string member, string value)
    {
        JsonObject document = JsonNode.Parse(RunFile.CreateText(SampleFigures.Run))!.AsObject();
        document[member] = JsonNode.Parse(value);
        Assert.NotEmpty(Schema.FindProblems(JsonSerializer.SerializeToElement(document)));
        document.Remove(member);
        Assert.NotEmpty(Schema.FindProblems(JsonSerializer.SerializeToElement(document)));
    }

    [Fact]
    public void Document_WithANewMember_IsAsTheSchemaSays()
    {
        JsonObject document = JsonNode.Parse(RunFile.CreateText(SampleFigures.Run))!.AsObject();
        document["later"] = 7;
        Assert.Empty(Schema.FindProblems(JsonSerializer.SerializeToElement(document)));
    }

    private static IReadOnlyList<string> FindProblems(RunDocument run) =>
        Schema.FindProblems(JsonDocument.Parse(RunFile.CreateText(run)).RootElement);
}
