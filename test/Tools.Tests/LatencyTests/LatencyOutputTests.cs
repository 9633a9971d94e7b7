using System.Globalization;
using System.Text.Json;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>Every output of LatencyPerf equals its file, also under a culture with a decimal comma.</summary>
[Trait("Category", "Fast")]
public class LatencyOutputTests
{
    // What says when and where a program ran.
    private static readonly string[] OfTheMoment = ["utc", "machine", "memoryMegabytes", "process"];

    private static readonly Dictionary<string, Func<string>> All = new()
    {
        ["LatencyPublisher.txt"] = () => LatencySamples.WriteConsole(LatencySamples.Result),
        ["LatencyPublisher.jsonl"] = () => LatencySamples.WriteJson(LatencySamples.Result),
        ["LatencyPublisherMetrics.txt"] = () => LatencySamples.WriteMetrics(LatencySamples.Result),
        ["LatencyPublisherBroken.txt"] = () => LatencySamples.WriteConsole(LatencySamples.Broken),
        ["LatencyPublisherBroken.jsonl"] = () => LatencySamples.WriteJson(LatencySamples.Broken),
        ["LatencySubscriber.txt"] = LatencySamples.WriteSubscriberConsole,
        ["LatencySubscriber.jsonl"] = LatencySamples.WriteSubscriberJson,
    };

    public static TheoryData<string> Names => [.. All.Keys];

    [Theory, MemberData(nameof(Names))]
    public void Output_EqualsItsFile(string name) => AssertFile(name);

    [Theory, MemberData(nameof(Names))]
    public void Output_CultureWithDecimalComma_EqualsItsFile(string name)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        CultureInfo altered = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        altered.NumberFormat.NumberDecimalSeparator = ",";
        altered.NumberFormat.NegativeSign = "~";
        try
        {
            CultureInfo.CurrentCulture = altered;
            AssertFile(name);
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    private static void AssertFile(string name)
    {
        string path = Path.Combine(AppContext.BaseDirectory, "Reports", "Expected", name);
        string expected = File.Exists(path) ? File.ReadAllText(path) : "", actual = All[name]();
        File.WriteAllText(Path.Combine(Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, "Actual")).FullName, name), actual);
        if (!name.EndsWith(".jsonl", StringComparison.Ordinal))
        {
            Assert.Equal(expected, actual);
            return;
        }

        string[] lines = expected.TrimEnd('\n').Split('\n'), found = actual.TrimEnd('\n').Split('\n');
        Assert.Equal(lines.Length, found.Length);
        Assert.All(lines.Zip(found), pair => AssertMembers("", Parse(pair.First), Parse(pair.Second)));
    }

    // Every member of the file, in any order.
    private static void AssertMembers(string path, JsonElement expected, JsonElement found)
    {
        Assert.True(expected.ValueKind == found.ValueKind, $"{path}: {found} instead of {expected}");
        if (expected.ValueKind == JsonValueKind.Object)
        {
            foreach (JsonProperty member in expected.EnumerateObject().Where(member => !OfTheMoment.Contains(member.Name)))
            {
                Assert.True(found.TryGetProperty(member.Name, out JsonElement other), $"{path}.{member.Name} is missing");
                AssertMembers($"{path}.{member.Name}", member.Value, other);
            }
        }
        else if (expected.ValueKind == JsonValueKind.Array)
        {
            Assert.Equal(expected.GetArrayLength(), found.GetArrayLength());
            for (int i = 0; i < expected.GetArrayLength(); i++)
                AssertMembers($"{path}[{i}]", expected[i], found[i]);
        }
        else
        {
            Assert.True(expected.GetRawText() == found.GetRawText(), $"{path}: {found.GetRawText()} instead of {expected.GetRawText()}");
        }
    }

    private static JsonElement Parse(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.Clone();
    }
}
