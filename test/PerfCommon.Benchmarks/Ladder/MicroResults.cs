namespace PerfCommon.Benchmarks.Ladder;

/// <summary>Reads the results of BenchmarkDotNet: one line for each benchmark, so that one table contains everything.</summary>
internal static class MicroResults
{
    private static readonly string[] ParameterNames = ["Bytes"];

    public static IEnumerable<LadderRow> Read(string folder) =>
        Directory.Exists(folder)
            ? Directory.EnumerateFiles(folder, "*-report.csv",
                SearchOption.AllDirectories).Order(StringComparer.Ordinal).SelectMany(ReadFile)
            : [];

    private static IEnumerable<LadderRow> ReadFile(string path)
    {
        string[] lines = File.ReadAllLines(path);
        if (lines.Length == 0)
            yield break;
        List<string> names = Split(lines[0]);
        string fileType = Path.GetFileName(path).Split('-')[0];
        foreach (List<string> cells in lines.Skip(1).Select(Split).Where(c => c.Count == names.Count))
        {
            string type = Cell("Type") is { Length: > 0 } named ? named : fileType[(fileType.LastIndexOf('.') + 1)..];
            IEnumerable<string> parameters = ParameterNames.Where(n => Cell(n) is not ("" or "?" or "NA")).Select(n => $"{n} {Cell(n)}");
            yield return new LadderRow(string.Join(", ", [$"{type}.{Cell("Method")}", .. parameters]), Cell("Mean"),
                Note: $"{Cell("Allocated")} allocated");

            string Cell(string name) => names.IndexOf(name) is var at and >= 0 ? cells[at] : "";
        }
    }

    // Cells with a comma are in quotes.
    private static List<string> Split(string line)
    {
        List<string> cells = [""];
        bool isQuoted = false;
        foreach (char letter in line)
        {
            if (letter == '"')
                isQuoted = !isQuoted;
            else if (letter is ',' or ';' && !isQuoted)
                cells.Add("");
            else
                cells[^1] += letter;
        }

        return cells;
    }
}
