using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;
using PerfTools.Processes;
using PerfTools.Ranks;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Whatever comes over a connection to the port of rank 0 ends that connection at most: rank 0 serves the ranks as before.</summary>
public sealed class RendezvousBadPeerTests : IDisposable
{
    private const string Token = "the-right-token";
    private const string Hello = $$"""{"token":"{{Token}}","runId":"a","rank":1,"ranks":3,"run":1}""";
    private const string Request = """{"kind":"file","name":"ConsPerf.jsonl","text":null,"size":0,"hash":"00"}""";
    private static readonly string[] OddValues =
    [
        "null", "true", "-1", "0", "1e999", "1.5", "99999999999999999999999999", "\"\"", "\"\\u0000\"", "\"\\ud800\"", "\"\u00ff\"", "[]", "{}", "[[]]",
        "{\"a\":null}",
    ];

    private readonly TestFolder _folder = new();
    private readonly FolderStore _files;
    private readonly HostAddress _address = new("127.0.0.1", FreePort.Find());
    private readonly RendezvousPort _port;
    private Func<int, PortService> _open;

    public RendezvousBadPeerTests()
    {
        _files = new(_folder.PathOf("run/meet-a"));
        _files.TryAdd("rank-0.json", "zero");
        _open = rank => new(_files, Rendezvous.NamesOf(rank, ["consumer"], ["provider", "consumer"]), _folder.PathOf("run"), rank,
            name => name.StartsWith("Cons", StringComparison.Ordinal));
        _port = RendezvousPort.Listen(_address, new(Token, new(0, 3, "a", "test")), rank => _open(rank));
    }

    [Fact]
    public void Hello_CutAtEveryLength_EndsThatConnectionOnly()
    {
        byte[] whole = Frame(Hello);
        for (int length = 0; length < whole.Length; length++)
            Assert.Null(Send(whole[..length]));
        Assert.NotNull(Send(whole));
        AssertServed("no rank|no token");
    }

    [Fact]
    public void Request_CutAtEveryLength_EndsThatConnectionOnly()
    {
        byte[] whole = Frame(Request);
        for (int length = 0; length < whole.Length; length++)
            Assert.Null(Send(Frame(Hello), whole[..length]));
        Assert.Contains("another hash", Send(Frame(Hello), whole), StringComparison.Ordinal);
        AssertServed(null);
    }

    [Theory]
    [InlineData(int.MinValue)]
    [InlineData(-1)]
    [InlineData(0)]
    [InlineData(PortFrame.MaxHelloBytes + 1)]
    [InlineData(int.MaxValue)]
    public void Length_ThatNoMessageHas_EndsThatConnectionOnly(int length)
    {
        byte[] head = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(head, length);
        Assert.Null(Send([.. head, .. Encoding.UTF8.GetBytes(Hello)]));
        BinaryPrimitives.WriteInt32BigEndian(head, length == PortFrame.MaxHelloBytes + 1 ? PortFrame.MaxBytes + 1 : length);
        Assert.Null(Send(Frame(Hello), head));
        AssertServed("no rank");
    }

    [Fact]
    public void Json_OfAnotherForm_EndsThatConnectionOnly()
    {
        foreach (string odd in Odd(Hello))
            Assert.DoesNotContain("\"is\":true", Send(Frame(odd)) ?? "", StringComparison.Ordinal);
        foreach (string odd in Odd(Request))
            Assert.DoesNotContain("\"is\":true", Send(Frame(Hello), Frame(odd)) ?? "", StringComparison.Ordinal);
        AssertServed("no rank|no token|another|[0-9-]+ ranks|run ");
    }

    [Fact]
    public void Bytes_ThatAreNoText_EndThatConnectionOnly()
    {
        Random random = new(7);
        for (int i = 0; i < 100; i++)
        {
            byte[] body = new byte[1 + random.Next(200)];
            random.NextBytes(body);
            byte[] inText = [.. "{\"token\":\""u8, .. body, .. "\"}"u8];
            Assert.DoesNotContain("\"is\":true", Send(Frame(i % 2 == 0 ? body : inText)) ?? "", StringComparison.Ordinal);
            Assert.Null(Send(Frame(Hello), Frame(i % 2 == 0 ? body : inText)));
        }

        AssertServed("no rank");
    }

    [Fact]
    public void Defect_OfOneConnection_IsNamedAndRank0GoesOn()
    {
        Func<int, PortService> usual = _open;
        _open = _ => throw new InvalidOperationException("broken\nby a test");
        Assert.Null(Send(Frame(Hello), Frame(Request)));
        _open = usual;
        using PortStore store = Connect();
        Assert.Equal("zero", store.Read("rank-0.json"));
        SpinWait.SpinUntil(() => _port.DescribeRefused() is not null, TimeSpan.FromSeconds(60)); // the connection ends before it is counted
        Assert.Matches(@"^Warning: --meet: defects: ended a connection, the first from [0-9.]+:[0-9]+: InvalidOperationException: broken.*by a test\.$",
            _port.DescribeRefused());
    }

    /// <summary>A file that rank 0 could not read would end it.</summary>
    [Fact]
    public void Write_LongerThanRank0Reads_IsRefused()
    {
        using PortStore store = Connect();
        PerfCommon.SetupException refused = Assert.Throws<PerfCommon.SetupException>(() => store.Write("alive-1", new('x', FolderStore.MaxFileBytes + 1)));
        Assert.EndsWith("alive-1: too long", refused.Message, StringComparison.Ordinal);
        store.Write("alive-1", new('x', FolderStore.MaxFileBytes));
        Assert.Equal(FolderStore.MaxFileBytes, _files.Read("alive-1")!.Length);
        store.Write("alive-1", new('\u00e9', FolderStore.MaxFileBytes / 2)); // of two bytes each
        Assert.Throws<PerfCommon.SetupException>(() => store.Write("alive-1", new('\u00e9', (FolderStore.MaxFileBytes / 2) + 1)));
    }

    [Fact]
    public void Dispose_WhileAnotherThreadAsks_EndsThatQuietly()
    {
        for (int i = 0; i < 20; i++)
        {
            PortStore store = Connect();
            Exception? failure = null;
            using ManualResetEventSlim hasBegun = new();
            Thread asking = new(() =>
            {
                failure = Record.Exception(() =>
                {
                    while (store.Read("rank-0.json") is not null && store.Has("rank-0.json"))
                        hasBegun.Set();
                });
                hasBegun.Set();
            });
            asking.Start();
            hasBegun.Wait(TestContext.Current.CancellationToken);
            store.Dispose();
            asking.Join();
            Assert.Null(failure);
        }
    }

    public void Dispose()
    {
        _port.Dispose();
        _files.Dispose();
        _folder.Dispose();
    }

    // Each value of the message replaced by each odd one, each left out, and a few that are no object at all.
    private static IEnumerable<string> Odd(string message)
    {
        string[] members = message[1..^1].Split(',');
        for (int i = 0; i < members.Length; i++)
        {
            string name = members[i].Split(':')[0];
            foreach (string value in OddValues.Where(value => !(members[i] + "}").EndsWith($":{value}}}", StringComparison.Ordinal)))
                yield return $"{{{string.Join(',', members.Index().Select(member => member.Index == i ? $"{name}:{value}" : member.Item))}}}";
            if (name != "\"run\"") // the first run need not be named
                yield return $"{{{string.Join(',', members.Index().Where(member => member.Index != i).Select(member => member.Item))}}}";
        }

        string deep = string.Concat(Enumerable.Repeat("[", 1_900)) + string.Concat(Enumerable.Repeat("]", 1_900));
        foreach (string other in (string[])[.. OddValues, deep, message[..^1], message + message, $"{{\"x\":{deep},{message[1..]}", "{\"token\":{\"token\":"])
            yield return other;
    }

    private static byte[] Frame(string text) => Frame(Encoding.UTF8.GetBytes(text));

    private static byte[] Frame(byte[] body)
    {
        byte[] frame = new byte[4 + body.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, body.Length);
        body.CopyTo(frame, 4);
        return frame;
    }

    // The last answer to these; null where the port ended the connection before it.
    private string? Send(params byte[][] frames)
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 60_000 };
        socket.Connect(IPAddress.Loopback, _address.Port);
        string? answer = null;
        foreach (byte[] frame in frames)
            answer = TrySend(socket, frame, isLast: ReferenceEquals(frame, frames[^1])) ? Receive(socket) : null;
        return answer;
    }

    // The port may end the connection as soon as it has read enough.
    private static bool TrySend(Socket socket, byte[] frame, bool isLast)
    {
        try
        {
            socket.Send(frame);
            if (isLast)
                socket.Shutdown(SocketShutdown.Send);
            return true;
        }
        catch (SocketException end) when (end.SocketErrorCode is SocketError.ConnectionReset or SocketError.NotConnected or SocketError.Shutdown)
        {
            return false;
        }
    }

    private static string? Receive(Socket socket) => TryReceive(socket, new byte[4]) is { } head
        && TryReceive(socket, new byte[BinaryPrimitives.ReadInt32BigEndian(head)]) is { } body ? Encoding.UTF8.GetString(body) : null;

    private static byte[]? TryReceive(Socket socket, byte[] whole)
    {
        for (int length = 0; length < whole.Length;)
        {
            int more = socket.Receive(whole.AsSpan(length), SocketFlags.None, out SocketError error);
            Assert.True(error is SocketError.Success or SocketError.ConnectionReset, $"{error}");
            if (error != SocketError.Success || more == 0)
                return null;
            length += more;
        }

        return whole;
    }

    private void AssertServed(string? refusals)
    {
        using PortStore store = Connect();
        Assert.Equal("zero", store.Read("rank-0.json"));
        if (refusals is null)
        {
            Assert.Null(_port.DescribeRefused());
        }
        else
        {
            Assert.Matches($"^Warning: --meet: refused (a connection|[0-9,]+ connections), the first from 127.0.0.1:[0-9]+: ({refusals})[^;]*\\.$",
                _port.DescribeRefused());
        }
    }

    private PortStore Connect() => PortStore.Connect(_address, new(Token, "a", 1, 3), _folder.PathOf("own"), TimeSpan.FromSeconds(60),
        TestContext.Current.CancellationToken);
}
