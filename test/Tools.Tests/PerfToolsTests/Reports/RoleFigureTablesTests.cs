using PerfTools.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>The tables of all figures of a run's roles.</summary>
[Trait("Category", "Fast")]
public sealed class RoleFigureTablesTests
{
    /// <summary>Places of a dimension are side by side, with a dash where a figure has none there.</summary>
    [Fact]
    public void Create_FiguresWithPlaces_AreATableOfTheirDimension()
    {
        TextTable table = Assert.Single(RoleFigureTables.Create(DistinctRun.Document), one => one.Title.EndsWith(" by size", StringComparison.Ordinal));
        Assert.Equal(["", "64 bytes", "128 bytes"], table.Columns);
        Assert.Equal(["f of a size, us", "g of a size"], table.Rows.Select(row => row[0].Text));
        Assert.Equal([46.5, 47.5, 48_008, null], table.Rows.SelectMany(row => row.Skip(1)).Select(cell => cell.Value));
        Assert.Equal(["roles.1.figures.0.value", "roles.1.figures.1.value", "roles.1.figures.2.value", null],
            table.Rows.SelectMany(row => row.Skip(1)).Select(cell => cell.Figure));
        Assert.Equal(("-", true), (table.Rows[1][2].Text, table.Rows[1][2].IsNumber));
    }
}
