using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>Measures the system itself: two threads, one TCP connection over loopback, nothing else.</summary>
internal sealed class LoopbackStream : IDisposable
{
    private const int ReadBytes = 64 * 1024;
    private const int TimeoutMillis = 5000;

    private readonly Socket _sender;
    private readonly Socket _receiver;

    public LoopbackStream()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        _sender = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            SendTimeout = TimeoutMillis
        };
        _sender.Connect(listener.LocalEndPoint!);
        _receiver = listener.Accept();
        _receiver.NoDelay = true;
        _receiver.ReceiveTimeout = TimeoutMillis;
    }

    /// <summary>Sends as fast as the receiver accepts.</summary>
    /// <param name="writeBytes">Bytes of each write.</param>
    /// <param name="time">How long to send.</param>
    /// <param name="stop">Ends it early.</param>
    /// <returns>Bytes a second that arrived.</returns>
    public double MeasureBytesPerSecond(int writeBytes, TimeSpan time, CancellationToken stop)
    {
        Thread sending = new(() => Send(writeBytes, time, stop)) { IsBackground = true };
        byte[] room = new byte[ReadBytes];
        long start = Stopwatch.GetTimestamp();
        sending.Start();
        long bytes = 0;
        for (int count; (count = _receiver.Receive(room)) > 0;)
            bytes += count;
        TimeSpan taken = Stopwatch.GetElapsedTime(start);
        sending.Join();
        return bytes / taken.TotalSeconds;
    }

    /// <summary>Sends a message back and forth; both threads poll instead of waiting.</summary>
    /// <returns>The time of each round, in nanoseconds, sorted.</returns>
    public long[] MeasureRounds(int messageBytes, int maxRounds, TimeSpan time, CancellationToken stop)
    {
        _sender.Blocking = _receiver.Blocking = false;
        Thread echo = new(() => Echo(messageBytes, stop)) { IsBackground = true };
        echo.Start();
        byte[] message = new byte[messageBytes];
        List<long> times = [];
        for (long begin = Stopwatch.GetTimestamp(); times.Count < maxRounds && Stopwatch.GetElapsedTime(begin) < time;)
        {
            long start = Stopwatch.GetTimestamp();
            if (_sender.Send(message) != messageBytes || !TryReceiveBusily(_sender, message, stop))
                break;
            times.Add((long)Stopwatch.GetElapsedTime(start).TotalNanoseconds);
        }

        _sender.Shutdown(SocketShutdown.Both);
        echo.Join();
        times.Sort();
        return [.. times];
    }

    /// <summary>Sends a stamp every millisecond to a thread that sleeps in the system meanwhile, both cores idle.</summary>
    /// <returns>The time from each stamp until the other thread had it, in nanoseconds, sorted.</returns>
    public long[] MeasureWakeUps(TimeSpan time, CancellationToken stop)
    {
        Thread sending = new(() => SendStamps(time, stop)) { IsBackground = true };
        sending.Start();
        byte[] stamp = new byte[sizeof(long)];
        List<long> times = [];
        while (_receiver.Receive(stamp) == stamp.Length)
            times.Add(Clock.NowNanos - BinaryPrimitives.ReadInt64LittleEndian(stamp));
        sending.Join();
        times.Sort();
        return [.. times];
    }

    public void Dispose()
    {
        _sender.Dispose();
        _receiver.Dispose();
    }

    private void Send(int writeBytes, TimeSpan time, CancellationToken stop)
    {
        byte[] bytes = new byte[writeBytes];
        for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time && !stop.IsCancellationRequested;)
            _sender.Send(bytes);
        _sender.Shutdown(SocketShutdown.Send);
    }

    private void SendStamps(TimeSpan time, CancellationToken stop)
    {
        byte[] stamp = new byte[sizeof(long)];
        for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time && !stop.IsCancellationRequested;)
        {
            Thread.Sleep(1);
            BinaryPrimitives.WriteInt64LittleEndian(stamp, Clock.NowNanos);
            _sender.Send(stamp);
        }

        _sender.Shutdown(SocketShutdown.Send);
    }

    private void Echo(int messageBytes, CancellationToken stop)
    {
        byte[] message = new byte[messageBytes];
        while (TryReceiveBusily(_receiver, message, stop))
            _receiver.Send(message, SocketFlags.None, out _);
    }

    private static bool TryReceiveBusily(Socket socket, byte[] message, CancellationToken stop)
    {
        long start = Stopwatch.GetTimestamp();
        for (int got = 0; got < message.Length;)
        {
            int count = socket.Receive(message, got, message.Length - got, SocketFlags.None, out SocketError error);
            bool goesOn = count > 0 || error is SocketError.WouldBlock or SocketError.IOPending;
            if (!goesOn || stop.IsCancellationRequested || Stopwatch.GetElapsedTime(start).TotalMilliseconds > TimeoutMillis)
                return false;
            got += count;
        }

        return true;
    }
}
