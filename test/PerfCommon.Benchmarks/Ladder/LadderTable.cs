using PerfCommon.Benchmarks.Runs;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>Prints all rows, in columns of the needed widths.</summary>
internal sealed class LadderTable
{
    private static readonly LadderRow Head = new("what", "figure", "of the limit", "server / client", "machine", "note");

    private readonly List<LadderRow> _rows = [];

    public void Add(LadderRow row) => _rows.Add(row);

    public void AddRange(IEnumerable<LadderRow> rows)
    {
        foreach (LadderRow row in rows)
            _rows.Add(row); // one by one: a stop in the middle keeps the completed ones
    }

    public void Write(TextWriter writer)
    {
        writer.WriteMachine();
        LadderRow[] all = [Head, .. _rows];
        int[] widths = [.. Enumerable.Range(0, Head.Cells.Count).Select(column => all.Max(row => row.Cells[column].Length))];
        foreach (LadderRow row in all)
        {
            IEnumerable<string> cells = row.Cells.Select((cell, column) => cell.PadRight(widths[column]));
            writer.WriteLine(string.Join("  ", cells).TrimEnd());
        }
    }
}
