using System.Text.Json;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>JSON is written and read by generated code: as reflection would, which the programs have switched off.</summary>
[Trait("Category", "Fast")]
public class GeneratedJsonTests
{
    private const string Switch = "System.Text.Json.JsonSerializer.IsReflectionEnabledByDefault";

    public static TheoryData<string> Tools => [.. ToolTable.Roles.Keys, "perftools"];

    public static TheoryData<string> Scenarios => [.. ScenarioList.All.Select(scenario => scenario.Name)];

    [Theory, MemberData(nameof(Scenarios))]
    public void DescribeInputs_OfAScenario_WritesWhatReflectionWould(string name)
    {
        Scenario scenario = ScenarioList.All.First(scenario => scenario.Name == name);
        ScenarioOptions options = scenario.Defaults;
        IReadOnlyDictionary<string, JsonElement> inputs = scenario.DescribeInputs(options);

        Assert.Equal(scenario.OwnInputs.Select(own => JsonSerializer.Serialize(own.Read(options))),
            scenario.OwnInputs.Select(own => inputs[own.Name].GetRawText()));
        Assert.Equal((JsonValueKind.Number, JsonValueKind.Object), (inputs["rate"].ValueKind, inputs["arguments"].ValueKind));
    }

    [Theory, MemberData(nameof(Tools))]
    public void RuntimeConfig_OfATool_SwitchesReflectionOff(string tool)
    {
        string path = Path.Combine(AppContext.BaseDirectory, tool + ".runtimeconfig.json");
        using JsonDocument config = JsonDocument.Parse(File.ReadAllText(path));

        Assert.False(config.RootElement.GetProperty("runtimeOptions").GetProperty("configProperties").GetProperty(Switch).GetBoolean());
    }
}
