using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace Tools.Tests.Reports;

/// <summary>The catalogue of a final line defines every figure in it, and no other.</summary>
[Trait("Category", "Fast")]
public class CatalogueTests
{
    private static readonly Dictionary<string, Report> Reports =
        new[] { WrittenReports.BusyConsumer, WrittenReports.BusyProvider, WrittenReports.Publisher, WrittenReports.Hub, WrittenReports.Users,
            WrittenReports.Transport }.ToDictionary(report => report.Tool);

    public static TheoryData<string> Tools => new(Reports.Keys);

    /// <summary>A row without <c>Is...</c> would be a figure that no reader can show: it is missing here.</summary>
    [Theory, MemberData(nameof(Tools))]
    public void Catalogue_OfEachTool_NamesEveryFigureOfOverallOnce(string tool)
    {
        using JsonDocument line = JsonDocument.Parse(Write(Reports[tool]));
        string[] written = [.. Figures(line.RootElement.GetProperty("overall"), "")];
        string[] named = [.. FigureCatalogue.Read(line.RootElement).Select(facts => facts.Name)
            .Where(name => !name.StartsWith("resources.", StringComparison.Ordinal) && !name.StartsWith("process.", StringComparison.Ordinal))];
        Assert.Equal(named.Distinct(), named);
        Assert.Empty(written.Except(named));
        Assert.InRange(written.Length, 10, 100);
    }

    [Theory, MemberData(nameof(Tools))]
    public void Catalogue_OfEachTool_HasWordsUnitsAndIntervalsThatAreThere(string tool)
    {
        Report report = Reports[tool];
        FigureFacts[] all = [.. RowFacts.Of(report.Table)];
        Assert.All(all, facts => Assert.Matches("^[a-zA-Z][^.{}:]+$", facts.Words));
        Assert.All(all.Where(facts => facts.Kind == FigureKind.Time), facts => Assert.Contains(facts.Unit, (string[])["us", "ms", "s"]));
        Assert.All(all.Where(facts => facts.Kind == FigureKind.Rate), facts => Assert.Equal("1/s", facts.Unit));
        Assert.All(all, facts => Assert.Equal(facts.HasSamples, facts.Series is not null));
        Assert.Empty(all.GroupBy(facts => (facts.Words, facts.Phase)).Where(same => same.Count() > 1).Select(same => same.Key));
        Assert.Equal(report.Table.Rows.Except(report.Table.OverallRows).Where(row => row.FinalName is not null && row.IntervalName is not null
            && row.Value.Part != JsonPart.Images && all.Any(facts => facts.Name == row.FinalName)).Select(row => row.IntervalName).Order(),
            all.Select(facts => facts.Interval).OfType<string>().Order());
    }

    [Fact]
    public void Read_WhatWasWritten_IsTheSame()
    {
        FigureFacts[] all =
        [
            .. Reports.Values.SelectMany(report => RowFacts.Of(report.Table)).DistinctBy(facts => facts.Name),
            new() { Name = "p50Micros", Words = "round trip", Kind = FigureKind.Time, Unit = "us", Over = new("size", "sizes", "bytes", "bytes") },
            new() { Name = "z", Words = "z", Kind = FigureKind.Share, Over = new("step", "steps", "step", null), Merge = FigureMerge.Mean },
        ];
        Assert.Equal(all, FigureCatalogue.Read(Line(all)));
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("7")]
    [InlineData("{\"catalogue\":[]}")]
    [InlineData("{\"catalogue\":{\"version\":2,\"figures\":[{\"name\":\"a\",\"words\":\"a\",\"kind\":\"count\",\"better\":\"none\",\"merge\":\"sum\"}]}}")]
    [InlineData("{\"catalogue\":{\"version\":1.5,\"figures\":[{\"name\":\"a\",\"words\":\"a\",\"kind\":\"count\",\"better\":\"none\",\"merge\":\"sum\"}]}}")]
    [InlineData("{\"catalogue\":{\"version\":1,\"figures\":7}}")]
    [InlineData(
        "{\"catalogue\":{\"version\":1,\"figures\":[7,{},{\"name\":\"a\"},{\"name\":\"a\",\"words\":\"a\",\"kind\":\"colour\",\"better\":\"none\",\"merge\":\"sum\"}]}}")]
    [InlineData(
        "{\"catalogue\":{\"version\":1,\"figures\":[{\"name\":\"a\",\"words\":\"a\",\"kind\":\"count\",\"better\":\"none\",\"merge\":\"sum\",\"over\":{}}]}}")]
    public void Read_WhatIsNoCatalogue_IsEmpty(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        Assert.Empty(FigureCatalogue.Read(document.RootElement));
    }

    [Fact]
    public void Read_OneNameTwice_TakesTheFirst()
    {
        FigureFacts first = new() { Name = "a", Words = "first", Kind = FigureKind.Count };
        Assert.Equal([first], FigureCatalogue.Read(Line([first, first with { Words = "second" }])));
    }

    [Fact]
    public void Without_ALine_HasEveryOtherMember()
    {
        using JsonDocument line = JsonDocument.Parse(Write(WrittenReports.Hub));
        JsonElement without = FigureCatalogue.Without(line.RootElement)!.Value;
        Assert.Equal(line.RootElement.EnumerateObject().Where(member => member.Name != "catalogue").Select(member => member.ToString()),
            without.EnumerateObject().Select(member => member.ToString()));
        Assert.Null(FigureCatalogue.Without(null));
        Assert.Equal("{}", FigureCatalogue.Without(JsonElement.Parse("{}"))!.Value.GetRawText());
    }

    private static string Write(Report report) => WrittenReports.Write(stream => report.WriteFinal(stream, new() { Overall = DistinctFigures.Run }));

    private static JsonElement Line(IEnumerable<FigureFacts> figures)
    {
        using MemoryStream stream = new();
        JsonFigures.WriteLine(stream, "Tool", final: true, json => FigureCatalogue.Write(json, figures));
        return JsonElement.Parse(stream.ToArray());
    }

    // The numbers, and the objects that are latencies; flags and placements are no figures.
    private static IEnumerable<string> Figures(JsonElement element, string prefix)
    {
        foreach (JsonProperty member in element.EnumerateObject().Where(member => member.Name != "placement"))
        {
            if (member.Value.ValueKind == JsonValueKind.Number)
                yield return prefix + member.Name;
            if (member.Value.ValueKind != JsonValueKind.Object)
                continue;
            if (member.Value.TryGetProperty("count", out _))
            {
                yield return prefix + member.Name;
                continue;
            }

            foreach (string name in Figures(member.Value, $"{prefix}{member.Name}."))
                yield return name;
        }
    }
}
