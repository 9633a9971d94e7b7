using System.Globalization;
using System.Text.RegularExpressions;
using Xunit;

namespace Tools.Tests.Control;

/// <summary>Reads the text format of OpenMetrics 1.0, and fails on everything that it does not allow.</summary>
internal static partial class OpenMetricsText
{
    /// <summary>Every sample: its name with its labels, and its value.</summary>
    public static Dictionary<string, double> Read(string text)
    {
        Assert.EndsWith("# EOF\n", text, StringComparison.Ordinal);
        Dictionary<string, double> samples = [];
        HashSet<string> families = [], helped = [];
        (string name, string type) = ("", "");
        foreach (string line in text[..^"# EOF\n".Length].Split('\n')[..^1])
        {
            Match head = TypeLine().Match(line);
            if (head.Success)
            {
                (name, type) = (head.Groups[1].Value, head.Groups[2].Value);
                Assert.True(families.Add(name), $"{name} comes twice");
                continue;
            }

            if (UnitLine().Match(line) is { Success: true } unit)
            {
                Assert.Equal(name, unit.Groups[1].Value);
                Assert.EndsWith("_" + unit.Groups[2].Value, name, StringComparison.Ordinal);
                continue;
            }

            if (HelpLine().Match(line) is { Success: true } help)
            {
                Assert.Equal(name, help.Groups[1].Value);
                Assert.True(helped.Add(name), $"{name} has help twice");
                continue;
            }

            Assert.Contains(name, helped);
            Match sample = SampleLine().Match(line);
            Assert.True(sample.Success, line);
            Assert.Contains(sample.Groups["name"].Value, Endings(type).Select(ending => name + ending));
            Assert.True(!sample.Groups["exemplar"].Success || type == "histogram", line);
            double value = double.Parse(sample.Groups["value"].Value, NumberStyles.Float, CultureInfo.InvariantCulture);
            Assert.True(type != "counter" || value >= 0, line);
            Assert.True(samples.TryAdd(sample.Groups["name"].Value + sample.Groups["labels"].Value, value), $"{line} comes twice");
        }

        return samples;
    }

    private static string[] Endings(string type) => type switch
    {
        "counter" => ["_total"],
        "info" => ["_info"],
        "histogram" => ["_bucket", "_count", "_sum"],
        _ => [""],
    };

    [GeneratedRegex("^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) [^\\\\\n\"]+$")]
    private static partial Regex HelpLine();

    [GeneratedRegex("^# UNIT ([a-zA-Z_:][a-zA-Z0-9_:]*) ([a-z]+)$")]
    private static partial Regex UnitLine();

    [GeneratedRegex("^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|info|histogram)$")]
    private static partial Regex TypeLine();

    [GeneratedRegex(
        """^(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?<labels>\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"(?:,[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*")*\})? (?<value>[-+]?(?:[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?|Inf)|NaN)(?<exemplar> # \{(?:thread="[0-9]+")?\} -?[0-9.]+(?:E[-+][0-9]+)? [0-9]+\.[0-9]{3})?$""")]
    private static partial Regex SampleLine();
}
