using System.Globalization;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Results;
using PerfTools.Screen;

namespace PerfTools.Scenarios;

/// <summary>Runs round-trip tests one after another, and shows their sizes side by side with what each layer costs.</summary>
internal static class RoundtripRun
{
    /// <summary>
    /// Every transport that was asked for, each in a folder of its own where there are several; a baseline ahead where one is needed.
    /// </summary>
    public static RunOutcome Run(ScenarioOptions options, RunHost host, Func<ScenarioOptions, RunOutcome> runOnce)
    {
        string root = options.Out
            ?? Path.Combine("runs", DateTime.UtcNow.ToString("yyyyMMdd-HHmmss", CultureInfo.InvariantCulture) + "-roundtrip");
        RoundtripOptions asked = options.Roundtrip;
        bool isSingle = !asked.IsSeveralRuns;
        List<(string Transport, IReadOnlyList<RoundTripFigures> Sizes)> done = [];
        foreach (string transport in asked.Transports)
        {
            RoundtripOptions one = asked with { Transports = [transport] };
            string folder = isSingle ? root : Path.Combine(root, transport);
            RunOutcome outcome = RunOne(options with { Roundtrip = one, Out = folder }, runOnce);
            if (ReadSizes(folder) is { } sizes)
                done.Add((transport, sizes));
            if (outcome.Code != ExitCode.Success)
                return outcome;
        }

        foreach (string line in RoundtripTable.Create(done))
            host.Console.WriteLine(line);
        return RunOutcome.Success;
    }

    private static RunOutcome RunOne(ScenarioOptions options, Func<ScenarioOptions, RunOutcome> runOnce)
    {
        RoundtripOptions asked = options.Roundtrip;
        if (!asked.OneWay || asked.Subscribers == 1)
            return runOnce(options);
        string baseline = options.Out + "-baseline";
        RoundtripOptions single = asked with { Subscribers = 1, OneWay = false };
        RunOutcome outcome = runOnce(options with { Out = baseline, Roundtrip = single, Thresholds = [] });
        return outcome.Code != ExitCode.Success
            ? outcome : runOnce(
                options with { Roundtrip = asked with { Baseline = Path.GetFullPath(Path.Combine(baseline, RunFile.Name)) } });
    }

    private static IReadOnlyList<RoundTripFigures>? ReadSizes(string folder)
    {
        string path = Path.Combine(folder, RunFile.Name);
        return File.Exists(path) ? RunFile.Read(path).Figures?.RoundTrips : null;
    }
}

/// <summary>Sizes of one test or several, a line a size.</summary>
internal static class RoundtripTable
{
    private const int BytesWidth = 7, CellWidth = 10;

    // What a layer costs: the first beside the second.
    private static readonly (string Upper, string Lower)[] Layers =
        [(RoundtripTransport.Tcp, RoundtripTransport.Udp), (RoundtripTransport.Rssl, RoundtripTransport.Tcp)];

    public static IEnumerable<string> Create(IReadOnlyList<(string Transport, IReadOnlyList<RoundTripFigures> Sizes)> done)
    {
        if (done.Count == 0)
            yield break;
        (string Name, Func<int, double?> Read)[] columns =
        [
            .. done.SelectMany(one => new (string, Func<int, double?>)[]
            {
                ($"{one.Transport} p50", bytes => Find(one.Sizes, bytes)?.P50Micros),
                ($"{one.Transport} p99", bytes => Find(one.Sizes, bytes)?.P99Micros),
            }),
            .. from layer in Layers
               let upper = done.FirstOrDefault(one => one.Transport == layer.Upper).Sizes
               let lower = done.FirstOrDefault(one => one.Transport == layer.Lower).Sizes
               where upper is not null && lower is not null
               select ($"{layer.Upper}-{layer.Lower}",
                   (Func<int, double?>)(bytes => Find(upper, bytes)?.P50Micros - Find(lower, bytes)?.P50Micros)),
        ];
        yield return "round trips in microseconds; a difference is that of the p50";
        yield return "bytes".PadLeft(BytesWidth) + string.Concat(columns.Select(column => column.Name.PadLeft(CellWidth)));
        foreach (int bytes in done[0].Sizes.Select(size => size.Bytes))
        {
            yield return bytes.ToString(CultureInfo.InvariantCulture).PadLeft(BytesWidth)
                + string.Concat(columns.Select(column => Figure.Micros(column.Read(bytes)).PadLeft(CellWidth)));
        }
    }

    private static RoundTripFigures? Find(IReadOnlyList<RoundTripFigures> sizes, int bytes) =>
        sizes.FirstOrDefault(size => size.Bytes == bytes);
}
