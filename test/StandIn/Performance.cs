using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace StandIn;

/// <summary>One run: our tool does the work, its lines and figures are printed as the edition prints them.</summary>
internal sealed class Performance(Manner manner, string tool, IReadOnlyList<string> told, string? fault)
{
    private const int NotStarted = 4; // our exit code when no peer listens
    private const int HangStep = 50;
    private const string JsonFile = "standin.jsonl";
    private const string OwnSummary = "standin.out";
    private const string Closing = "--- OVERALL SUMMARY ---";
    private static readonly string[] Unsaid = ["Listening on port", "Steady-state time"]; // ours say it in other words
    private static readonly TimeSpan HangLimit = TimeSpan.FromMinutes(1);
    private const double WholeInterval = 0.9;

    private bool _isInterrupted;
    private bool _isClosing;

    private bool IsConsumer => tool == "ConsPerf";

    private bool LosesImages => fault == "images";

    public int Run()
    {
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, context =>
        {
            _isInterrupted = context.Cancel = true;
        });
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
        {
            context.Cancel |= !manner.DiesOfTerm || fault == "stuck";
            _isInterrupted = true;
        });
        using Process process = Start();
        process.WaitForExit();
        IReadOnlyList<JsonElement> lines = [.. File.ReadLines(JsonFile).Select(line => JsonElement.Parse(line))];
        File.WriteAllLines(Word("-summaryFile"), ["--- TEST INPUTS ---", "", $"  Steady State Time: {Word("-steadyStateTime")} sec", ""]);
        if (fault == "silent")
            return 0; // as when it is killed: the summary has the inputs alone
        bool isWhole = process.ExitCode is 0 or 130;
        if (process.ExitCode == NotStarted)
            Console.WriteLine("Connection failure: Connection refused. Will retry shortly.");
        else if (!isWhole && IsConsumer && !manner.EndsWithPeer)
            Hang(); // as it does without its peer
        Say(lines, isWhole);
        if (!_isInterrupted || fault == "gone")
            return 0; // whatever the result
        return manner.InterruptCode != 0 || !manner.ConsumerDiesOfInterrupt || !IsConsumer ? manner.InterruptCode : 130;
    }

    private Process Start()
    {
        string[] ours = [.. told];
        ours[Array.IndexOf(ours, "-summaryFile") + 1] = OwnSummary; // that of the edition says it in its own words
        if (fault == "gone")
            ours[Array.IndexOf(ours, "-runTime") + 1] = "3";
        (string program, string[] arguments) = FindProgram();
        Process process = new()
        {
            StartInfo = new(program, [.. arguments, .. ours, "-jsonFile", JsonFile]) { RedirectStandardInput = true, RedirectStandardOutput = true },
        };
        process.OutputDataReceived += (_, line) => Pass(line.Data);
        process.Start();
        process.BeginOutputReadLine();
        return process;
    }

    // The native one where the tests have it: it takes half the processor time.
    private (string Program, string[] Arguments) FindProgram()
    {
        string native = Path.Combine(Environment.GetEnvironmentVariable("PERFTOOLS_PROGRAMS") ?? "", "perftools");
        return Path.IsPathRooted(native) && File.Exists(native)
            ? (native, [tool.ToLowerInvariant()])
            : (Environment.ProcessPath!, ["exec", Path.Combine(AppContext.BaseDirectory, tool + ".dll")]);
    }

    private void Hang()
    {
        for (long began = Stopwatch.GetTimestamp(); !_isInterrupted && Stopwatch.GetElapsedTime(began) < HangLimit;)
            Thread.Sleep(HangStep);
    }

    private void Pass(string? line)
    {
        _isClosing |= line == Closing;
        if (line is null || _isClosing || Unsaid.Any(word => line.StartsWith(word, StringComparison.Ordinal)))
            return;
        Console.WriteLine(line);
    }

    private void Say(IReadOnlyList<JsonElement> lines, bool isWhole)
    {
        JsonElement final = lines[^1];
        List<string> said = [];
        if (IsConsumer && isWhole && !LosesImages && !_isInterrupted)
            Console.WriteLine(manner.SteadyEnd, Word("-steadyStateTime"));
        if (LosesImages)
            Console.WriteLine("Error: Failed to receive all images within 7 seconds.");
        if (!isWhole && manner.EndsWithPeer)
            Console.WriteLine("ERROR: TEST FAILED");
        said.Add(Closing);
        said.AddRange(tool switch
        {
            "ConsPerf" => SayConsumer(final),
            "ProvPerf" => SayProvider(lines),
            "NIProvPerf" => SayPublisher(lines),
            _ => SayTransport(final),
        });
        foreach (string line in said)
            Console.WriteLine(line);
        File.AppendAllLines(Word("-summaryFile"), said);
        if (manner.LatencyHeaderHasEmptyLine && told.Contains("-latencyFile"))
            AddEmptyLine(Word("-latencyFile") + "1.csv");
    }

    private IEnumerable<string> SayConsumer(JsonElement final)
    {
        JsonElement overall = final.GetProperty("overall"), steady = overall.GetProperty("steady"), counts = overall.GetProperty("counts");
        bool isSteady = !LosesImages && overall.GetProperty("steadyReached").GetBoolean();
        double images = Number(counts, "refreshesReceived") - (LosesImages ? 10 : 0);
        double seconds = overall.TryGetProperty("imageRetrieval", out JsonElement retrieval) && isSteady ? Number(retrieval, "seconds") : 0;
        if (!isSteady)
            yield return "Steady state was not reached during this test.";
        yield return "";
        yield return "Steady State Statistics:";
        yield return Line("Sampling duration (sec)", Number(steady, "seconds"), "F3");
        yield return Line("Latency avg (usec)", Number(steady.GetProperty("latency"), "avgMicros"), "F1");
        yield return Line("Avg update rate", Number(steady, "updateRate"), "F1");
        yield return "Overall Statistics:";
        foreach (string line in SayUse(final))
            yield return line;
        yield return "Test Statistics:";
        yield return Line("Requests sent", Number(counts, "requestsSent"), "F0");
        yield return Line("Refreshes received", images, "F0");
        yield return Line("Updates received", Number(counts, "updatesReceived"), "F0");
        yield return Line("Image retrieval time (sec)", seconds, "F3");
        yield return Line(manner.ImageRate, seconds > 0 ? images / seconds : 0, "F1");
        yield return Line("Avg update rate", Number(overall.GetProperty("whole"), "updateRate"), "F1");
    }

    private IEnumerable<string> SayProvider(IReadOnlyList<JsonElement> lines)
    {
        yield return "";
        yield return "Overall Statistics:";
        yield return "  No GenMsg latency information was received.";
        yield return Line("Image requests received", Counted(lines, "requestsReceived"), "F0");
        yield return Line("Updates sent", Counted(lines, "updatesSent"), "F0");
        foreach (string line in SayUse(lines[^1]))
            yield return line;
    }

    private IEnumerable<string> SayPublisher(IReadOnlyList<JsonElement> lines)
    {
        yield return "Overall Statistics:";
        if (manner.IsEma)
            yield return Line("Image requests received", 0, "F0");
        yield return Line(manner.AnswersAsC ? "Images sent" : "Image sent", Counted(lines, "imagesSent"), "F0");
        yield return Line("Updates sent", Counted(lines, "updatesSent"), "F0");
        foreach (string line in SayUse(lines[^1]))
            yield return line;
    }

    private IEnumerable<string> SayTransport(JsonElement final)
    {
        JsonElement overall = final.GetProperty("overall"), counts = overall.GetProperty("counts");
        yield return "Statistics:";
        yield return Line("Sampling duration(sec)", Number(overall, "receivingSeconds"), "F2");
        yield return Line("Msgs Sent", Number(counts, "messagesSent"), "F0");
        yield return Line("Msgs Received", Number(counts, "messagesReceived"), "F0");
        yield return Line("Avg. Msg Recv Rate", Number(overall, "receiveRate"), "F0");
        foreach (string line in SayUse(final))
            yield return line;
    }

    private IEnumerable<string> SayUse(JsonElement final)
    {
        JsonElement resources = final.GetProperty("resources");
        yield return $"  {manner.Samples}: {(int)Number(resources, "samples")}";
        if (resources.TryGetProperty("cpuPercent", out JsonElement cpu))
            yield return Line("CPU Usage avg " + manner.CpuLabel, Number(cpu, "avg") * manner.CpuFactor, "F2");
        if (resources.TryGetProperty("memoryMegabytes", out JsonElement memory))
            yield return Line("Memory Usage max (MB)", Number(memory, "max"), "F2");
    }

    // What an interrupted provider knows: everything, or the figures up to its last whole interval.
    private double Counted(IReadOnlyList<JsonElement> lines, string counter)
    {
        double all = Number(lines[^1].GetProperty("overall").GetProperty("counts"), counter);
        JsonElement[] intervals = [.. lines.Where(line => !line.GetProperty("final").GetBoolean() && line.TryGetProperty("overall", out _))];
        if (!manner.IsStale || !_isInterrupted || intervals.Length < 2)
            return all;
        double last = Number(intervals[^1].GetProperty("overall").GetProperty("counts"), counter);
        double seconds = Number(intervals[^1], "intervalSeconds");
        bool isWhole = seconds > WholeInterval || last > (all - last) / (intervals.Length - 1); // it may have caught up after a stall
        return isWhole ? all : all - last;
    }

    private string Word(string option) => told.SkipWhile(word => word != option).Skip(1).FirstOrDefault() ?? "";

    private static void AddEmptyLine(string path)
    {
        if (File.Exists(path) && File.ReadAllLines(path) is [var header, .. var rows])
            File.WriteAllLines(path, [header, "", .. rows]);
    }

    private static double Number(JsonElement part, string name) => part.TryGetProperty(name, out JsonElement found)
        && found.ValueKind == JsonValueKind.Number ? found.GetDouble() : 0;

    private static string Line(string label, double value, string format) => $"  {label}: {value.ToString(format, CultureInfo.InvariantCulture)}";
}
