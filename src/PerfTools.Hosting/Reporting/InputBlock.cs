namespace PerfTools.Hosting.Reporting;

/// <summary>Writes the TEST INPUTS block at the start of every run: the options of the program.</summary>
internal static class InputBlock
{
    /// <summary>Width of the labels of ConsPerf and ProvPerf.</summary>
    public const int WideLabels = 27;

    /// <summary>Width of the labels of NIProvPerf and TransportPerf.</summary>
    public const int NarrowLabels = 23;

    /// <summary>Writes the block: heading, labels right-aligned before their colons, an empty line at the end.</summary>
    /// <remarks>The colons are after the column given by the width; longer labels exceed it.</remarks>
    public static void Write(TextWriter writer, int labelWidth, IEnumerable<(string Label, string Value)> inputs)
    {
        writer.Line($"--- TEST INPUTS ---");
        writer.EmptyLine();
        foreach ((string label, string value) in inputs)
            writer.Line($"{label.PadLeft(labelWidth)}: {value}");
        writer.EmptyLine();
    }
}
