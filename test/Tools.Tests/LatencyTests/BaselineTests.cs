using System.Text;
using LatencyPerf.Options;
using LatencyPerf.Results;
using PerfCommon;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>A baseline from another program, or a damaged one: read, or refused with its name.</summary>
public sealed class BaselineTests : IDisposable
{
    private const int Seed = 34;
    private const string Good =
        """{"final":true,"conditions":C,"subscribers":1,"sizes":[{"bytes":16,"averageMicros":120.5,"p50Micros":100},{"bytes":32,"averageMicros":130,"p50Micros":null}]}""";
    private static readonly string[] Values =
        ["null", "true", "\"x\"", "-1", "1e308", "1e999", "99999999999999999999", "[]", "{}", "[null]", "{\"x\":1}",
            new string('[', 200) + new string(']', 200)];

    private readonly RunDirectory _folder = new();
    private readonly TestConditions _here = TestConditions.Of(new LatencyPerfOptions());

    [Fact]
    public void Read_EveryValueReplacedAndEveryCut_IsReadOrRefusedByItsName()
    {
        string whole = Text(Good), path = _folder.File("b");
        Random random = new(Seed);
        Assert.Equal(2, Read(path, whole)!.Sizes.Count);
        for (int length = 0; length < whole.Length; length++)
            Read(path, whole[..length]);
        foreach (string part in (string[])["true", "1,", "120.5", "100}", "null}", "16", "[{\"bytes\":16", "{\"bytes\":32"])
        {
            foreach (string value in Values)
                Read(path, whole.Replace(part, value + (part[^1] is ',' or '}' ? part[^1] : ""), StringComparison.Ordinal));
        }

        for (int i = 0; i < 1_000; i++)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(whole);
            bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            Read(path, Encoding.Latin1.GetString(bytes));
        }
    }

    [Fact]
    public void Read_NoRegularFile_IsRefused()
    {
        File.CreateSymbolicLink(_folder.File("b"), "/dev/zero");
        Assert.Equal($"{_folder.File("b")}: cannot be read: it is a link",
            Assert.Throws<SetupException>(() => Baseline.Read(_folder.File("b"), _here)).Message);
        Assert.Equal("/dev/zero: cannot be read: it is no regular file",
            Assert.Throws<SetupException>(() => Baseline.Read("/dev/zero", _here)).Message);
    }

    [Fact]
    public void Expand_OptionsFileThatNeverEnds_IsRefused() =>
        Assert.Equal("/dev/zero: cannot be read: more than 1048576 bytes",
            Assert.Throws<SetupException>(() => OptionsFile.Expand(["-optionsFile", "/dev/zero"], LatencyPerfOptionTable.Instance)).Message);

    public void Dispose() => _folder.Dispose();

    private string Text(string good)
    {
        using MemoryStream conditions = new();
        using (System.Text.Json.Utf8JsonWriter json = new(conditions))
        {
            json.WriteStartObject();
            _here.Write(json, "conditions");
            json.WriteEndObject();
        }

        string text = Encoding.UTF8.GetString(conditions.ToArray());
        return good.Replace("\"conditions\":C", text[1..^1], StringComparison.Ordinal);
    }

    private Baseline? Read(string path, string text)
    {
        File.WriteAllText(path, text);
        try
        {
            return Baseline.Read(path, _here);
        }
        catch (SetupException refused)
        {
            Assert.StartsWith(path + ": ", refused.Message, StringComparison.Ordinal);
            Assert.Equal(SetupProblem.InputFile, refused.Problem);
            return null;
        }
    }
}
