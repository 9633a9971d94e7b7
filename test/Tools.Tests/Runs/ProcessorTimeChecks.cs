using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Tests;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Processor time of both programs compared with the kernel's own count, between the edges that the JSON lines name.</summary>
/// <remarks>
/// Not part of the usual tests: the use of another process is known only to a tick of the kernel, so it needs a quiet machine
/// (test/long-checks.sh).
/// </remarks>
public sealed partial class ProcessorTimeChecks
{
    private const double MaxRelative = 0.02;
    private const double MaxPoints = 0.2;

    [Theory(Explicit = true)]
    [InlineData(3)]
    [InlineData(10)]
    [InlineData(30)]
    public void Cpu_OfEachPhase_IsThatOfTheKernel(int seconds)
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProviderProcess("-writeStatsInterval 1");
        using KernelCpu ofProvider = new(provider.Id);
        ToolProcess consumer = folder.StartConsumerProcess(provider, $"-itemCount 10000 -writeStatsInterval 1 -steadyStateTime {seconds}");
        using KernelCpu ofConsumer = new(consumer.Id);
        consumer.ExpectExit(0);
        provider.Signal(RunningTool.Terminate);
        provider.WaitForExit();
        Compare("provider", folder.Final("prov.json"), ofProvider);
        Compare("consumer", folder.Final("cons.json"), ofConsumer);
    }

    private static void Compare(string role, JsonElement final, KernelCpu kernel)
    {
        foreach (string phase in new[] { "whole", "steady" })
        {
            JsonElement use = final.GetProperty("resources").GetProperty(phase);
            double own = use.GetProperty("coreCpuPercent").GetDouble();
            double counted = kernel.CorePercent(use.Number("fromNanos"), use.Number("toNanos"));
            string text = string.Create(CultureInfo.InvariantCulture, $"{role}, {phase}: {own:F3} %, kernel {counted:F3} % of one core");
            TestContext.Current.SendDiagnosticMessage(text);
            Assert.True(Math.Abs(own - counted) <= Math.Max(MaxPoints, MaxRelative * counted), text);
        }
    }

    /// <summary>Reads a process's clock every millisecond, on a separate thread.</summary>
    private sealed partial class KernelCpu : IDisposable
    {
        private readonly List<(long AtNanos, long CpuNanos)> _readings = [];
        private readonly TestThread _thread;
        private volatile bool _isOver;

        public KernelCpu(int process)
        {
            Assert.Equal(0, FindClock(process, out int clock));
            _thread = new TestThread(() => Follow(clock));
            _thread.Start();
        }

        /// <summary>What it used between two times, in percent of one core.</summary>
        public double CorePercent(long fromNanos, long toNanos)
        {
            Dispose();
            return 100 * (CpuAt(toNanos) - CpuAt(fromNanos)) / (toNanos - fromNanos);
        }

        public void Dispose()
        {
            _isOver = true;
            _thread.Join();
        }

        private void Follow(int clock)
        {
            while (!_isOver && ClockGetTime(clock, out TimeSpec time) == 0)
            {
                _readings.Add((Clock.NowNanos, (time.Seconds * Clock.NanosPerSecond) + time.Nanos));
                Thread.Sleep(1);
            }
        }

        // On the line between the two readings around it.
        private double CpuAt(long nanos)
        {
            int after = _readings.FindIndex(reading => reading.AtNanos >= nanos);
            Assert.True(after > 0, "the clock was not read around this time");
            ((long from, long before), (long to, long then)) = (_readings[after - 1], _readings[after]);
            return before + ((then - before) * ((double)(nanos - from) / (to - from)));
        }

        [LibraryImport("libc", EntryPoint = "clock_getcpuclockid")]
        private static partial int FindClock(int process, out int clock);

        [LibraryImport("libc", EntryPoint = "clock_gettime")]
        private static partial int ClockGetTime(int clock, out TimeSpec time);

        [StructLayout(LayoutKind.Sequential)]
        private struct TimeSpec
        {
            public long Seconds;
            public long Nanos;
        }
    }
}
