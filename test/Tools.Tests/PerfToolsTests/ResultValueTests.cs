using System.Text;
using System.Text.Json;
using PerfCommon;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Values in result files: their types, their range, and their places.</summary>
[Trait("Category", "Fast")]
public sealed class ResultValueTests
{
    private const string Text = """{"a":{"n":1.5,"i":7,"s":"x","t":true,"f":false,"z":null,"list":[1,"b",2.5,{"k":3}]},"n":-0.25}""";

    private readonly JsonView _view = new(JsonDocument.Parse(Text).RootElement);

    [Theory]
    [InlineData("a.n", 1.5, 0, null, false, false, false)]
    [InlineData("a.i", 7.0, 7, null, false, false, false)]
    [InlineData("a.s", null, 0, "x", false, false, false)]
    [InlineData("a.t", null, 0, null, true, false, false)]
    [InlineData("a.f", null, 0, null, false, true, false)]
    [InlineData("a.z", null, 0, null, false, false, false)]
    [InlineData("a", null, 0, null, false, false, true)]
    [InlineData("a.n.b", null, 0, null, false, false, false)]
    [InlineData("b", null, 0, null, false, false, false)]
    [InlineData("n", -0.25, 0, null, false, false, false)]
    [InlineData("a.list", null, 0, null, false, false, false)]
    public void JsonView_OfAPath_HasItsValueInItsTypeAlone(string path, double? number, long count, string? text, bool isTrue, bool isFalse, bool exists) =>
        Assert.Equal((number, count, text, isTrue, isFalse, exists),
            (_view.Number(path), _view.Count(path), _view.Text(path), _view.IsTrue(path), _view.IsFalse(path), _view.Part(path).Exists));

    [Fact]
    public void JsonView_OfAList_HasItsElements()
    {
        Assert.Equal([1, 2.5], _view.Numbers("a.list"));
        Assert.Equal([false, false, false, true], _view.Parts("a.list").Select(part => part.Exists));
        Assert.Equal((0, 0), (_view.Numbers("a.n").Count, _view.Parts("none").Count));
        Assert.Equal((false, null, 0L), (new JsonView(null).Exists, new JsonView(null).Number("a"), new JsonView(null).Count("a")));
    }

    [Theory]
    [InlineData("""{"a":1e16,"b":[-1e16]}""", null)]
    [InlineData("""{"a":10000000000000002}""", "a is 10000000000000002, which is no figure")]
    [InlineData("""{"a":{"b":[1,-1.1e16]}}""", "a.b is -1.1e16, which is no figure")]
    [InlineData("""{"a":1e999}""", "a is 1e999, which is no figure")]
    [InlineData("""{"a":"1e999","b":null,"c":true}""", null)]
    [InlineData("""{"resources":{"whole":{"fromNanos":20000000000000000}},"offsetNanos":-3e17}""", null)] // of a clock that begins with the machine
    [InlineData("""{"a":{"toNanos":9e18}}""", "a.toNanos is 9e18, which is no figure")]
    public void ResultNumbers_OutOfRange_AreNamed(string json, string? problem) =>
        Assert.Equal(problem, ResultNumbers.FindProblem(JsonDocument.Parse(json).RootElement));

    /// <summary>A machine may be up for years: its monotonic clock counts nanoseconds since then.</summary>
    [Fact]
    public void Read_RunOfAMachineThatIsUpForAYear_HasItsRoles()
    {
        using TestFolder folder = new();
        const string Final = """{"final":true,"resources":{"whole":{"fromNanos":31536000000000000,"toNanos":31536060000000000}}}""";
        RunDocument run = SampleFigures.Run;
        RoleResult role = run.Roles[0] with { Final = JsonDocument.Parse(Final).RootElement };
        File.WriteAllText(folder.PathOf(RunFile.Name), RunFile.CreateText(run with { Roles = [role, .. run.Roles.Skip(1)] }));
        JsonElement read = RunFile.Read(folder.PathOf(RunFile.Name)).Roles[0].Final!.Value;
        Assert.Equal(31_536_000_000_000_000, new JsonView(read).Count("resources.whole.fromNanos"));
    }

    /// <summary>Figures of roles are found by their names, and round trips by their sizes.</summary>
    [Theory]
    [InlineData(true, "two roles are called provider")]
    [InlineData(false, "figures.roundTrips has 64 bytes twice")]
    public void Read_RunThatNamesARoleOrASizeTwice_IsRefused(bool isRole, string problem)
    {
        using TestFolder folder = new();
        RunDocument run = SampleFigures.Run;
        RoleResult provider = run.Roles.Single(role => role.Name == "provider") with { Files = null, CpuCorePercent = 5 };
        RoundTripFigures size = RoundTripFigures.Read(new(JsonDocument.Parse("""{"bytes":64}""").RootElement));
        File.WriteAllText(folder.PathOf(RunFile.Name), RunFile.CreateText(isRole ? run with { Roles = [.. run.Roles, provider] }
            : run with { Figures = run.Figures! with { RoundTrips = [size, size] } }));
        SetupException refused = Assert.Throws<SetupException>(() => RunSet.Read("A", folder.FullPath));
        Assert.Equal((SetupProblem.InputFile, $"{folder.PathOf(RunFile.Name)}: {problem}"), (refused.Problem, refused.Message));
    }

    [Theory]
    [InlineData("1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z")]
    [InlineData("2199-12-31T23:59:59.999Z", "2199-12-31T23:59:59.999Z")]
    [InlineData("2026-11-21T10:00:00.1234+01:00", "2026-11-21T09:00:00.123Z")]
    [InlineData("2026-11-21 10:00:00", "2026-11-21T10:00:00.000Z")]
    [InlineData("1969-12-31T23:59:59Z", null)]
    [InlineData("2200-01-01T00:00:00Z", null)]
    [InlineData("yesterday", null)]
    [InlineData(null, null)]
    public void ResultTime_OfAText_IsReadWhereItCanBe(string? text, string? expected)
    {
        bool isRead = ResultTime.TryRead(text, out DateTime utc);
        Assert.Equal((expected is not null, expected), (isRead, isRead ? ResultTime.ToText(utc) : null));
    }

    [Theory]
    [InlineData("""{"utc":"2026-11-21T10:00:00Z","intervalSeconds":1.5,"overall":{}}""", 1.5)]
    [InlineData("""{"utc":"2026-11-21T10:00:00Z","overall":{}}""", 0.0)]
    [InlineData("""{"utc":"2026-11-21T10:00:00Z","intervalSeconds":31622400,"overall":{}}""", 31_622_400.0)]
    [InlineData("""{"utc":"2026-11-21T10:00:00Z","intervalSeconds":31622401,"overall":{}}""", null)]
    [InlineData("""{"utc":"2026-11-21T10:00:00Z","intervalSeconds":-0.1,"overall":{}}""", null)]
    [InlineData("""{"utc":"2026-11-21T10:00:00Z","intervalSeconds":1,"overall":5}""", null)]
    [InlineData("""{"utc":"2026-11-21T10:00:00Z","intervalSeconds":1}""", null)]
    [InlineData("""{"utc":"never","intervalSeconds":1,"overall":{}}""", null)]
    [InlineData("""{"utc":"2026-11-21T10:00:00Z","intervalSeconds":1,"overall":{},"final":true}""", null)]
    [InlineData("""{"utc":"2026-11-21T10:00:00Z","intervalSeconds":1,"overall":{},"final":false}""", 1.0)]
    public void RoleInterval_OfALine_IsReadWhereItIsACollection(string line, double? seconds) =>
        Assert.Equal(seconds, RoleInterval.TryRead(JsonDocument.Parse(line).RootElement)?.Seconds);

    [Theory]
    [InlineData("overall.updateLatency", "updates")]
    [InlineData("overall.postLatency", "posts")]
    [InlineData("genericLatency", "generic")]
    [InlineData("overall.latency", "messages")]
    [InlineData("a.b.through", "through")]
    [InlineData("overall.roundTrips", "rtt")]
    [InlineData("overall.sendLag", "sendLag")]
    [InlineData("overall.updateRate", null)]
    [InlineData("", null)]
    public void SeriesNames_OfAPath_AreThoseOfTheFiles(string path, string? series) => Assert.Equal(series, SeriesNames.Of(path));

    [Theory]
    [InlineData("""{"overall":{"a":1,"b":{"c":2.5,"d":null,"e":"x"}},"process":{"p":true}}""", "0 a=1|0 b.c=2.5|0 b.d=null|0 process.p=true")]
    [InlineData("""{"overall":{"a":1},"threads":[{"a":7}]}""", "0 a=1")]
    [InlineData("""{"overall":{"a":1},"threads":[{"a":7},{"a":{"b":8}}]}""", "0 a=1|1 a=7|2 a.b=8")]
    [InlineData("""{"overall":5,"threads":6}""", "")]
    public void IntervalCells_OfALine_AreItsNumbersByThread(string line, string cells) => Assert.Equal(cells,
        string.Join('|', IntervalCells.Read(JsonDocument.Parse(line).RootElement).Select(cell => $"{cell.Thread} {cell.Name}={cell.Value.GetRawText()}")));

    [Fact]
    public void CsvLine_OfValues_QuotesWhatNeedsIt()
    {
        using StringWriter writer = new();
        CsvLine.Write(writer, ["plain", "a,b", "a\"b", "a\nb", "a\rb", "", " x "]);
        CsvLine.Write(writer, []);
        Assert.Equal("plain,\"a,b\",\"a\"\"b\",\"a\nb\",\"a\rb\",, x \n\n", writer.ToString());
    }

    /// <summary>What was written completely of a file that is cut anywhere.</summary>
    [Theory]
    [InlineData("", "")]
    [InlineData("no end", "")]
    [InlineData("\n", "\n")]
    [InlineData("one\ntwo\nthr", "one\ntwo\n")]
    [InlineData("one\ntwo\n", "one\ntwo\n")]
    public void WholeLinesOf_AFile_EndsWithTheLastLineEnd(string text, string whole)
    {
        foreach (int filler in (int[])[0, (64 * 1024) - 3, (64 * 1024) - 2, 64 * 1024, 128 * 1024])
        {
            string before = filler == 0 ? "" : new string('x', filler) + "\n";
            using StreamReader reader = new(ResultFile.WholeLinesOf(new MemoryStream(Encoding.ASCII.GetBytes(before + text))));
            Assert.Equal(before + whole, reader.ReadToEnd());
            using StreamReader unended = new(ResultFile.WholeLinesOf(new MemoryStream(Encoding.ASCII.GetBytes("a\n" + new string('x', filler)))));
            Assert.Equal("a\n", unended.ReadToEnd());
        }
    }
}
