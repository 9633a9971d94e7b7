using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Floods;

/// <summary>Clients that attack a run through the port of metrics and control: its time, memory or descriptors.</summary>
/// <remarks>Floods face kind host:port seconds; it prints the amount sent. It reopens closed connections.</remarks>
internal static class FaceAttacks
{
    private const int IdleSockets = 2_000;
    private const string Head = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static readonly byte[] Noise = [.. Enumerable.Range(0, 16_384).Select(i => (byte)(i * 7919 >> 3))];

    private static readonly Dictionary<string, Func<Client, CancellationToken, Task>> All = new()
    {
        ["idle"] = (client, stop) => client.HoldAsync(IdleSockets, "", stop),
        ["half-heads"] = (client, stop) => client.HoldAsync(IdleSockets, "GET /metrics HTTP/1.1\r\nHost: loc", stop),
        ["half-bodies"] = (client, stop) => client.HoldAsync(IdleSockets, Post(4_000), stop),
        ["byte-by-byte"] = (client, stop) => client.DribbleAsync(Head, stop),
        ["storm"] = (client, stop) => client.SendAsync([], stop),
        ["metrics"] = (client, stop) => client.AskAsync(Head, stop),
        ["unread"] = (client, stop) => client.HoldAsync(IdleSockets, Head, stop),
        ["wrong-tokens"] = (client, stop) => client.AskAsync(Post(8, "Authorization: Bearer 0123456789abcdef\r\n") + "rate=1\r\n", stop),
        ["long-heads"] = (client, stop) => client.SendAsync(Repeat("GET /metrics HTTP/1.1\r\n", "X-Padding: 0123456789\r\n"), stop),
        ["long-lines"] = (client, stop) => client.SendAsync(Repeat("GET /", "aaaaaaaaaaaaaaaaaaaaaaaa"), stop),
        ["long-bodies"] = (client, stop) => client.SendAsync(Repeat(Post(int.MaxValue), "rate=1000000\n"), stop),
        ["chunks"] = (client, stop) => client.SendAsync(
            Repeat("POST /control HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"), stop),
        ["pipelined"] = (client, stop) => client.SendAsync(Repeat("", Head), stop),
        ["noise"] = (client, stop) => client.SendAsync(Noise, stop),
    };

    /// <summary>The kinds of attack.</summary>
    public static IEnumerable<string> Kinds => All.Keys;

    /// <summary>Attacks for the given time.</summary>
    public static async Task<int> RunAsync(string kind, string address, double seconds)
    {
        using CancellationTokenSource stop = new(TimeSpan.FromSeconds(seconds));
        Client client = new(IPEndPoint.Parse(address));
        while (!stop.IsCancellationRequested)
        {
            try
            {
                await All[kind](client, stop.Token);
            }
            catch (Exception problem) when (problem is IOException or SocketException or OperationCanceledException)
            {
                // closed, or ended
            }
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{kind,-18} {client.Bytes / 1e6,8:F1} MB sent, {client.Connections} connections, {client.Replies} replies"));
        return 0;
    }

    private static string Post(int bytes, string more = "") =>
        FormattableString.Invariant($"POST /control HTTP/1.1\r\nHost: localhost\r\nX-PerfTools: 1\r\n{more}Content-Length: {bytes}\r\n\r\n");

    private static byte[] Repeat(string begin, string piece) =>
        Encoding.ASCII.GetBytes(begin + string.Concat(Enumerable.Repeat(piece, 1_000_000 / piece.Length)));

    private sealed class Client(IPEndPoint at)
    {
        public long Bytes { get; private set; }

        public int Connections { get; private set; }

        public int Replies { get; private set; }

        // Holds the maximum of connections, each with the beginning of a request; closed ones are opened again.
        public async Task HoldAsync(int count, string begin, CancellationToken stop)
        {
            List<Socket> held = [];
            Socket socket;
            try
            {
                while (true)
                {
                    for (; held.Count < count; held.Add(socket))
                        socket = BeginConnecting(Encoding.ASCII.GetBytes(begin), stop);
                    await Task.Delay(100, stop);
                    held.RemoveAll(one => one.Connected && one.Poll(0, SelectMode.SelectRead) && begin != Head && Close(one)); // replies stay unread
                }
            }
            finally
            {
                held.ForEach(one => one.Dispose());
            }
        }

        public async Task DribbleAsync(string text, CancellationToken stop)
        {
            using Socket socket = await ConnectAsync(stop);
            foreach (byte one in Encoding.ASCII.GetBytes(text))
            {
                await SendAsync(socket, new[] { one }, stop);
                await Task.Delay(20, stop);
            }
        }

        public async Task SendAsync(byte[] bytes, CancellationToken stop)
        {
            using Socket socket = await ConnectAsync(stop);
            await SendAsync(socket, bytes, stop);
        }

        public async Task AskAsync(string request, CancellationToken stop)
        {
            using Socket socket = await ConnectAsync(stop);
            await SendAsync(socket, Encoding.ASCII.GetBytes(request), stop);
            byte[] room = new byte[64 * 1024];
            int all = 0;
            for (int bytes = await socket.ReceiveAsync(room, stop); bytes > 0; bytes = await socket.ReceiveAsync(room, stop))
                all += bytes;
            Replies += all > 0 ? 1 : 0;
        }

        // Most of them wait in the system until they are accepted.
        private Socket BeginConnecting(byte[] begin, CancellationToken stop)
        {
            Socket socket = new(SocketType.Stream, ProtocolType.Tcp);
            _ = ConnectAndSendAsync();
            return socket;

            async Task ConnectAndSendAsync()
            {
                try
                {
                    await socket.ConnectAsync(at, stop);
                    Connections++;
                    await SendAsync(socket, begin, stop);
                }
                catch (Exception problem) when (problem is SocketException or OperationCanceledException or ObjectDisposedException)
                {
                    // closed, or ended
                }
            }
        }

        private async Task<Socket> ConnectAsync(CancellationToken stop)
        {
            Socket socket = new(SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(at, stop);
            Connections++;
            return socket;
        }

        private async Task SendAsync(Socket socket, ReadOnlyMemory<byte> bytes, CancellationToken stop) =>
            Bytes += await socket.SendAsync(bytes, stop);

        private static bool Close(Socket socket)
        {
            socket.Dispose();
            return true;
        }
    }
}
