using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Security.Cryptography;
using PerfCommon;
using PerfTools.Processes;

namespace PerfTools.Ranks;

/// <summary>The files of a rendezvous by the port of rank 0, for a rank that shares no folder with it.</summary>
/// <remarks>
/// A connection that ends is opened again. Meanwhile files are as they were last read: that rank 0 is silent shows by its pulse. What cannot be written
/// then is written later.
/// </remarks>
internal sealed class PortStore : IRendezvousStore
{
    private const int ConnectMillis = 10_000;
    private const int ReplyMillis = 10_000;
    private const int RetryMillis = 500;
    private const int DeliverSeconds = 30;
    private const string NoAnswer = "rank 0 does not answer";

    private readonly HostAddress _address;
    private readonly PortHello _hello;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, string> _read = [];
    private readonly Dictionary<string, string> _unwritten = [];
    private NetworkStream? _stream;
    private WallClockReading? _clock;
    private long _triedAt;
    private volatile bool _isOver;

    private PortStore(HostAddress address, PortHello hello, string folder) => (_address, _hello, Folder) = (address, hello, folder);

    public string Folder { get; }

    private static RendezvousJson Json => RendezvousJson.Default;

    /// <summary>Connects to rank 0, which may not have been started yet.</summary>
    /// <param name="address">Its address.</param>
    /// <param name="hello">The first message.</param>
    /// <param name="folder">The folder of this machine.</param>
    /// <param name="limit">The time limit.</param>
    /// <param name="stop">Cancels the wait.</param>
    /// <exception cref="SetupException">Rank 0 refuses this rank, or was not found (exit code 4).</exception>
    public static PortStore Connect(HostAddress address, PortHello hello, string folder, TimeSpan limit, CancellationToken stop)
    {
        PortStore store = new(address, hello, folder);
        long from = Stopwatch.GetTimestamp();
        while (!store.TryOpen(out string? problem))
        {
            if (stop.IsCancellationRequested || Stopwatch.GetElapsedTime(from) > limit)
            {
                throw NotStarted(FormattableString.Invariant(
                    $"--meet {address}: rank 0 was not found{(stop.IsCancellationRequested ? "" : $" within {limit.TotalSeconds:0} s")}: {problem}"));
            }

            stop.WaitHandle.WaitOne(RetryMillis);
        }

        return store;
    }

    public WallClockReading? Clock
    {
        get
        {
            lock (_gate)
                return _clock;
        }
    }

    public string PathOf(string name) => $"{name} at {_address}";

    public bool TryAdd(string name, string text) => Exchange(new(PortRequest.Add, name, text)) is not { } reply
        ? throw NotStarted($"--meet {_address}: {NoAnswer}")
        : reply.Problem is null ? reply.Is : throw NotStarted($"--meet {_address}: {PrintableText.From(reply.Problem)}");

    public void Write(string name, string text)
    {
        lock (_gate)
            _unwritten[name] = text;
        Exchange(null);
    }

    public string? Read(string name)
    {
        PortReply? reply = Exchange(new(PortRequest.Read, name));
        lock (_gate)
        {
            if (reply?.Text is { } text)
                _read[name] = text;
            return _read.GetValueOrDefault(name);
        }
    }

    public bool Has(string name)
    {
        PortReply? reply = Exchange(new(PortRequest.Has, name));
        return reply?.Is ?? false;
    }

    public long? Show(string name, long from, string lines) =>
        Exchange(new(PortRequest.Lines, name, lines, from)) is { Problem: null, Text: { } length }
        && long.TryParse(length, NumberStyles.None, CultureInfo.InvariantCulture, out long bytes) ? bytes : null;

    public string? Deliver(IReadOnlyList<string> paths)
    {
        long from = Stopwatch.GetTimestamp();
        while (true)
        {
            string? problem = TryDeliver(paths, out bool mayRetry);
            if (problem is null || !mayRetry || Stopwatch.GetElapsedTime(from).TotalSeconds > DeliverSeconds)
                return problem is null ? null : $"the results were not sent to rank 0 ({_address}): {PrintableText.From(problem)}";
            Thread.Sleep(RetryMillis);
        }
    }

    /// <summary>Ends an exchange of another thread, too.</summary>
    public void Dispose()
    {
        _isOver = true;
        _stream?.Dispose();
    }

    private static SetupException NotStarted(string problem) => new(SetupProblem.NotStarted, problem);

    private string? TryDeliver(IReadOnlyList<string> paths, out bool mayRetry)
    {
        mayRetry = false;
        try
        {
            foreach (string path in paths)
            {
                PortReply? reply = Send(path);
                mayRetry = reply is null;
                if (reply is null || reply.Problem is not null)
                    return reply is null ? NoAnswer : reply.Problem;
            }
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return cause.Message;
        }

        PortReply? end = Exchange(new(PortRequest.End, "", Size: paths.Count));
        mayRetry = end is null;
        return end is null ? NoAnswer : end.Problem;
    }

    private PortReply? Send(string path)
    {
        using Stream file = RegularFile.OpenRead(path);
        string hash = Convert.ToHexStringLower(SHA256.HashData(file));
        file.Position = 0;
        return Exchange(new(PortRequest.File, Path.GetFileName(path), Size: file.Length, Hash: hash), file);
    }

    // Null where rank 0 cannot be reached now. Without a request only what is unwritten is sent.
    private PortReply? Exchange(PortRequest? request, Stream? body = null)
    {
        lock (_gate)
        {
            if (_isOver || (_stream is null && (Stopwatch.GetElapsedTime(_triedAt).TotalMilliseconds < RetryMillis || !TryOpen(out _))))
                return null;
            try
            {
                foreach ((string name, string text) in _unwritten)
                {
                    PortReply reply = Ask(new(PortRequest.Write, name, text), null);
                    _unwritten.Remove(name);
                    if (reply.Problem is { } problem)
                        throw new SetupException(SetupProblem.OutputFile, $"{PathOf(name)}: {PrintableText.From(problem)}");
                }

                return request is null ? null : Ask(request, body);
            }
            catch (Exception cause) when (cause is IOException or InvalidDataException or ObjectDisposedException)
            {
                Close();
                return null;
            }
        }
    }

    private PortReply Ask(PortRequest request, Stream? body)
    {
        (DateTime asked, long at) = (DateTime.UtcNow, Stopwatch.GetTimestamp());
        PortFrame.Write(_stream!, request, Json.PortRequest);
        body?.CopyTo(_stream!);
        PortReply reply = PortFrame.Read(_stream!, PortFrame.MaxBytes, Json.PortReply);
        _clock = WallClockReading.Better(_clock, WallClockReading.Of(asked, Stopwatch.GetElapsedTime(at), reply.Utc));
        return reply;
    }

    private bool TryOpen(out string? problem)
    {
        _triedAt = Stopwatch.GetTimestamp();
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveTimeout = ReplyMillis, SendTimeout = ReplyMillis };
        try
        {
            using CancellationTokenSource limit = new(ConnectMillis);
            socket.ConnectAsync(_address.Host, _address.Port, limit.Token).AsTask().GetAwaiter().GetResult();
            NetworkStream stream = new(socket, ownsSocket: true);
            PortFrame.Write(stream, _hello, Json.PortHello);
            PortReply reply = PortFrame.Read(stream, PortFrame.MaxBytes, Json.PortReply);
            if (reply is { Problem: { } refused, IsEarly: false })
                throw NotStarted($"--meet {_address}: refused by rank 0: {PrintableText.From(refused)}");
            (_stream, problem) = (reply.IsEarly ? null : stream, reply.Problem);
            if (reply.IsEarly)
                socket.Dispose();
            return !reply.IsEarly;
        }
        catch (Exception cause) when (cause is SocketException or IOException or InvalidDataException or OperationCanceledException)
        {
            socket.Dispose();
            problem = cause is OperationCanceledException ? "no answer" : cause.Message;
            return false;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private void Close()
    {
        _stream?.Dispose();
        _stream = null;
    }
}
