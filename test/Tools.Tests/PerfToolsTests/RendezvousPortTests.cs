using System.Net;
using System.Net.Sockets;
using PerfCommon;
using PerfTools.Processes;
using PerfTools.Ranks;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The files of a rendezvous by the port of rank 0, on loopback.</summary>
public sealed class RendezvousPortTests : IDisposable
{
    private const string Token = "the-right-token";
    private readonly TestFolder _folder = new();
    private readonly FolderStore _files;
    private readonly HostAddress _address = new("127.0.0.1", FreePort.Find());
    private readonly RendezvousPort _port;

    public RendezvousPortTests()
    {
        _files = new(_folder.PathOf("run/meet-a"));
        _files.TryAdd("rank-0.json", "zero");
        _port = RendezvousPort.Listen(_address, new(Token, new(0, 3, "a", "test")),
            rank => new(_files, Rendezvous.NamesOf(rank, ["consumer"], ["provider", "consumer"]),
            _folder.PathOf("run"), rank, name => name.StartsWith("Cons", StringComparison.Ordinal)));
    }

    [Fact]
    public void Store_FilesOfARank_AreThoseOfRank0()
    {
        using PortStore store = Connect();
        Assert.Equal("zero", store.Read("rank-0.json"));
        Assert.True(store.TryAdd("rank-1.json", "one"));
        Assert.False(store.TryAdd("rank-1.json", "another"));
        Assert.Equal("one", _files.Read("rank-1.json"));
        Assert.False(store.Has("alive-1"));
        store.Write("alive-1", "1");
        store.Write("alive-1", "2");
        Assert.True(store.Has("alive-1"));
        Assert.Equal("2", _files.Read("alive-1"));
        Assert.Null(store.Read("start.json"));
    }

    [Fact]
    public void Clock_OfOneMachine_IsThatOfRank0WithinTheError()
    {
        using PortStore store = Connect();
        store.Has("rank-0.json");
        WallClockReading first = store.Clock!;
        Assert.InRange(Math.Abs(first.Offset.TotalSeconds), 0, first.Error.TotalSeconds + 0.001);
        store.Has("rank-0.json");
        Assert.InRange(store.Clock!.Error, TimeSpan.Zero, first.Error);
        Assert.Null(_files.Clock);
    }

    [Theory]
    [InlineData("start.json")]
    [InlineData("alive-2")]
    [InlineData("rank-0.json")]
    [InlineData("clock.key")]
    [InlineData("../alive-1")]
    [InlineData(".alive-1")]
    [InlineData("")]
    public void Write_FileOfAnother_IsRefused(string name)
    {
        using PortStore store = Connect();
        SetupException refused = Assert.Throws<SetupException>(() => store.Write(name, "x"));
        Assert.EndsWith($"write of {name} is not for this rank", refused.Message, StringComparison.Ordinal);
        Assert.Equal(["rank-0.json"], Directory.GetFiles(_files.Folder).Select(Path.GetFileName));
    }

    [Theory]
    [InlineData("another-token", "a", 1, 3, "another token")]
    [InlineData(Token, "b", 1, 3, "another --run-id")]
    [InlineData(Token, "a", 1, 4, "4 ranks, not 3")]
    [InlineData(Token, "a", 0, 3, "no rank of this run")]
    [InlineData(Token, "a", 3, 3, "no rank of this run")]
    public void Connect_RankThatDoesNotBelong_IsRefusedAndCounted(string token, string runId, int rank, int ranks, string why)
    {
        SetupException refused = Assert.Throws<SetupException>(() => Connect(new(token, runId, rank, ranks)));
        Assert.Equal((SetupProblem.NotStarted, $"--meet {_address}: refused by rank 0: {why}"), (refused.Problem, refused.Message));
        using PortStore store = Connect();
        Assert.Equal("zero", store.Read("rank-0.json"));
        Assert.Matches($"^Warning: --meet: refused a connection, the first from 127.0.0.1:[0-9]+: {why}\\.$", _port.DescribeRefused());
    }

    /// <summary>A run that ends as soon as the rank knows has it in its warning.</summary>
    [Fact]
    public void TryIdentify_RankThatIsRefused_IsCountedBeforeItIsTold()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using TcpClient rank = new();
        rank.Connect((IPEndPoint)listener.LocalEndpoint);
        using PortConnection connection = new(listener.AcceptSocket());
        PortFrame.Write(rank.GetStream(), new PortHello("another-token", "a", 1, 3), RendezvousJson.Default.PortHello);

        List<(string Why, int Told)> counted = [];
        bool isKnown = connection.TryIdentify(new(Token, new(0, 3, "a", "test")), refusal => counted.Add((refusal.Problem, rank.Available)));
        Assert.Equal((false, ("another token", 0)), (isKnown, Assert.Single(counted)));
        PortReply told = PortFrame.Read(rank.GetStream(), PortFrame.MaxBytes, RendezvousJson.Default.PortReply);
        Assert.Equal((false, "another token"), (told.Is, told.Problem));
    }

    [Fact]
    public void Deliver_FilesOfARole_AreWholeInTheFolderOfTheRun()
    {
        byte[] large = new byte[3_000_000];
        new Random(1).NextBytes(large);
        string[] paths = [Write("ConsPerf.jsonl", large), Write("Cons-updates.hlog", []), Write("result-1.json", [1, 2])];
        using PortStore store = Connect();
        Assert.Null(store.Deliver(paths));
        Assert.Equal(large, File.ReadAllBytes(_folder.PathOf("run/ConsPerf.jsonl")));
        Assert.Empty(File.ReadAllBytes(_folder.PathOf("run/Cons-updates.hlog")));
        Assert.Equal([1, 2], File.ReadAllBytes(_files.PathOf("result-1.json")));
        Assert.Empty(Directory.GetDirectories(_files.Folder));
    }

    [Theory]
    [InlineData("run.json", "run.json is not a file of rank 1")]
    [InlineData("result-2.json", "result-2.json is not a file of rank 1")]
    [InlineData("ProvPerf.jsonl", "ProvPerf.jsonl is not a file of rank 1")]
    public void Deliver_FileOfAnother_LeavesNothing(string name, string why)
    {
        using PortStore store = Connect();
        Assert.Equal($"the results were not sent to rank 0 ({_address}): {why}",
            store.Deliver([Write("ConsPerf.jsonl", [1]), Write(name, new byte[200_000]), Write("result-1.json", [2])]));
        Assert.Empty(Directory.GetFiles(_folder.PathOf("run")));
        Assert.False(_files.Has("result-1.json"));
    }

    [Fact]
    public void Receive_OtherBytesThanThoseHashed_IsNoFile()
    {
        PortService desk = new(_files, new HashSet<string>(), _folder.PathOf("run"), 1, _ => true);
        PortReply reply = desk.Receive(new(PortRequest.File, "x", Size: 2, Hash: "00"), new MemoryStream([1, 2, 3]), () => { });
        Assert.Equal("x: another hash than that of the file sent", reply.Problem);
        Assert.Equal("0 files of 1 have come", desk.Answer(new(PortRequest.End, "", Size: 1)).Problem);
        Assert.Throws<EndOfStreamException>(() => desk.Receive(new(PortRequest.File, "x", Size: 2, Hash: "00"), new MemoryStream([1]), () => { }));
        Assert.Throws<InvalidDataException>(() => desk.Receive(new(PortRequest.File, "x", Size: long.MaxValue), new MemoryStream([1]), () => { }));
    }

    /// <summary>The oldest of those that show no token makes room; a rank is served all the time.</summary>
    [Fact]
    public async Task Accept_ManyStrangers_ARankIsServed()
    {
        using PortStore store = Connect();
        List<Socket> strangers = [];
        for (int i = 0; i < 60; i++)
        {
            strangers.Add(new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
            await strangers[^1].ConnectAsync(IPAddress.Loopback, _address.Port, TestContext.Current.CancellationToken);
            if (i % 3 == 0)
                await strangers[^1].SendAsync(new byte[] { 0x47, 0x45, 0x54, 0x20 }, TestContext.Current.CancellationToken);
            Assert.Equal("zero", store.Read("rank-0.json"));
        }

        using PortStore second = Connect(new(Token, "a", 2, 3));
        Assert.Equal("zero", second.Read("rank-0.json"));
        strangers.ForEach(stranger => stranger.Dispose());
    }

    [Fact]
    public void Read_PortThatIsGone_IsWhatWasReadLast()
    {
        using PortStore store = Connect();
        Assert.Equal("zero", store.Read("rank-0.json"));
        _port.Dispose();
        Assert.Equal("zero", store.Read("rank-0.json"));
        Assert.Null(store.Read("alive-0"));
        store.Write("alive-1", "1"); // it is written when the port is there again
        Assert.False(_files.Has("alive-1"));
    }

    public void Dispose()
    {
        _port.Dispose();
        _files.Dispose();
        _folder.Dispose();
    }

    private PortStore Connect() => Connect(new(Token, "a", 1, 3));

    private PortStore Connect(PortHello hello) =>
        PortStore.Connect(_address, hello, _folder.PathOf("own"), TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);

    private string Write(string name, byte[] bytes)
    {
        Directory.CreateDirectory(_folder.PathOf("own"));
        File.WriteAllBytes(_folder.PathOf($"own/{name}"), bytes);
        return _folder.PathOf($"own/{name}");
    }
}
