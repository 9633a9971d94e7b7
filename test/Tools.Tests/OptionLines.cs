using PerfTools.Hosting.CommandLine;
using Xunit;

namespace Tools.Tests;

/// <summary>Parses command lines with option tables.</summary>
internal static class OptionLines
{
    public static T Accept<T>(OptionTable<T> table, string line)
        where T : class
    {
        ParsedCommandLine<T> parsed = table.Parse(Words(line));
        Assert.Null(parsed.Problem);
        return parsed.Options!;
    }

    public static string Refuse<T>(OptionTable<T> table, string line)
        where T : class
    {
        ParsedCommandLine<T> parsed = table.Parse(Words(line));
        Assert.Null(parsed.Options);
        Assert.NotNull(parsed.Problem);
        return parsed.Problem;
    }

    public static string? Default<T>(OptionTable<T> table, string name)
        where T : class =>
        table.Rows.Single(row => row.AllNames.Contains(name)).Read(table.Defaults);

    public static string Block<T>(OptionTable<T> table, string line)
        where T : class =>
        string.Concat(table.DescribeInputs(Accept(table, line)).Select(input => $"{input.Label}: {input.Value}\n"));

    public static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
