using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Control;

/// <summary>Metrics and control of a program that may open few files: a failure costs them, and never the run.</summary>
public sealed class FaceFailureTests : IDisposable
{
    private const int Files = 256;
    private const int Strangers = 2_000;
    private const string Metrics = "Metrics on http://127.0.0.1:";
    private const string Images = "-itemCount 100 -snapshot -steadyStateTime 60";

    private readonly RunFolder _folder = new();
    private readonly List<Socket> _sockets = [];

    [Fact]
    public async Task Connections_TwoThousandAtOnce_LeaveTheRunItsFiles()
    {
        ToolProcess provider = StartProvider(out IPEndPoint face);
        int before = CountFiles(provider);
        for (int i = 0; i < Strangers; i++)
            Begin(face);
        await UntilAsync(() => CountFiles(provider) >= before + (Files / 8)); // an eighth is what the face may have
        for (int next = 0; next < 3; next++)
        {
            _folder.RunConsumer(provider, Images).ExpectExit(0); // there is a file for everyone who measures
            Assert.InRange(CountFiles(provider), before, Files - 1);
        }

        Leave();
        Assert.EndsWith("# EOF\n", await AskAsync(face), StringComparison.Ordinal);
        ExpectWholeResults(provider, images: 300);
        Assert.DoesNotContain("Warning", provider.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Connections_TwoThousandToTheProvider_LeaveTheRunItsFiles()
    {
        ToolProcess provider = StartProvider(out IPEndPoint face);
        IPEndPoint consumers = new(IPAddress.Loopback, provider.Port);
        int before = CountFiles(provider);
        for (int i = 0; i < Strangers; i++)
            Begin(consumers);
        await UntilAsync(() => CountFiles(provider) >= before + 16);
        for (int asked = 0; asked < 10; asked++)
        {
            Assert.EndsWith("# EOF\n", await AskAsync(face), StringComparison.Ordinal);
            Assert.InRange(CountFiles(provider), before, Files - 1);
        }

        Leave();
        _folder.RunConsumer(provider, Images).ExpectExit(0);
        ExpectWholeResults(provider, images: 100);
    }

    [Fact]
    public void Listener_ThatFails_CostsTheFaceAndNotTheResults()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "takes a socket of another process");
        ToolProcess provider = StartProvider(out IPEndPoint face);
        RunningTool consumer = _folder.StartConsumer(provider, "-itemCount 100 -steadyStateTime 300 -writeStatsInterval 1");
        consumer.WaitForSteadyState();
        ForeignListener.Break(provider.Id, face.Port);
        provider.WaitForLine("the port of metrics and control ");
        consumer.WaitForSteadyState(); // it goes on
        RunFolder.End(consumer);
        ExpectWholeResults(provider, images: 100);
        Assert.Single(provider.Output.Split('\n'), line => line.Contains("the port of metrics and control ", StringComparison.Ordinal));
    }

    public void Dispose()
    {
        Leave();
        _folder.Dispose();
    }

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    private ToolProcess StartProvider(out IPEndPoint face)
    {
        ToolProcess provider = _folder.StartProcess("ProvPerf",
            "-p 0 -updateRate 5000 -latencyUpdateRate 500 -metricsPort 0 -writeStatsInterval 1 -jsonFile prov.json -summaryFile prov.out",
            limits: $"ulimit -n {Files}");
        string line = provider.WaitForLine(Metrics);
        face = new(IPAddress.Loopback, int.Parse(line.AsSpan()[Metrics.Length..line.LastIndexOf('/')], CultureInfo.InvariantCulture));
        return provider;
    }

    private void ExpectWholeResults(ToolProcess provider, int images)
    {
        provider.Signal(RunningTool.Terminate);
        Assert.Equal((143, "ProvPerf: ended by SIGTERM\n"), (provider.WaitForExit(), provider.Error));
        Assert.Equal(images, _folder.Final("prov.json").Count("imagesSent"));
        Assert.Contains("--- OVERALL SUMMARY ---", File.ReadAllText(_folder.PathOf("prov.out")), StringComparison.Ordinal);
    }

    // Most wait in the system's queue, or for a place there.
    private void Begin(IPEndPoint face)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _sockets.Add(socket);
        _ = socket.ConnectAsync(face).ContinueWith(
            connecting => connecting.Exception, Cancel, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
    }

    private void Leave()
    {
        _sockets.ForEach(socket => socket.Dispose());
        _sockets.Clear();
    }

    private static async Task<string> AskAsync(IPEndPoint face)
    {
        using HttpClient client = new();
        return await client.GetStringAsync($"http://{face}/metrics", Cancel);
    }

    private static int CountFiles(ToolProcess of) => Directory.GetFileSystemEntries($"/proc/{of.Id}/fd").Length;

    private static async Task UntilAsync(Func<bool> holds)
    {
        while (!holds())
        {
            Cancel.ThrowIfCancellationRequested();
            await Task.Yield();
        }
    }
}
