using System.Text.Json;
using System.Text.Json.Nodes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Tools.Tests.PerfToolsTests.Reports;
using Tools.Tests.Users;
using UsersPerf;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>
/// Damaged files of results: truncated, with other bytes, with impossible values. Whatever is read from them, no verb has an
/// internal error, and a refusal has exit code 3 and names the place.
/// </summary>
public sealed class SpoiltResultsTests : IDisposable
{
    private const int Seed = 34;
    private const int Mutants = 20;
    private const int LongMutants = 300;

    private static readonly string[] Values =
    [
        "null", "true", "\"x\"", "\"\"", "-1", "0", "0.5", "1e-320", "1e15", "-1e15", "1e308", "1e999", "99999999999999999999999",
            "2147483648", "9223372036854775807",
        "[]", "{}", "[null]", "[[1]]", "{\"x\":null}", "\"0001-01-01T00:00:00.000Z\"", "\"9999-12-31T23:59:59.999Z\"", "\"../../x\"",
            "\"/dev/zero\"", "\"a\\u0000b\"",
        new string('[', 200) + new string(']', 200), $"\"{new string('x', 5_000)}\"",
    ];

    private readonly TestFolder _folder = new();
    private readonly Random _random = new(Seed);

    public static TheoryData<string, string> Files => new()
    {
        { "run", RunFile.Name }, { "run", "ConsPerf.jsonl" }, { "run", "ProvPerf.jsonl" }, { "run", "Cons-updates.hlog" }, { "run", "Prov-sendLag.hlog" },
        { "roundtrip", RunFile.Name },
        { "part", "users.jsonl" }, { "part", "users-steps.hlog" },
        { "guide", "ConsStats1.csv" }, { "guide", "ConsSummary.out" }, { "guide", "ConsLatency1.csv" },
    };

    [Theory, MemberData(nameof(Files))]
    public void Verbs_FileThatIsSpoilt_AreRefusedWithItsPlaceOrReadWhatIsThere(string kind, string file) => Spoil(kind, file, Mutants);

    [Theory(Explicit = true), MemberData(nameof(Files)), Trait("Duration", "Long")]
    public void Verbs_FileThatIsSpoiltInManyWays_AreRefusedWithItsPlaceOrReadWhatIsThere(string kind, string file) => Spoil(kind, file, LongMutants);

    public void Dispose() => _folder.Dispose();

    private void Spoil(string kind, string file, int mutants)
    {
        string[][] verbs = Prepare(kind);
        string path = _folder.PathOf(file), whole = File.ReadAllText(path);
        int refused = 0;
        foreach (string mutant in Mutate(whole, mutants))
        {
            File.WriteAllText(path, mutant);
            foreach (string[] verb in verbs)
                refused += RunVerb(verb, mutant) == 3 ? 1 : 0;
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{refused} of {mutants * verbs.Length} refused");
        if (Path.GetExtension(file) is not ".csv" and not ".out")
            Assert.NotEqual(0, refused);
    }

    private int RunVerb(string[] verb, string mutant)
    {
        using StringWriter output = new(), error = new();
        int code = PerfTools.Program.Run(verb, output, error);
        string which = $"{string.Join(' ', verb)} of\n{mutant[..Math.Min(mutant.Length, 3_000)]}\n";
        Assert.False(error.ToString().Contains("internal error", StringComparison.Ordinal), which + error);
        Assert.False(output.ToString().Contains("internal error", StringComparison.Ordinal), which + output);
        if (code == 3)
            Assert.True(error.ToString().Contains(_folder.FullPath, StringComparison.Ordinal), which + error);
        return code;
    }

    private string[][] Prepare(string kind)
    {
        string folder = _folder.FullPath;
        switch (kind)
        {
            case "run":
                GeneratedRun.Write(folder, seconds: 12);
                break;
            case "roundtrip":
                File.WriteAllText(_folder.PathOf(RunFile.Name), RunFile.CreateText(SampleFigures.Of(RoundtripScenario.Roundtrip)));
                break;
            case "part":
                Period[] periods = RampMergeTests.CreatePeriods();
                foreach (Period period in periods)
                    period.Record(100);
                RampMergeTests.WritePart(folder, periods, 1);
                return [["merge", folder, "--out", Path.Combine(folder, "merged")]];
            default:
                GuidePageTests.WriteSamples(folder);
                return [["report", folder]];
        }

        return [["show", folder], ["report", folder], ["compare", folder, folder], ["merge", folder, "--out", Path.Combine(folder, "merged")]];
    }

    private IEnumerable<string> Mutate(string whole, int count)
    {
        string[] lines = whole.Split('\n');
        for (int i = 0; i < count; i++)
        {
            yield return (i % 5) switch
            {
                0 => whole[.._random.Next(whole.Length)],
                1 => ReplaceChar(whole),
                2 => Lines(lines, at => lines[_random.Next(lines.Length)] + lines[at]),
                _ => whole.StartsWith("{\n", StringComparison.Ordinal) ? ReplaceValue(whole) // a document, not lines
                    : Lines(lines, at => lines[at].StartsWith('{') ? ReplaceValue(lines[at]) : ReplaceCell(lines[at])),
            };
        }
    }

    private string Lines(string[] lines, Func<int, string> spoil)
    {
        string[] changed = [.. lines];
        int at = _random.Next(lines.Length);
        changed[at] = spoil(at);
        return string.Join('\n', changed);
    }

    private string ReplaceChar(string whole)
    {
        const string Others = "{}[]\",:\\\0\n\r-9eE.x\uFFFD";
        char[] all = whole.ToCharArray();
        for (int i = _random.Next(1, 4); i > 0; i--)
            all[_random.Next(all.Length)] = Others[_random.Next(Others.Length)];
        return new(all);
    }

    private string ReplaceCell(string line)
    {
        string[] cells = line.Split(',');
        cells[_random.Next(cells.Length)] = Values[_random.Next(Values.Length)];
        return string.Join(',', cells);
    }

    // One value anywhere in it: an object, a list, a number.
    private string ReplaceValue(string json)
    {
        const string Mark = "\"\\u0001\"";
        JsonNode root = JsonNode.Parse(json)!;
        List<Action> places = [];
        Collect(root, places);
        places[_random.Next(places.Count)]();
        string value = Values[_random.Next(Values.Length)];
        return root.ToJsonString(new JsonSerializerOptions { WriteIndented = json.Contains('\n', StringComparison.Ordinal) })
            .Replace(Mark, value, StringComparison.Ordinal);
    }

    private static void Collect(JsonNode node, List<Action> places)
    {
        if (node is JsonObject members)
        {
            foreach ((string name, JsonNode? value) in members.ToArray())
            {
                places.Add(() => members[name] = "\u0001");
                if (value is not null)
                    Collect(value, places);
            }
        }
        else if (node is JsonArray list)
        {
            for (int i = 0; i < list.Count; i++)
            {
                int at = i;
                places.Add(() => list[at] = "\u0001");
                if (list[i] is { } value)
                    Collect(value, places);
            }
        }
    }
}
