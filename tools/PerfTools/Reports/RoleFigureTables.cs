using System.Globalization;
using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Reports;

/// <summary>Creates tables of every figure of the roles of a run from their catalogues: no figure of a role is named here.</summary>
/// <remarks>A number that is 0 is omitted, as is a phase or series without samples.</remarks>
internal static class RoleFigureTables
{
    private const string Plural = "figures";

    /// <summary>Creates the tables of a run; none for a run whose roles wrote no catalogue.</summary>
    public static IEnumerable<TextTable> Create(RunDocument run)
    {
        (RoleResult Role, int Index)[] roles = [.. run.Roles.Select((role, i) => (role, i))];
        return
        [
            Samples(roles),
            .. roles.Select(one => Numbers(one.Role, one.Index)),
            .. roles.SelectMany(one => Places(one.Role, one.Index)),
        ];
    }

    private static TextTable Samples(IEnumerable<(RoleResult Role, int Index)> roles) => new(
        "Latencies of the roles", ["", "", .. SampleFigure.All.Select(cell => cell.Name), "samples"],
        [
            .. from one in roles
               from entry in Of(one.Role, figure => figure.Samples is not null)
               let path = $"{PathOf(one.Index, entry.Index)}.samples"
               select (IReadOnlyList<Cell>)
               [
                   one.Role.Name, entry.Figure.Title,
                   .. SampleFigure.All.Select(cell =>
                       Cell.Of($"{path}.{cell.Member}", cell.Read(entry.Figure.Samples!), value => Figure.Of(entry.Figure, value))),
                   Cell.Of($"{path}.count", entry.Figure.Samples!.Count, Figure.Whole),
               ],
        ]);

    private static TextTable Numbers(RoleResult role, int index) => new($"Figures of the {role.Name}", [],
        [
            .. Of(role, figure => figure is { At: null, Value: not (null or 0) }).Select(entry => (IReadOnlyList<Cell>)
                [entry.Figure.Title, CellOf(index, entry)]),
        ]);

    // One table per dimension, with its places side by side.
    private static IEnumerable<TextTable> Places(RoleResult role, int index)
    {
        foreach (IGrouping<string, (RoleFigure Figure, int Index)> dimension in Of(role, figure => figure.At is not null)
            .GroupBy(entry => entry.Figure.At!.Name))
        {
            double[] places = [.. dimension.Select(entry => entry.Figure.At!.Value).Distinct()];
            string? unit = dimension.First().Figure.At!.Unit;
            yield return new($"Figures of the {role.Name} by {dimension.Key}",
                ["", .. places.Select(place => string.Create(CultureInfo.InvariantCulture, $"{place}{(unit is null ? "" : " " + unit)}"))],
                [
                    .. dimension.GroupBy(entry => (entry.Figure.Words, entry.Figure.Unit)).Where(row => row.Any(entry => entry.Figure.Value > 0))
                        .Select(row => (IReadOnlyList<Cell>)
                        [
                            row.Key.Unit is null ? row.Key.Words : $"{row.Key.Words}, {row.Key.Unit}",
                            .. places.Select(place => row.FirstOrDefault(entry => entry.Figure.At!.Value == place) is { Figure: not null } entry
                                ? CellOf(index, entry) : new Cell("-") { IsNumber = true }),
                        ]),
                ]);
        }
    }

    private static Cell CellOf(int role, (RoleFigure Figure, int Index) entry) =>
        Cell.Of($"{PathOf(role, entry.Index)}.value", entry.Figure.Value, value => Figure.Of(entry.Figure, value));

    private static IEnumerable<(RoleFigure Figure, int Index)> Of(RoleResult role, Func<RoleFigure, bool> isMeant) =>
        role.Figures.Select((figure, i) => (figure, i)).Where(entry => isMeant(entry.figure));

    private static string PathOf(int role, int figure) => string.Create(CultureInfo.InvariantCulture, $"roles.{role}.{Plural}.{figure}");
}
