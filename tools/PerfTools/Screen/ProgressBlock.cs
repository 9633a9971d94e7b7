using Spectre.Console;

namespace PerfTools.Screen;

/// <summary>Creates the lines that change during a run: its progress, and the resources of each role.</summary>
internal static class ProgressBlock
{
    private const int Indent = 2;
    private const int Gap = 2;
    private const double BytesPerKilobyte = 1_024;

    /// <summary>Creates the lines, none wider than the screen.</summary>
    public static IReadOnlyList<string> Create(string rateUnit, ProgressSample sample, TimeSpan elapsed, TimeSpan total, int columns)
    {
        string first = ProgressText.Create(rateUnit, sample, elapsed, total, columns);
        return sample.Roles.Count == 0 ? [first] : [first, .. Lay(CreateTable(sample.Roles), columns)];
    }

    private static Grid CreateTable(IReadOnlyList<RoleProgress> roles)
    {
        Grid table = new();
        table.AddColumn(new GridColumn { NoWrap = true, Padding = new Padding(Indent, 0, Gap, 0) });
        table.AddColumn(new GridColumn { NoWrap = true, Alignment = Justify.Right, Padding = new Padding(0, 0, Gap, 0) });
        table.AddColumn(new GridColumn { NoWrap = true, Alignment = Justify.Right, Padding = new Padding(0, 0, 0, 0) });
        foreach (RoleProgress role in roles)
        {
            table.AddRow(new Text(role.Name), new Text($"CPU {Figure.Whole(role.CorePercent)} %"),
                new Text(role.QueuedBytes is { } queued ? $"{Figure.Whole(queued / BytesPerKilobyte)} KB queued" : ""));
        }

        return table;
    }

    // Returns text only: the caller writes it to the screen.
    private static string[] Lay(Grid table, int columns)
    {
        using StringWriter text = new();
        IAnsiConsole console = AnsiConsole.Create(new()
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
            Out = new AnsiConsoleOutput(text),
        });
        console.Profile.Width = columns - 1;
        console.Write(table);
        return [.. text.ToString().Split('\n').Select(line => line.TrimEnd()).Where(line => line.Length > 0)];
    }
}
