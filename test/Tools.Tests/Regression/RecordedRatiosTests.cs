using PerfCommon;
using PerfCommon.Benchmarks.Regression;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests.Regression;

[Trait("Category", "Fast")]
public sealed class RecordedRatiosTests : IDisposable
{
    private const string Model = "Some Processor, cpu family 6, model 207";

    private const string Text = """
        {
          "format": "perftools-recorded-1",
          "models": {
            "Another Processor": {
              "decode one update": 2.5
            },
            "Some Processor, cpu family 6, model 207": {
              "decode one update": 1.18048,
              "encode one update": 1.02
            }
          }
        }

        """;

    private readonly TestFolder _folder = new();

    private string FilePath => _folder.PathOf("recorded.json");

    [Fact]
    public void Read_NoFile_HasNothing() => Assert.Null(RecordedRatios.Read(FilePath).Find(Model, "encode one update"));

    [Fact]
    public void Write_Ratios_AreSortedAndRoundedToFiveDigits()
    {
        RecordedRatios ratios = new();
        ratios.Set(Model, "encode one update", 1.02);
        ratios.Set(Model, "decode one update", 1.180479);
        ratios.Set("Another Processor", "decode one update", 2.5);
        ratios.Write(FilePath);
        Assert.Equal(Text, File.ReadAllText(FilePath));
    }

    [Fact]
    public void Find_ModelOrCaseUnknown_IsNothing()
    {
        File.WriteAllText(FilePath, Text);
        RecordedRatios ratios = RecordedRatios.Read(FilePath);
        Assert.Equal(1.18048, ratios.Find(Model, "decode one update"));
        Assert.Null(ratios.Find("Another Processor", "encode one update"));
        Assert.Null(ratios.Find("A third", "decode one update"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("{\"models\": {}}")]
    [InlineData("{\"format\": \"perftools-recorded-2\", \"models\": {}}")]
    [InlineData("{\"format\": \"perftools-recorded-1\", \"models\": {\"A\": {\"b\": 0}}}")]
    [InlineData("{\"format\": \"perftools-recorded-1\", \"models\": {\"A\": {\"b\": \"fast\"}}}")]
    public void Read_AnotherForm_NamesTheFile(string text)
    {
        File.WriteAllText(FilePath, text);
        SetupException problem = Assert.Throws<SetupException>(() => RecordedRatios.Read(FilePath));
        Assert.Equal(SetupProblem.InputFile, problem.Problem);
        Assert.StartsWith(FilePath, problem.Message, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();
}
