using System.Net;
using System.Net.Sockets;
using PerfCommon;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Control;

/// <summary>Listens for requests over HTTP/1.1 and has them answered one after the other, on threads of the framework's pool.</summary>
/// <remarks>
/// It limits its use of every resource: connections beyond <see cref="MaxConnections"/> are not accepted and wait in the system's queue, where they
/// cost the program no descriptor; a connection has one request and seconds for it; and there are pauses between requests. A failure may stop the
/// listener, never the run: <see cref="DequeueNotice"/>.
/// </remarks>
internal sealed class ControlListener : IDisposable
{
    /// <summary>Maximum connections at a time.</summary>
    public const int MaxConnections = 64;

    private const int ShareOfFiles = 8; // an eighth of those that the system allows
    private const int AtATime = 8;
    private const int MaxUnreadBytes = 64 * 1024;
    private static readonly TimeSpan HeadLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan BodyLimit = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan ReplyLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan RestAfterFailure = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LastReplies = TimeSpan.FromSeconds(1);

    private readonly Func<ControlRequest, ControlReply> _answer;
    private readonly Socket _listening;
    private readonly IReadOnlyList<string> _hosts;
    private readonly TimeProvider _time;
#pragma warning disable CA2213 // connections that end after the listener still use them; they hold no system resource
    private readonly SemaphoreSlim _free; // connections that may still be accepted
    private readonly SemaphoreSlim _answering = new(1);
    private readonly CountdownEvent _replies = new(1); // and one for the listener itself
    private readonly CancellationTokenSource _stop = new();
#pragma warning restore CA2213
    private int _answered;
    private int _open;
    private long _bytesReceived;
    private string? _notice;
    private bool _hasFailed;

    private ControlListener(Socket listening, string host, Func<ControlRequest, ControlReply> answer, long? maxFiles, TimeProvider time)
    {
        (_listening, _hosts, _answer, _time) = (listening, NamesOf(host), answer, time);
        Port = ((IPEndPoint)listening.LocalEndPoint!).Port;
        Connections = ConnectionsOf(maxFiles);
        _free = new(Connections);
        _ = AcceptAsync();
    }

    public int Port { get; }

    /// <summary>Maximum connections at a time here: fewer than <see cref="MaxConnections"/> where the system allows few files.</summary>
    public int Connections { get; }

    /// <summary>Number of open connections.</summary>
    internal int Open => Volatile.Read(ref _open);

    /// <summary>Bytes of all requests so far.</summary>
    internal long BytesReceived => Interlocked.Read(ref _bytesReceived);

    /// <summary>Returns the maximum connections for a number of files that the system allows; null where that is not known.</summary>
    public static int ConnectionsOf(long? maxFiles) => (int)Math.Min(MaxConnections, Math.Max(1, maxFiles / ShareOfFiles ?? MaxConnections));

    /// <summary>Begins to listen.</summary>
    /// <param name="options">The address and port.</param>
    /// <param name="answer">Answers a request; any thread, one at a time. An exception ends the connection only.</param>
    /// <param name="maxFiles">Open files that the system allows; null where it is not known.</param>
    /// <param name="time">Clock for the limits of a connection; null for the system's clock.</param>
    /// <exception cref="SetupException">The port cannot be bound.</exception>
    public static ControlListener Start(ControlOptions options, Func<ControlRequest, ControlReply> answer, long? maxFiles = null,
        TimeProvider? time = null)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            IPAddress host = IPAddress.TryParse(options.Host, out IPAddress? address) ? address : IPAddress.Loopback;
            socket.Bind(new IPEndPoint(host, options.Port));
            socket.Listen(MaxConnections);
            return Start(socket, options.Host, answer, maxFiles, time);
        }
        catch (SocketException cause)
        {
            socket.Dispose();
            string where = FormattableString.Invariant($"{options.Host}:{options.Port}");
            throw new SetupException(SetupProblem.NotStarted, $"cannot listen on {where}: {cause.Message}", cause);
        }
    }

    /// <summary>Accepts from a bound socket, which is closed with the listener.</summary>
    internal static ControlListener Start(
        Socket socket, string host, Func<ControlRequest, ControlReply> answer, long? maxFiles = null, TimeProvider? time = null) =>
        new(socket, host, answer, maxFiles, time ?? TimeProvider.System);

    /// <summary>Returns the first failure, as a sentence, once; null for none.</summary>
    public string? DequeueNotice() => Interlocked.Exchange(ref _notice, null);

    /// <summary>Closes every connection, once the replies under way are sent.</summary>
    public void Dispose()
    {
        _stop.Cancel();
        _listening.Dispose();
        if (!_replies.IsSet)
            _replies.Signal();
        _replies.Wait(LastReplies);
    }

    // The host names by which a request may address it; none for all.
    private static string[] NamesOf(string host)
    {
        const string Localhost = "localhost";
        string loopback = IPAddress.Loopback.ToString();
        return host == IPAddress.Any.ToString() ? [] : host == loopback || host == Localhost ? [loopback, Localhost] : [host];
    }

    private async Task AcceptAsync()
    {
        try
        {
            for (int accepted = 1; ; accepted++)
            {
                await _free.WaitAsync(_stop.Token);
                if (await TryAcceptAsync() is { } client)
                    _ = ServeAsync(client);
                else
                    _free.Release();
                if (accepted % AtATime == 0)
                    await Task.Delay(Rest, _stop.Token);
            }
        }
        catch (Exception cause) when (cause is OperationCanceledException or ObjectDisposedException)
        {
            // the run is over
        }
#pragma warning disable CA1031 // without metrics and control the run goes on, with a notice
        catch (Exception cause)
#pragma warning restore CA1031
        {
            ReportFirst($"no more connections to the port of metrics and control are accepted: {cause.Message}");
        }
    }

    // Null when no connection was accepted after all. When no descriptor is left it waits instead of retrying at once.
    private async Task<Socket?> TryAcceptAsync()
    {
        try
        {
            return await _listening.AcceptAsync(_stop.Token);
        }
        catch (SocketException cause)
        {
            if (cause.SocketErrorCode is not (SocketError.ConnectionReset or SocketError.ConnectionAborted))
            {
                ReportFirst($"connections to the port of metrics and control cannot be accepted: {cause.Message}");
                await Task.Delay(RestAfterFailure, _time, _stop.Token);
            }

            return null;
        }
    }

    private async Task ServeAsync(Socket client)
    {
        Interlocked.Increment(ref _open);
        try
        {
            if (await TryReadAsync(client) is { } received)
                await ReplyAsync(client, received);
        }
        catch (Exception cause) when (cause is SocketException or IOException or OperationCanceledException or ObjectDisposedException)
        {
            // the connection is gone, its time is up, or the run is over
        }
#pragma warning disable CA1031 // it ends this connection only, with a notice
        catch (Exception cause)
#pragma warning restore CA1031
        {
            ReportFirst($"a connection to the port of metrics and control failed: {cause.Message}");
        }
        finally
        {
            client.Dispose();
            Interlocked.Decrement(ref _open);
            _free.Release();
        }
    }

    // Null when the client disconnects before its request is complete.
    private async Task<HttpRequestReader?> TryReadAsync(Socket client)
    {
        using CancellationTokenSource limit = new(HeadLimit, _time);
        using CancellationTokenSource reading = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, _stop.Token);
        HttpRequestReader request = new(_hosts);
        while (!request.IsWhole)
        {
            bool hadHead = request.HasHead;
            int bytes = await client.ReceiveAsync(request.Room, reading.Token);
            if (bytes == 0)
                return null;
            request.Advance(bytes);
            bool isHeadNew = !hadHead && request.HasHead;
            if (isHeadNew)
                limit.CancelAfter(BodyLimit);
            Interlocked.Add(ref _bytesReceived, bytes); // once the time limit of what follows them is set
            if (isHeadNew && request.AwaitsContinue)
                await client.SendAsync(HttpReplyText.Continue, reading.Token);
        }

        return request;
    }

    private async Task ReplyAsync(Socket client, HttpRequestReader received)
    {
        if (!_replies.TryAddCount())
            return; // the run is over
        using CancellationTokenSource limit = new(ReplyLimit, _time);
        try
        {
            ControlReply reply = received.Refusal ?? await AnswerAsync(received.Request!);
            using NetworkStream stream = new(client, ownsSocket: false);
            await stream.WriteAsync(HttpReplyText.Encode(reply, withText: received.Request?.Method != "HEAD"), limit.Token);
            client.Shutdown(SocketShutdown.Send);
        }
        finally
        {
            _replies.Signal();
        }

        await DiscardAsync(client, limit.Token);
    }

    // Closing a connection with unread bytes resets it, and its reply is lost.
    private static async Task DiscardAsync(Socket client, CancellationToken limit)
    {
        byte[] room = new byte[4096];
        int bytes = 1;
        for (int all = 0; bytes > 0 && all < MaxUnreadBytes; all += bytes)
            bytes = await client.ReceiveAsync(room, limit);
    }

    private async Task<ControlReply> AnswerAsync(ControlRequest request)
    {
        await _answering.WaitAsync(_stop.Token);
        try
        {
            if (++_answered % AtATime == 0)
                await Task.Delay(Rest, _stop.Token);
            return _answer(request);
        }
        finally
        {
            _answering.Release();
        }
    }

    private void ReportFirst(string notice)
    {
        if (!Interlocked.Exchange(ref _hasFailed, true))
            Volatile.Write(ref _notice, notice);
    }
}
