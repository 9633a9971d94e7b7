using System.Globalization;
using System.Text;
using LatencyPerf;
using PerfCommon.Tests;
using Tools.Tests.Runs;

namespace Tools.Tests.LatencyTests;

/// <summary>
/// A whole test in this process: each side on a separate thread, over real sockets of the loopback or real shared memory.
/// </summary>
internal sealed class RoundtripRuns
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    /// <summary>A domain that no other test has, of this process or another.</summary>
    public static int NextDomain => TestDomains.Claim();

    /// <summary>What the sides printed, and how they ended: the publisher first.</summary>
    public IReadOnlyList<Side> Sides { get; private init; } = [];

    public Side Publisher => Sides[0];

    /// <summary>Runs a publisher and its subscribers to their ends.</summary>
    public static RoundtripRuns Run(string publisher, params string[] subscribers)
    {
        Side[] sides = [new("-publish " + publisher), .. subscribers.Select(arguments => new Side("-subscribe " + arguments))];
        TestThread[] threads = [.. sides.Select(side => new TestThread(side.Run))];
        foreach (TestThread thread in threads)
            thread.Start();
        foreach (TestThread thread in threads)
        {
            if (!thread.Join(Limit))
                throw new TimeoutException(string.Join('\n', sides.Select(side => side.Output)));
        }

        return new() { Sides = sides };
    }

    internal sealed class Side(string arguments)
    {
        private readonly StringBuilder _output = new();
        private readonly StringBuilder _error = new();

        public int ExitCode { get; private set; } = -1;

        public string Output => Read(_output);

        public string Error => Read(_error);

        public string LastLine => Output.TrimEnd('\n').Split('\n')[^1];

        /// <summary>Messages of a subscriber's last line.</summary>
        public int Messages => int.Parse(LastLine.Split(' ')[2], CultureInfo.InvariantCulture);

        /// <summary>
        /// The number of packets that a subscriber reports as lost: without -reliable the oldest is overwritten where a reader is too slow.
        /// </summary>
        public int Lost => Output.Split('\n').FirstOrDefault(line => line.StartsWith("lost ", StringComparison.Ordinal)) is { } line
            ? int.Parse(line[5..], CultureInfo.InvariantCulture) : 0;

        public void Run()
        {
            using CollectingWriter output = new(text => Add(_output, text)), error = new(text => Add(_error, text));
            ExitCode = Program.Run(OptionLines.Words(arguments + " -waitTime 60"), output, error);
        }

        private static void Add(StringBuilder to, string text)
        {
            lock (to)
                to.Append(text);
        }

        private static string Read(StringBuilder text)
        {
            lock (text)
                return text.ToString();
        }
    }
}
