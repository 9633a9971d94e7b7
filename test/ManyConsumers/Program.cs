using System.Diagnostics;
using System.Globalization;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace ManyConsumers;

/// <summary>Many consumers on one thread: what one provider or hub does to each of a thousand connections.</summary>
/// <remarks>ManyConsumers [host:port] [connections] [items of each] [seconds]; exit code 1 when an image is missing or a connection was lost.</remarks>
internal static class Program
{
    private const double Millisecond = 1_000;

    private static int Main(string[] args)
    {
        if (Load.TryParse(args) is not { } load)
        {
            Console.Error.WriteLine("usage: ManyConsumers [host:port] [connections] [items of each] [seconds]     (localhost:14002 1000 100 10)");
            return 2;
        }

        using Worker worker = new(new WorkerOptions { OnNotice = _ => { } }); // a thousand times the same
        UserTotals totals = new(load.Connections * load.Items);
        ConsumerSession[] sessions = [.. Enumerable.Range(0, load.Connections).Select(_ => Connect(worker, load, totals))];
        Stopwatch clock = Stopwatch.StartNew();
        Thread thread = new(() => worker.Run());
        thread.Start();

        bool isComplete = totals.Complete.Wait(TimeSpan.FromSeconds(load.Seconds)) && sessions.All(session => session.Failure is null);
        double imageSeconds = clock.Elapsed.TotalSeconds;
        totals.BeginMeasuring();
        if (isComplete)
            Thread.Sleep(TimeSpan.FromSeconds(load.Seconds));
        double seconds = totals.EndMeasuring();
        worker.RequestEnd();
        thread.Join();

        Print($"connections {sessions.Count(session => session.Stage == ConsumerStage.Items):N0} of {load.Connections:N0}");
        Print($"images      {totals.Images:N0} of {totals.ImagesExpected:N0} in {imageSeconds:F3} s");
        long[] updates = [.. totals.Users.Select(user => user.Measured).Order()];
        Print($"updates     {updates.Sum():N0} in {seconds:F3} s: {updates.Sum() / seconds:N0}/s; a connection {updates[0]:N0} to {updates[^1]:N0}");
        Print($"latency ms  {string.Join(", ", new[] { 50, 90, 99, 99.9 }.Select(p => $"p{p.ToString(CultureInfo.InvariantCulture)} {Show(totals.Percentile(p))}"))}, max {Show(totals.Percentile(100))} ({totals.Samples:N0} samples)");
        Print($"memory      {Environment.WorkingSet / 1_048_576.0:F0} MB, CPU {Environment.CpuUsage.TotalTime.TotalSeconds:F1} s");
        foreach (string failure in sessions.Select(session => session.Failure?.Text).OfType<string>().Distinct().Take(3))
            Console.Error.WriteLine($"ManyConsumers: {failure}");
        return isComplete ? 0 : 1;
    }

    private static ConsumerSession Connect(Worker worker, Load load, UserTotals totals)
    {
        ConsumerSession session = new(
            new()
            {
                ServiceName = "DIRECT_FEED",
                Items = load.ItemList,
                RequestRate = load.Items, // a second for the images of a connection
                Dictionary = FieldDictionary.Default,
            },
            totals.CreateUser());
        worker.Connect(session, new ConnectOptions { Host = load.Host, Port = load.Port });
        return session;
    }

    private static string Show(double? micros) => micros is { } value ? (value / Millisecond).ToString("F3", CultureInfo.InvariantCulture) : "-";

    private static void Print(FormattableString line) => Console.WriteLine(line.ToString(CultureInfo.InvariantCulture));
}

/// <summary>What is asked for on the command line.</summary>
internal sealed record Load(string Host, int Port, int Connections, int Items, int Seconds)
{
    private static readonly string[] Usual = ["1000", "100", "10"];

    public ItemList ItemList { get; } = ItemList.Create([.. Enumerable.Range(1, Items).Select(number => string.Create(CultureInfo.InvariantCulture, $"RDT{number}"))]);

    /// <summary>Null when a value is no positive number, or there are too many.</summary>
    public static Load? TryParse(string[] args)
    {
        string[] address = args.Length > 0 ? args[0].Split(':') : ["localhost", "14002"];
        int?[] numbers = [Read(address.ElementAtOrDefault(1) ?? "14002"), .. Usual.Select((usual, i) => Read(args.ElementAtOrDefault(i + 1) ?? usual))];
        return args.Length > 4 || address.Length > 2 || numbers.Contains(null)
            ? null : new(address[0], numbers[0]!.Value, numbers[1]!.Value, numbers[2]!.Value, numbers[3]!.Value);
    }

    private static int? Read(string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value > 0 ? value : null;
}
