using System.Globalization;
using PerfTools.Screen;

namespace PerfTools.Scenarios;

/// <summary>Creates the table of sizes of one test or several, a line per size.</summary>
internal static class RoundtripTable
{
    private const int BytesWidth = 7, CellWidth = 10;
    private const string OneWay = "1-way";

    // The cost of a layer is the first less the second.
    private static readonly (string Upper, string Lower)[] Layers =
        [(RoundtripTransport.Tcp, RoundtripTransport.Udp), (RoundtripTransport.Rssl, RoundtripTransport.Tcp)];

    public static IEnumerable<string> Create(IReadOnlyList<(string Transport, IReadOnlyList<SizedTimes> Sizes)> done)
    {
        if (done.Count == 0)
            yield break;
        (string Name, Func<int, double?> Read)[] columns =
        [
            .. done.SelectMany(one => new (string, Func<int, double?>)[]
            {
                ($"{one.Transport} p50", bytes => Find(one.Sizes, bytes)?.P50Micros),
                ($"{one.Transport} p99", bytes => Find(one.Sizes, bytes)?.P99Micros),
                ($"{one.Transport} {OneWay}", bytes => Find(one.Sizes, bytes)?.OneWayMicros),
            }),
            .. from layer in Layers
               let upper = done.FirstOrDefault(one => one.Transport == layer.Upper).Sizes
               let lower = done.FirstOrDefault(one => one.Transport == layer.Lower).Sizes
               where upper is not null && lower is not null
               select ($"{layer.Upper}-{layer.Lower}",
                   (Func<int, double?>)(bytes => Find(upper, bytes)?.P50Micros - Find(lower, bytes)?.P50Micros)),
        ];
        columns = Array.FindAll(columns, column => !column.Name.EndsWith(OneWay, StringComparison.Ordinal)
            || done.Any(one => one.Sizes.Any(size => column.Read(size.Bytes) is not null)));
        bool hasOneWay = Array.Exists(columns, column => column.Name.EndsWith(OneWay, StringComparison.Ordinal));
        yield return $"round trips in microseconds{(hasOneWay ? $", {OneWay} the mean of one way" : "")}; a difference is that of the p50";
        yield return "bytes".PadLeft(BytesWidth) + string.Concat(columns.Select(column => column.Name.PadLeft(CellWidth)));
        foreach (int bytes in done[0].Sizes.Select(size => size.Bytes))
        {
            yield return bytes.ToString(CultureInfo.InvariantCulture).PadLeft(BytesWidth)
                + string.Concat(columns.Select(column => Figure.Micros(column.Read(bytes)).PadLeft(CellWidth)));
        }
    }

    private static SizedTimes? Find(IReadOnlyList<SizedTimes> sizes, int bytes) =>
        sizes.FirstOrDefault(size => size.Bytes == bytes);
}
